// SPDX-License-Identifier: MIT
// -o of the commands that write flames: one file for all of them, standard output, or files of one flame
// each, in a folder or by a template.
#pragma once

#include <string>
#include <vector>

#include "cli/options/command.h"
#include "engine/model/flame.h"

namespace kiln::cli {

/// What the name of a flame's file is made of.
struct FlameName {
  std::string name, source;
  int index = 0;
};

struct FlameOutput {
  std::string path;
  bool quiet = false, no_clobber = false, force = false, no_history = false;

  /// -o, --no-history, --no-clobber, --force and --quiet, under a heading of their own.
  void add_to(Command& command);
  /// Whether each flame has a file of its own.
  bool is_split() const;
  /// Before anything is made: throws Error where what `what` writes cannot go there, or would take the
  /// place of one of `inputs`, or of what the command line says to read.
  void check(const std::string& what, const std::vector<std::string>& inputs);
  /// The same of the files of flames that are to be called so, where each has one of its own.
  void check_names(const std::string& what, const std::vector<FlameName>& flames) const;
  /// Writes them, and says where on standard output. A folder's files have the names of the flames; where one
  /// has none, or two have one, that of the file they are from and their number.
  void write(const std::string& what, std::vector<Flame> flames) const;

 private:
  std::vector<std::string> inputs_;

  std::vector<std::string> names_for(const std::vector<FlameName>& flames) const;
};

}  // namespace kiln::cli
