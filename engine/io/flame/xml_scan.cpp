// SPDX-License-Identifier: MIT
#include "engine/io/flame/xml_scan.h"

#include <tinyxml2.h>

#include <algorithm>
#include <cstdint>
#include <vector>

namespace kiln {
namespace {

constexpr std::size_t max_attributes = 4096;           // of one element
constexpr std::size_t max_all_attributes = 1 << 22;    // about 350 MB in tinyxml2
constexpr std::uint64_t max_comparisons = 1ull << 27;  // sum of attributes^2: half a second
constexpr std::size_t max_nodes = 1 << 22;  // tags and comments: about 250 MB in tinyxml2
constexpr std::string_view xml_blanks = " \t\n\v\f\r";

// The same letters as tinyxml2's names: bytes above 127 count as letters.
bool starts_name(char c) {
  const auto u = static_cast<unsigned char>(c);
  return u >= 128 || (u >= 'a' && u <= 'z') || (u >= 'A' && u <= 'Z') || u == ':' || u == '_';
}
bool continues_name(char c) {
  return starts_name(c) || (c >= '0' && c <= '9') || c == '.' || c == '-';
}

class Scanner {
 public:
  Scanner(std::string& text, const Messages& messages)
      : text_(text),
        messages_(messages),
        is_jwildfires_(text.find("JWildfire V") != text.npos ||
                       text.find("<jwf-flame") != text.npos) {}

  void run() {
    while ((at_ = text_.find('<', at_)) != std::string::npos) {
      if (++nodes_ > max_nodes)
        messages_.error(line(), "the file has more than {} tags and comments; split it", max_nodes);
      if (starts_with("<!--")) {
        skip_past("-->", "comment");
      } else if (starts_with("<![CDATA[")) {
        skip_past("]]>", "CDATA section");
      } else if (starts_with("<?")) {
        blank_instruction();
      } else if (starts_with("<!")) {
        skip_past(">", "declaration");
      } else {
        tag();
      }
    }
  }

 private:
  bool starts_with(std::string_view prefix) const {
    return std::string_view(text_).substr(at_).starts_with(prefix);
  }
  bool at_end() const { return at_ >= text_.size(); }
  char here() const { return at_end() ? '\0' : text_[at_]; }
  int line() const {
    return 1 + int(std::count(text_.begin(),
                              text_.begin() + std::ptrdiff_t(std::min(at_, text_.size())), '\n'));
  }

  void skip_past(std::string_view end, const char* what) {
    const std::size_t found = text_.find(end, at_);
    if (found == std::string::npos)
      messages_.error(line(), "this {} is never closed; is the file cut off?", what);
    at_ = found + end.size();
  }

  // tinyxml2 takes <?xml ...?> at the very beginning only; files pasted together have it anywhere.
  void blank_instruction() {
    const std::size_t begin = at_;
    skip_past("?>", "processing instruction");
    std::replace_if(
        text_.begin() + std::ptrdiff_t(begin), text_.begin() + std::ptrdiff_t(at_),
        [](char c) { return c != '\n'; }, ' ');
  }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(xml_blanks, at_), text_.size()); }

  std::string_view name() {
    const std::size_t begin = at_;
    if (!starts_name(here())) return {};
    while (!at_end() && continues_name(text_[at_])) ++at_;
    return std::string_view(text_).substr(begin, at_ - begin);
  }

  // JWildfire numbers a variation that it repeats, name#2#, which is no XML: it becomes name.2.
  std::string_view attribute_name() {
    const std::size_t begin = at_;
    if (name().empty()) return {};
    for (; here() == '#' || continues_name(here()); ++at_)
      if (here() == '#') text_[at_] = '.';
    return std::string_view(text_).substr(begin, at_ - begin);
  }

  // JWildfire's names are whatever stands before ="; blanks and signs, mandala_color id="0", dc_booleans_^/&/|="1",
  // are no XML: they become mandala_color_id and dc_booleans_type, as its newer files have them.
  std::string_view any_attribute_name() {
    const std::size_t begin = at_, end = text_.find_first_of("=\"<>", at_);
    if (!starts_name(here()) || end == text_.npos || text_[end] != '=') return {};
    std::string name;
    bool in_brackets = false, is_apart = false;
    for (std::size_t i = begin; i < end; ++i) {
      const char c = text_[i];
      in_brackets |= c == '(';
      is_apart |= xml_blanks.find(c) != xml_blanks.npos;
      if (!in_brackets && (continues_name(c) || c == '#')) {
        if (is_apart) name += '_';
        is_apart = false;
        name += c == '#' ? '.' : c;
      }
      in_brackets &= c != ')';
    }
    if (name.ends_with('_')) name += "type";
    name.resize(std::min(name.size(), end - begin));
    std::replace_if(
        text_.begin() + std::ptrdiff_t(begin), text_.begin() + std::ptrdiff_t(end),
        [](char c) { return c != '\n'; }, ' ');
    text_.replace(begin, name.size(), name);
    at_ = end;
    return std::string_view(text_).substr(begin, name.size());
  }

