// SPDX-License-Identifier: MIT
// States of flames that pages keep to go back to, each with a name and a small picture: a list of the
// folder that the program was started in, in the user's state folder (kiln/states), so that all pages
// have it, and those of another day.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace kiln::cli {

class KeptStates {
 public:
  struct State {
    std::string name, flame, thumb;  // thumb: "data:image/jpeg;base64,...", or empty
  };
  static constexpr std::size_t most = 60;

  /// Reads what was kept; what cannot be read is not there.
  KeptStates();

  const std::vector<State>& all() const { return all_; }
  /// Puts a state behind the others, or in place of one with the same flame. Throws Error (usage),
  /// and (output) where it is known to this run only.
  void put(State state);
  void remove(const std::string& flame);

 private:
  void read();
  void write() const;

  const std::string path_;  // empty: the user has no such folder
  std::vector<State> all_;
};

}  // namespace kiln::cli
