// SPDX-License-Identifier: MIT
#include "engine/program/symmetry.h"

#include <algorithm>
#include <cmath>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr int most_rotations = 64;
constexpr std::size_t most_folded = 1024;  // xforms
constexpr double least_others = 1e-6;      // weight beside that of the symmetry
/// flam3 rounds sines and cosines to six decimals.
constexpr double same = 2e-6;

AffineD rotation(double angle_rad) {
  const exact::SinCos turn = exact::sincos(angle_rad);
  return {turn.c, turn.s, -turn.s, turn.c, 0, 0};
}
/// The mirror at the axis of this angle.
AffineD mirror(double angle_rad) {
  const exact::SinCos turn = exact::sincos(2 * angle_rad);
  return {turn.c, turn.s, turn.s, -turn.c, 0, 0};
}

/// g after m.
AffineD product(const AffineD& g, const AffineD& m) {
  return {g.a * m.a + g.b * m.d, g.d * m.a + g.e * m.d,       g.a * m.b + g.b * m.e,
          g.d * m.b + g.e * m.e, g.a * m.c + g.b * m.f + g.c, g.d * m.c + g.e * m.f + g.f};
}

bool near(double x, double y) { return std::fabs(x - y) <= same; }
bool near(const AffineD& m, const AffineD& n) {
  return near(m.a, n.a) && near(m.b, n.b) && near(m.c, n.c) && near(m.d, n.d) && near(m.e, n.e) &&
         near(m.f, n.f);
}
bool is_rotation(const AffineD& m) { return near(m.a, m.e) && near(m.b, -m.d); }
bool is_mirror(const AffineD& m) { return near(m.a, -m.e) && near(m.b, m.d); }

/// Turns the plane about the origin or mirrors it there, and does nothing else.
bool is_symmetry(const Xform& xform) {
  if (xform.color_speed != 0 || !xform.motions.empty() || !(xform.post == AffineD{})) return false;
  if (!xform.staged.empty()) return false;
  for (std::size_t v = 0; v < xform.variations.size(); ++v)
    if (xform.variations[v] != (v == 0 ? 1 : 0)) return false;
  const AffineD& m = xform.coefs;
  return (is_rotation(m) || is_mirror(m)) && near(m.a * m.a + m.d * m.d, 1) && m.c == 0 && m.f == 0;
}

bool has_chaos(const Flame& flame) {
  return std::any_of(flame.xforms.begin(), flame.xforms.end(), [](const Xform& xform) {
    return std::any_of(xform.chaos.begin(), xform.chaos.end(),
                       [](double chaos) { return chaos != 1; });
  });
}

/// The number of rotations that make a whole turn; 0: more than most_rotations.
int order_of(const AffineD& m) {
  const double turns = exact::atan2(m.d, m.a) / exact::two_pi;
  for (int n = 1; n <= most_rotations; ++n) {
    const double k = std::floor(turns * n + 0.5);
    if (near(m, rotation(exact::two_pi * k / n))) return n;
  }
  return 0;
}

/// The group's table of products.
std::vector<int> products(int rotations, int order) {
  std::vector<int> table;
  for (int a = 0; a < order; ++a) {
    for (int b = 0; b < order; ++b) {
      // a mirror is a rotation after the first mirror, which turns rotations round
      const int turn = a < rotations ? a + b : a - b;
      const bool mirrored = (a < rotations) != (b < rotations);
      table.push_back((turn + 2 * rotations) % rotations + (mirrored ? rotations : 0));
    }
  }
  return table;
}

}  // namespace

std::vector<double> law_of_symmetry(const std::vector<double>& weights, double others,
                                    const std::vector<int>& product) {
  const std::size_t n = weights.size();
  double all = others;
  for (const double w : weights) all += w;
  // all p(h) = others e(h) + sum over g of w(g) p(g^-1 h): row h has -w(g) where g b = h
  std::vector<double> rows(n * (n + 1));
  for (std::size_t g = 0; g < n; ++g)
    for (std::size_t b = 0; b < n; ++b)
      rows[std::size_t(product[g * n + b]) * (n + 1) + b] -= weights[g];
  for (std::size_t h = 0; h < n; ++h) rows[h * (n + 1) + h] += all;
  rows[n] = others;
  // the diagonal is larger than the rest of its row: no pivots
  for (std::size_t k = 0; k < n; ++k) {
    const double* const pivot = rows.data() + k * (n + 1);
    for (std::size_t h = k + 1; h < n; ++h) {
      double* const row = rows.data() + h * (n + 1);
      const double factor = row[k] / pivot[k];
      for (std::size_t b = k; b <= n; ++b) row[b] -= factor * pivot[b];
    }
  }
  std::vector<double> law(n);
  for (std::size_t k = n; k-- > 0;) {
    const double* const row = rows.data() + k * (n + 1);
    double rest = row[n];
    for (std::size_t b = k + 1; b < n; ++b) rest -= row[b] * law[b];
    law[k] = std::max(0.0, rest / row[k]);
  }
  return law;
}

