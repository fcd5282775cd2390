// SPDX-License-Identifier: MIT
#include "tests/conformance/genome_pairs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>

#include "engine/model/variations.h"
#include "kernels/variations/all.h"

namespace conformance {
namespace {

// SplitMix64 (Steele, Lea, Flood, 2014).
struct Random {
  std::uint64_t state;

  std::uint64_t bits() {
    std::uint64_t z = state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
  int below(int count) { return int(bits() % std::uint64_t(count)); }
  bool chance(double probability) { return double(bits() >> 11) * 0x1p-53 < probability; }
  double between(double low, double high) {
    const double steps = 4096;  // few digits
    return low + (high - low) * below(int(steps) + 1) / steps;
  }
  template <class Enum>
  Enum one_of(int count) {
    return static_cast<Enum>(below(count));
  }
};

/// Those for which alignment has a rule of its own, and as many without.
constexpr std::array likely_variations = {
    "linear",      "spherical",  "ngon",   "julian", "juliascope", "polar",       "wedge_sph",
    "wedge_julia", "rectangles", "rings2", "fan2",   "blob",       "perspective", "curl",
    "super_shape", "fan",        "rings",  "swirl",  "flower",     "disc2",       "bipolar",
    "waves2",      "mobius",     "pdj",    "cpow",   "auger",      "parabola"};

/// flam3-genome does not write them (their numbers would be missing in its answer).
bool is_lost(std::string_view name) { return name == "twintrian" || name == "separation"; }

int random_variation(Random& random) {
  if (random.chance(0.7)) {
    const auto index = std::size_t(random.below(int(likely_variations.size())));
    return *kiln::find_variation(likely_variations[index]);
  }
  for (;;) {
    const int index = random.below(kiln::Flam3Variations::size);
    if (!is_lost(kiln::variations()[std::size_t(index)].name)) return index;
  }
}

/// Gives `values` a variation with a weight and parameters from the range.
void add_variation(Random& random, double low, double high, kiln::XformValues& values) {
  const int index = random_variation(random);
  values.variations[std::size_t(index)] = random.between(low, high);
  const kiln::VariationInfo& info = kiln::variations()[std::size_t(index)];
  for (std::size_t p = 0; p < info.parameters.size(); ++p) {
    values.parameters[std::size_t(info.first_parameter) + p] =
        random.chance(0.5) ? random.between(low, high) : double(random.below(7) - 2);
  }
}

kiln::AffineD random_matrix(Random& random, double size) {
  kiln::AffineD m;
  for (double* entry : {&m.a, &m.d, &m.b, &m.e, &m.c, &m.f}) *entry = random.between(-size, size);
  if (random.chance(0.06)) m.a = m.d = 0;  // a column of length 0
  if (random.chance(0.06)) m.b = m.e = 0;
  if (random.chance(0.06)) {  // one too short for its logarithm
    m.b *= 0x1p-15;
    m.e *= 0x1p-15;
  }
  if (random.chance(0.05)) m = {.a = -1, .d = 0, .b = 0, .e = -1, .c = 0.5, .f = 0};
  return m;
}

kiln::Motion random_motion(Random& random) {
  kiln::Motion motion;
  motion.frequency = random.below(4) - 1;
  motion.function = random.one_of<kiln::MotionFunction>(3);
  motion.variations.assign(std::size_t(kiln::variation_count()), 0.0);
  motion.parameters.assign(std::size_t(kiln::parameter_count()), 0.0);
  motion.opacity = motion.animate = motion.color_speed = 0;
  motion.coefs = motion.post = {0, 0, 0, 0, 0, 0};
  if (random.chance(0.5)) motion.weight = random.between(-0.5, 0.5);
  if (random.chance(0.5)) motion.color = random.between(-1, 1);
  if (random.chance(0.3)) motion.color_speed = random.between(-0.5, 0.5);
  if (random.chance(0.3)) motion.opacity = random.between(-0.5, 0.5);
  if (random.chance(0.5)) add_variation(random, -0.5, 0.5, motion);
  if (random.chance(0.5)) motion.coefs = random_matrix(random, 0.25);
  if (random.chance(0.3)) motion.post = random_matrix(random, 0.25);
  return motion;
}

kiln::Xform random_xform(Random& random) {
  kiln::Xform xform;
  xform.weight = random.chance(0.2) ? 0 : random.between(0, 2);
  xform.color = random.between(0, 1);
  xform.color_speed = random.between(0, 1);
  xform.opacity = random.chance(0.3) ? random.between(0, 1) : 1;
  xform.animate = random.chance(0.3) ? 0 : 1;
  xform.variations.assign(std::size_t(kiln::variation_count()), 0.0);
  xform.parameters = kiln::default_parameters();
  for (int i = random.below(3); i >= 0; --i) add_variation(random, -1, 2, xform);
  xform.coefs = random_matrix(random, 1);
  if (random.chance(0.4)) xform.post = random_matrix(random, 1);
  while (random.chance(0.2)) xform.motions.push_back(random_motion(random));
  return xform;
}

void add_xaos(Random& random, kiln::Flame& flame) {
  for (kiln::Xform& xform : flame.xforms) {
    xform.chaos.assign(flame.xforms.size(), 1.0);
    for (double& multiplier : xform.chaos)
      if (random.chance(0.5)) multiplier = random.chance(0.2) ? 0 : random.between(0, 2);
    xform.chaos[0] = random.between(1, 1.375);
  }
}

kiln::Palette random_palette(Random& random) {
  kiln::Palette palette;
  const bool gray = random.chance(0.1), with_alpha = random.chance(0.2);
  for (kiln::Rgba& color : palette) {
    color = {random.below(256) / 255.0, random.below(256) / 255.0, random.below(256) / 255.0, 1};
    if (gray) color.g = color.b = color.r;
    if (with_alpha) color.a = random.below(256) / 255.0;
  }
  return palette;
}

/// Ranges are narrow enough for what lies outside the keys to be good as well.
void set_rendering(Random& random, kiln::Flame& flame) {
  flame.width = 100 + random.below(40);
  flame.height = 100 + random.below(40);
  flame.center_x = random.between(-1, 1);
  flame.center_y = random.between(-1, 1);
  flame.scale = random.between(50, 70);
  flame.zoom = random.between(-1, 2);
  flame.rotate_deg = random.between(-300, 300);
  flame.supersample = 3 + random.below(2);
  flame.filter_radius_px = random.between(1, 1.375);
  flame.filter_shape = random.one_of<kiln::FilterShape>(14);
  flame.temporal_filter = random.one_of<kiln::TemporalFilter>(3);
  flame.temporal_filter_width = random.between(1, 1.375);
  flame.temporal_filter_exp = random.between(-1, 1);
  flame.palette_mode = random.one_of<kiln::PaletteMode>(2);
  flame.quality = random.between(50, 70);
  flame.passes = 3 + random.below(2);
  flame.temporal_samples = 500 + random.below(200);
  for (double& channel : flame.background) channel = random.between(0, 1);
  flame.brightness = random.between(10, 14);
  flame.gamma = random.between(3, 4);
  flame.highlight_power = random.between(-1, 2);
  flame.vibrancy = random.between(0, 1);
  flame.gamma_threshold = random.between(0.125, 0.1875);
  flame.estimator_radius = random.between(10, 12);
  flame.estimator_minimum = random.between(1, 1.375);
  flame.estimator_curve = random.between(0.5, 0.6875);
}

kiln::Flame random_flame(Random& random) {
  kiln::Flame flame;
  set_rendering(random, flame);
  flame.interpolation = random.one_of<kiln::Interpolation>(2);
  flame.interpolation_type =
      random.chance(0.5) ? kiln::InterpolationType::log : random.one_of<kiln::InterpolationType>(4);
  flame.palette_interpolation = random.one_of<kiln::PaletteInterpolation>(4);
  if (random.chance(0.5)) flame.hsv_rgb_palette_blend = random.between(0, 1);
  flame.palette = random_palette(random);
  for (int i = random.below(5); i >= 0; --i) flame.xforms.push_back(random_xform(random));
  flame.xforms[0].weight = random.between(1, 1.375);  // no flame without a way on
  if (random.chance(0.3)) add_xaos(random, flame);
  if (random.chance(0.4)) {
    flame.final_xform = random_xform(random);
    flame.final_xform->weight = 0;
  }
  return flame;
}

}  // namespace

std::vector<kiln::Flame> random_keys(std::uint64_t seed, int count, int first_time) {
  Random random{seed};
  std::vector<kiln::Flame> keys;
  int time = first_time;
  for (int i = 0; i < count; ++i) {
    keys.push_back(random_flame(random));
    keys.back().time = time;
    time += 1 + random.below(3);
  }
  return keys;
}

}  // namespace conformance
