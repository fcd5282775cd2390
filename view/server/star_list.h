// SPDX-License-Identifier: MIT
// Stars of flames, 1 to 5, that somebody gives on the wall: of a file by its place on the disk, so that they are
// there another day, in whatever folder kiln was started. A person can read the list (kiln/stars in the
// state folder): a line of each flame, "3 0 /home/i/rose.flam3": stars, its place in the file, the file.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

namespace kiln::cli {

class StarList {
 public:
  static constexpr int most = 5;
  static constexpr std::size_t most_lines = 20000;

  StarList();
  /// Stars of flame `place` of a file; 0: none.
  int of(const std::string& file, int place) const;
  /// Several at once. Throws Error (output) where they are known to this run only.
  struct Mark {
    std::string file;
    int place = 0, stars = 0;
  };
  void set(const std::vector<Mark>& marks);

 private:
  void read();
  void write() const;

  const std::string path_;  // empty: the user has no such folder
  std::map<std::pair<std::string, int>, int> all_;
};

}  // namespace kiln::cli