bool SymmetryGroup::find_group(const Flame& flame) {
  const AffineD* first_mirror = nullptr;
  std::vector<AffineD> rotations;
  element_of_.assign(flame.xforms.size(), -1);
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
    const Xform& xform = flame.xforms[f];
    if (!is_symmetry(xform)) {
      others_.push_back(int(f));
      continue;
    }
    element_of_[f] = 0;
    if (is_rotation(xform.coefs)) {
      rotations.push_back(xform.coefs);
    } else if (first_mirror) {
      rotations.push_back(product(xform.coefs, *first_mirror));
    } else {
      first_mirror = &xform.coefs;
    }
  }
  if (others_.empty() || others_.size() == flame.xforms.size()) return false;
  for (const AffineD& turn : rotations) {
    const int order = order_of(turn);
    if (order == 0) return false;
    int all = rotations_;
    while (all % order != 0) all += rotations_;
    rotations_ = all;
    if (rotations_ > most_rotations) return false;
  }
  for (int k = 0; k < rotations_; ++k)
    elements_.push_back(rotation(exact::two_pi * k / rotations_));
  if (first_mirror) {
    const double axis = exact::atan2(first_mirror->d, first_mirror->a) / 2;
    for (int k = 0; k < rotations_; ++k)
      elements_.push_back(mirror(axis + exact::two_pi / 2 * k / rotations_));
  }
  if (elements_.size() < 2 || others_.size() * elements_.size() > most_folded) return false;
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
    if (element_of_[f] < 0) continue;
    element_of_[f] = find(flame.xforms[f].coefs);
    if (element_of_[f] < 0) return false;
  }
  return true;
}

int SymmetryGroup::find(const AffineD& m) const {
  for (std::size_t g = 0; g < elements_.size(); ++g)
    if (near(elements_[g], m)) return int(g);
  return -1;
}

bool SymmetryGroup::fits(const Flame& flame) const {
  if (flame.xforms.size() != element_of_.size() || has_chaos(flame)) return false;
  double others = 0, all = 0;
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
    const Xform& xform = flame.xforms[f];
    const int element = element_of_[f];
    if (element >= 0 && !(is_symmetry(xform) && near(xform.coefs, elements_[std::size_t(element)])))
      return false;
    // a point is recorded as its last xform says
    if (xform.opacity != flame.xforms[0].opacity) return false;
    if (!(xform.weight >= 0)) return false;
    all += xform.weight;
    if (element < 0) others += xform.weight;
  }
  return others > least_others * all;
}

std::optional<SymmetryGroup> SymmetryGroup::of(const std::vector<const Flame*>& flames) {
  SymmetryGroup group;
  if (flames.empty() || !group.find_group(*flames[0])) return std::nullopt;
  for (const Flame* flame : flames)
    if (!group.fits(*flame)) return std::nullopt;
  return group;
}

bool SymmetryGroup::fold(const Flame& flame, Flame& folded) {
  std::vector<Xform> images = std::move(folded.xforms);  // takes the memory along
  folded = flame;
  const bool mine = fits(flame);
  if (mine) {
    find_law(flame);
    images.resize(others_.size() * elements_.size());
    auto image = images.begin();
    for (const int f : others_) {
      const Xform& xform = flame.xforms[std::size_t(f)];
      for (std::size_t g = 0; g < elements_.size(); ++g, ++image) {
        *image = xform;
        image->weight = xform.weight * law_[g];
        image->post = product(elements_[g], xform.post);
      }
    }
  }
  folded.xforms = std::move(images);
  return mine;
}

void SymmetryGroup::find_law(const Flame& flame) {
  std::vector<double> weights(elements_.size());
  double others = 0;
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
    const int element = element_of_[f];
    (element < 0 ? others : weights[std::size_t(element)]) += flame.xforms[f].weight;
  }
  if (weights == weights_ && others == weight_of_others_) return;
  law_ = law_of_symmetry(weights, others, products(rotations_, order()));
  double all = others;
  for (const double w : weights) all += w;
  turned_ = std::max(0.0, 1 - others / all / law_[0]);
  weights_ = std::move(weights);
  weight_of_others_ = others;
}

}  // namespace kiln
