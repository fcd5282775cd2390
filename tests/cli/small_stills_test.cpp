// SPDX-License-Identifier: MIT
// kiln render of many small flames, which are made beside each other: the files, results and failures of pictures that
// are made one after the other.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>
#include <sstream>

#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Arguments = std::vector<std::string>;

class small_stills : public testing::Test {
 protected:
  small_stills() {
    EXPECT_EQ(run({"random", "-n", "20", "--seed", "3", "-o", "many.flame"}).code, 0);
  }
  Outcome run(const Arguments& words) const {
    return run_program(words, {folder.path(), "", {}, {}});
  }
  Outcome render(const std::string& into, const Arguments& more = {},
                 const char* threads = "2") const {
    Arguments words = {"render", "many.flame", "--width", "64", "--quality",
                       "5",      "--threads",  threads,   "-o", into + "/{index}.png"};
    words.insert(words.end(), more.begin(), more.end());
    std::filesystem::create_directory(folder / into);
    return run(words);
  }

  ScratchFolder folder;
};

TEST_F(small_stills, are_the_files_of_one_after_the_other) {
  const Outcome beside = render("a", {"--json"});
  ASSERT_EQ(beside.code, 0) << beside.err;
  ASSERT_EQ(render("b", {}, "1").code, 0);
  const auto said = nlohmann::json::parse(beside.out);
  ASSERT_EQ(said.at("pictures").size(), 20u);
  for (int i = 0; i < 20; ++i) {
    const std::string name = std::to_string(i) + ".png";
    EXPECT_TRUE(read_file(folder / ("a/" + name)) == read_file(folder / ("b/" + name))) << name;
    EXPECT_EQ(said.at("pictures").at(std::size_t(i)).at("file"), "a/" + name);
  }
}

TEST_F(small_stills, with_every_setting_have_its_pixels) {
  for (const Arguments& more :
       {Arguments{"--bits", "16"}, {"--crop", "5,6,20x10"}, {"--transparent"}, {"--clean"}}) {
    const Outcome beside = render("a", more);
    EXPECT_EQ(beside.code, 0) << beside.err;
    Arguments alone = more;
    alone.insert(alone.end(), {"--flame", "7"});
    EXPECT_EQ(render("b", alone).code, 0);
    EXPECT_TRUE(read_file(folder / "a/7.png") == read_file(folder / "b/7.png")) << more[0];
  }
}

TEST_F(small_stills, say_which_of_them_failed_and_make_the_others) {
  ASSERT_EQ(render("a").code, 0);
  for (const int gone : {0, 5, 19})
    std::filesystem::remove(folder / ("a/" + std::to_string(gone) + ".png"));
  const Outcome again = render("a", {"--no-clobber"});
  EXPECT_NE(again.code, 0);
  EXPECT_EQ(again.out, "a/0.png\na/5.png\na/19.png\n");
  EXPECT_NE(again.err.find("a/1.png"), std::string::npos) << again.err;
}

/// Samples that zoom multiplies count: then a picture has all threads.
TEST_F(small_stills, are_none_of_many_samples) {
  const auto threads = [&](const Arguments& more) {
    const Outcome made = render("a", more);
    EXPECT_EQ(made.code, 0) << made.err;
    const std::string device = nlohmann::json::parse(made.out).at("pictures").at(0).at("device");
    return device.substr(device.rfind(", ") + 2);
  };
  EXPECT_EQ(threads({"--json", "--backend", "cpu"}), "1 thread)");
  EXPECT_EQ(threads({"--json", "--backend", "cpu", "--zoom", "5"}), "2 threads)");
}

TEST_F(small_stills, say_which_of_them_comes) {
  const Outcome made = render("a", {"--progress", "json"});
  ASSERT_EQ(made.code, 0) << made.err;
  std::vector<int> numbers;
  std::istringstream lines(made.err);
  for (std::string line; std::getline(lines, line);) {
    const auto said = nlohmann::json::parse(line);
    if (said.value("event", "") != "progress") continue;
    EXPECT_EQ(said.at("pictures"), 20) << line;
    const int number = said.at("picture");
    EXPECT_EQ(said.at("file"), "a/" + std::to_string(number - 1) + ".png");
    if (numbers.empty() || numbers.back() != number) numbers.push_back(number);
  }
  std::vector<int> all(20);
  std::iota(all.begin(), all.end(), 1);
  EXPECT_EQ(numbers, all);
}

/// Pictures that cannot be written are failures, though they were made.
TEST_F(small_stills, that_no_disk_has_room_for_are_said) {
  const ScratchFolder none;
  std::filesystem::create_directory(folder / "a");
  const Outcome full =
      run_program({"render", "many.flame", "--width", "64", "--quality", "5", "--threads", "2",
                   "-o", "a/{index}.png"},
                  {folder.path(), "", {}, [] {
                     signal(SIGXFSZ, SIG_IGN);
                     const rlimit limit{300, 300};  // what is said goes into files, too
                     setrlimit(RLIMIT_FSIZE, &limit);
                   }});
  EXPECT_EQ(full.code, 5) << full.err;
  EXPECT_EQ(full.out, "");
  EXPECT_NE(full.err.find("a/0.png"), std::string::npos) << full.err;
  EXPECT_TRUE(std::filesystem::is_empty(folder / "a"));
}

}  // namespace
}  // namespace kiln
