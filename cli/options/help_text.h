// SPDX-License-Identifier: MIT
// How help looks: names in one column, words beside them, wrapped to the terminal.
#pragma once

#include <string>
#include <vector>

namespace kiln::cli {

/// One row of a list: what stands left, and the words beside it.
struct HelpRow {
  std::string left, right;
};

/// The columns of the terminal on standard output, 60 to 120; 100 where there is none.
int help_width();

/// `text` in lines of at most `width` columns, the first one begun at `column` already, the others
/// indented by `indent`.
std::string wrapped(const std::string& text, int width, int indent, int column);

/// The rows as a list under `heading` (no line for an empty one).
std::string help_list(const std::string& heading, const std::vector<HelpRow>& rows, int width);

/// The attributes of <flame>: what each is, and its value where a file does not say it.
std::string attributes_help(int width);

/// "Examples:" and the lines, which are never broken.
std::string help_examples(const std::vector<std::string>& lines);

}  // namespace kiln::cli
