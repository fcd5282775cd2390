// Flames by chance (live_flame.h).
#include <algorithm>
#include <array>
#include <cstdio>
#include <random>
#include <string_view>

#include "engine/live/live_flame.h"
#include "engine/live/preview.h"
#include "engine/model/exact_math.h"
#include "engine/model/palette.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

// Those of flam3 that make something of most maps.
constexpr std::array<std::string_view, 26> good_variations = {
    "linear",  "sinusoidal", "spherical", "swirl",  "horseshoe", "polar",    "handkerchief",
    "heart",   "disc",       "spiral",    "julia",  "bent",      "waves",    "fisheye",
    "popcorn", "eyefish",    "bubble",    "curl",   "julian",    "cylinder", "rings2",
    "fan2",    "cell",       "bipolar",   "mobius", "foci"};

/// What a parameter may be, so that nothing is divided by 0 and no map sends all points to one.
struct Range {
  std::string_view parameter;
  double low, high;
};
constexpr std::array<Range, 16> ranges = {{{"julian_power", 2, 7},  // a whole number below 7
                                           {"julian_dist", 0.7, 1.3},
                                           {"curl_c1", 0.2, 1},
                                           {"curl_c2", 0, 0.5},
                                           {"rings2_val", 0.3, 1.2},
                                           {"fan2_x", 0.3, 1.2},
                                           {"fan2_y", -1, 1},
                                           {"cell_size", 0.3, 1},
                                           {"bipolar_shift", -1, 1},
                                           // mobius: |a d| > 0.4 > |b c|
                                           {"mobius_re_a", 0.6, 1.2},
                                           {"mobius_im_a", -0.5, 0.5},
                                           {"mobius_re_b", -0.5, 0.5},
                                           {"mobius_im_b", -0.5, 0.5},
                                           {"mobius_re_c", -0.3, 0.3},
                                           {"mobius_im_c", -0.3, 0.3},
                                           {"mobius_re_d", 0.7, 1.4}}};

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed * 2 + 1) {}
  double unit() { return double(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// 0 .. count - 1.
  std::size_t below(std::size_t count) { return std::size_t(unit() * double(count)); }
  bool happens(double probability) { return unit() < probability; }
  /// About a bell, from -1 to 1.
  double bell() { return (unit() + unit() + unit()) * 2 / 3 - 1; }

 private:
  std::mt19937_64 engine_;
};

AffineD turned_by(const AffineD& m, double angle_rad) {
  const exact::SinCos turn = exact::sincos(angle_rad);
  AffineD out = m;
  out.a = m.a * turn.c - m.d * turn.s;
  out.d = m.a * turn.s + m.d * turn.c;
  out.b = m.b * turn.c - m.e * turn.s;
  out.e = m.b * turn.s + m.e * turn.c;
  return out;
}

AffineD random_affine(Chance& chance) {
  AffineD m{
      chance.between(0.35, 0.95), 0, 0, chance.between(0.35, 0.95), chance.bell(), chance.bell()};
  m.b = 0.3 * chance.bell();
  if (chance.happens(0.2)) m.a = -m.a;
  return turned_by(m, chance.between(-3.14159, 3.14159));
}

double random_parameter(const ParameterInfo& parameter, Chance& chance) {
  for (const Range& range : ranges) {
    if (range.parameter != parameter.name) continue;
    const double value = chance.between(range.low, range.high);
    return parameter.name == "julian_power" ? double(int(value)) : value;
  }
  return parameter.default_value;
}

void add_variation(XformValues& xform, double weight, Chance& chance) {
  const auto index = find_variation(good_variations[chance.below(good_variations.size())]);
  if (!index) return;
  const VariationInfo& variation = variations()[std::size_t(*index)];
  xform.variations[std::size_t(*index)] += weight;
  for (std::size_t p = 0; p < variation.parameters.size(); ++p)
    xform.parameters[std::size_t(variation.first_parameter) + p] =
        random_parameter(variation.parameters[p], chance);
}

Xform random_xform(Chance& chance) {
  Xform xform;
  xform.variations.assign(std::size_t(variation_count()), 0);
  xform.parameters = default_parameters();
  xform.weight = chance.between(0.3, 1);
  xform.color = chance.unit();
  xform.color_speed = chance.between(0.3, 0.7);
  xform.coefs = random_affine(chance);
  const double weight = chance.between(0.5, 1);
  add_variation(xform, weight, chance);
  if (chance.happens(0.4)) add_variation(xform, 1.1 - weight, chance);
  if (chance.happens(0.2)) xform.post = random_affine(chance);
  return xform;
}

/// Colors that come and go in waves of their own, dark at one end.
Palette random_palette(Chance& chance) {
  std::array<double, 3> phase, waves;
  for (double& value : phase) value = chance.unit();
  for (double& value : waves) value = chance.between(0.4, 1.3);
  Palette palette;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double at = double(i) / double(palette.size() - 1);
    const auto wave = [&](std::size_t channel) {
      const double turn = 6.2831853 * (waves[channel] * at + phase[channel]);
      return std::clamp((0.35 + 0.65 * at) * (0.55 + 0.45 * exact::cos(turn)), 0.0, 1.0);
    };
    palette[i] = {wave(0), wave(1), wave(2), 1};
  }
  return palette;
}

