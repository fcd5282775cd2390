// SPDX-License-Identifier: MIT
// Formulas (docs/use/formulas.md) that a user keeps to have them in every flame: a file of each in kiln/formulas of the
// state folder, named as the formula. A file is a small flame that shows what the formula makes of a grid, so
// that every command reads it: `kiln variations --file` lists it, `kiln view` opens it. What others put there counts, too.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kiln::cli {

class FormulaShelf {
 public:
  static constexpr std::size_t most = 300;
  static constexpr std::size_t most_file_bytes = 256 << 10;

  struct Mine {
    int formula = 0;   // as a variation
    std::string file;  // that it is in
  };

  FormulaShelf();

  /// All of them by name, as they lie there now. `say` hears of files that cannot be read, and of names that are there
  /// twice: the first file has it.
  template <class Say>
  std::vector<Mine> all(Say&& say) const {
    std::vector<std::string> troubles;
    std::vector<Mine> found = find(troubles);
    for (const std::string& trouble : troubles) say(trouble);
    return found;
  }
  /// Keeps one. False: another of this name is kept, and shall not be replaced. Throws Error (output).
  bool put(int formula, bool replace) const;
  /// Throws Error (usage) where there is none, or its file has others.
  void remove(std::string_view name) const;

  const std::string& folder() const { return folder_; }

 private:
  std::vector<Mine> find(std::vector<std::string>& troubles) const;

  const std::string folder_;  // empty: the user has none
};

}  // namespace kiln::cli
