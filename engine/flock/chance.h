// SPDX-License-Identifier: MIT
// Chance, and the parts that flames by chance are made of: recipes (recipes.cpp) put them together,
// mutations (relatives.cpp) add them to flames that are there. Numbers have six decimals, so that
// files can be read by people; nothing calls libm, so that a seed is one flame on every machine.
#pragma once

#include <cmath>
#include <cstdint>
#include <random>
#include <string_view>
#include <vector>

#include "engine/model/exact_math.h"
#include "engine/model/flame.h"

namespace kiln {

class Chance {
 public:
  explicit Chance(std::uint64_t seed) : engine_(seed * 2 + 1) {}
  double unit() { return double(engine_() >> 11) * 0x1p-53; }
  double between(double low, double high) { return neat(low + (high - low) * unit()); }
  /// 0 .. count - 1.
  std::size_t below(std::size_t count) { return std::size_t(unit() * double(count)); }
  /// low .. high.
  int whole(int low, int high) { return low + int(below(std::size_t(high - low + 1))); }
  bool happens(double probability) { return unit() < probability; }
  double sign() { return happens(0.5) ? 1 : -1; }
  /// About a bell, from -1 to 1.
  double bell() { return (unit() + unit() + unit()) * 2 / 3 - 1; }
  double angle() { return exact::two_pi * unit() - exact::pi; }
  template <class List>
  const auto& one_of(const List& list) {
    return list[below(std::size(list))];
  }
  static double neat(double value) { return std::floor(value * 1e6 + 0.5) / 1e6; }

 private:
  std::mt19937_64 engine_;
};

inline AffineD neat(AffineD m) {
  for (double* number : {&m.a, &m.b, &m.c, &m.d, &m.e, &m.f}) *number = Chance::neat(*number);
  return m;
}

/// m, then a turn about the origin; what it adds stays.
AffineD turned_by(const AffineD& m, double angle_rad);

/// Turns, makes smaller (along both axes by other factors), moves.
AffineD random_affine(Chance& chance);

/// No weights of variations, the default parameters, opaque.
Xform empty_xform();

/// Adds to the weight of a variation; its parameters are drawn.
void add_variation(Xform& xform, int variation, double weight, Chance& chance);
/// Adds to the variation of that name, which must be there.
void add_variation(Xform& xform, std::string_view name, double weight, Chance& chance);

/// One of those that make something of most maps, or of `only`, if it is not empty.
int good_variation(Chance& chance, const std::vector<int>& only = {});

/// One or two variations behind an affine map.
Xform random_xform(Chance& chance, const std::vector<int>& only = {});
/// A final xform: a turn and a shift before one variation that suits, or one of `only`.
Xform random_lens(Chance& chance, const std::vector<int>& only = {});

/// A rotation or a mirror that <symmetry> has made.
bool is_of_symmetry(const Xform& xform);

/// The rows and columns of chaos stay those of their xforms.
void remove_xform(Flame& flame, std::size_t gone);

}  // namespace kiln
