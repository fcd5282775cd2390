// SPDX-License-Identifier: MIT
#include "engine/io/flame/jwildfire_steps.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/base/error.h"
#include "engine/io/flame/palette_library.h"
#include "engine/model/exact_math.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr double least_seen = 1e-8;  // that JWildfire's camera sees

/// The rows of a map of space, and what is added.
struct Space {
  std::array<std::array<double, 3>, 3> rows = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  std::array<double, 3> shift = {0, 0, 0};

  std::vector<double> parameters() const {
    std::vector<double> all;
    for (const auto& row : rows) all.insert(all.end(), row.begin(), row.end());
    all.insert(all.end(), shift.begin(), shift.end());
    return all;
  }
};

/// The linear part `m` of the plane of two coordinates, after `space`.
void turn(Space& space, const AffineD& m, std::size_t first, std::size_t second) {
  for (std::size_t column = 0; column < 3; ++column) {
    const double u = space.rows[first][column], v = space.rows[second][column];
    space.rows[first][column] = m.a * u + m.b * v;
    space.rows[second][column] = m.d * u + m.e * v;
  }
}

/// JWildfire's order: the linear parts of x y, y z, z x, and then all that is added.
Space space_of(const AffineD& xy, const AffineD& yz, const AffineD& zx) {
  Space space;
  turn(space, xy, 0, 1);
  turn(space, yz, 1, 2);
  turn(space, zx, 0, 2);
  space.shift = {xy.c + zx.c, xy.f + yz.c, yz.f + zx.f};
  return space;
}

StagedVariation form(const char* name, Stage stage, std::vector<double> parameters) {
  const auto variation = find_variation(name);
  KILN_CHECK(variation, "variation {}", name);
  return {stage, *variation, 1, std::move(parameters)};
}

/// A final xform of these forms alone.
Xform final_of(std::vector<StagedVariation> forms) {
  Xform xform;
  xform.color_speed = 0;
  xform.variations.assign(std::size_t(variation_count()), 0.0);
  xform.parameters = default_parameters();
  xform.staged = std::move(forms);
  return xform;
}

void add_final(Xform xform, Flame& flame) {
  if (flame.final_xform)
    flame.more_finals.push_back(std::move(xform));
  else
    flame.final_xform = std::move(xform);
}

/// Whether a variation that the xform uses, in any form, has this trait.
bool any_has(const XformValues& xform, bool VariationInfo::Traits::*trait) {
  for (std::size_t v = 0; v < xform.variations.size(); ++v)
    if (xform.variations[v] != 0 && info_of(int(v)).traits.*trait) return true;
  return std::any_of(xform.staged.begin(), xform.staged.end(), [trait](const StagedVariation& one) {
    return info_of(one.variation).traits.*trait;
  });
}

bool changes_color(const XformValues& xform) {
  return any_has(xform, &VariationInfo::Traits::changes_color);
}

constexpr std::ptrdiff_t most_colors = 4096;  // that a palette of a file may have

/// The entry of JWildfire's palette for a color.
double entry_of(double color) { return std::clamp(std::trunc(254 * color + 0.5), 0.0, 255.0); }

constexpr std::string_view numbers[] = {"cam_roll",
                                        "cam_pos_x",
                                        "cam_pos_y",
                                        "cam_pos_z",
                                        "cam_dof_area",
                                        "cam_dof_exponent",
                                        "cam_dof_scale",
                                        "cam_dof_fade",
                                        "cam_xfocus",
                                        "cam_yfocus",
                                        "cam_zfocus",
                                        "new_dof",
                                        "cam_zdimish",
                                        "cam_zdimdist",
                                        "post_symmetry_order",
                                        "post_symmetry_centre_x",
                                        "post_symmetry_centre_y",
                                        "post_symmetry_distance",
                                        "post_symmetry_rotation"};

/// The numbers that the file says of the camera.
class Said {
 public:
  explicit Said(const DeferredAttributes& deferred) : deferred_(deferred) {}
  double operator()(std::string_view name, double usual = 0) const {
    const auto number = deferred_.numbers.find(name);
    return number == deferred_.numbers.end() ? usual : number->second;
  }
  bool is_seen(std::string_view name) const { return std::fabs((*this)(name)) > least_seen; }

