// SPDX-License-Identifier: MIT
#include "engine/io/flame/dialect.h"

#include <tinyxml2.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/jwildfire_steps.h"
#include "engine/model/exact_math.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr const char* jwildfire_root = "jwf-flame";

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Whether `text` has `word` in it, capitals or not; `word` is in small letters.
bool contains(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b; };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

/// "JWildfire V7.30 (27.11.2021)", or of 2011 "0.16 (06.11.2011)": a number, then a date in brackets.
bool is_jwildfire_version(std::string_view version) {
  if (contains(version, "jwildfire")) return true;
  const std::size_t bracket = version.find('(');
  return bracket != version.npos && is_digit(version[0]) && bracket + 1 < version.size() &&
         is_digit(version[bracket + 1]);
}

std::optional<Dialect> dialect_of_version(std::string_view version) {
  if (contains(version, "ember")) return Dialect::fractorium;
  if (contains(version, "apophysis")) return Dialect::apophysis;
  if (contains(version, "flam3-")) return Dialect::flam3;
  if (is_jwildfire_version(version)) return Dialect::jwildfire;
  return {};
}

/// The first of these attributes that the flame has; null if it has none.
const char* first_of(const tinyxml2::XMLElement& flame, std::initializer_list<const char*> wanted) {
  for (const char* name : wanted)
    if (flame.Attribute(name) != nullptr) return name;
  return nullptr;
}

std::optional<DialectFound> dialect_of_marks(const tinyxml2::XMLElement& flame) {
  const auto by_attribute = [](Dialect dialect, const char* name) {
    return DialectFound{dialect, std::string("attribute ") + name};
  };
  if (std::string_view(flame.Name()) == jwildfire_root)
    return DialectFound{Dialect::jwildfire, std::string("element ") + jwildfire_root};
  if (const char* mark = first_of(flame, {"cam_dof_area", "white_level"}))
    return by_attribute(Dialect::jwildfire, mark);
  if (flame.FirstChildElement("layer") != nullptr)
    return DialectFound{Dialect::jwildfire, "element layer"};
  if (const char* mark = first_of(flame, {"new_linear", "plugins", "enable_de"}))
    return by_attribute(Dialect::apophysis, mark);
  if (first_of(flame, {"nick"}) != nullptr &&
      first_of(flame, {"temporal_samples", "passes", "brood", "parents"}) == nullptr)
    return by_attribute(Dialect::apophysis, "nick");
  return {};
}

/// Degrees from Apophysis' angle, which turns the other way.
double rotate_from_angle(double angle_rad) { return -180 / exact::pi * angle_rad; }

constexpr std::array<std::string_view, 3> balances = {"balancing_red", "balancing_green",
                                                      "balancing_blue"};

bool set_jwildfires_attribute(const Attribute& a, DeferredAttributes& deferred) {
  const auto is_name = [&](std::string_view name) { return name == a.name; };
  const auto balance = std::find_if(balances.begin(), balances.end(), is_name);
  deferred.has_background |= a.name == "background" || a.name == "background_type";
  if (keep_camera_attribute(a, deferred)) {
    // finals do what they say
  } else if (a.name == "cam_zoom") {
    deferred.scale_factor = read_positive(a);
  } else if (balance != balances.end()) {
    deferred.balance[std::size_t(balance - balances.begin())] = read_real(a, 0, 1e6);
  } else {
    return false;
  }
  return true;
}

/// A gradient of one color is that color. Of a flame that says nothing of its background it is a gradient.
void settle_background(const DeferredAttributes& deferred, Flame& flame) {
  if (!deferred.has_background) flame.background_type = BackgroundType::gradient_2x2_c;
  if (has_gradient(flame)) return;
  if (flame.background_type != BackgroundType::single_color) flame.background = flame.background_ul;
  flame.background_type = BackgroundType::single_color;
  for (const auto part : background_parts) flame.*part = {};
}

struct Default {
  std::string_view parameter;
  double value;
};

// As Ember has them.
constexpr Default others[] = {
    {"auger_freq", 5},
    {"auger_scale", 0.1},
    {"escher_beta", 3},
    {"fan2_x", 0.70710678},
    {"fan2_y", -0.70710678},
    {"lazysusan_spin", exact::pi},
    {"mobius_re_a", 1},
    {"mobius_re_d", 1},
    {"modulus_x", 1},
    {"modulus_y", 1},
    {"pie_rotation", 0.5},
    {"popcorn2_x", 0.1},
    {"popcorn2_y", 0.1},
    {"popcorn2_c", 3},
    {"rings2_val", 1},
    {"separation_x", 1},
    {"separation_y", 1},
    {"split_xsize", 0.5},
    {"split_ysize", 0.5},
    {"stripes_space", 0.5},
    {"waves2_freqx", 2},
    {"waves2_freqy", 2},
    {"wedge_angle", exact::pi / 2},
    {"wedge_count", 2},
    {"wedge_sph_angle", exact::pi / 2},
    {"wedge_sph_count", 2},
    {"whorl_inside", 1},
    {"whorl_outside", 1},
};

