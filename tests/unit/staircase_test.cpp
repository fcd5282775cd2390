// SPDX-License-Identifier: MIT
// The rooms of the house stand one above the other: a file includes what its own room or one below
// it has, so there is no cycle, and a stranger can read from the ground up.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "tests/places.h"

namespace kiln::test {
namespace {

namespace fs = std::filesystem;

/// From the ground up; kernels/ and engine/device/ are one room each with all their folders.
const std::vector<std::string> rooms = {"kernels",
                                        "engine/api/kiln",
                                        "engine/base",
                                        "engine/model",
                                        "engine/measure",
                                        "engine/io",
                                        "engine/program",
                                        "engine/animation",
                                        "engine/device",
                                        "engine/fft",
                                        "engine/sound",
                                        "engine/render",
                                        "engine/flock",
                                        "engine/pipeline",
                                        "engine/live",
                                        "engine/api",
                                        "cli/says",
                                        "cli/options",
                                        "cli/making",
                                        "cli/report",
                                        "cli/commands",
                                        "cli",
                                        "view"};

/// How high the room of a file is; -1: in none.
int level_of(const std::string& path) {
  for (int level = int(rooms.size()) - 1; level >= 0; --level) {
    const std::string& room = rooms[std::size_t(level)];
    const bool is_type = path.starts_with("engine/api/kiln/") && room == "engine/api";
    if (path.starts_with(room + "/") && !is_type) return level;
  }
  return -1;
}

std::vector<std::string> included_by(const fs::path& file) {
  static const std::regex include("#include \"([^\"]+)\"");
  std::vector<std::string> found;
  std::ifstream in(file);
  std::smatch match;
  for (std::string line; std::getline(in, line);) {
    if (std::regex_search(line, match, include)) found.push_back(match[1]);
  }
  return found;
}

TEST(Staircase, no_file_includes_what_stands_above_it) {
  const fs::path root = source_dir();
  int includes = 0;
  for (const char* top : {"kernels", "engine", "view", "cli"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension().string();
      if (extension != ".h" && extension != ".cpp" && extension != ".cu" && extension != ".cuh")
        continue;
      const std::string path = fs::relative(entry.path(), root).generic_string();
      ASSERT_GE(level_of(path), 0) << path << " is in no room";
      for (std::string other : included_by(entry.path())) {
        if (other.find('/') == std::string::npos) continue;  // made by the build
        if (path == "engine/api/kiln.h")
          other.insert(0, "engine/api/");  // as it stands when installed
        ++includes;
        EXPECT_FALSE(path.starts_with("engine/api/kiln/"))
            << path << " is installed without " << other;
        EXPECT_GE(level_of(other), 0) << path << " includes " << other;
        EXPECT_LE(level_of(other), level_of(path)) << path << " includes " << other;
      }
    }
  }
  EXPECT_GT(includes, 500);
}

/// The files that each includes; a header and its source are one.
std::map<std::string, std::set<std::string>> neighbors() {
  const fs::path root = source_dir();
  const auto without_ending = [](const fs::path& path) {
    return fs::path(path).replace_extension().string();
  };
  std::map<std::string, std::set<std::string>> found;
  for (const char* top : {"kernels", "engine", "view", "cli"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      if (!entry.is_regular_file()) continue;
      const std::string from = without_ending(fs::relative(entry.path(), root));
      for (const std::string& other : included_by(entry.path()))
        if (without_ending(other) != from) found[from].insert(without_ending(other));
    }
  }
  return found;
}

TEST(Staircase, no_files_include_each_other_in_a_circle) {
  const auto all = neighbors();
  EXPECT_GT(all.size(), 200u);
  std::set<std::string> done;
  std::vector<std::string> way;  // from which the file was come to
  const std::function<void(const std::string&)> visit = [&](const std::string& file) {
    const auto begun = std::find(way.begin(), way.end(), file);
    if (begun != way.end()) {
      std::string circle;
      for (auto at = begun; at != way.end(); ++at) circle += *at + " -> ";
      ADD_FAILURE() << circle << file;
      return;
    }
    if (done.contains(file) || !all.contains(file)) return;
    way.push_back(file);
    for (const std::string& next : all.at(file)) visit(next);
    way.pop_back();
    done.insert(file);
  };
  for (const auto& [file, others] : all) visit(file);
}

}  // namespace
}  // namespace kiln::test
