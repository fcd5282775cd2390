// One option or argument of a command: shared by command.cpp, which says what it means, and
// program.cpp, which finds it on the command line.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/options/command.h"

namespace kiln::cli {

/// An option or argument: its text, what was given for it, and where a value goes.
struct Command::Entry : OptionText {
  std::vector<std::string> values;               // as on the command line
  int count = 0;                                 // how often it was given
  std::function<void(const std::string&)> take;  // called with each value that counts
  std::vector<std::string> excluded, needed;

  /// The name for messages: the long one.
  std::string label() const {
    const std::size_t comma = names.rfind(',');
    return comma == std::string::npos ? names : names.substr(comma + 1);
  }
  bool has_name(const std::string& name) const {
    const std::string list = "," + names + ",";
    return list.find("," + name + ",") != std::string::npos;
  }
};

}  // namespace kiln::cli
