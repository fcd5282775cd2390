// SPDX-License-Identifier: MIT
// What flames by chance are put together of (chance.h).
#include <array>

#include "engine/base/error.h"
#include "engine/flock/chance.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// A variation and how often it is taken. What is left out makes something too, but most often the same
/// as these, dust, or a picture that ends at a straight line.
struct Share {
  std::string_view name;
  double share;
};
constexpr std::array<Share, 74> good_variations = {
    {{"linear", 6},    {"sinusoidal", 2},   {"spherical", 6},    {"swirl", 3},
     {"horseshoe", 2}, {"polar", 2},        {"handkerchief", 2}, {"heart", 2},
     {"disc", 3},      {"spiral", 2},       {"hyperbolic", 1},   {"diamond", 1.5},
     {"ex", 1.5},      {"julia", 4},        {"bent", 1},         {"waves", 1.5},
     {"fisheye", 1},   {"popcorn", 1},      {"exponential", 1},  {"cosine", 1},
     {"rings", 1},     {"fan", 1},          {"blob", 2},         {"pdj", 2},
     {"fan2", 1.5},    {"rings2", 2},       {"eyefish", 2},      {"bubble", 4},
     {"cylinder", 1},  {"julian", 6},       {"juliascope", 5},   {"ngon", 1.5},
     {"curl", 3},      {"rectangles", 1},   {"super_shape", 1},  {"conic", 1},
     {"bent2", 1},     {"bipolar", 2},      {"boarders", 0.5},   {"butterfly", 1},
     {"cell", 1},      {"cpow", 1.5},       {"edisc", 2},        {"elliptic", 2.5},
     {"escher", 1.5},  {"foci", 2},         {"lazysusan", 1.5},  {"loonie", 2.5},
     {"modulus", 1},   {"oscilloscope", 1}, {"polar2", 1.5},     {"popcorn2", 1.5},
     {"scry", 2},      {"split", 1},        {"splits", 2},       {"waves2", 2},
     {"wedge", 1},     {"wedge_julia", 2},  {"wedge_sph", 1},    {"whorl", 1.5},
     {"mobius", 2},    {"flux", 1.5},       {"auger", 1.5},      {"log", 1},
     {"disc2", 1.5},   {"hypertile", 2},    {"hypertile1", 2},   {"bTransform", 1},
     {"eJulia", 1},    {"unpolar", 1},      {"glynnia", 2},      {"gnarly", 1},
     {"julian2", 2},   {"crackle", 0.5}}};

constexpr std::array<Share, 16> lenses = {{{"spherical", 3},
                                           {"julian", 2},
                                           {"juliascope", 1},
                                           {"bubble", 1},
                                           {"eyefish", 2},
                                           {"polar", 1},
                                           {"curl", 2},
                                           {"foci", 1},
                                           {"elliptic", 1},
                                           {"bipolar", 1},
                                           {"mobius", 2},
                                           {"loonie", 1},
                                           {"scry", 1},
                                           {"swirl", 1},
                                           {"waves2", 1},
                                           {"hypertile1", 1}}};

template <class List>
int pick(const List& list, Chance& chance) {
  double all = 0;
  for (const Share& share : list) all += share.share;
  double at = all * chance.unit();
  for (const Share& share : list)
    if ((at -= share.share) < 0) return *find_variation(share.name);
  return *find_variation(list.back().name);
}

double drawn(const ParameterInfo& parameter, Chance& chance) {
  const double value = parameter.is_whole ? chance.whole(int(parameter.low), int(parameter.high))
                                          : chance.between(parameter.low, parameter.high);
  return parameter.has_either_sign ? value * chance.sign() : value;
}

}  // namespace

AffineD turned_by(const AffineD& m, double angle_rad) {
  const exact::SinCos turn = exact::sincos(angle_rad);
  AffineD out = m;
  out.a = m.a * turn.c - m.d * turn.s;
  out.d = m.a * turn.s + m.d * turn.c;
  out.b = m.b * turn.c - m.e * turn.s;
  out.e = m.b * turn.s + m.e * turn.c;
  return neat(out);
}

AffineD random_affine(Chance& chance) {
  const double size = chance.between(0.4, 0.9);
  AffineD m{size * chance.between(0.8, 1.2),
            0,
            0,
            size * chance.between(0.8, 1.2),
            chance.bell(),
            chance.bell()};
  if (chance.happens(0.3)) m.b = 0.4 * chance.bell();
  if (chance.happens(0.2)) m.a = -m.a;
  return turned_by(m, chance.angle());
}

Xform empty_xform() {
  Xform xform;
  xform.variations.assign(std::size_t(variation_count()), 0);
  xform.parameters = default_parameters();
  return xform;
}

void add_variation(Xform& xform, int variation, double weight, Chance& chance) {
  const VariationInfo& info = info_of(variation);
  xform.variations[std::size_t(variation)] += Chance::neat(weight);
  for (std::size_t p = 0; p < info.parameters.size(); ++p)
    xform.parameters[std::size_t(info.first_parameter) + p] = drawn(info.parameters[p], chance);
}

void add_variation(Xform& xform, std::string_view name, double weight, Chance& chance) {
  const auto variation = find_variation(name);
  KILN_CHECK(variation, "{}", name);
  add_variation(xform, *variation, weight, chance);
}

int good_variation(Chance& chance, const std::vector<int>& only) {
  return only.empty() ? pick(good_variations, chance) : chance.one_of(only);
}

Xform random_xform(Chance& chance, const std::vector<int>& only) {
  Xform xform = empty_xform();
  xform.weight = chance.between(0.4, 1.2);
  xform.color = chance.between(0, 1);
  xform.color_speed = chance.between(0.3, 0.6);
  xform.coefs = random_affine(chance);
  const double weight = chance.between(0.6, 1);
  add_variation(xform, good_variation(chance, only), weight, chance);
  if (chance.happens(0.3)) add_variation(xform, good_variation(chance, only), 1.1 - weight, chance);
  if (chance.happens(0.2)) xform.post = random_affine(chance);
  return xform;
}

Xform random_lens(Chance& chance, const std::vector<int>& only) {
  Xform xform = empty_xform();
  xform.color_speed = 0;
  xform.coefs = turned_by({1, 0, 0, 1, 0.5 * chance.bell(), 0.5 * chance.bell()}, chance.angle());
  const int variation = only.empty() ? pick(lenses, chance) : chance.one_of(only);
  add_variation(xform, variation, 1, chance);
  return xform;
}

void remove_xform(Flame& flame, std::size_t gone) {
  flame.xforms.erase(flame.xforms.begin() + std::ptrdiff_t(gone));
  for (Xform& xform : flame.xforms) {
    if (gone < xform.chaos.size()) xform.chaos.erase(xform.chaos.begin() + std::ptrdiff_t(gone));
  }
}

}  // namespace kiln
