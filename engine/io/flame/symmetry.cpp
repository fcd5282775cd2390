#include "engine/io/flame/symmetry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <iterator>

#include "engine/base/angles.h"
#include "engine/model/exact_math.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

// SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
struct SplitMix64 {
  std::uint64_t state;
  std::uint64_t operator()() {
    std::uint64_t z = state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
  }
};

// Half away from zero, so that the six decimals are those of flam3.
double to_six_decimals(double x) { return std::round(x * 1e6) / 1e6; }

Xform symmetry_xform(const AffineD& coefs, double color) {
  Xform xform;
  xform.weight = 1;
  xform.color = color;
  xform.color_speed = 0;
  xform.animate = 0;
  xform.coefs = coefs;
  xform.variations.assign(std::size_t(variation_count()), 0.0);
  xform.variations[0] = 1;  // linear
  xform.parameters = default_parameters();
  return xform;
}

Xform rotation(int k, int n) {
  const double angle_rad = whole_turn * k / n;
  const double c = to_six_decimals(exact::cos(angle_rad));
  const double s = to_six_decimals(exact::sin(angle_rad));
  const double color = n < 3 ? 0 : double(k - 1) / (n - 2);
  return symmetry_xform({.a = c, .d = s, .b = -s, .e = c, .c = 0, .f = 0}, color);
}

double determinant(const AffineD& m) { return m.a * m.e - m.b * m.d; }

// flam3 sorts the last `count` entries of its array, which ends with a final xform read earlier.
// Then the block starts one late, and a final xform of color_speed 0 may change places with a
// rotation. Kept: it decides the picture.
void sort_like_flam3(std::size_t count, Flame& flame) {
  std::vector<Xform> all = std::move(flame.xforms);
  if (flame.final_xform) all.push_back(std::move(*flame.final_xform));
  std::stable_sort(all.end() - std::ptrdiff_t(count), all.end(),
                   [](const Xform& x, const Xform& y) {
                     if (x.color_speed != y.color_speed) return x.color_speed < y.color_speed;
                     return determinant(x.coefs) < determinant(y.coefs);
                   });
  if (flame.final_xform) {
    flame.final_xform = std::move(all.back());
    all.pop_back();
  }
  flame.xforms = std::move(all);
}

}  // namespace

int random_symmetry_kind(std::uint64_t seed) {
  constexpr std::array likely = {-4, -3, -2, -2, -2, -1, -1, -1, 2, 2, 2, 3, 3, 4, 4};
  SplitMix64 random{seed};
  const auto below = [&](std::uint64_t n) { return int(random() % n); };
  if (random() % 2 == 0) return likely[std::size_t(below(likely.size()))];
  if (random() % 32 != 0) return below(13) - 6;
  return below(51) - 25;
}

void append_symmetry(int kind, Flame& flame) {
  std::vector<Xform> group;
  if (kind < 0)
    group.push_back(symmetry_xform({.a = -1, .d = 0, .b = 0, .e = 1, .c = 0, .f = 0}, 1));
  const int n = std::abs(kind);
  for (int k = 1; k < n; ++k) group.push_back(rotation(k, n));
  const std::size_t count = group.size();
  std::move(group.begin(), group.end(), std::back_inserter(flame.xforms));
  sort_like_flam3(count, flame);
}

}  // namespace kiln