/// Another affine, about as far away as the strength says.
void move(AffineD& m, double strength, Chance& chance) {
  m = turned_by(m, 0.8 * strength * chance.bell());
  const double size = 1 + 0.4 * strength * chance.bell();
  for (double* number : {&m.a, &m.b, &m.d, &m.e})
    *number = *number * size + 0.12 * strength * chance.bell();
  m.c += 0.5 * strength * chance.bell();
  m.f += 0.5 * strength * chance.bell();
}

void change_variations(Xform& xform, double strength, Chance& chance) {
  for (std::size_t v = 0; v < xform.variations.size(); ++v) {
    double& weight = xform.variations[v];
    if (weight == 0) continue;
    weight *= 1 + 0.5 * strength * chance.bell();
    const VariationInfo& variation = variations()[v];
    for (std::size_t p = 0; p < variation.parameters.size(); ++p) {
      double& value = xform.parameters[std::size_t(variation.first_parameter) + p];
      const bool whole = value == double(int(std::clamp(value, -1e6, 1e6)));
      if (!whole) value *= 1 + 0.5 * strength * chance.bell();
      if (!whole || !chance.happens(0.15 * strength)) continue;
      const double step = chance.happens(0.5) ? 1 : -1;
      value += value == -step ? 2 * step : step;  // powers are not 0
    }
  }
  if (chance.happens(0.3 * strength)) add_variation(xform, chance.between(0.1, 0.6), chance);
}

/// The rows and columns of chaos stay those of their xforms.
void remove_xform(Flame& flame, std::size_t gone) {
  flame.xforms.erase(flame.xforms.begin() + std::ptrdiff_t(gone));
  for (Xform& xform : flame.xforms) {
    if (gone < xform.chaos.size()) xform.chaos.erase(xform.chaos.begin() + std::ptrdiff_t(gone));
  }
}

/// Where the light of a picture begins and ends along one axis, as shares of its length.
std::array<double, 2> extent(const std::vector<double>& light) {
  double all = 0, sum = 0;
  for (const double value : light) all += value;
  std::array<double, 2> ends = {0, 1};
  for (std::size_t i = 0; i < light.size(); ++i) {
    const double before = sum;
    sum += light[i];
    const double at = double(i) / double(light.size());
    if (before <= 0.02 * all && sum > 0.02 * all) ends[0] = at;
    if (before < 0.98 * all && sum >= 0.98 * all) ends[1] = at + 1.0 / double(light.size());
  }
  return ends;
}

constexpr int far_side = 96;     // pixels of a look from afar
constexpr double far_reach = 8;  // units that it is wide

/// What is lit in a square of the plane, as shares of its side; `lit`: pixels.
struct LightBox {
  double left, right, top, bottom;
  int lit;
};

LightBox light_box(const Flame& flame, double center_x, double center_y, double rotate_deg,
                   double reach, PreviewRenderer& renderer) {
  Flame far = flame;
  far.width = far.height = far_side;
  far.scale = far_side / reach;
  far.center_x = center_x;
  far.center_y = center_y;
  far.rotate_deg = rotate_deg;
  far.zoom = 0;
  far.background = {0, 0, 0};
  far.brightness *= reach * reach / (far_reach * far_reach);  // the wider the dimmer
  far.estimator_radius = 0;
  far.effects = {};
  far.quality = 16;
  const Image image = renderer.sketch(far, far_side * far_side, 16 * far_side * far_side);
  std::vector<double> columns(far_side), rows(far_side);
  int lit = 0;
  for (std::size_t i = 0; i < far_side * far_side; ++i) {
    const std::uint8_t* pixel = &image.pixels8()[i * 4];
    const int light = pixel[0] + pixel[1] + pixel[2];
    lit += light > 30;
    columns[i % far_side] += light;
    rows[i / far_side] += light;
  }
  const auto [left, right] = extent(columns);
  const auto [top, bottom] = extent(rows);
  return {left, right, top, bottom, lit};
}

}  // namespace

