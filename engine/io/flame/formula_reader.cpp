// SPDX-License-Identifier: MIT
#include "engine/io/flame/formula_reader.h"

#include <tinyxml2.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/flame/attributes.h"
#include "engine/io/flame/shelved_formulas.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/model/formula.h"
#include "engine/model/track_target.h"

namespace kiln {
namespace {

/// One line, so that a column is a place in it.
std::string in_one_line(std::string_view text) {
  std::string line(text);
  std::replace_if(
      line.begin(), line.end(), [](char c) { return c == '\n' || c == '\r' || c == '\t'; }, ' ');
  return line;
}

FormulaParameter read_formula_parameter(const tinyxml2::XMLElement& element,
                                        const std::string& owner, Messages& messages) {
  FormulaParameter parameter;
  bool has_name = false, has_usual = false;
  for (const Attribute& a : attributes_of(element, owner, messages)) {
    if (a.name == "name") {
      parameter.name = std::string(a.value);
      has_name = true;
    } else if (a.name == "default") {
      parameter.usual = read_real(a);
      has_usual = true;
    } else if (a.name == "from") {
      parameter.low = read_real(a);
    } else if (a.name == "to") {
      parameter.high = read_real(a);
    } else {
      a.reject("<parameter> has no such attribute; it knows name, default, from and to");
    }
  }
  if (!has_name) messages.error(element.GetLineNum(), "{}: a parameter wants name=\"k\"", owner);
  if (!(parameter.low <= parameter.high))
    messages.error(element.GetLineNum(), "{}: parameter {}: from must not be above to", owner,
                   printable(parameter.name));
  if (!has_usual) parameter.usual = std::clamp(0.0, parameter.low, parameter.high);
  return parameter;
}

/// The place of a mistake, for eyes: the text around it with a mark.
std::string shown_place(const std::string& text, std::size_t column) {
  constexpr std::size_t around = 24;
  const std::size_t at = std::min(column - 1, text.size());
  const std::size_t begin = at > around ? at - around : 0;
  const std::string before = text.substr(begin, at - begin), behind = text.substr(at, around);
  return fmt::format("{}{} >> {}{}", begin > 0 ? "..." : "", printable(before), printable(behind),
                     at + around < text.size() ? "..." : "");
}

/// A message of the reader without file and line, and without its owner where that is said.
std::string without_place(std::string text, const std::string& owner) {
  const std::string before = fmt::format(": {}: ", owner);
  const std::size_t at = text.find(before);
  return at == text.npos ? text : text.substr(at + before.size());
}

class FormulaReader {
 public:
  enum class Searches { no, yes };  // whether digests are looked for in files
  FormulaReader(const tinyxml2::XMLElement& element, Messages& messages,
                Searches searches = Searches::yes)
      : element_(element), messages_(messages), searches_(searches), owner_("variation") {
    const char* const name = element.Attribute("name");
    if (name != nullptr && *name != '\0') owner_ = fmt::format("variation {}", printable(name));
  }

  int read() {
    try {
      return read_text();
    } catch (const FormulaRefused&) {
      throw;
    } catch (const Error& error) {  // of what an attribute or a parameter says
      const char* const name = element_.Attribute("name");
      throw FormulaRefused(error, name ? name : "", place_, without_place(error.what(), owner_));
    }
  }

