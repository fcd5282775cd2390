// SPDX-License-Identifier: MIT
// The control groups of this process, where their limits are files.
#pragma once

#include <fstream>
#include <string>

namespace kiln {

/// visit(folder, is_version_2) for the process's groups of a controller ("memory", "cpu") and those around each.
/// `proc` and `cgroup`: /proc and /sys/fs/cgroup. A path that is not there (a container sees its own group as the
/// root) counts as the root. Lines of /proc/self/cgroup: "0::/path" (version 2), "4:memory:/path" (version 1).
template <class Visit>
void for_each_group(const std::string& proc, const std::string& cgroup,
                    const std::string& controller, const Visit& visit) {
  std::ifstream file(proc + "/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const bool version_2 = controllers == ",,";
    if (!version_2 && controllers.find("," + controller + ",") == std::string::npos) continue;
    const std::string root = version_2 ? cgroup : cgroup + "/" + controller;
    for (std::string path = line.substr(second + 1);;) {
      visit(root + (path == "/" ? "" : path), version_2);
      if (path.empty() || path == "/") break;
      path.resize(path.rfind('/'));
    }
  }
}

}  // namespace kiln
