// SPDX-License-Identifier: MIT
// kiln compare of states: prepared pictures, each with its verdict.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;
using Json = nlohmann::json;

/// 20 units of 96 x 60 pixels.
constexpr const char* small[] = {"--backend", "cpu", "-q", "--size", "96x60", "--quality", "7300"};

class compare_states : public testing::Test {
 protected:
  compare_states() {
    flame = read_file(std::string(source_dir()) + "/flames/conch.flam3");
    make("right", flame, {"--seed", "1"});
  }
  /// NAME.kiln in halves.
  void make(const std::string& name, const std::string& xml, const Names& more) const {
    write_file(folder / (name + ".flam3"), xml);
    Names words = {"render",   name + ".flam3", "-o",           name + ".png",
                   "--halves", "--state",       name + ".kiln", "--force"};
    words.insert(words.end(), std::begin(small), std::end(small));
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = run_program(words, {folder.path(), "", {}, {}});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  Json compared(const std::string& a, const std::string& b, int code) const {
    const Outcome outcome = run_program({"compare", a, b, "--json"}, {folder.path(), "", {}, {}});
    EXPECT_EQ(outcome.code, code) << outcome.out << outcome.err;
    return Json::parse(outcome.out);
  }
  void expect_verdict(const std::string& name, const std::string& verdict) const {
    const Json result = compared("right.kiln", name + ".kiln", verdict == "different");
    EXPECT_EQ(result.at("verdict"), verdict) << name << ": " << result.dump();
  }
  /// The flame with `from` replaced wherever it stands.
  std::string changed(const std::string& from, const std::string& to) const {
    std::string xml = flame;
    EXPECT_NE(xml.find(from), std::string::npos) << from;
    for (std::size_t at = xml.find(from); at != std::string::npos; at = xml.find(from, at + 1))
      xml.replace(at, from.size(), to);
    return xml;
  }
  ScratchFolder folder;
  std::string flame;
};

TEST_F(compare_states, one_and_the_same_is_identical) {
  make("same", flame, {"--seed", "1", "--threads", "1"});
  expect_verdict("same", "identical");
}

TEST_F(compare_states, units_of_one_half_alone_are_no_picture) {
  for (const char* shard : {"1/5", "3/5"}) {  // units 0 and 2 of five
    const std::string picture = std::string(1, shard[0]) + ".png";
    const Outcome made =
        run_program({"render", "right.flam3", "--backend", "cpu", "-q", "--size", "80x52",
                     "--quality", "2530", "--halves", "--shard", shard, "-o", picture},
                    {folder.path(), "", {}, {}});
    ASSERT_EQ(made.code, 0) << made.err;
  }
  const auto run = [&](const Names& words) {
    return run_program(words, {folder.path(), "", {}, {}});
  };
  ASSERT_EQ(run({"merge", "-q", "1.1-5.kiln", "3.3-5.kiln", "-o", "even.kiln"}).code, 0);
  const Outcome outcome = run({"compare", "even.kiln", "even.kiln"});
  EXPECT_EQ(outcome.code, 3) << outcome.err;
  EXPECT_NE(outcome.err.find("are missing"), std::string::npos) << outcome.err;
}

TEST_F(compare_states, another_seed_is_the_same_distribution) {
  for (const char* seed : {"2", "3"}) {
    make("seed", flame, {"--seed", seed});
    expect_verdict("seed", "same distribution");
  }
  make("more", flame, {"--seed", "5", "--quality", "15000"});
  expect_verdict("more", "same distribution");
  const Json result = compared("right.kiln", "more.kiln", 0);
  EXPECT_GT(result.at("tests"), 10'000);
  EXPECT_LT(result.at("largest_z"), result.at("allowed_z"));
  EXPECT_TRUE(result.at("same_look"));
}

TEST_F(compare_states, a_pixel_shifted_is_different) {
  make("shifted", flame, {"--seed", "2", "--set", "center=0.0403 0"});
  expect_verdict("shifted", "different");
}

TEST_F(compare_states, one_per_cent_darker_is_different) {
  make("darker", changed("<xform ", "<xform opacity=\"0.99\" "), {"--seed", "2"});
  expect_verdict("darker", "different");
}

TEST_F(compare_states, an_xform_less_is_different) {
  const std::size_t first = flame.find("<xform"), end = flame.find("/>", first) + 2;
  make("less", flame.substr(0, first) + flame.substr(end), {"--seed", "2"});
  expect_verdict("less", "different");
}

TEST_F(compare_states, another_look_is_different_whatever_the_samples) {
  for (const Names& look : {Names{"--gamma", "3.8"}, Names{"--brightness", "4.04"},
                            Names{"--background", "0.01,0,0"}, Names{"--bits", "16"}}) {
    Names more = {"--seed", "2"};
    more.insert(more.end(), look.begin(), look.end());
    make("look", flame, more);
    expect_verdict("look", "different");
    EXPECT_FALSE(compared("right.kiln", "look.kiln", 1).at("same_look"));
  }
}

TEST_F(compare_states, whole_sums_and_pictures_know_no_noise) {
  make("seed", flame, {"--seed", "2"});
  EXPECT_FALSE(compared("right.kiln", "seed.png", 1).contains("largest_z"));
  EXPECT_EQ(compared("right.kiln", "right.png", 0).at("verdict"), "identical");
}

}  // namespace
}  // namespace kiln
