// How the far part of density estimation goes through the FFT (kernels/density_far.h): which widths
// are far, which kernels stand for them, in which groups, and the device memory that takes.
//
// Mixed kernels. Widths follow a power law, so a radius of 100 has 113 widths above 6, and most
// look like their neighbours. 6 to 12 of them, spread evenly in log(width), stand for all: the
// kernel of width h is mixed as sum of share(h, n) kernel(n), with the shares that make the mean
// square difference smallest (inner products of truncated Gaussians in closed form) while the light
// stays the same to the last digit - a Lagrange multiplier for the sum of the taps. The difference
// is 1 % of a kernel's norm, nearly all of it at the rim, where flam3 cuts the Gaussian at 1.1 % of
// its peak; sums of many sources differ by less than 0.1 %. With --de exact every width is itself.
#pragma once

#include "engine/fft/plan.h"
#include "engine/render/output_plan.h"
#include "kernels/density_far.h"

namespace kiln {

/// Widest kernel that is summed directly, in buckets. This and the next are one constant for all
/// devices, as the bits depend on them; both were found by measuring (docs/density.md).
constexpr double gathered_width = 6;
/// Wider ones are summed directly as well if that takes fewer products a bucket and transformed
/// kernel.
constexpr std::uint64_t products_a_kernel = 25;
/// The transformed kernels lie at most this far apart in log(width), and are at least so many.
constexpr double node_spacing = 0.33;
constexpr int fewest_nodes = 6;
/// Memory that the transforms of a group may take, if that leaves two kernels a group.
constexpr std::uint64_t far_memory_bytes = 900'000'000;

/// Everything about the far part that follows from the flame and the mode.
struct FarPlan {
  int split = 0;                            // widths below it are far; 0: there are none
  std::vector<int> nodes;                   // width numbers of the kernels that are transformed
  std::vector<std::vector<float>> shares;   // [nodes][split]
  std::vector<MaskFar::Span> spans;         // [split]
  i32 width = 0, height = 0;                // of the buffer
  i32 padded_width = 0, padded_height = 0;  // of the transforms
  int group = 1;                            // kernels at once
  float trusted = 0;                        // MaskFar::trusted
  int most_sources = 0;                     // MaskFar::most_sources

  bool active() const { return split > 0; }
  std::uint64_t bytes() const;  // of device memory
};

/// The far part of a picture. `unit`: of the histogram, see density_thresholds.
FarPlan plan_far(const OutputPlan& plan, double unit, bool exact);

/// The transforms of one picture size on a device.
class FarField {
 public:
  FarField(Device& device, const FarPlan& plan);

  /// far [height, width] = the light of the far sources of a grid. Right where the picture is; in
  /// the gutter, whose other side shines through, and before MaskFar it is not.
  void run(const DensityGrid& grid, const DensityPlan& density,
           const DeviceArray<float>& coefficients, const Vec4* scaled, const u16* widths,
           Vec4* far);

 private:
  void set_spectra(const DensityPlan& density, const float* coefficients, std::size_t first,
                   std::size_t count);

  Device& device_;
  const FarPlan& plan_;
  FftPlan rows_, columns_;
  std::vector<DeviceArray<float>> shares_;   // [nodes]
  std::vector<DeviceArray<Vec4>> work_;      // [group] of [height, padded_width]
  std::vector<DeviceArray<float>> spectra_;  // [group] of [padded_width / 4, padded_height, 4]
  DeviceArray<Complex> kernel_rows_, kernel_columns_;
  bool spectra_stay_ = false, spectra_set_ = false;
};

}  // namespace kiln
