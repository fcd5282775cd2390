// SPDX-License-Identifier: MIT
// Symmetry, folded into the other xforms. flam3 plays the rotations and mirrors of a symmetry as
// xforms of their own: most steps of a flame of high order only turn the point that the step before
// recorded. It mixes slowly, and its hits come in clumps.
//
// Let these xforms have share s of the weights, and let r be their law over the group that they
// generate. How many of them stand between two other xforms is geometric, so after an other xform F
// a point is moved by a random element of the law
//
//     p = (1 - s) (1 + s r + s^2 r*r + ...),   p = (1 - s) e + s r*p,
//
// which is independent of all else; and where a point stands in the step before one of the others
// is, as the others come by independent draws, distributed as it is in all steps. So the chain
// x' = g F(x), g drawn from p, leaves the same measure, and every step of it is worth a sample.
// Colors need no care: the color speed of a symmetry is 0.
//
// A flame with its symmetry folded is another flame: each F once for every element g, with weight
// w_F p(g) and g after its post affine. Nothing else has to know.
#pragma once

#include <optional>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

enum class Symmetry { folded, iterated };

/// The symmetry that some flames share.
class SymmetryGroup {
 public:
  /// The group of all time samples of one flame. Nothing where one of them has no symmetry to fold, or cannot have
  /// it folded: xaos, or opacities of the other xforms that are not those of the symmetry; and
  /// where they do not have the same rotations and mirrors in the same places.
  static std::optional<SymmetryGroup> of(const std::vector<const Flame*>& flames);

  int order() const { return int(elements_.size()); }
  /// The identity first.
  const std::vector<AffineD>& elements() const { return elements_; }
  /// Numbers of the xforms that are no symmetry.
  const std::vector<int>& others() const { return others_; }

  /// Puts the flame with its symmetry folded into `folded`: for each of its other xforms order()
  /// of them, one after the other. False: it does not have this symmetry; `folded` keeps the xforms
  /// that it had.
  bool fold(const Flame& flame, Flame& folded);
  /// The probability that at least one xform of the symmetry followed an ordinary xform of the last
  /// flame, given that the group left the point in its place.
  double turned() const { return turned_; }

 private:
  bool fits(const Flame& flame) const;
  bool find_group(const Flame& flame);
  int find(const AffineD& m) const;
  void find_law(const Flame& flame);

  int rotations_ = 1;
  std::vector<AffineD> elements_;  // rotations by k / rotations_ of a turn; then mirrors, if any,
                                   // each a rotation of the first one
  std::vector<int> element_of_;    // [xforms] -1: one of the others
  std::vector<int> others_;

  std::vector<double> weights_, law_;  // [order()] of the last flame, and their law
  double weight_of_others_ = 0;        // there
  double turned_ = 0;
};

/// The law over a group of what stands between two others: `weights` [order] of its elements as
/// they are drawn, beside others of weight `others` > 0; product[a * order + b] is element a after
/// element b, element 0 the identity.
std::vector<double> law_of_symmetry(const std::vector<double>& weights, double others,
                                    const std::vector<int>& product);

}  // namespace kiln