bool frame_by_light(Flame& flame, PreviewRenderer& renderer) {
  const auto [left, right, top, bottom, lit] = light_box(flame, 0, 0, 0, far_reach, renderer);
  if (lit < far_side * far_side / 100) return false;
  flame.center_x = ((left + right) / 2 - 0.5) * far_reach;
  flame.center_y = ((top + bottom) / 2 - 0.5) * far_reach;
  flame.zoom = flame.rotate_deg = 0;
  flame.scale = 0.85 * std::min(flame.width / (far_reach * std::max(right - left, 0.02)),
                                flame.height / (far_reach * std::max(bottom - top, 0.02)));
  return true;
}

bool fit_by_light(Flame& flame, PreviewRenderer& renderer) {
  constexpr double widest = far_reach * 4096, edge = 0.03, large = 0.4, room = 1.5, filled = 0.9;
  const double degree = 3.14159265358979323846 / 180;
  const exact::SinCos turn = exact::sincos(flame.rotate_deg * degree);
  double x = 0, y = 0, reach = far_reach;
  for (int look = 0; look < 16 && reach <= widest; ++look) {
    const auto [left, right, top, bottom, lit] =
        light_box(flame, x, y, flame.rotate_deg, reach, renderer);
    const bool is_cut =
        lit == 0 || std::min(left, top) < edge || std::max(right, bottom) > 1 - edge;
    const double size = std::max(right - left, bottom - top);
    if (!is_cut) {
      const double across = ((left + right) / 2 - 0.5) * reach,
                   down = ((top + bottom) / 2 - 0.5) * reach;
      x += turn.c * across + turn.s * down;
      y += turn.c * down - turn.s * across;
    }
    if (is_cut || (size < large && look < 12)) {  // from further away, or closer
      reach *= is_cut ? 3 : room * size;
      continue;
    }
    flame.center_x = x;
    flame.center_y = y;
    flame.scale = filled / exact::exp2(flame.zoom) *
                  std::min(flame.width / (reach * std::max(right - left, 0.02)),
                           flame.height / (reach * std::max(bottom - top, 0.02)));
    return true;
  }
  return false;
}

Flame random_flame(const Flame& like, std::uint64_t seed, PreviewRenderer& renderer) {
  Flame flame = like;
  for (std::uint64_t attempt = 0; attempt < 12; ++attempt) {
    Chance chance(seed * 12 + attempt);
    flame = like;
    flame.name = "random-" + std::to_string(seed);
    flame.nick = flame.url = flame.edits = "";
    flame.hue = 0;
    flame.depth_camera = {};
    flame.palette = random_palette(chance);
    flame.palette_mode = PaletteMode::linear;
    flame.final_xform.reset();
    flame.xforms.clear();
    const std::size_t count = 2 + chance.below(3);
    for (std::size_t x = 0; x < count; ++x) flame.xforms.push_back(random_xform(chance));
    if (frame_by_light(flame, renderer)) break;
  }
  return flame;
}

Flame mutated(const Flame& flame, double strength, std::uint64_t seed) {
  Chance chance(seed);
  Flame child = flame;
  for (Xform& xform : child.xforms) {
    if (chance.happens(0.7)) move(xform.coefs, strength, chance);
    if (xform.post != AffineD{} && chance.happens(0.5)) move(xform.post, strength / 2, chance);
    if (chance.happens(0.5)) change_variations(xform, strength, chance);
    if (chance.happens(0.3)) xform.weight *= 1 + strength * chance.bell();
    if (chance.happens(0.3)) xform.color += 0.3 * strength * chance.bell();
  }
  if (child.final_xform && chance.happens(0.3)) move(child.final_xform->coefs, strength, chance);
  if (chance.happens(0.25 * strength) && child.xforms.size() < 12)
    child.xforms.push_back(random_xform(chance));
  if (chance.happens(0.15 * strength) && child.xforms.size() > 2)
    remove_xform(child, chance.below(child.xforms.size()));
  if (chance.happens(0.4 * strength)) child.palette = turned(child.palette, chance.unit());
  return child;
}

}  // namespace kiln
