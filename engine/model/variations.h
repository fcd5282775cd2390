// SPDX-License-Identifier: MIT
// What the host knows of variations: the registry, the names that other programs have for them, and
// what is said of them.
//
// The registry: names, parameters, defaults, all taken from the structs in kernels/variations/. Index
// = position in AllVariations = flam3's variation index.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

// Names of variations and parameters as files of several programs have them: with or without capital
// letters, with pre_ and post_, and by other names that mean the same. kiln writes the names of
// kernels/variations/.

/// A form of a variation.
struct NamedForm {
  Stage stage = Stage::regular;
  int variation = 0;
};

/// A parameter of a form.
struct NamedParameter {
  Stage stage = Stage::regular;
  int variation = 0;
  int parameter = 0;  // of the variation
};

/// "swirl", "Mobius", "pre_crop", "linear3D", "bwraps7"; nothing for what kiln does not have.
std::optional<NamedForm> find_form(std::string_view name);

/// "blob_low", "Re_A", "post_crop_left", "pre_bwraps7_gain".
std::optional<NamedParameter> find_form_parameter(std::string_view name);

/// "pre_crop": as kiln writes a form.
std::string form_name(Stage stage, int variation);

/// "pre_crop_left".
std::string form_parameter_name(Stage stage, int variation, int parameter);

/// Names of a variation in other programs, in small letters: "linear3d"; forms among them
/// ("pre_gaussian_blur").
std::vector<std::string> other_names(int variation);

/// Small letters of ASCII.
std::string in_small_letters(std::string_view text);

struct ParameterInfo {
  std::string name;  // as in the XML
  double default_value;
  /// Range of random flames: low to high, perhaps whole or negated (kernels/variations/variation.h).
  double low, high;
  bool is_whole, has_either_sign;
};

struct VariationInfo {
  std::string name;
  int first_parameter;  // offset of its parameters in XformValues::parameters
  std::vector<ParameterInfo> parameters;
  bool random;  // draws random numbers
  /// Its effects beyond x and y, as kernels/variations/extended.h names them.
  struct Traits {
    std::array<int, form_stages> forms;  // [Stage] VariationTerm::form
    bool reads_depth, only_depth, restarts, changes_color, hides_points;
    bool weighs_depth;  // z of the result is that of the point, weighed
    int makes_depth;    // makes_depth_always, makes_depth_never, or the parameter that decides
    bool leaves_depth;  // it says nothing of z
  } traits;
};

/// All variations, by index.
const std::vector<VariationInfo>& variations();
/// One of these, or a formula that a flame brings along (engine/model/formula.h).
const VariationInfo& info_of(int variation);
int variation_count();
/// Number of entries of XformValues::parameters.
int parameter_count();
/// Defaults of all parameters, registry order.
const std::vector<double>& default_parameters();
/// Index of a variation by its XML name.
std::optional<int> find_variation(std::string_view name);
/// The number of variations that are flam3's, the first ones.
int flam3_variation_count();
/// Names of the variations that a flame uses, in registry order, then those of its pre_ and post_ forms;
/// the final xform's count too.
std::vector<std::string> used_variations(const Flame& flame);
/// Offset of a parameter in XformValues::parameters by its XML name or an alternative spelling
/// (oscope_*, Re_A ...).
std::optional<int> find_parameter(std::string_view name);

// What is said of variations: for `kiln variations NAME` and docs/reference/variations/. The texts stand
// beside the structs, kernels/variations/<family>.txt for <family>.h, and travel inside the program
// (embed_notes.cmake). kernels/variations/basic.txt shows the form:
//
//   # Title of the family            its sentences follow, up to the first name
//   name                             as in the XML, not indented; what follows is
//     One or two sentences.          up to the first formula
//     X = w x                        formulas: from the next line with " = " on
//     - low high [0..1]: meaning     parameters without the variation's name; the range may be left out
//     scene: grid zoom=1 | low=0.3   the flame of its picture (below)

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

// The texts of kernels/variations/*.txt inside the program; the build makes the source of this.

struct VariationNoteFile {
  const char *family, *text;
};

const std::vector<VariationNoteFile>& variation_note_files();

// A flame that shows one variation: for the pictures of `kiln variations NAME -o` and of
// docs/reference/variations/. Two templates:
//
//   grid     warm and cold lines of a square grid from -1 to 1, moved by the variation as the final
//            xform: what becomes of the plane
//   copies   the variation draws a shape, six maps put small copies around it: for those that do not
//            look at the point
//
// A scene is a line of the text about the variation, words and then
// attributes of the variation's xform: "grid zoom=0.8 size=1.5 at=0.1,0.2 | julian_power=3".

/// The flame as XML, 256 x 256. Throws Error (input) with the place of the text for a scene that
/// cannot be read.
std::string variation_scene(const VariationNote& note);

}  // namespace kiln