// JWildfire's, where they are not kiln's own. Powers that it draws anew in each run are 2.
constexpr Default jwildfires_own[] = {
    {"auger_sym", 0.1},
    {"auger_scale", 0.9},
    {"bTransform_power", 1},
    {"blob_low", 0.3},
    {"blob_high", 1.2},
    {"blob_waves", 6},
    {"blur_linear_length", 1},
    {"blur_linear_angle", 0.5},
    {"blur_zoom_length", 0.24},
    {"blur_zoom_x", 0.2},
    {"blur_zoom_y", -0.1},
    {"bwraps_gain", 2},
    {"cell_size", 0.6},
    {"circus_scale", 0.92},
    {"cpow_i", 0.1},
    {"cpow_power", 1.5},
    {"curl_c1", 0.1},
    {"curl3D_cy", 0.05},
    {"curl3D_cz", 0.05},
    {"curve_xamp", 0.25},
    {"curve_yamp", 0.5},
    {"disc2_rot", 2},
    {"disc2_twist", 0.5},
    {"escher_beta", 0.3},
    {"fan2_x", 0.5},
    {"fan2_y", 1.2},
    {"flower_holes", 0.4},
    {"flower_petals", 7},
    {"flux_spread", 0.3},
    {"henon_a", 0.5},
    {"henon_b", 1},
    {"hypertile_p", 3},
    {"hypertile_q", 7},
    {"hypertile_n", 1},
    {"julian_power", 2},
    {"julian2_power", 2},
    {"juliascope_power", 2},
    {"lazysusan_spin", 0.1},
    {"lazysusan_space", 0.4},
    {"lazysusan_twist", 0.2},
    {"lazysusan_x", 0.1},
    {"lazysusan_y", 0.2},
    {"linearT_powX", 1.2},
    {"linearT_powY", 0.9},
    {"lozi_a", 0.5},
    {"lozi_b", 1},
    {"mobius_re_a", 0.1},
    {"mobius_re_b", 0.2},
    {"mobius_re_c", -0.15},
    {"mobius_re_d", 0.21},
    {"mobius_im_a", 0.2},
    {"mobius_im_b", -0.12},
    {"mobius_im_c", -0.15},
    {"mobius_im_d", 0.1},
    {"modulus_x", 0.2},
    {"modulus_y", 0.5},
    {"ovoid_x", 0.94},
    {"ovoid_y", 0.94},
    {"ovoid3D_x", 0.92},
    {"ovoid3D_y", 0.92},
    {"ovoid3D_z", 0.92},
    {"parabola_width", 1},
    {"parabola_height", 0.5},
    {"pdj_a", 1},
    {"pdj_b", 2},
    {"pdj_c", 3},
    {"pdj_d", 4},
    {"perspective_angle", 0.62},
    {"perspective_dist", 2.2},
    {"popcorn2_x", 1},
    {"popcorn2_y", 0.5},
    {"popcorn2_c", 1.5},
    {"radial_blur_angle", 0.5},
    {"rblur_center_y", 1},
    {"rectangles_x", 0.3},
    {"rectangles_y", 0.2},
    {"rings2_val", 0.01},
    {"separation_x", 0.5},
    {"separation_xinside", 0.05},
    {"separation_y", 0.25},
    {"separation_yinside", 0.025},
    {"smartcrop_static", 2},
    {"split_xsize", 0.4},
    {"split_ysize", 0.6},
    {"splits_x", 0.4},
    {"splits_y", 0.6},
    {"splits3D_x", 0.1},
    {"splits3D_y", 0.3},
    {"splits3D_z", 0.2},
    {"stripes_space", 0.2},
    {"stripes_warp", 0.6},
    {"super_shape_rnd", 3},
    {"super_shape_m", 1},
    {"waves2_scalex", 0.25},
    {"waves2_scaley", 0.5},
    {"waves2_freqx", exact::pi / 2},
    {"waves2_freqy", exact::pi / 4},
    {"wedge_angle", exact::pi / 2},
    {"wedge_swirl", 0.1},
    {"wedge_julia_power", 7},
    {"wedge_julia_dist", 0.2},
    {"wedge_julia_count", 2},
    {"wedge_julia_angle", 0.3},
    {"wedge_sph_angle", 0.2},
    {"wedge_sph_hole", 0.2},
    {"wedge_sph_count", 2},
    {"wedge_sph_swirl", 0.3},
    {"whorl_inside", 0.1},
    {"whorl_outside", 0.2},
    {"y_star_slope", 2},
    {"y_super_n3", 0},
};

template <std::size_t Count>
std::vector<double> with_defaults(const Default (&defaults)[Count]) {
  std::vector<double> values = default_parameters();
  for (const Default& other : defaults) {
    const auto index = find_parameter(other.parameter);
    KILN_CHECK(index, "parameter {}", other.parameter);
    values[std::size_t(*index)] = other.value;
  }
  return values;
}