 private:
  int read_text() {
    FormulaText& text = text_;
    for (const Attribute& a : attributes_of(element_, owner_, messages_)) {
      if (a.name == "name") {
        text.name = std::string(a.value);
      } else if (std::string* const part = part_of(text, a.name)) {
        *part = in_one_line(a.value);
        place_ = {std::string(a.name)};
        lines_[std::string(a.name)] = a.line;
        if (part->find_first_not_of(' ') == part->npos)
          a.reject("is empty; leave it out, or give it a formula such as x*cos(r)");
      } else if (a.name == "digest") {
        digest_ = std::string(a.value);
        if (digest_.size() != formula_digest_digits ||
            digest_.find_first_not_of("0123456789abcdef") != digest_.npos)
          a.reject("is no digest: {} of 0-9 and a-f, as kiln variations --file says",
                   formula_digest_digits);
      } else {
        a.reject(
            "<variation> has no such attribute; it knows name, digest, let, x, y, z and color");
      }
    }
    place_ = {"name"};
    if (text.name.empty())
      messages_.error(element_.GetLineNum(), "variation: wants a name, as in name=\"twirl\"");
    for (const auto* child = element_.FirstChildElement(); child != nullptr;
         child = child->NextSiblingElement()) {
      place_ = {"", 0, int(text.parameters.size())};
      if (std::string_view(child->Name()) != "parameter")
        messages_.error(child->GetLineNum(), "{}: <{}> does not belong here; <parameter> does",
                        owner_, printable(child->Name()));
      text.parameters.push_back(read_formula_parameter(*child, owner_, messages_));
    }
    if (!digest_.empty()) take_shelved(text);
    check_names(text);
    try {
      return keep_formula(text);
    } catch (const FormulaError& error) {
      refuse(text, error);
    }
  }

  /// Completes a formula that says its digest: by one from a shelf, unless it says itself what it is.
  void take_shelved(FormulaText& text) {
    place_ = {};
    const bool says_parts =
        std::any_of(std::begin(FormulaText::parts), std::end(FormulaText::parts),
                    [&](std::string FormulaText::*part) { return !(text.*part).empty(); });
    if (says_parts || !text.parameters.empty()) {
      if (const std::string digest = formula_digest(text); digest != digest_)
        messages_.error(element_.GetLineNum(),
                        "{}: its digest is {}, not {}; say one of them, or the formula alone",
                        owner_, digest, digest_);
      return;
    }
    const std::vector<std::string> folders = formula_folders(messages_.file());
    std::string of_name;  // a file that has another formula of this name
    std::optional<FormulaText> found = found_formula(digest_);
    if (!found && searches_ == Searches::yes) found = search(folders, of_name);
    if (!found) {
      std::string where;
      for (const std::string& folder : folders)
        where += (where.empty() ? "" : ", ") + printable_whole(folder);
      messages_.error(
          element_.GetLineNum(),
          "{}: no file with the formula of digest {} is in {}{}; put it there, or name its folder "
          "in KILN_FORMULAS",
          owner_, digest_, where,
          of_name.empty()
              ? ""
              : fmt::format(" ({} has another one of this name)", printable_whole(of_name)));
    }
    found->name = text.name;
    text = std::move(*found);
  }

  /// Looks through the files of the folders; those that cannot be read are passed over.
  std::optional<FormulaText> search(const std::vector<std::string>& folders,
                                    std::string& of_name) const {
    for (const std::string& file : formula_files(folders)) {
      for (const FormulaText& one : formulas_in(file)) {
        if (formula_digest(one) == digest_) {
          keep_found_formula(digest_, one);
          return one;
        }
        if (one.name == text_.name && of_name.empty()) of_name = file;
      }
    }
    return {};
  }

  static std::vector<FormulaText> formulas_in(const std::string& file) {
    constexpr std::size_t most_bytes = 1 << 20;
    std::vector<FormulaText> found;
    ReaderOptions options;
    options.warn = [](const std::string&) {};
    Messages silent(file, options);
    const auto read_flame = [&](const tinyxml2::XMLElement& flame) {
      for (const auto* child = flame.FirstChildElement(formula_element.data()); child != nullptr;
           child = child->NextSiblingElement(formula_element.data())) {
        try {
          found.push_back(formula_at(FormulaReader(*child, silent, Searches::no).read()).text);
        } catch (const Error&) {
        }
      }
    };
    try {
      const std::string text =
          InputFile(file, InputFile::Opens::regular_files).read_all(most_bytes);
      tinyxml2::XMLDocument document;
      if (document.Parse(text.data(), text.size()) != tinyxml2::XML_SUCCESS) return found;
      for (const auto* top = document.FirstChildElement(); top != nullptr;
           top = top->NextSiblingElement()) {
        read_flame(*top);  // a flame, or flames below it
        for (const auto* flame = top->FirstChildElement("flame"); flame != nullptr;
             flame = flame->NextSiblingElement("flame"))
          read_flame(*flame);
      }
    } catch (const Error&) {
    }
    return found;
  }

