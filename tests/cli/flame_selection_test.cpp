// SPDX-License-Identifier: MIT
#include "cli/options/flame_selection.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"

namespace kiln::cli {
namespace {

using Indices = std::vector<int>;

FlameFile pack(const std::vector<std::string>& names) {
  FlameFile file;
  file.name = "pack.flam3";
  for (const std::string& name : names) {
    Flame flame;
    flame.name = name;
    flame.index = static_cast<int>(file.flames.size());
    file.flames.push_back(flame);
  }
  return file;
}

const FlameFile sheep = pack({"rose", "sheep_1", "sheep_2", "", "2", "a,b", "red_rose"});

Indices chosen(const std::string& wanted, const FlameFile& file = sheep) {
  FlameSelection selection(wanted);
  const Indices indices = selection.choose(file);
  selection.check();
  return indices;
}

std::string refusal(const std::string& wanted) {
  try {
    chosen(wanted);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
    return error.what();
  }
  return "none";
}

TEST(flame_selection, all_by_default) { EXPECT_EQ(chosen(""), (Indices{0, 1, 2, 3, 4, 5, 6})); }

TEST(flame_selection, by_number) {
  EXPECT_EQ(chosen("0"), Indices{0});
  EXPECT_EQ(chosen("0,3-5"), (Indices{0, 3, 4, 5}));
  EXPECT_EQ(chosen("5,0,0"), (Indices{0, 5}));    // in the order of the file
  EXPECT_EQ(chosen("4-99"), (Indices{4, 5, 6}));  // to the end
}

TEST(flame_selection, by_name) {
  EXPECT_EQ(chosen("rose"), Indices{0});
  EXPECT_EQ(chosen("2"), Indices{4});  // a name comes first
  EXPECT_EQ(chosen("a,b"), Indices{5});
  EXPECT_EQ(chosen("red rose"), Indices{6});  // the file's blanks are kept as _
  EXPECT_EQ(chosen("rose,3"), (Indices{0, 3}));
  EXPECT_EQ(chosen("2,rose"), (Indices{0, 4}));  // in a list too
  EXPECT_EQ(chosen("same", pack({"same", "x", "same"})), (Indices{0, 2}));
}

TEST(flame_selection, by_pattern) {
  EXPECT_EQ(chosen("sheep*"), (Indices{1, 2}));
  EXPECT_EQ(chosen("*rose"), (Indices{0, 6}));
  EXPECT_EQ(chosen("sheep_?,red*"), (Indices{1, 2, 6}));
  EXPECT_EQ(chosen("sheep_[2-9]"), Indices{2});
}

TEST(flame_selection, bad_flames_can_be_chosen) {
  FlameFile file = pack({"rose", "fern"});
  file.flames[1].index = 2;
  file.bad.push_back({1, "thorn", ErrorKind::input, "message"});
  EXPECT_EQ(chosen("thorn", file), Indices{1});
  EXPECT_EQ(chosen("2", file), Indices{2});
  EXPECT_EQ(chosen("", file), (Indices{0, 1, 2}));
}

TEST(flame_selection, nothing_found_says_what_there_is) {
  EXPECT_EQ(refusal("shep_1"),
            "--flame shep_1: pack.flam3 has 7 flames: 0 \"rose\", 1 \"sheep_1\", 2 \"sheep_2\", 3, "
            "4 \"2\", 5 \"a,b\", 6 \"red_rose\"; none is \"shep_1\" (did you mean \"sheep_1\"?)");
  for (const char* wanted : {"7", "-1", "0,9", "3-", "x*", ",", "5-4", "99999999999"})
    EXPECT_NE(refusal(wanted).find("pack.flam3 has 7 flames"), std::string::npos) << wanted;
}

TEST(flame_selection, one_of_several_files_is_enough) {
  FlameSelection selection("fern,0");
  EXPECT_EQ(selection.choose(pack({"rose", "fern"})), (Indices{0, 1}));
  EXPECT_EQ(selection.choose(pack({"thorn"})), Indices{0});
  selection.check();
}

}  // namespace
}  // namespace kiln::cli
