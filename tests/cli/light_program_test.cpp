// SPDX-License-Identifier: MIT
// kiln light from outside: what it says of a place, as words and as JSON, and of a place that nobody can point at.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;

class light_program : public testing::Test {
 protected:
  light_program() { write_file(folder / "t.flam3", triangle()); }
  Outcome light(std::vector<std::string> words) const {
    words.insert(words.begin(), {"light", "t.flam3"});
    return run_program(words, {folder.path(), "", {}, {}});
  }
  const ScratchFolder folder;
};

TEST_F(light_program, says_shares_and_ways_that_its_json_has_too) {
  const Outcome words = light({"--at", "16,12", "--radius", "9"});
  EXPECT_EQ(words.code, 0) << words.err;
  EXPECT_NE(words.out.find(" points fall within 9 pixels of 16,12\n"), std::string::npos);
  EXPECT_NE(words.out.find("by the last two xforms:\n"), std::string::npos) << words.out;
  const Outcome json = light({"--at", "16,12", "--radius", "9", "--json", "--threads", "1"});
  EXPECT_EQ(json.code, 0) << json.err;
  const nlohmann::json said = nlohmann::json::parse(json.out);
  double light = 0, ways = 0;
  for (const auto& one : said.at("xforms")) light += one.at("light").get<double>();
  for (const auto& one : said.at("ways")) ways += one.at("light").get<double>();
  EXPECT_NEAR(light, 1, 1e-6);
  EXPECT_NEAR(ways, 1, 1e-6);
  const std::string first =
      "xform " + std::to_string(said.at("xforms").at(0).at("xform").get<int>());
  EXPECT_NE(words.out.find("  " + first), std::string::npos) << words.out;
}

TEST_F(light_program, says_so_where_no_light_is) {
  const Outcome dark = light({"--at", "0,0", "--radius", "0.5"});
  EXPECT_EQ(dark.code, 0) << dark.err;
  EXPECT_NE(dark.out.find("no light is there; try a larger --radius"), std::string::npos)
      << dark.out;
}

TEST_F(light_program, refuses_what_nobody_can_point_at) {
  const auto refused = [&](const std::vector<std::string>& words, const std::string& says) {
    const Outcome outcome = light(words);
    EXPECT_EQ(outcome.code, 2) << outcome.err;
    EXPECT_EQ(outcome.out, "");
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  };
  refused({}, "--at");
  refused({"--at", "40"}, "X,Y");
  refused({"--at", "33,12"}, "outside of the picture, which has 32 x 24 pixels");
  refused({"--at", "16,12", "--radius", "-1"}, "--radius");
  refused({"--at", "16,12", "--flame", "7"}, "7");
  write_file(folder / "t.flam3", "<flames>" + triangle() + triangle() + "</flames>");
  refused({"--at", "16,12"}, "choose it with --flame");
}

}  // namespace
}  // namespace kiln
