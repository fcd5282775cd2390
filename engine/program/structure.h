// What a program has at all of its moments: kernels read one structure, whatever fades in or out.
#pragma once

#include <vector>

#include "engine/model/flame.h"
#include "engine/program/symmetry.h"

namespace kiln {

/// What the program has at every moment.
struct Structure {
  int xform_count = 0;  // without the final one
  bool has_final = false, has_xaos = false;
  std::vector<std::vector<int>> variations;  // [xforms, the final one last]; pre_blur first

  bool operator==(const Structure&) const = default;
  std::size_t stride() const { return std::size_t(xform_count) + (has_final ? 1 : 0); }
};

/// Finds the structure of flames that are added one by one.
class StructureFinder {
 public:
  void add(const Flame& flame);
  Structure found();

 private:
  using Used = std::vector<char>;  // by variation

  static void add(const XformValues& xform, Used& used);

  std::size_t count_ = 0;
  std::vector<Used> used_;
  Used final_used_;
  Structure found_;
};

/// Whether the chaos entries of its xforms do anything.
bool has_xaos(const Flame& flame);

/// Of flames whose symmetry is folded.
Structure folded(const Structure& structure, const SymmetryGroup& group);

}  // namespace kiln
