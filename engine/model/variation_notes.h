// What is said of variations: for `kiln variations NAME` and docs/variations/. The texts stand
// beside the structs, kernels/variations/<family>.txt for <family>.h, and travel inside the program
// (embed_notes.cmake). kernels/variations/basic.txt shows the form:
//
//   # Title of the family            its sentences follow, up to the first name
//   name                             as in the XML, not indented; what follows is
//     One or two sentences.          up to the first formula
//     X = w x                        formulas: from the next line with " = " on
//     - low high [0..1]: meaning     parameters without the variation's name; the range may be left out
//     scene: grid zoom=1 | low=0.3   the flame of its picture (engine/io/flame/variation_scene.h)
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct ParameterNote {
  std::string name;            // as in the XML
  std::string range, meaning;  // range: "0..1", "whole, not 0"; empty for any number
};

struct VariationNote {
  std::string name, place;                // place: "kernels/variations/basic.txt:12"
  std::string idea;                       // sentences
  std::vector<std::string> formula;       // lines
  std::vector<ParameterNote> parameters;  // in the order of the text
  std::string scene;                      // empty: the usual one
};

/// The variations of one file.
struct VariationFamily {
  std::string name, title, text;  // name: of the file, "basic"
  std::vector<VariationNote> notes;
};

/// A file of texts as families. Throws Error (input) with file and line for what has no form.
VariationFamily parse_variation_notes(const std::string& family, std::string_view text);

/// All of them, in the order of the files' names.
const std::vector<VariationFamily>& variation_families();

/// A variation's text and family; null where it has none yet.
struct FoundNote {
  const VariationFamily* family = nullptr;
  const VariationNote* note = nullptr;
};
FoundNote find_variation_note(std::string_view name);

/// Range and meaning of a parameter; empty where the text does not have it.
ParameterNote parameter_note(const VariationNote* note, std::string_view parameter);

}  // namespace kiln
