// SPDX-License-Identifier: MIT
// The repository's texts, for tests that scan them.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <string>
#include <vector>

#include "tests/places.h"

namespace kiln::test {

/// A text of the repository as lines.
inline std::vector<std::string> lines_of(const std::filesystem::path& file) {
  std::ifstream in(file);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

inline bool ends_in(const std::string& name, std::initializer_list<const char*> endings) {
  return std::any_of(endings.begin(), endings.end(),
                     [&](const char* ending) { return name.ends_with(ending); });
}

/// The texts of the repository, as paths from its root.
inline std::vector<std::string> texts() {
  const std::filesystem::path root = source_dir();
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator(root)) {
    if (entry.is_regular_file()) found.push_back(entry.path().filename().string());
  }
  for (const char* folder : {"bench", "cli", "docs", "engine", "examples", "flames", "kernels",
                             "packaging", "python", "scripts", "tests", "view"}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file())
        found.push_back(std::filesystem::relative(entry.path(), root).generic_string());
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

}  // namespace kiln::test
