// SPDX-License-Identifier: MIT
#include "cli/options/help_text.h"

#include <algorithm>

#include "engine/base/platform/file.h"
#include "engine/base/platform/terminal.h"
#include "engine/base/text.h"
#include "engine/model/flame_attributes.h"

namespace kiln::cli {
namespace {

constexpr int left_column = 2, words_column = 34;

}  // namespace

int help_width() {
  const int columns = is_terminal(standard_output) ? terminal_columns(standard_output) : 0;
  return columns == 0 ? 100 : std::clamp(columns, 60, 120);
}

std::string wrapped(const std::string& text, int width, int indent, int column) {
  std::string lines;
  std::size_t at = 0;
  bool begun = false;  // this line has a word
  while (at < text.size()) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    const int length = static_cast<int>(end - at);
    if (begun && column + 1 + length > width) {
      lines += '\n' + std::string(static_cast<std::size_t>(indent), ' ');
      column = indent;
    } else if (begun) {
      lines += ' ';
      ++column;
    }
    lines += text.substr(at, end - at);
    column += length;
    begun = true;
    at = end + 1;
  }
  return lines;
}

std::string help_list(const std::string& heading, const std::vector<HelpRow>& rows, int width) {
  std::string text = heading.empty() ? "" : heading + ":\n";
  for (const HelpRow& row : rows) {
    std::string line = std::string(left_column, ' ') + row.left;
    if (static_cast<int>(line.size()) >= words_column) {
      text += line + "\n";
      line.clear();
    }
    line.resize(words_column, ' ');
    text += line + wrapped(row.right, width, words_column, words_column) + "\n";
  }
  return text;
}

std::string attributes_help(int width) {
  constexpr std::pair<const char*, FlameAttribute::Trait> groups[] = {
      {"What is played", FlameAttribute::sums},
      {"Its look, which kiln grade changes", FlameAttribute::look},
      {"Of animations", FlameAttribute::frames},
      {"Not seen", FlameAttribute::nothing_seen}};
  std::string text = "Attributes of <flame> in files, and of --set ATTRIBUTE=VALUE\n";
  for (const auto& [heading, trait] : groups) {
    std::vector<HelpRow> rows;
    for (const FlameAttribute& row : flame_attributes()) {
      if (!row.has(trait) || row.has(FlameAttribute::only_written)) continue;
      if (trait == FlameAttribute::look && row.has(FlameAttribute::sums)) continue;
      const AttributeWords words = attribute_words(row);
      const std::string usual = value_text(row, Flame());
      rows.push_back({std::string(row.name), std::string(row.help)});
      if (!words.empty()) rows.back().right += ": " + joined({words.begin(), words.end()}, ", ");
      if (!usual.empty()) rows.back().right += " (default " + usual + ")";
    }
    text += "\n" + help_list(heading, rows, width);
  }
  return text;
}

std::string help_examples(const std::vector<std::string>& lines) {
  std::string text = "Examples:\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

}  // namespace kiln::cli