 private:
  const DeferredAttributes& deferred_;
};

/// Whether its camera is of those that kiln has as a final xform.
bool is_moved_in_space(const Said& said) {
  return said.is_seen("cam_pos_x") || said.is_seen("cam_pos_y") || said.is_seen("cam_pos_z") ||
         said.is_seen("cam_roll");
}

/// The final xform that draws one of the copies of each point, and the light that they have together: JWildfire
/// counts each, and divides the light by their number but one.
void add_copies(const DeferredAttributes& deferred, const Said& said, Flame& flame) {
  const std::string& type = deferred.post_symmetry;
  const double kind = type == "POINT" ? 0 : type == "X_AXIS" ? 1 : type == "Y_AXIS" ? 2 : -1;
  if (kind < 0) {
    if (!type.empty() && type != "NONE")
      flame.missing.push_back({"post_symmetry_type " + type, "flame", flame.line});
    return;
  }
  const double order = std::clamp(std::floor(said("post_symmetry_order", 3)), 2.0, 64.0);
  Xform xform = final_of({});
  const int copies = find_variation("copies").value();
  xform.variations[std::size_t(copies)] = 1;
  const double parameters[] = {kind,
                               order,
                               said("post_symmetry_centre_x"),
                               said("post_symmetry_centre_y"),
                               said("post_symmetry_distance", 1.25),
                               said("post_symmetry_rotation", 6) * exact::pi / 180};
  std::copy(std::begin(parameters), std::end(parameters),
            xform.parameters.begin() + info_of(copies).first_parameter);
  add_final(std::move(xform), flame);
  const double plotted = kind == 0 ? order + 1 : 2, divided = kind == 0 ? order : 2;
  flame.contrast /= plotted;
  flame.brightness *= plotted / divided;
  flame.low_density_brightness /= plotted;
}

/// The map to the space of the camera.
Space camera_space(const Flame& flame, const Said& said) {
  const DepthCamera& camera = flame.depth_camera;
  const exact::SinCos u = exact::sincos(-camera.yaw_rad), p = exact::sincos(camera.pitch_rad),
                      b = exact::sincos(said("cam_roll")),
                      r = exact::sincos(flame.rotate_deg * exact::pi / 180);
  Space space;
  const auto turns = [](const exact::SinCos& angle) {
    return AffineD{angle.c, angle.s, -angle.s, angle.c, 0, 0};
  };
  turn(space, turns(u), 0, 1);
  turn(space, turns({-b.s, b.c}), 0, 2);  // x cos + z sin
  turn(space, turns({p.s, p.c}), 1, 2);   // y cos - z sin
  turn(space, turns(r), 0, 1);
  space.shift = {said("cam_pos_x"), said("cam_pos_y"), said("cam_pos_z")};
  return space;
}

/// A color of each of many palettes, from the color of what is far to the flame's own.
void dim_palette(const std::array<double, 3>& far, int levels, Flame& flame) {
  constexpr double full = 256.0 / 200;  // JWildfire's palettes are a share of their colors
  const Palette own = flame.palette;
  flame.palette.clear();
  for (int level = 0; level < levels; ++level) {
    const double share = double(level) / (levels - 1);
    const auto mixed = [&](double of_far, double v) {
      return (1 - share) * of_far * full + share * v;
    };
    for (const Rgba& c : own)
      flame.palette.push_back({mixed(far[0], c.r), mixed(far[1], c.g), mixed(far[2], c.b), c.a});
  }
}

}  // namespace

bool XformInSpace::is_plain() const {
  return is_usual_type() || color_type == "DIFFUSION" || color_type == "NONE";
}

