// SPDX-License-Identifier: MIT
// <edit>: who was made of whom (flock.h). As flam3-genome writes it, flam3-format.md section 6.
#include "engine/base/text.h"
#include "engine/flock/flock.h"

namespace kiln {
namespace {

/// Histories beyond this forget what is inside of them: a hundred generations of two parents each would not
/// end.
constexpr std::size_t most_bytes = 16 << 10;

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable_whole(text)) {
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else {
      out += c;
    }
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  if (value.empty()) return "";
  return " " + std::string(name) + "=\"" + escaped(value) + "\"";
}

/// The parent's history with where it was read from; without one an empty edit.
std::string edit_of(const Parent& parent) {
  const std::string place =
      attribute("filename", parent.file) +
      (parent.file.empty() ? std::string()
                           : attribute("index", std::to_string(parent.flame.index)));
  constexpr std::string_view open = "<edit";
  const std::string& edits = parent.flame.edits;
  const std::size_t last =
      edits.rfind("\n<edit") == std::string::npos ? 0 : edits.rfind("\n<edit") + 1;
  if (!std::string_view(edits).substr(last).starts_with(open)) return "<edit" + place + "/>";
  std::string edit = edits.substr(last);
  while (!edit.empty() && edit.back() == '\n') edit.pop_back();
  return edit.insert(open.size(), place);
}

}  // namespace

void note_edit(Flame& flame, std::string_view action, const std::vector<Parent>& parents) {
  std::string inner;
  for (const Parent& parent : parents) {
    const std::string edit = edit_of(parent);
    if (inner.size() + edit.size() <= most_bytes) inner += edit;
  }
  const std::string start = "<edit" + attribute("nick", flame.nick) + attribute("url", flame.url) +
                            attribute("action", action);
  flame.edits = inner.empty() ? start + "/>\n" : start + ">" + inner + "</edit>\n";
}

}  // namespace kiln
