// SPDX-License-Identifier: MIT
// --flame: which flames of the inputs are wanted. By name, by number from 0, by a pattern, or
// several of these with commas between them: "rose", 2, 0,3-5, 'sheep*', rose,7. A flame that has
// exactly the wanted name comes first, whatever the name looks like; then numbers, then patterns.
// The same in every command.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/io/flame/flame_reader.h"

namespace kiln::cli {

// The inputs of a command as files: a folder stands for the flames in it.

/// The inputs with each folder replaced by its .flam3 and .flame files, in the order of their
/// names. Throws Error: kind usage for a folder without any, or for "-" given twice.
std::vector<std::string> expand_inputs(const std::vector<std::string>& inputs);

/// The inputs with each pattern (* and ? in the last part of a path that is no file) replaced by the files
/// of that folder that it fits, sorted: what shells do, but those of Windows. Throws Error (usage) where
/// it fits none.
std::vector<std::string> expand_patterns(const std::vector<std::string>& inputs);

/// The option as every command has it.
struct FlameOption {
  const char *names, *type, *help;
};
constexpr FlameOption flame_option = {
    "--flame", "WHICH",
    "Only these flames: a name, a number from 0, a pattern, or several: rose; 2; 0,3-5; 'sheep*'"};

class FlameSelection {
 public:
  /// An empty text stands for all flames.
  explicit FlameSelection(std::string wanted = "");

  /// Indices of the chosen flames of a file, bad ones too, in the order of the file.
  std::vector<int> choose(const FlameFile& file);
  /// After the last file. Throws Error of kind usage if something wanted is in none of them.
  void check() const;

 private:
  struct Part {
    std::string text;
    bool found = false;
  };

  std::string wanted_;
  std::vector<Part> parts_;  // between the commas
  bool found_ = false;       // a flame of just this name
  std::string there_;        // what the files have, for the message
  std::vector<std::string> names_;
};

/// Reads `input`, keeps the chosen flames, bad ones too, and says what is odd about them
/// (`options.warn`). Throws Error where the whole file cannot be read.
FlameFile read_chosen(const std::string& input, ReaderOptions options, FlameSelection& selection,
                      Use use);

/// Reads the text of flames likewise; messages call it `name`.
FlameFile read_chosen_text(const std::string& text, const std::string& name, ReaderOptions options,
                           FlameSelection& selection, Use use);

/// The `wanted` flames of all inputs, where every one counts: throws the Error of the first bad
/// one. `look` sees each file with what was chosen of it.
std::vector<Flame> read_all_chosen(const std::vector<std::string>& inputs,
                                   const ReaderOptions& options, const std::string& wanted, Use use,
                                   const std::function<void(const FlameFile&)>& look = {});

}  // namespace kiln::cli