void add_maps(const XformInSpace& space, Xform& xform) {
  const AffineD none;
  if (space.yz_coefs != none || space.zx_coefs != none) {
    // after the affine map of the plane, which some variations look at
    Space map = space_of(none, space.yz_coefs, space.zx_coefs);
    const double c = xform.coefs.c, f = xform.coefs.f;
    map.shift[0] += c;
    map.shift[1] += f;
    for (std::size_t i = 0; i < 3; ++i) map.shift[i] -= map.rows[i][0] * c + map.rows[i][1] * f;
    xform.staged.insert(xform.staged.begin(), form("map3D", Stage::pre, map.parameters()));
  }
  if (space.yz_post != none || space.zx_post != none) {
    const Space map = space_of(xform.post, space.yz_post, space.zx_post);
    xform.staged.push_back(form("map3D", Stage::post, map.parameters()));
    xform.post = none;
  }
}

void add_color_types(const std::vector<XformInSpace>& xforms,
                     const std::vector<XformInSpace>& finals, bool are_of_several_layers,
                     Flame& flame) {
  const auto is_plain = [](const XformInSpace& one) { return one.is_plain(); };
  if (std::all_of(xforms.begin(), xforms.end(), is_plain) &&
      std::all_of(finals.begin(), finals.end(), is_plain))
    return;
  const auto lacks = [&](const std::string& what, int line) {
    flame.missing.push_back({what, "flame", line});
  };
  const std::size_t final_count = flame.final_xform ? 1 + flame.more_finals.size() : 0;
  if (are_of_several_layers || xforms.size() != flame.xforms.size() || finals.size() != final_count)
    return lacks("color types in layers", flame.line);
  flame.palette = resampled(flame.palette);
  const auto target_of = [&](const std::array<double, 3>& rgb) {
    const Rgba color{rgb[0], rgb[1], rgb[2], 1};
    const auto known = std::find(flame.palette.begin() + 256, flame.palette.end(), color);
    const auto index = known - flame.palette.begin();
    if (known == flame.palette.end()) {
      if (index == most_colors) {
        lacks("more than 3840 colors of TARGET", flame.line);
        return -1.0;
      }
      flame.palette.push_back(color);
    }
    return double(index);
  };
  struct Step {
    Xform* xform;
    const XformInSpace* space;
    double target;
  };
  std::vector<Step> steps;
  const auto add = [&](Xform& xform, const XformInSpace& space, bool is_final) {
    if (changes_color(xform)) lacks("variation that colors beside color types", xform.line);
    // its mark takes the bits of the color that hold the place (kernels/hidden_points.h)
    if (any_has(xform, &VariationInfo::Traits::hides_points))
      lacks("variation that hides points beside color types", xform.line);
    if (is_final && space.is_usual_type()) return;
    double target = -1;
    if (space.color_type == "TARGET") target = target_of(space.target);
    if (space.color_type == "TARGETG") target = entry_of(xform.color);
    steps.push_back({&xform, &space, target});
  };
  for (std::size_t f = 0; f < xforms.size(); ++f) add(flame.xforms[f], xforms[f], false);
  for (std::size_t k = 0; k < finals.size(); ++k)
    add(k == 0 ? *flame.final_xform : flame.more_finals[k - 1], finals[k], true);
  const double entries = double(flame.palette.size());
  for (const Step& step : steps) {
    Xform& xform = *step.xform;
    const std::string& type = step.space->color_type;
    const bool moves = step.space->is_usual_type() || type == "DIFFUSION" || type == "TARGETG";
    const double kind = type == "NONE"                          ? 1
                        : type == "CYCLIC"                      ? 2
                        : type == "TARGET" || type == "TARGETG" ? 3
                        : type == "DISTANCE"                    ? 4
                                                                : 0;
    if (kind == 4) {
      // the way ends behind the post affine map
      if (!(xform.post == AffineD{})) {
        const Space map = space_of(xform.post, {}, {});
        xform.staged.push_back(form("map3D", Stage::post, map.parameters()));
        xform.post = {};
      }
      if (std::any_of(xform.staged.begin(), xform.staged.end(), [](const StagedVariation& one) {
            return one.stage == Stage::pre || one.stage == Stage::pre_add;
          }))
        lacks("color type DISTANCE beside pre_ forms", xform.line);
    }
    xform.staged.push_back(
        form("palette_step", Stage::post,
             {kind, std::clamp(xform.color, -1.0, 1.0), std::clamp(step.space->symmetry, -1.0, 1.0),
              step.target, moves ? 1.0 : 0.0, entries}));
    xform.color = xform.color_speed = 0;
  }
}

