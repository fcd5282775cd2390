// SPDX-License-Identifier: MIT
#include "engine/io/flame/number_link_reader.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"

namespace kiln {
namespace {

/// Beyond it a file says another value than its link, and not the same one with fewer digits.
constexpr double told_from = 1e-5;

std::string read_link_text(const Attribute& a) {
  if (a.value.size() > most_number_link_bytes)
    a.reject("is longer than {} bytes", most_number_link_bytes);
  if (a.value.empty()) a.reject("is empty; write number=\"xform2.turn\" is=\"xform1.turn + 72\"");
  std::string text(a.value);
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return text;
}

}  // namespace

NumberLink read_number_link(const tinyxml2::XMLElement& element, Messages& messages) {
  static const std::string owner(number_link_element);
  NumberLink link;
  link.line = element.GetLineNum();
  for (const Attribute& a : attributes_of(element, owner, messages)) {
    if (a.name == "number") {
      link.number = read_link_text(a);
    } else if (a.name == "is") {
      link.is = read_link_text(a);
    } else {
      a.reject("<kiln_link> has no such attribute; it knows number and is");
    }
  }
  if (link.number.empty() || link.is.empty())
    messages.error(link.line, "kiln_link: says not {}; write {}",
                   link.number.empty() ? "which number follows" : "what it follows",
                   link.number.empty() ? "number=\"xform2.turn\"" : "is=\"xform1.turn + 72\"");
  return link;
}

void follow_links_of_file(const ReaderOptions& options, Flame& flame, Messages& messages) {
  if (flame.links.empty()) return;
  try {
    const NumberLinks links(flame.links);
    for (NumberLink& link : flame.links) link.number = number_name(*number_place(link.number));
    if (!options.unfinished) links.check(flame);
    links.put(flame, [&](std::size_t i, double before, double after) {
      const double apart = std::fabs(after - before);
      if (options.is_edit || apart <= told_from * std::max(1.0, std::fabs(after))) return;
      const NumberLink& link = flame.links[i];
      messages.warn(link.line,
                    fmt::format("kiln_link: {} is {:.9g} by its link, not {:.9g} as the file "
                                "says; cut the link to set it by hand",
                                link.number, after, before));
    });
  } catch (const NumberLinkError& error) {
    const NumberLink& link = flame.links[error.link];
    const std::string column = error.column > 0 ? fmt::format(" at column {}", error.column) : "";
    messages.error(link.line, "kiln_link: {}=\"{}\"{}: {}", error.in_formula ? "is" : "number",
                   printable(error.in_formula ? link.is : link.number, 120), column, error.what);
  }
}

}  // namespace kiln
