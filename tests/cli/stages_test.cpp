// SPDX-License-Identifier: MIT
// kiln render --stages and what kiln compare says by it: which stage of two pictures differs first.
#include <filesystem>
#include <map>

#include "engine/io/picture/picture_format.h"
#include "tests/cli/settings.h"

namespace kiln {
namespace {

using namespace test;

class stages : public Settings {
 protected:
  stages() {
    put("a.flame", with_estimator(triangle("filter=\"0.5\"")));
    make("a", {});
  }
  /// The margin of the histogram is the estimator's: no filter here widens it.
  static std::string with_estimator(std::string flame) {
    return flame.replace(flame.find("estimator_radius=\"0\""), 20, "estimator_radius=\"3\"");
  }
  /// NAME.png with hashes; gives them by stage, as --json says them.
  std::map<std::string, std::string> make(const std::string& name, const Names& options) const {
    const Outcome outcome = kiln(joined({"render", "a.flame", "-o", name + ".png", "--stages",
                                         "--json", "-q", "--backend", "cpu", "--force"},
                                        options));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const std::regex member("\"(histogram|light|filtered|pixel_hash)\":\"([0-9a-f]{64})\"");
    std::map<std::string, std::string> found;
    for (std::sregex_iterator at(outcome.out.begin(), outcome.out.end(), member), end; at != end;
         ++at)
      found[(*at)[1]] = (*at)[2];
    EXPECT_EQ(found.size(), 4u) << outcome.out;
    return found;
  }
  /// Of a.png and one with these options: what is said of their stages, and the JSON's word.
  void expect_first(const std::string& stage, const std::string& words, const Names& options) {
    SCOPED_TRACE(joined({stage}, options).back());
    make("b", options);
    const std::string said = kiln({"compare", "a.png", "b.png"}).out;
    EXPECT_TRUE(contains(said, "; stages: " + words)) << said;
    const std::string json = kiln({"compare", "a.png", "b.png", "--json"}).out;
    EXPECT_TRUE(contains(json, "\"first_stage\":" + stage + ",")) << json;
  }
};

TEST_F(stages, each_setting_differs_first_at_its_stage) {
  const std::string all = "histogram, light, filtered, packed equal\n";
  expect_first("null", all, {});
  const std::string histogram = "histogram differs (seed, ";
  expect_first("\"histogram\"", histogram, {"--seed", "1"});
  expect_first("\"histogram\"", histogram, {"--quality", "6"});
  expect_first("\"histogram\"", histogram, {"--size", "24x32"});
  const std::string light = "histogram equal, light differs (brightness, ";
  expect_first("\"light\"", light, {"--brightness", "5"});
  expect_first("\"light\"", light, {"--set", "estimator_curve=0.6"});
  const std::string filtered = "histogram, light equal, filtered differs (spatial filter, ";
  expect_first("\"filtered\"", filtered, {"--set", "filter=1"});
  expect_first("\"filtered\"", filtered, {"--bloom", "0.2"});
  const std::string packed = "histogram, light, filtered equal, packed differs (gamma, ";
  expect_first("\"packed\"", packed, {"--gamma", "3"});
  expect_first("\"packed\"", packed, {"--background", "white"});
  expect_first("\"packed\"", packed, {"--crop", "4,4,16x16"});
}

// The margin of the light is made as far as the filter reads it.
TEST_F(stages, a_filter_leaves_the_light_whatever_of_its_margin_it_reads) {
  const Names wide = {"--set", "estimator_radius=20"};
  make("a", wide);
  expect_first("\"filtered\"", "histogram, light equal, filtered differs",
               joined(wide, {"--set", "filter=4"}));
}

TEST_F(stages, are_the_same_however_the_picture_is_made) {
  const auto one = make("b", {"--threads", "1"});
  EXPECT_EQ(make("b", {"--threads", "3"}), one);
  EXPECT_EQ(make("b", {"--state", "b.kiln"}), one);
  EXPECT_NE(one.at("histogram"), one.at("light"));
  EXPECT_NE(one.at("light"), one.at("filtered"));
}

TEST_F(stages, of_linear_light_and_of_several_passes) {
  if (!format_named("x.exr").supported()) GTEST_SKIP() << "skipped: built without OpenEXR";
  put("passes.flame", with_estimator(triangle("passes=\"2\"")));
  for (const char* name : {"one.exr", "two.exr"})
    ASSERT_EQ(kiln({"render", "passes.flame", "-o", name, "--stages", "--backend", "cpu"}).code, 0);
  EXPECT_TRUE(contains(kiln({"compare", "one.exr", "two.exr"}).out, "filtered, packed equal\n"));
  ASSERT_EQ(kiln({"render", "passes.flame", "-o", "two.exr", "--force", "--stages", "--backend",
                  "cpu", "--set", "passes=1"})
                .code,
            0);
  EXPECT_TRUE(contains(kiln({"compare", "one.exr", "two.exr"}).out, "stages: histogram differs"));
}

TEST_F(stages, are_said_only_where_they_are_asked_for) {
  ASSERT_EQ(kiln({"render", "a.flame", "-o", "plain.png", "--backend", "cpu"}).code, 0);
  EXPECT_FALSE(contains(read_file(folder / "plain.png"), "stages"));
  EXPECT_TRUE(contains(read_file(folder / "a.png"), "\"stages\":{\"histogram\":\""));
  const Outcome outcome = kiln({"compare", "a.png", "plain.png", "--json"});
  EXPECT_EQ(outcome.code, 0) << outcome.out;  // the same pixels
  EXPECT_FALSE(contains(outcome.out, "stage")) << outcome.out;
  EXPECT_FALSE(contains(kiln({"compare", "a.png", "plain.png"}).out, "stage"));
}

TEST_F(stages, are_refused_in_stripes) {
  put("a.flame", triangle());  // no estimator that keeps a picture whole
  const Names large = {"render",    "a.flame", "-o",           "large.png", "--size",    "600x1200",
                       "--quality", "1",       "--max-memory", "20M",       "--backend", "cpu"};
  const Outcome refused = kiln(joined(large, {"--stages"}));
  EXPECT_NE(refused.code, 0);
  EXPECT_TRUE(contains(refused.err,
                       "--stages hashes the stages of a picture that is made whole; leave it out"))
      << refused.err;
  EXPECT_TRUE(contains(refused.err, "raise --max-memory")) << refused.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "large.png"));
  const Outcome in_stripes = kiln(large);
  EXPECT_EQ(in_stripes.code, 0) << in_stripes.err;
}

}  // namespace
}  // namespace kiln
