// SPDX-License-Identifier: MIT
#include "engine/io/flame/unsupported.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <span>

#include "engine/base/text.h"
#include "engine/io/flame/attributes.h"
#include "engine/model/variations.h"

namespace kiln {
void add_unknown_element(std::string_view name, int line, const std::string& place,
                         std::vector<Missing>& missing) {
  constexpr std::size_t enough = 64;  // a hostile file may have millions
  if (missing.size() >= enough) return;
  const std::string what = "element <" + printable(name, 80) + ">";
  for (const Missing& known : missing)
    if (known.what == what) return;
  missing.push_back({what, place, line});
}

namespace {

constexpr std::size_t longest_name = 200;  // so that a hostile one costs little
constexpr std::size_t most_hints = 8;      // as many as a message names

/// Weight of the variation of ours that `prefix` names; nothing if there is none.
std::optional<double> weight(std::string_view prefix, const XformValues& values) {
  const std::optional<int> variation = find_variation(prefix);
  if (!variation) return std::nullopt;
  return values.variations[std::size_t(*variation)];
}

/// Whether programs write the value beside its parameters, from which they compute it anew.
bool is_derived(std::string_view name) {
  constexpr std::string_view names[] = {
      "auger_half_scale", "rx_sin",       "rx_cos",       "ry_sin",       "ry_cos",
      "rz_sin",           "rz_cos",       "rotate_x_sin", "rotate_x_cos", "rotate_y_sin",
      "rotate_y_cos",     "rotate_z_sin", "rotate_z_cos"};
  for (const std::string_view stage : {"pre_", "post_"})
    if (name.starts_with(stage)) name.remove_prefix(stage.size());
  return std::find(std::begin(names), std::end(names), in_small_letters(name)) != std::end(names);
}

/// Variations that kiln lacks and whose names begin as if they were parameters of one that it has.
bool is_known_variation(std::string_view name) {
  constexpr std::string_view names[] = {"curl_sp",         "depth_blur",  "depth_gaussian",
                                        "depth_gaussian2", "depth_ngon",  "depth_ngon2",
                                        "depth_sine",      "depth_sine2", "mobius_strip"};
  const std::string small = in_small_letters(name);
  for (const std::string_view ending : {"_wf", "_js", "_bs"})
    if (small.ends_with(ending)) return true;
  return std::any_of(std::begin(names), std::end(names),
                     [&](std::string_view known) { return small.ends_with(known); });
}

bool is_parameter_of_ours(std::string_view name) { return name.ends_with("_fx_priority"); }

/// Whether a parameter that other programs give to flam3's variations has the value that flam3 has
/// built in, or belongs to a variation that the xform has not.
bool changes_nothing(const Attribute& a, const XformValues& values) {
  const std::optional<double> value = to_real(a.value);
  constexpr std::string_view order = "_fx_priority";  // JWildfire: before, beside, after the others
  if (!a.name.ends_with(order)) return false;
  const std::string_view variation = a.name.substr(0, a.name.size() - order.size());
  if (weight(variation, values) == 0 || !value) return true;
  if (variation.starts_with("pre_")) return *value < 0 || *value == 2;
  if (variation.starts_with("post_")) return *value == 0 || *value == 1 || *value == -2;
  return *value == 0;
}

/// Another variation than Mobius' maps goes by their name, and is known by what else it has.
bool is_of_mobius_strip(std::string_view name, const XformValues& values) {
  constexpr std::string_view parameters[] = {"mobius_radius", "mobius_width",    "mobius_rect_x",
                                             "mobius_rect_y", "mobius_rotate_x", "mobius_rotate_y"};
  return std::find(std::begin(parameters), std::end(parameters), in_small_letters(name)) !=
             std::end(parameters) &&
         weight("mobius", values) != 0;
}

// Sources: what the files of Fractorium/Ember (E), Apophysis (A), JWildfire (J) and flam3's own
// environment and older versions (F) hold.

/// `neutral`: values that leave the picture alone, separated by |; "*": every value does.
struct Entry {
  std::string_view name, neutral;
};

constexpr Entry flame_entries[] = {
    // who made it, and editor data
    {"version", "*"},       // all
    {"kiln_dialect", "*"},  // kiln's own: engine/io/flame/dialect.h has read it
    {"nick", "*"},          // A F
    {"url", "*"},           // A F
    {"notes", "*"},         // F
    {"id", "*"},            // F
    {"brood", "*"},         // F
    {"parents", "*"},       // F
    {"image", "*"},         // F
    {"plugins", "*"},       // A E: names of the variations in use
    {"unsmoother", "*"},    // F
    {"angle", "*"},         // A: beside `rotate`, in radians
    {"gradient", "*"},      // A: beside the colors
    {"enable_de", "*"},     // A: of its own renderer
    // how to render, not what
    {"sub_batch_size", "*"},      // E F
    {"fuse", "*"},                // E F
    {"rand_range", "*"},          // E
    {"resolution_profile", "*"},  // J
    {"quality_profile", "*"},     // J
    {"fps", "*"},                 // J
    {"frame", "*"},               // J
    {"frame_count", "*"},         // J
    // for sequences
    {"stagger", "*"},                 // E
    {"rotations", "*"},               // E
    {"seconds_per_rotation", "*"},    // E
    {"rotate_xforms_cw", "*"},        // E
    {"blend_seconds", "*"},           // E
    {"rotations_per_blend", "*"},     // E
    {"blend_rotate_xforms_cw", "*"},  // E
    {"linear_blend", "*"},            // E
    // three dimensions: depth alone is not seen; what follows turns it into the picture
    {"new_linear", "*"},     // A E
    {"preserve_z", "*"},     // J
    {"new_dof", "*"},        // J: of cam_dof
    {"cam_zdimcolor", "*"},  // J: of cam_zdimish
    {"cam_zdimdist", "*"},   // J: of cam_zdimish
    {"cam_roll", "0"},       // J
    {"cam_zoom", "1"},       // J
    {"cam_pos_x", "0"},      // J
    {"cam_pos_y", "0"},      // J
    {"cam_pos_z", "0"},      // J
    {"cam_zdimish", "0"},    // J
    // light and color
    {"mixer_mode", "OFF"},              // J
    {"post_symmetry_type", "NONE"},     // J
    {"solid_rendering", "0|false"},     // J
    {"sld_render_enabled", "0|false"},  // J
    {"shading_shading", "FLAT"},        // J
    {"post_blur_radius", "0"},          // J
    {"stereo3d_mode", "NONE"},          // J
};

// What flam3's files never have, so that there it is a slip of the pen.
constexpr Entry jwildfire_entries[] = {
    {"intensity_adjust", "0"}, {"cam_xfocus", "0"},       {"cam_yfocus", "0"},
    {"cam_zfocus", "0"},       {"bg_transparency", "*"},  {"filter_indicator", "*"},
    {"filter_type", "*"},      {"filter_sharpness", "*"}, {"filter_low_density", "*"},
    {"varset", "*"},
};
// They depend on another attribute, which is in a list.
constexpr std::string_view jwildfire_groups[] = {
    "background_",  "shading_",    "sld_render_",      "stereo3d_",
    "motion_blur_", "zbuffer_",    "mixer_",           "post_symmetry_",
    "post_blur_",   "post_bokeh_", "ai_post_denoiser", "post_optix_denoiser"};

constexpr Entry xform_entries[] = {
    {"name", "*"},            // A E J: a label
    {"animate_origin", "*"},  // E: for sequences
    {"amw_amp", "*"},         // A
    {"enabled", "1"},         // A: 0 on a finalxform: there is none
    {"material", "*"},        // J: of solid rendering
    {"material_speed", "*"},
    {"mod_gamma", "0"},  // J
    {"mod_gamma_speed", "*"},
    {"mod_contrast", "0"},  // J
    {"mod_contrast_speed", "*"},
    {"mod_saturation", "0"},  // J
    {"mod_saturation_speed", "*"},
    {"mod_hue", "0"},  // J
    {"mod_hue_speed", "*"},
    {"yzCoefs", "1 0 0 1 0 0"},  // J: affine maps of the other two planes
    {"zxCoefs", "1 0 0 1 0 0"},
    {"yzPost", "1 0 0 1 0 0"},
    {"zxPost", "1 0 0 1 0 0"},
    {"motion_offset", "0"},   // E: of <motion>
    {"wfield_type", "NONE"},  // J: a field that weighs variations; the rest of wfield_ is its own
};

const Entry* find(std::span<const Entry> entries, std::string_view name) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [name](const Entry& entry) { return entry.name == name; });
  return found == entries.end() ? nullptr : &*found;
}

