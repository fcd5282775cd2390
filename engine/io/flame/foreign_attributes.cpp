// Sources: what the files of Fractorium/Ember (E), Apophysis (A), JWildfire (J) and flam3's own
// environment and older versions (F) hold.
#include "engine/io/flame/foreign_attributes.h"

#include <algorithm>
#include <optional>
#include <span>

#include "engine/io/flame/attributes.h"

namespace kiln {
namespace {

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
    {"gradient", "*"},      // A: beside the colours
    {"enable_de", "*"},     // A: of its own renderer
    // how to render, not what
    {"sub_batch_size", "*"},  // E F
    {"fuse", "*"},            // E F
    {"rand_range", "*"},      // E
    {"antialias_amount", "*"},
    {"antialias_radius", "*"},
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
    // light and colour
    {"saturation", "1"},                  // J
    {"balancing_red", "1"},               // J
    {"balancing_green", "1"},             // J
    {"balancing_blue", "1"},              // J
    {"mixer_mode", "OFF"},                // J
    {"background_type", "SINGLE_COLOR"},  // J
    {"post_symmetry_type", "NONE"},       // J
    {"solid_rendering", "0|false"},       // J
    {"sld_render_enabled", "0|false"},    // J
    {"shading_shading", "FLAT"},          // J
    {"post_blur_radius", "0"},            // J
    {"stereo3d_mode", "NONE"},            // J
};

// What flam3's files never have, so that there it is a slip of the pen.
constexpr Entry jwildfire_entries[] = {
    {"white_level", "220"},      {"contrast", "1"},    {"intensity_adjust", "0"},
    {"cam_xfocus", "0"},         {"cam_yfocus", "0"},  {"cam_zfocus", "0"},
    {"bg_transparency", "*"},    {"fg_opacity", "1"},  {"low_density_brightness", "*"},
    {"filter_kernel", "*"},      {"filter_type", "*"}, {"filter_sharpness", "*"},
    {"filter_low_density", "*"}, {"varset", "*"},
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

/// The same words; numbers as numbers.
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

Foreign foreign_in_flame(std::string_view name, std::string_view value, Dialect dialect) {
  if (name.starts_with("flam3_") || name.starts_with("cam_dof_") || name.ends_with("_mcurve"))
    return Foreign::harmless;
  const bool of_jwildfire = dialect == Dialect::jwildfire;
  if (const Entry* own = find(jwildfire_entries, name); own != nullptr && of_jwildfire)
    return judged(*own, value);
  // old flam3 files may hold it, and flam3's picture is the one without: a warning will do
  if (name == "contrast") return same(value, "1") ? Foreign::harmless : Foreign::unknown;
  if (const Entry* entry = find(flame_entries, name)) return judged(*entry, value);
  const bool in_group =
      std::any_of(std::begin(jwildfire_groups), std::end(jwildfire_groups),
                  [name](std::string_view group) { return name.starts_with(group); });
  const bool is_curve = name.ends_with("_curve");  // of a value over the frames
  return of_jwildfire && (in_group || is_curve) ? Foreign::harmless : Foreign::unknown;
}

bool is_camera(std::string_view name) {
  constexpr std::string_view names[] = {"cam_roll", "cam_pos_x", "cam_pos_y", "cam_pos_z",
                                        "cam_zdimish"};
  return std::find(std::begin(names), std::end(names), name) != std::end(names);
}

Foreign foreign_in_xform(std::string_view name, std::string_view value) {
  if (const Entry* entry = find(xform_entries, name)) return judged(*entry, value);
  return name.starts_with("wfield_") ? Foreign::harmless : Foreign::unknown;
}

}  // namespace kiln
