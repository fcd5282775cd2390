// SPDX-License-Identifier: MIT
// What comes into a folder, as the system tells it.
#pragma once

#include <memory>
#include <string>
#include <vector>

namespace kiln {

class FolderWatch {
 public:
  /// Throws std::system_error where the folder cannot be watched.
  explicit FolderWatch(const std::string& folder);
  ~FolderWatch();
  FolderWatch(const FolderWatch&) = delete;
  FolderWatch& operator=(const FolderWatch&) = delete;

  struct News {
    std::vector<std::string> names;  // of files that came or changed, and are whole
    bool is_gone = false;            // the folder
    bool is_lost = false;            // some of the news: look at all files
  };
  /// The news since the last call; waits for the first if it is to wait.
  News news(bool waits);

 private:
  struct Inside;
  std::unique_ptr<Inside> inside_;
};

}  // namespace kiln
