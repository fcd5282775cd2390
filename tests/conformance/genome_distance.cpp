// SPDX-License-Identifier: MIT
#include "tests/conformance/genome_distance.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/model/variations.h"

namespace conformance {
namespace {

class Differences {
 public:
  std::vector<std::string> found;

  void check(const std::string& what, double ours, double theirs) {
    // %g keeps six digits, half a unit of the last is 5e-6 at most. Differences of equal angles and
    // the like leave 1e-16 in one and 0 in the other.
    const double allowed = 1e-5 * std::max(std::fabs(ours), std::fabs(theirs)) + 1e-9;
    if (!(std::fabs(ours - theirs) <= allowed))
      found.push_back(fmt::format("{}: {:.9g} instead of {:.9g}", what, ours, theirs));
  }
  template <class Enum>
  void check_choice(const std::string& what, Enum ours, Enum theirs) {
    check(what, double(ours), double(theirs));
  }
  void check(const std::string& what, const kiln::AffineD& ours, const kiln::AffineD& theirs) {
    check(what + " a", ours.a, theirs.a);
    check(what + " d", ours.d, theirs.d);
    check(what + " b", ours.b, theirs.b);
    check(what + " e", ours.e, theirs.e);
    check(what + " c", ours.c, theirs.c);
    check(what + " f", ours.f, theirs.f);
  }
};

void compare_settings(const kiln::Flame& a, const kiln::Flame& b, Differences& out) {
  out.check("time", a.time, b.time);
  out.check("width", a.width, b.width);
  out.check("height", a.height, b.height);
  out.check("center x", a.center_x, b.center_x);
  out.check("center y", a.center_y, b.center_y);
  out.check("scale", a.scale, b.scale);
  out.check("zoom", a.zoom, b.zoom);
  out.check("rotate", a.rotate_deg, b.rotate_deg);
  out.check("supersample", a.supersample, b.supersample);
  out.check("filter", a.filter_radius_px, b.filter_radius_px);
  out.check_choice("filter_shape", a.filter_shape, b.filter_shape);
  out.check_choice("temporal_filter_type", a.temporal_filter, b.temporal_filter);
  out.check("temporal_filter_width", a.temporal_filter_width, b.temporal_filter_width);
  if (b.temporal_filter == kiln::TemporalFilter::exp)
    out.check("temporal_filter_exp", a.temporal_filter_exp, b.temporal_filter_exp);
  out.check("quality", a.quality, b.quality);
  out.check("passes", a.passes, b.passes);
  out.check("temporal_samples", a.temporal_samples, b.temporal_samples);
  for (std::size_t c = 0; c < 3; ++c)
    out.check(fmt::format("background {}", c), a.background[c], b.background[c]);
  out.check("brightness", a.brightness, b.brightness);
  out.check("gamma", a.gamma, b.gamma);
  out.check("highlight_power", a.highlight_power, b.highlight_power);
  out.check("vibrancy", a.vibrancy, b.vibrancy);
  out.check("gamma_threshold", a.gamma_threshold, b.gamma_threshold);
  out.check("estimator_radius", a.estimator_radius, b.estimator_radius);
  out.check("estimator_minimum", a.estimator_minimum, b.estimator_minimum);
  out.check("estimator_curve", a.estimator_curve, b.estimator_curve);
  out.check_choice("palette_mode", a.palette_mode, b.palette_mode);
  out.check_choice("interpolation", a.interpolation, b.interpolation);
  out.check_choice("interpolation_type", a.interpolation_type, b.interpolation_type);
  out.check_choice("palette_interpolation", a.palette_interpolation, b.palette_interpolation);
  if (a.palette_interpolation == kiln::PaletteInterpolation::hsv_circular)
    out.check("hsv_rgb_palette_blend", a.hsv_rgb_palette_blend, b.hsv_rgb_palette_blend);
}

void compare_xforms(const std::string& who, const kiln::Xform& a, const kiln::Xform& b,
                    Differences& out) {
  out.check(who + " color", a.color, b.color);
  out.check(who + " color_speed", a.color_speed, b.color_speed);
  out.check(who + " opacity", a.opacity, b.opacity);
  out.check(who + " coefs", a.coefs, b.coefs);
  out.check(who + " post", a.post, b.post);
  out.check(who + " motions", double(a.motions.size()), double(b.motions.size()));
  for (std::size_t v = 0; v < a.variations.size(); ++v) {
    const kiln::VariationInfo& info = kiln::variations()[v];
    out.check(who + " " + info.name, a.variations[v], b.variations[v]);
    if (b.variations[v] == 0) continue;
    for (std::size_t p = 0; p < info.parameters.size(); ++p) {
      const auto index = std::size_t(info.first_parameter) + p;
      const std::string& name = info.parameters[p].name;
      // Reading clamps this one; blending does not.
      const bool share = name == "super_shape_rnd";
      out.check(who + " " + name,
                share ? std::clamp(a.parameters[index], 0.0, 1.0) : a.parameters[index],
                b.parameters[index]);
    }
  }
}

void compare_xaos(const kiln::Flame& a, const kiln::Flame& b, Differences& out) {
  const auto multiplier = [](const kiln::Flame& flame, std::size_t from, std::size_t to) {
    const std::vector<double>& chaos = flame.xforms[from].chaos;
    return to < chaos.size() ? chaos[to] : 1.0;
  };
  for (std::size_t from = 0; from < a.xforms.size(); ++from)
    for (std::size_t to = 0; to < a.xforms.size(); ++to)
      out.check(fmt::format("xform {} chaos {}", from + 1, to + 1), multiplier(a, from, to),
                multiplier(b, from, to));
}

void compare_palettes(const kiln::Palette& a, const kiln::Palette& b, Differences& out) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    out.check(fmt::format("color {} alpha", i), a[i].a, b[i].a);
    const double alpha = b[i].a;  // reading has multiplied what flam3 wrote by it
    if (alpha == 0) continue;
    out.check(fmt::format("color {} red", i), a[i].r, b[i].r / alpha);
    out.check(fmt::format("color {} green", i), a[i].g, b[i].g / alpha);
    out.check(fmt::format("color {} blue", i), a[i].b, b[i].b / alpha);
  }
}

}  // namespace

std::vector<std::string> differences(const kiln::Flame& ours, const kiln::Flame& theirs) {
  Differences out;
  compare_settings(ours, theirs, out);
  out.check("number of xforms", double(ours.xforms.size()), double(theirs.xforms.size()));
  out.check("final xforms", ours.final_xform ? 1 : 0, theirs.final_xform ? 1 : 0);
  if (ours.xforms.size() == theirs.xforms.size()) {
    for (std::size_t i = 0; i < ours.xforms.size(); ++i) {
      const kiln::Xform &a = ours.xforms[i], &b = theirs.xforms[i];
      const std::string who = fmt::format("xform {}", i + 1);
      out.check(who + " weight", a.weight, b.weight);
      out.check(who + " animate", a.animate, b.animate);
      compare_xforms(who, a, b, out);
    }
    compare_xaos(ours, theirs, out);
  }
  if (ours.final_xform && theirs.final_xform)
    compare_xforms("finalxform", *ours.final_xform, *theirs.final_xform, out);
  compare_palettes(ours.palette, theirs.palette, out);
  return out.found;
}

}  // namespace conformance