/// Whether two values have the same words; numbers compare as numbers.
bool same(std::string_view value, std::string_view neutral) {
  const auto words = split_at_blanks(value.substr(0, 200)), expected = split_at_blanks(neutral);
  return std::equal(words.begin(), words.end(), expected.begin(), expected.end(),
                    [](std::string_view a, std::string_view b) {
                      const std::optional<double> number = to_real(a);
                      return a == b || (number && number == to_real(b));
                    });
}

Foreign judged(const Entry& entry, std::string_view value) {
  std::string_view rest = entry.neutral;
  if (rest == "*") return Foreign::harmless;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find('|'), rest.size());
    if (same(value, rest.substr(0, end))) return Foreign::harmless;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return Foreign::missing;
}

}  // namespace

void UnknownAttributes::add(const Attribute& a) {
  const Foreign foreign = foreign_in_xform(a.name, a.value);
  if (foreign == Foreign::missing) settings_.push_back(&a);
  if (foreign != Foreign::unknown) return;
  others_.push_back(&a);
  names_.insert(a.name);
}

void UnknownAttributes::judge(const XformValues& values, Dialect dialect,
                              std::vector<Missing>& missing) {
  for (const Attribute* a : settings_) {
    if (a->messages.is_mild()) {
      note_left_out(*a);
    } else {
      missing.push_back({"setting " + printable(a->name), a->owner, a->line});
    }
  }
  if (!others_.empty() && dialect != Dialect::jwildfire) find_given();
  for (const Attribute* a : others_) judge(*a, values, missing);
}

