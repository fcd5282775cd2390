// SPDX-License-Identifier: MIT
// The faults of tests/mutations.txt, which scripts/mutate puts into the code one by one, can all be
// put in: each old text stands once in its file. Whether they are noticed takes half an hour.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/places.h"

namespace kiln {
namespace {

std::string contents(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

TEST(mutations, all_can_be_put_in) {
  const std::string root = std::string(source_dir()) + "/";
  std::ifstream list(root + "tests/mutations.txt");
  if (!list) GTEST_SKIP() << "no sources here";
  std::string file, text, old;
  int faults = 0;
  for (std::string line; std::getline(list, line);) {
    const std::string rest = line.size() > 2 ? line.substr(2) : "";
    if (line[0] == '@') {
      file = rest;
      text = contents(root + file);
      EXPECT_NE(text, "") << file;
    } else if (line[0] == '-') {
      old = rest;
      const std::size_t at = text.find(old);
      EXPECT_NE(at, std::string::npos) << file << " no longer has " << old;
      EXPECT_EQ(text.find(old, at + 1), std::string::npos) << file << " has more than one " << old;
    } else if (line[0] == '+') {
      EXPECT_NE(rest, old);
      ++faults;
    } else if (line[0] != '?') {
      EXPECT_TRUE(line.empty() || line[0] == '#') << line;
    }
  }
  EXPECT_GE(faults, 60);
}

}  // namespace
}  // namespace kiln