/// A name of kiln's own for what JWildfire means has the values of JWildfire's name.
void give_to_twins(std::vector<double>& values) {
  for (const VariationInfo& twin : variations()) {
    for (const std::string_view beginning : {"jwildfire_", "apophysis_"}) {
      if (!twin.name.starts_with(beginning)) continue;
      const auto named = find_variation(twin.name.substr(beginning.size()));
      if (!named || info_of(*named).parameters.size() != twin.parameters.size()) continue;
      std::copy_n(values.begin() + info_of(*named).first_parameter, twin.parameters.size(),
                  values.begin() + twin.first_parameter);
    }
  }
}

}  // namespace

DialectFound dialect_of(const tinyxml2::XMLElement& flame) {
  const char* version = flame.Attribute("version");
  const char* own = flame.Attribute(dialect_attribute);
  if (own != nullptr) {
    if (const auto dialect = dialect_named(own)) return {*dialect, dialect_attribute};
  }
  if (version != nullptr) {
    const std::string reason = "version \"" + printable(version, 80) + "\"";
    if (const auto dialect = dialect_of_version(version)) return {*dialect, reason};
    if (std::string_view(version).starts_with("kiln ")) return {Dialect::flam3, reason};
  }
  return dialect_of_marks(flame).value_or(DialectFound{Dialect::flam3, "nothing else is said"});
}

double jwildfires_version(const char* version) {
  const std::string_view text = version ? version : "";
  const std::size_t digit = text.find_first_of("0123456789");
  return digit == text.npos ? 0 : leading_real(text.substr(digit));
}

bool is_written_by_kiln(const tinyxml2::XMLElement& flame) {
  const char* const version = flame.Attribute("version");
  return flame.Attribute(dialect_attribute) != nullptr ||
         std::string_view(version ? version : "").starts_with("kiln ");
}

bool is_flame(const tinyxml2::XMLElement& element) {
  const std::string_view name = element.Name();
  return name == "flame" || name == jwildfire_root;
}

void set_usual_values(Flame& flame) {
  if (flame.dialect != Dialect::flam3) flame.time = 0;  // flam3: that of the flame before
  if (flame.dialect == Dialect::fractorium) {
    flame.width = 1920;
    flame.height = 1080;
    flame.quality = 30;
    flame.temporal_samples = 100;
    flame.temporal_filter_exp = 1;
    flame.highlight_power = 1;
    flame.palette_mode = PaletteMode::linear;
    flame.interpolation = Interpolation::smooth;
    flame.palette_interpolation = PaletteInterpolation::hsv;
  } else if (flame.dialect == Dialect::apophysis) {
    flame.gamma_threshold = 0;
  } else if (flame.dialect == Dialect::jwildfire) {
    flame.estimator_radius = 0.0;  // it has no density estimation
    flame.quality = 100;
    flame.width = 800;
    flame.height = 600;
  }
}

void set_jwildfires_usual_values(Flame& flame) {
  flame.filter_radius_px = 0.75;
  flame.filter_kernel = FilterKernel::mitchell_smooth;
  flame.antialias_amount = 0.25;
  flame.antialias_radius = 0.5;
  flame.low_density_brightness = 0.24;
}

bool set_dialect_attribute(const Attribute& a, const Flame& flame, DeferredAttributes& deferred) {
  const bool apophysis = flame.dialect == Dialect::apophysis;
  if (apophysis && a.name == "angle") {
    deferred.angle_rad = read_real(a, -1e9, 1e9);
  } else if (apophysis && a.name == "enable_de") {
    deferred.density_estimation = read_real(a) != 0;
  } else if (flame.dialect == Dialect::jwildfire) {
    return set_jwildfires_attribute(a, deferred);
  } else {
    return false;
  }
  return true;
}

void finish_attributes(const DeferredAttributes& deferred, Flame& flame) {
  if (flame.dialect == Dialect::jwildfire) settle_background(deferred, flame);
  if (deferred.angle_rad) flame.rotate_deg = rotate_from_angle(*deferred.angle_rad);
  flame.scale *= deferred.scale_factor;
  if (flame.dialect == Dialect::apophysis && !deferred.density_estimation)
    flame.estimator_radius = 0;
  if (flame.dialect == Dialect::fractorium) flame.zoom = std::max(flame.zoom, 0.0);
}

// Opacity is the share of the points that are recorded in these, so no more than all of them.
void finish_xform(Dialect dialect, Xform& xform) {
  if (dialect == Dialect::apophysis || dialect == Dialect::jwildfire)
    xform.opacity = std::min(xform.opacity, 1.0);
}

const std::vector<double>& jwildfires_parameters() {
  static const std::vector<double> values = [] {
    std::vector<double> made = with_defaults(jwildfires_own);
    give_to_twins(made);
    return made;
  }();
  return values;
}

const std::vector<double>& default_parameters(Dialect dialect) {
  static const std::vector<double> foreign = with_defaults(others);
  return dialect == Dialect::flam3 ? default_parameters() : foreign;
}

}  // namespace kiln
