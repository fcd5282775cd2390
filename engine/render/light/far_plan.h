// The far part of density estimation, which goes through the FFT: which widths it is, what stands
// for them, and the device memory that takes. All of it follows from the flame and the mode.
#pragma once

#include "engine/render/light/far_levels.h"
#include "engine/render/develop/output_plan.h"
#include "kernels/density_far.h"

namespace kiln {

/// Widest kernel that is summed directly, in buckets. This and the next are one constant for all
/// devices, as the bits depend on them; both were found by measuring (docs/density.md).
constexpr double gathered_width = 6;
/// Wider ones are summed directly as well if that takes fewer products a bucket and transformed
/// kernel.
constexpr std::uint64_t products_a_kernel = 25;
/// What a kernel on cells is worth: its transform is a small one.
constexpr std::uint64_t products_a_coarse_kernel = 6;
/// Device memory of the transforms, if that leaves two kernels at once.
constexpr std::uint64_t far_memory_bytes = 970'000'000;

/// Everything about the far part that follows from the flame and the mode.
struct FarPlan {
  int split = 0;                           // widths below it are far; 0: there are none
  std::vector<int> nodes;                  // width numbers of the kernels that are transformed
  std::vector<std::vector<float>> shares;  // [nodes][split]
  std::vector<MaskFar::Span> spans;        // [split]
  std::vector<FarLevel> levels;            // coarsest first
  float trusted = 0;                       // MaskFar::trusted
  int most_sources = 0;                    // MaskFar::most_sources

  bool active() const { return split > 0; }
  std::uint64_t bytes() const;  // of device memory
  /// Padded cells of all kernels and parts: what the transforms take is about proportional to it.
  double transformed_cells() const;
  /// Products a bucket of a direct sum that cost as much as the transforms.
  std::uint64_t worth_products() const;
};

/// The far part of a picture. `unit`: of the histogram, see density_thresholds. `exact`: every width
/// by its own kernel (--de exact). `memory_bytes`: bound of what the transforms take; the bits depend
/// on it where it binds.
FarPlan plan_far(const OutputPlan& plan, double unit, bool exact,
                 std::uint64_t memory_bytes = far_memory_bytes);

}  // namespace kiln
