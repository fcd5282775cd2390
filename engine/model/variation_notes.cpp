// SPDX-License-Identifier: MIT
// What `kiln variations` says of each variation (variations.h), out of kernels/variations/*.txt.
#include <sstream>

#include "engine/base/error.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// One file, line by line.
class NotesParser {
 public:
  explicit NotesParser(const std::string& family) { family_.name = family; }

  void read(const std::string& line) {
    ++line_;
    if (line.empty()) return;
    if (line.starts_with("# ")) {
      if (!family_.title.empty()) refuse("a second title");
      family_.title = line.substr(2);
    } else if (line[0] == ' ') {
      const std::size_t from = line.find_first_not_of(' ');
      if (family_.notes.empty()) refuse("an indented line before the first name");
      read_inner(line.substr(from));
    } else if (line.find(' ') == std::string::npos) {
      family_.notes.emplace_back();
      family_.notes.back().name = line;
      family_.notes.back().place = place();
    } else {
      if (!family_.notes.empty()) refuse("a line of text that is not indented");
      family_.text += (family_.text.empty() ? "" : " ") + line;
    }
  }
  VariationFamily finished() {
    if (family_.title.empty()) refuse("no title; the first line is \"# TITLE\"");
    return std::move(family_);
  }

 private:
  std::string place() const {
    return fmt::format("kernels/variations/{}.txt:{}", family_.name, line_);
  }
  [[noreturn]] void refuse(const char* what) const {
    fail(ErrorKind::input, "{}: {} (engine/model/variations.h has the form)", place(), what);
  }
  void read_inner(const std::string& text) {
    VariationNote& note = family_.notes.back();
    if (text.starts_with("scene: ")) {
      note.scene = text.substr(7);
    } else if (text.starts_with("- ")) {
      read_parameters(note, text.substr(2));
    } else if (!note.idea.empty() &&
               (!note.formula.empty() || text.find(" = ") != std::string::npos)) {
      if (!note.parameters.empty()) refuse("a formula below the parameters");
      note.formula.push_back(text);
    } else {
      note.idea += (note.idea.empty() ? "" : " ") + text;
    }
  }
  void read_parameters(VariationNote& note, const std::string& text) {
    const std::size_t colon = text.find(": ");
    if (colon == std::string::npos) refuse("a parameter without its meaning");
    std::string names = text.substr(0, colon), range;
    if (const std::size_t bracket = names.find(" ["); bracket != std::string::npos) {
      if (!names.ends_with("]")) refuse("a range that does not end with ]");
      range = names.substr(bracket + 2, names.size() - bracket - 3);
      names.resize(bracket);
    }
    std::istringstream words(names);
    for (std::string name; words >> name;)
      note.parameters.push_back({note.name + "_" + name, range, text.substr(colon + 2)});
  }

  VariationFamily family_;
  int line_ = 0;
};

}  // namespace

VariationFamily parse_variation_notes(const std::string& family, std::string_view text) {
  NotesParser parser(family);
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) parser.read(line);
  return parser.finished();
}

const std::vector<VariationFamily>& variation_families() {
  static const std::vector<VariationFamily> families = [] {
    std::vector<VariationFamily> made;
    for (const VariationNoteFile& file : variation_note_files())
      made.push_back(parse_variation_notes(file.family, file.text));
    return made;
  }();
  return families;
}

FoundNote find_variation_note(std::string_view name) {
  for (const VariationFamily& family : variation_families()) {
    for (const VariationNote& note : family.notes)
      if (note.name == name) return {&family, &note};
  }
  return {};
}

ParameterNote parameter_note(const VariationNote* note, std::string_view parameter) {
  if (note) {
    for (const ParameterNote& known : note->parameters)
      if (known.name == parameter) return known;
  }
  return {std::string(parameter), "", ""};
}

}  // namespace kiln