  void tag() {
    ++at_;
    if (here() == '/') ++at_;
    const std::string_view element = name();
    if (element.empty())
      messages_.error(line(), "no element name after '<'; write &lt; for the character itself");
    names_.clear();
    while (attribute(element)) {
    }
    comparisons_ += std::uint64_t(names_.size()) * names_.size();
    all_attributes_ += names_.size();
    if (comparisons_ > max_comparisons || all_attributes_ > max_all_attributes)
      messages_.error(line(), "the file has too many attributes; split it");
    refuse_repeated(element);
  }

  // One attribute, or the end of the tag (false).
  bool attribute(std::string_view element) {
    skip_blanks();
    if (at_end()) cut_off(element);
    if (here() == '>') return ++at_, false;
    if (here() == '/') {
      ++at_;
      if (here() != '>') malformed(element);
      return ++at_, false;
    }
    const std::string_view name = is_jwildfires_ ? any_attribute_name() : attribute_name();
    if (name.empty()) malformed(element);
    skip_blanks();
    if (here() != '=') malformed(element);
    ++at_;
    skip_blanks();
    const char quote = here();
    if (quote != '"' && quote != '\'') malformed(element);
    const std::size_t end = text_.find(quote, at_ + 1);
    if (end == std::string::npos) cut_off(element);
    at_ = end + 1;
    names_.push_back(name);
    if (names_.size() > max_attributes)
      messages_.error(line(), "<{}> has more than {} attributes", printable(element),
                      max_attributes);
    return true;
  }

  void refuse_repeated(std::string_view element) {
    if (names_.size() < 2) return;
    std::sort(names_.begin(), names_.end());
    const auto twice = std::adjacent_find(names_.begin(), names_.end());
    if (twice == names_.end()) return;
    messages_.error(line(), "<{}> has the attribute {} twice; remove one", printable(element),
                    printable(*twice));
  }

  [[noreturn]] void malformed(std::string_view element) const {
    if (at_end()) cut_off(element);
    messages_.error(line(), "the tag <{}> is malformed; an attribute is written name=\"value\"",
                    printable(element));
  }
  [[noreturn]] void cut_off(std::string_view element) const {
    messages_.error(line(),
                    "the tag <{}> is never closed; a quote is missing or the file is cut off",
                    printable(element));
  }

  std::string& text_;
  const Messages& messages_;
  const bool is_jwildfires_;
  std::size_t at_ = 0;
  std::size_t nodes_ = 0;
  std::size_t all_attributes_ = 0;
  std::uint64_t comparisons_ = 0;
  std::vector<std::string_view> names_;  // attributes of the element being read
};

void refuse_what_is_not_text(std::string_view bytes, const Messages& messages) {
  const auto starts = [&](std::string_view prefix) { return bytes.starts_with(prefix); };
  if (starts("\xFF\xFE") || starts("\xFE\xFF") || starts(std::string_view("<\0", 2)) ||
      starts(std::string_view("\0<", 2)))
    messages.error(0, "this is UTF-16 text; convert it to UTF-8 (iconv -f UTF-16 -t UTF-8)");
  if (starts("PK\x03\x04"))
    messages.error(0, "this is a zip archive; unpack it first (unzip), then name its files");
  if (starts("\x1F\x8B")) messages.error(0, "this is gzip data; unpack it first (gunzip)");
  const std::size_t nul = bytes.find('\0');
  if (nul != bytes.npos)
    messages.error(1 + int(std::count(bytes.begin(), bytes.begin() + std::ptrdiff_t(nul), '\n')),
                   "the file contains a NUL byte; it is damaged or not a flame file");
  if (bytes.find('<') == bytes.npos)
    messages.error(0, "{}",
                   bytes.empty() ? "the file is empty"
                                 : "this is not XML; a flame file begins with <flame ...>");
}

std::string_view explain(tinyxml2::XMLError error) {
  switch (error) {
    case tinyxml2::XML_ERROR_MISMATCHED_ELEMENT:
      return "a closing tag does not match the tag that is open";
    case tinyxml2::XML_ERROR_PARSING:
      return "the XML ends before every tag is closed; is the file cut off?";
    case tinyxml2::XML_ELEMENT_DEPTH_EXCEEDED:
      return "elements are nested more than 100 deep";
    case tinyxml2::XML_ERROR_EMPTY_DOCUMENT:
      return "the file holds no element; a flame file begins with <flame ...>";
    default:
      return "the XML is malformed";
  }
}

}  // namespace

void parse_xml(std::string_view bytes, Messages& messages, tinyxml2::XMLDocument& document) {
  refuse_what_is_not_text(bytes, messages);
  std::string text(bytes);
  Scanner(text, messages).run();
  const tinyxml2::XMLError status = document.Parse(text.data(), text.size());
  if (status != tinyxml2::XML_SUCCESS)
    messages.error(document.ErrorLineNum(), "{}", explain(status));
}

}  // namespace kiln