void UnknownAttributes::judge(const Attribute& a, const XformValues& values,
                              std::vector<Missing>& missing) const {
  if (is_parameter_of_unknown(a.name) || is_derived(a.name.substr(0, longest_name)) ||
      changes_nothing(a, values))
    return;
  if (is_of_mobius_strip(a.name.substr(0, longest_name), values))
    return missing.push_back({"variation mobius_strip", a.owner, a.line});
  const std::optional<double> value = to_real(a.value);
  if (!value || *value == 0) return report(a);  // no variation, or one that adds nothing
  if (const std::string owner = complete_without(a.name); !owner.empty())
    return a.messages.ignored(a.line, "xform " + printable(a.name), [&] {
      return fmt::format(
          "{}: {} is none of the parameters of {}, which has all of its own; it is "
          "ignored",
          a.owner, printable(a.name), owner);
    });
  const std::string nearest = missing.size() < most_hints ? nearest_name(a.name, known_) : "";
  missing.push_back(
      {(is_parameter_of_ours(a.name) ? "parameter " : "variation ") + printable(a.name), a.owner,
       a.line, nearest.empty() ? "" : "did you mean \"" + nearest + "\"?"});
}

bool UnknownAttributes::is_parameter_of_unknown(std::string_view name) const {
  name = name.substr(0, longest_name);
  for (std::size_t end = name.find('_'); end != name.npos; end = name.find('_', end + 1))
    if (names_.contains(name.substr(0, end))) return true;
  return false;
}

/// The variation of which it would be one more parameter, where all that kiln knows of are given:
/// then it is none that is misspelt. Not of JWildfire, whose variations have grown.
std::string UnknownAttributes::complete_without(std::string_view name) const {
  name = name.substr(0, longest_name);
  const std::string beginning = std::string(name) + "_";
  const auto parameter = names_.lower_bound(beginning);
  if (parameter != names_.end() && parameter->starts_with(beginning)) return "";
  if (is_known_variation(name)) return "";
  for (std::size_t end = name.find('_'); end != name.npos; end = name.find('_', end + 1)) {
    const std::optional<NamedForm> form = find_form(name.substr(0, end));
    if (!form) continue;
    const auto given = given_.find({form->stage, form->variation});
    const std::size_t count = info_of(form->variation).parameters.size();
    if (given != given_.end() && count > 0 && given->second.size() == count)
      return form_name(form->stage, form->variation);
  }
  return "";
}

void UnknownAttributes::find_given() {
  for (const Attribute& a : all_) {
    const std::optional<NamedForm> form = find_form(a.name);
    if (form && to_real(a.value).value_or(0) != 0) given_[{form->stage, form->variation}];
  }
  for (const Attribute& a : all_) {
    const std::optional<NamedParameter> named = find_form_parameter(a.name);
    if (!named) continue;
    const auto form = given_.find({named->stage, named->variation});
    if (form != given_.end()) form->second.insert(named->parameter);
  }
}

void UnknownAttributes::report(const Attribute& a) const {
  a.messages.ignored(a.line, "xform " + printable(a.name), [&] {
    return fmt::format("{}: unknown attribute {}{}; it is ignored", a.owner, printable(a.name),
                       did_you_mean(a.name, known_));
  });
}

Foreign foreign_in_flame(std::string_view name, std::string_view value, Dialect dialect) {
  if (name.starts_with("flam3_") || name.starts_with("cam_dof_") || name.ends_with("_mcurve"))
    return Foreign::harmless;
  const bool of_jwildfire = dialect == Dialect::jwildfire;
  if (name == "background_image" && of_jwildfire && !value.empty()) return Foreign::missing;
  if (const Entry* own = find(jwildfire_entries, name); own != nullptr && of_jwildfire)
    return judged(*own, value);
  if (const Entry* entry = find(flame_entries, name)) return judged(*entry, value);
  const bool in_group =
      std::any_of(std::begin(jwildfire_groups), std::end(jwildfire_groups),
                  [name](std::string_view group) { return name.starts_with(group); });
  const bool is_of_editor = name.starts_with("grad_edit_");  // curves through its gradient
  return of_jwildfire && (in_group || is_of_editor) ? Foreign::harmless : Foreign::unknown;
}

bool is_camera(std::string_view name) {
  constexpr std::string_view names[] = {"cam_roll",  "cam_pos_x",   "cam_pos_y",
                                        "cam_pos_z", "cam_zdimish", "sld_render_enabled"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Foreign foreign_in_xform(std::string_view name, std::string_view value) {
  if (const Entry* entry = find(xform_entries, name)) return judged(*entry, value);
  return name.starts_with("wfield_") ? Foreign::harmless : Foreign::unknown;
}

}  // namespace kiln
