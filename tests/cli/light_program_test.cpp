// SPDX-License-Identifier: MIT
// kiln light from outside: what it says of a place, as words and as JSON, and of a place that nobody can point at.
#include <gtest/gtest.h>

#include <chrono>
#include <nlohmann/json.hpp>
#include <thread>

#include "tests/cli/program.h"
#include "tests/cli/view_page.h"

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
  EXPECT_EQ(dark.out.find("ways"), std::string::npos) << "nothing has come there: " << dark.out;
}

TEST_F(light_program, says_where_ways_are_not_known) {
  std::string moved = triangle();
  moved.insert(moved.rfind("linear"), "dc_ztransl=\"1\" dc_ztransl_factor=\"2\" ");
  write_file(folder / "t.flam3", moved);
  const Outcome outcome = light({"--at", "16,12", "--radius", "9"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("its ways are not known: colors move"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(outcome.out.find("by the last two xforms"), std::string::npos) << outcome.out;
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

/// A place as a page asks about it.
class view_light : public ViewProgram {
 protected:
  static json question(std::uint64_t number, double x, double y, double radius) {
    return {{"type", "light"}, {"number", number},   {"x", x}, {"y", y}, {"radius", radius},
            {"seconds", 20},   {"flame", triangle()}};
  }
};

TEST_F(view_light, is_that_of_the_seed_that_the_pictures_have) {
  end();
  ASSERT_TRUE(begin({"a.flam3", "--seed", "7"})) << read_file(logs / "err");
  Page page(port, token);
  page.send(question(3, 16, 12, 4));
  const json answer = page.wait("light").head;
  EXPECT_EQ(answer["number"], 3);
  const auto said = [&](const std::string& seed) {
    const Outcome outcome = run_program(
        {"light", "a.flam3", "--at", "16,12", "--radius", "4", "--seed", seed, "--json"},
        {folder.path(), "", {}, {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return json::parse(outcome.out);
  };
  EXPECT_EQ(answer["light"], said("7"));
  EXPECT_NE(answer["light"], said("0"));
}

TEST_F(view_light, of_a_page_only_the_newest_question_is_answered) {
  Page page(port, token);
  page.wait("flame");
  for (std::uint64_t number = 1; number <= 3; ++number) {
    page.send(question(number, 0, 0, 0.5));  // it is dark there: a search takes long
    std::this_thread::sleep_for(std::chrono::milliseconds(60));
  }
  page.send(question(4, 16, 12, 4));
  EXPECT_EQ(page.wait("light").head["number"], 4) << "those before it were given up";
  page.send(question(5, 0, 0, 0.5));
  std::this_thread::sleep_for(std::chrono::milliseconds(60));
  page.send({{"type", "light"}});  // nobody wants to know any more
  page.send(question(6, 400, 12, 4));
  const json refused = page.wait("light").head;
  EXPECT_EQ(refused["number"], 6);
  EXPECT_NE(refused.value("trouble", "").find("outside"), std::string::npos) << refused;
}

}  // namespace
}  // namespace kiln