// ---- the camera ----

bool keep_camera_attribute(const Attribute& a, DeferredAttributes& deferred) {
  if (a.name == "post_symmetry_type") {
    deferred.post_symmetry = a.value;
  } else if (a.name == "cam_zdimcolor") {
    const std::vector<double> rgb = read_reals(a, 3, "red green blue, 0 to 1");
    deferred.far_color = {rgb[0], rgb[1], rgb[2]};
  } else if (a.name == "cam_dof_shape") {
    deferred.lens_shape = a.value;
  } else if (std::find(std::begin(numbers), std::end(numbers), a.name) != std::end(numbers)) {
    deferred.numbers[std::string(a.name)] = read_real(a);
  } else {
    return false;
  }
  return true;
}

bool shows_depth(const DeferredAttributes& deferred) {
  const Said said(deferred);
  return is_moved_in_space(said) || said("cam_zdimish") > least_seen;
}

void add_camera(const DeferredAttributes& deferred, Flame& flame) {
  const Said said(deferred);
  add_copies(deferred, said, flame);
  DepthCamera& camera = flame.depth_camera;
  const double focus = camera.z;
  camera.z = 0;  // of the lens alone
  const bool has_lens = std::fabs(camera.blur) > least_seen,
             dims = said("cam_zdimish") > least_seen;
  const bool is_moved = is_moved_in_space(said);
  const bool in_depth = has_lens || dims || is_moved || std::fabs(camera.yaw_rad) > least_seen ||
                        std::fabs(camera.pitch_rad) > least_seen ||
                        std::fabs(camera.perspective) > least_seen;
  if (!in_depth) return;
  if (!has_lens && !dims && !is_moved) {
    // it is turned about the origin, and the center is only the window's
    const exact::SinCos r = exact::sincos(flame.rotate_deg * exact::pi / 180);
    const double x = flame.center_x, y = flame.center_y;
    flame.center_x = x * r.c + y * r.s;
    flame.center_y = y * r.c - x * r.s;
    return;
  }
  Xform xform = final_of({});
  const int map = find_variation("map3D").value();
  xform.variations[std::size_t(map)] = 1;
  const std::vector<double> parameters = camera_space(flame, said).parameters();
  std::copy(parameters.begin(), parameters.end(),
            xform.parameters.begin() + info_of(map).first_parameter);
  if (dims) {
    constexpr int levels = 16;  // 4096 colors, as many as a file may have
    const double entries = double(flame.palette.size());
    const bool has_types = std::any_of(flame.xforms.begin(), flame.xforms.end(), changes_color);
    if (has_types || entries != 256) {
      flame.missing.push_back({"cam_zdimish beside other colors", "flame", flame.line});
    } else {
      xform.staged.push_back(
          form("dim3D", Stage::post,
               {said("cam_zdimish"), said("cam_zdimdist"), double(levels), entries}));
      dim_palette(deferred.far_color, levels, flame);
    }
  }
  const bool by_area = said("new_dof") != 0;
  if (has_lens && !deferred.lens_shape.empty() && deferred.lens_shape != "BUBBLE")
    flame.missing.push_back({"cam_dof_shape " + deferred.lens_shape, "flame", flame.line});
  xform.staged.push_back(form(
      "lens3D", Stage::post,
      {camera.perspective, 0.0, 0.1 * camera.blur * said("cam_dof_scale", 1),
       said("cam_dof_fade", 1), focus,
       by_area ? std::max(said("cam_dof_area", 0.5), least_seen) : 0.0, said("cam_dof_exponent", 2),
       said("cam_xfocus"), said("cam_yfocus"), said("cam_zfocus")}));
  xform.staged.back().parameters[1] = said("cam_pos_z");
  add_final(std::move(xform), flame);
  flame.rotate_deg = 0;
  camera = {};
}

}  // namespace kiln
