// SPDX-License-Identifier: MIT
#include "engine/io/flame/for_flam3.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_file.h"
#include "engine/model/exact_math.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// Attributes that flam3 writes for others, or that change here into its own numbers.
bool is_said_otherwise(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {
      "white_level",      "contrast",   "filter_kernel",          "antialias_amount",
      "antialias_radius", "preserve_z", "low_density_brightness", "logscale_k2",
      "kiln_dialect"};
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Settings that flam3 does not have. The colors of a gradient go with its type.
bool is_foreign(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {
      "blur_curve", "fg_opacity", "overall_curve", "red_curve",      "green_curve",
      "blue_curve", "curves",     "saturation",    "background_type"};
  return name.starts_with("cam_") || name.starts_with("kiln_") ||
         std::find(names.begin(), names.end(), name) != names.end();
}

FilterShape shape_of(FilterKernel kernel) {
  switch (kernel) {
    case FilterKernel::mitchell_smooth:
    case FilterKernel::mitchell:
      return FilterShape::mitchell;
    case FilterKernel::box:
      return FilterShape::box;
    case FilterKernel::bell:
      return FilterShape::bell;
    case FilterKernel::quadratic:
      return FilterShape::quadratic;
    case FilterKernel::bspline:
      return FilterShape::bspline;
    case FilterKernel::triangle:
      return FilterShape::triangle;
    case FilterKernel::lanczos2:
      return FilterShape::lanczos2;
    case FilterKernel::lanczos3:
      return FilterShape::lanczos3;
    case FilterKernel::hanning:
      return FilterShape::hanning;
    case FilterKernel::hamming:
      return FilterShape::hamming;
    case FilterKernel::blackman:
      return FilterShape::blackman;
    default:
      return FilterShape::gaussian;
  }
}

class Translation {
 public:
  explicit Translation(const Flame& flame) : from_(flame), to_(flame) {}

  ForFlam3 made() {
    to_.dialect = Dialect::flam3;
    to_.missing.clear();
    leave_settings_out();
    if (from_.dialect == Dialect::jwildfire) take_jwildfires_picture();
    if (from_.dialect == Dialect::fractorium) to_.brightness *= 255.0 / 268;
    take_palette();
    for (std::size_t x = 0; x < to_.xforms.size(); ++x)
      translate(to_.xforms[x], fmt::format("xform {}", x + 1));
    if (to_.final_xform) translate(*to_.final_xform, "final xform");
    for (std::size_t k = 0; k < to_.more_finals.size(); ++k)
      lose(fmt::format("final xform {}", k + 2), "flame", to_.more_finals[k].line);
    to_.more_finals.clear();
    if (from_.dialect != Dialect::flam3) lead_dead_ends_on();
    return {std::move(to_), std::move(lost_)};
  }

 private:
  void lose(const std::string& what, const std::string& place, int line) {
    lost_.push_back({what, place, line});
  }

  void leave_settings_out() {
    static const Flame usual;
    for (const FlameAttribute& attribute : flame_attributes()) {
      const std::string_view name = attribute.name;
      if (!is_said_otherwise(name) && !is_foreign(name)) continue;
      if (!is_said_otherwise(name) && !has_usual_value(attribute, from_))
        lose(fmt::format("setting {}", name), "flame", from_.line);
      copy_attribute(attribute, usual, to_);
    }
    if (!from_.tracks.empty()) lose("tracks", "flame", from_.line);
    if (from_.sound) lose("song", "flame", from_.line);
    if (!from_.markers.empty()) lose("markers", "flame", from_.line);
    if (!from_.links.empty()) lose("links between numbers", "flame", from_.line);
    to_.leave_film();
    to_.links.clear();
    for (const auto part : background_parts) to_.*part = usual.*part;
    to_.filter_kernel = usual.filter_kernel;
    to_.filter_supersample = usual.filter_supersample;
  }

  /// JWildfire's logarithm has a factor of its own before and behind it, and shows a share of the light that
  /// vibrancy keeps and a root of that share of the rest: before the tone curve it is gamma's power of it
  /// (docs/inside/algorithm.md). Its buckets are centered at whole numbers.
  void take_jwildfires_picture() {
    constexpr double strength = 512 / 2.302585092994046 / 268;
    const double of_all = 200.0 * 255 / 256 / from_.white_level;
    const double share = from_.vibrancy * of_all +
                         (1 - from_.vibrancy) * exact::exp(exact::log(of_all) / from_.gamma);
    const double of_gamma = exact::exp(from_.gamma * exact::log(std::max(share, 1e-3)));
    const double steepness = from_.contrast * from_.supersample;
    to_.brightness *= strength * steepness * of_gamma;
    to_.gamma_threshold *= of_gamma;
    if (steepness != 1) to_.brightness *= light_of(1 / steepness) / light_of(1);
    to_.filter_shape = shape_of(from_.filter_kernel);
    const double step = 0.5 / (from_.supersample * from_.scale * exact::pow(2.0, from_.zoom));
    const exact::SinCos turn = exact::sincos(from_.rotate_deg * (3.141592653589793 / 180));
    to_.center_x -= step * (turn.c + turn.s);
    to_.center_y -= step * (turn.c - turn.s);
  }
  /// The logarithm of the mean bucket, whose light has this factor: there the two agree.
  double light_of(double factor) const {
    const double scale = from_.scale * exact::pow(2.0, from_.zoom);
    return exact::log1p(factor * scale * scale / (double(from_.width) * from_.height));
  }

  /// Others have any number of colors; flam3 has 256.
  void take_palette() {
    const std::size_t count = from_.palette.size();
    if (count == 256) return;
    to_.palette.resize(256);
    for (std::size_t i = 0; i < 256; ++i) {
      const double at = double(i) * double(count - 1) / 255;
      const std::size_t k = std::min(std::size_t(at), count - 1), next = std::min(k + 1, count - 1);
      const double part = from_.palette_mode == PaletteMode::linear ? at - double(k) : 0;
      const Rgba &a = from_.palette[k], &b = from_.palette[next];
      to_.palette[i] = {a.r + part * (b.r - a.r), a.g + part * (b.g - a.g),
                        a.b + part * (b.b - a.b), a.a + part * (b.a - a.a)};
    }
  }

  void translate(Xform& xform, const std::string& place) {
    constexpr double log10_of_2 = 0.30102999566398120;  // flam3 takes the 3.32nd power
    const bool is_final = place.starts_with("final");
    if (from_.dialect != Dialect::flam3 && !is_final && xform.opacity > 0)
      xform.opacity = std::min(exact::exp(log10_of_2 * exact::log(xform.opacity)), 1.0);
    xform.direct_color = 1;
    take_variations(xform, place, xform.line);
    for (Motion& motion : xform.motions)
      take_variations(motion, "a motion of " + place, xform.line);
  }

  void take_variations(XformValues& xform, const std::string& place, int line) {
    std::vector<StagedVariation> staged;
    std::swap(staged, xform.staged);
    for (const StagedVariation& form : staged) take_form(form, xform, place, line);
    for (int v = flam3_variation_count(); v < variation_count(); ++v) {
      double& weight = xform.variations[std::size_t(v)];
      if (weight != 0 && !is_unseen(v)) lose("variation " + info_of(v).name, place, line);
      weight = 0;
      const VariationInfo& info = info_of(v);
      for (std::size_t p = 0; p < info.parameters.size(); ++p)  // that are not written
        xform.parameters[std::size_t(info.first_parameter) + p] = info.parameters[p].default_value;
    }
  }
  /// A form that stands among others works as a regular one if flam3 has it and it is there once.
  void take_form(const StagedVariation& form, XformValues& xform, const std::string& place,
                 int line) {
    if (form.weight == 0 || is_unseen(form.variation)) return;
    double& weight = xform.variations[std::size_t(form.variation)];
    const bool is_again =
        form.stage == Stage::regular && form.variation < flam3_variation_count() && weight != 0;
    if (form.stage != Stage::regular || form.variation >= flam3_variation_count() || weight != 0)
      return lose(fmt::format("{}variation {}", is_again ? "a second " : "",
                              form_name(form.stage, form.variation)),
                  place, line);
    weight = form.weight;
    std::copy(form.parameters.begin(), form.parameters.end(),
              xform.parameters.begin() + info_of(form.variation).first_parameter);
  }
  /// Depth alone is not seen where the camera looks straight down.
  bool is_unseen(int variation) const {
    return info_of(variation).traits.only_depth && from_.depth_camera == DepthCamera{};
  }

  /// flam3 refuses a row of chaos that leads nowhere; with others it leads to the first xform.
  void lead_dead_ends_on() {
    for (Xform& xform : to_.xforms) {
      double sum = 0;
      for (std::size_t x = 0; x < to_.xforms.size(); ++x)
        sum += to_.xforms[x].weight * (x < xform.chaos.size() ? xform.chaos[x] : 1);
      if (!(sum > 0) && !xform.chaos.empty()) xform.chaos[0] = 1;
    }
  }

  const Flame& from_;
  Flame to_;
  std::vector<Missing> lost_;
};

}  // namespace

ForFlam3 for_flam3(const Flame& flame) { return Translation(flame).made(); }

Flame flame_for_flam3(const Flame& flame, bool approximate,
                      const std::function<void(const std::string&)>& warn) {
  ForFlam3 made = for_flam3(flame);
  if (made.lost.empty()) return std::move(made.flame);
  Flame named = flame;
  named.missing = std::move(made.lost);
  const std::string message = missing_text(named, "flam3");
  if (!approximate) fail(ErrorKind::unsupported, "{}; --approximate writes it without", message);
  warn(message + "; it is written without");
  return std::move(made.flame);
}

}  // namespace kiln