  static std::string* part_of(FormulaText& text, std::string_view name) {
    for (std::size_t i = 0; i < std::size(FormulaText::parts); ++i)
      if (FormulaText::part_names[i] == name) return &(text.*FormulaText::parts[i]);
    return nullptr;
  }

  [[noreturn]] void refuse(const FormulaText& text, const FormulaError& error) {
    place_ = {error.part, error.column, error.parameter};
    if (error.column == 0) messages_.error(element_.GetLineNum(), "{}: {}", owner_, error.what);
    FormulaText copy = text;
    try {
      messages_.error(lines_[error.part], "{}: {}: column {}: {} (at \"{}\")", owner_, error.part,
                      error.column, error.what,
                      shown_place(*part_of(copy, error.part), error.column));
    } catch (const Error& said) {
      throw FormulaRefused(said, text.name, place_, error.what);
    }
  }

  void check_names(const FormulaText& text) {
    const std::vector<std::string>& attributes = xform_attribute_names();
    const auto check = [&](const std::string& name) {
      const bool is_attribute = std::binary_search(attributes.begin(), attributes.end(), name) ||
                                name == "name" || name == "kiln_opacity" || name == "enabled" ||
                                find_track_target(0, name).has_value();
      const std::string why = refused_formula_name(name);
      if (!why.empty() || is_attribute)
        messages_.error(element_.GetLineNum(), "{}: {} has a meaning in xforms already{}{}", owner_,
                        printable(name), why.empty() ? "; take another name" : ": ", why);
    };
    place_ = {"name"};
    check(text.name);
    for (std::size_t p = 0; p < text.parameters.size(); ++p) {
      place_ = {"", 0, int(p)};
      check(text.name + "_" + text.parameters[p].name);
    }
    place_ = {};
  }

  const tinyxml2::XMLElement& element_;
  Messages& messages_;
  const Searches searches_;
  std::string owner_;
  FormulaText text_;
  std::string digest_;
  FormulaRefused::Place place_;                    // of what is being read
  std::map<std::string, int, std::less<>> lines_;  // of the parts
};

/// own: the names of a formula and its parameters, of which number `i` is another's.
[[noreturn]] void refuse_twice(const tinyxml2::XMLElement& element,
                               const std::vector<std::string>& own, std::size_t i,
                               const Messages& messages) {
  const std::string why = fmt::format("{} is there already; take another name", printable(own[i]));
  const FormulaRefused::Place place =
      i == 0 ? FormulaRefused::Place{"name"} : FormulaRefused::Place{"", 0, int(i) - 1};
  try {
    messages.error(element.GetLineNum(), "variation {}: {}", printable(own[0]), why);
  } catch (const Error& error) {
    throw FormulaRefused(error, own[0], place, why);
  }
}

}  // namespace

std::vector<int> read_formulas(const tinyxml2::XMLElement& flame, bool is_jwildfires,
                               Messages& messages) {
  std::vector<int> formulas;
  std::vector<std::string> names;  // of formulas and parameters
  for (const auto* child = flame.FirstChildElement(); child != nullptr;
       child = child->NextSiblingElement()) {
    if (child->Name() != formula_element) continue;
    if (is_jwildfires)
      messages.error(
          child->GetLineNum(),
          "<variation> in a flame that JWildfire wrote; convert it first (kiln convert), "
          "then add the formula");
    if (formulas.size() >= most_formulas_of_flame)
      messages.error(child->GetLineNum(), "the flame has more than {} formulas",
                     most_formulas_of_flame);
    const FormulaNames none{std::vector<int>()};  // names of a flame beside it mean nothing here
    formulas.push_back(FormulaReader(*child, messages).read());
    const VariationInfo& info = info_of(formulas.back());
    std::vector<std::string> own = {info.name};
    for (const ParameterInfo& parameter : info.parameters) own.push_back(parameter.name);
    for (std::size_t i = 0; i < own.size(); ++i) {
      if (std::find(names.begin(), names.end(), own[i]) != names.end())
        refuse_twice(*child, own, i, messages);
      names.push_back(own[i]);
    }
  }
  return formulas;
}

}  // namespace kiln
