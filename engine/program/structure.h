// SPDX-License-Identifier: MIT
// What a program has at all of its time samples: kernels read one structure, whatever fades in or out.
#pragma once

#include <vector>

#include "engine/model/flame.h"
#include "engine/program/symmetry.h"

namespace kiln {

/// A variation of an xform and where it works.
struct Form {
  int variation = 0;
  Stage stage = Stage::regular;
  bool staged = false;  // stands in XformValues::staged
  int use = 0;          // its number there, among those of this variation at this stage
  bool operator==(const Form&) const = default;
};

/// The parts that a program has at every time sample.
struct Structure {
  int xform_count = 0;  // without the final one
  int final_count = 0;
  bool has_xaos = false;
  bool tilted = false;  // the camera shows depth
  bool has_z = false;   // points keep a z from step to step, as the picture is another one without
  std::vector<std::vector<Form>> forms;  // [xforms, the final ones last] in the order of their work

  bool operator==(const Structure&) const = default;
  std::size_t stride() const { return std::size_t(xform_count) + std::size_t(final_count); }
  /// Whether it needs what kernels/extended_xform.h has.
  bool extended() const;
  /// Whether it needs JWildfire's variations for that, or several final xforms.
  bool has_jwildfires() const;
  /// Whether it needs formulas of its own (kernels/formula.h).
  bool has_formulas() const;
  /// Whether it has no more than what is said at of_plain_formulas_list (kernels/formula_list.h).
  bool has_plain_formulas() const;
  /// Whether it has nothing but what kernels/fine_xform.h has.
  bool can_be_fine() const;
};

/// Whether a variation of the list colors points itself.
bool colors_directly(const std::vector<Form>& forms);

/// Finds the structure of flames that are added one by one.
class StructureFinder {
 public:
  void add(const Flame& flame);
  Structure found();

 private:
  struct Used {
    std::vector<char> variations;  // those of XformValues::variations, by index
    std::vector<Form> staged;
    bool makes_depth = false, reads_depth = false;
  };

  static void add(const XformValues& xform, Used& used);
  bool has_more_than_flam3s() const;
  bool keeps_z() const;

  std::size_t count_ = 0;
  std::vector<Used> used_;
  std::vector<Used> finals_used_;
  Structure found_;
};

/// The number of final xforms of a flame.
int finals_of(const Flame& flame);

/// Whether the chaos entries of its xforms do anything.
bool has_xaos(const Flame& flame);

/// The structure of flames whose symmetry is folded.
Structure folded(const Structure& structure, const SymmetryGroup& group);

}  // namespace kiln
