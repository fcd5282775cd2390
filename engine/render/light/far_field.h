// The far part of density estimation on a device: sources weighed by the share of each transformed
// kernel, the convolutions of a level, coarser light brought down to the next.
#pragma once

#include <optional>
#include <vector>

#include "engine/fft/plan.h"
#include "engine/render/light/density_plan.h"
#include "engine/render/light/far_plan.h"

namespace kiln {

// Which kernels of the far widths are transformed, and how they stand for the others.
//
// Mixed kernels. Widths follow a power law, so a radius of 100 has 113 widths above 6, and most
// look like their neighbors. 6 to 12 of them, spread evenly in log(width), stand for all: the
// kernel of width h is mixed as sum of share(h, n) kernel(n), with the shares that make the mean
// square difference smallest (inner products of truncated Gaussians in closed form) while the light
// stays the same to the last digit - a Lagrange multiplier for the sum of the taps. The difference
// is 1 % of a kernel's norm, nearly all of it at the rim, where flam3 cuts the Gaussian at 1.1 % of
// its peak; sums of many sources differ by less than 0.1 %. With --de exact every width is itself.

/// The transformed kernels lie at most this far apart in log(width): fine ones, those of radii that
/// reach cells of 4, where bright sources lie beside darker places, and coarse ones. They are at
/// least so many if none is coarse.
constexpr double node_spacing = 0.25, dense_node_spacing = 0.15, coarse_spacing = 0.17;
constexpr int fewest_nodes = 6;
/// Kernels at least so wide, in buckets, are summed in cells of 2 and of 4 buckets instead.
struct CellWidths {
  double two, four;
};
/// Very wide kernels take along wider neighbors of what is bright, where cells show more.
constexpr CellWidths cell_widths(double widest) {
  return widest > 64 ? CellWidths{24, 48} : CellWidths{16, 32};
}
/// The widths of [0, split) that are transformed, falling.
std::vector<int> choose_nodes(const DensityPlan& plan, int split);

/// The share of each node in each far width: [nodes][split].
std::vector<std::vector<float>> mix_kernels(const DensityPlan& plan, const std::vector<int>& nodes,
                                            int split);

/// Sum of the taps that kernel k writes: 1, but for the quirk of integer widths.
double kernel_light(const DensityPlan& plan, int k);

/// The transforms of one picture size on a device.
class FarField {
 public:
  FarField(Device& device, const FarPlan& plan);

  /// What MaskFar adds to `far` yet.
  struct Light {
    CoarseLight coarse;
    bool fine;  // false: `far` is not written, all light is coarse
  };
  /// far [height, width] = the light of the far sources of a grid where the picture is, before
  /// MaskFar; elsewhere it is left as it is. `so_far` hears how much of it is done, 0..1.
  Light run(const DensityGrid& grid, const DeviceArray<float>& coefficients, const Vec4* scaled,
            const u16* widths, Vec4* far, const std::function<void(double)>& so_far = {});

 private:
  /// A level's share of the device memory.
  struct Room {
    std::optional<FftPlan> rows, columns;     // none where the level has no kernels
    DeviceArray<float> coefficients;          // of its kernels; step > 1
    std::vector<DeviceArray<float>> spectra;  // [group] of [padded_width / 4, padded_height, 4]
    DeviceArray<Vec4> light;                  // of all its sources: [height, width]; step > 1
    std::size_t spectra_set = 0;              // of the level's kernels
  };
  struct Sources {
    const DensityGrid& grid;
    const Vec4* scaled;
    const u16* widths;
  };
  /// Kernel i of a group: the sources [height, padded_width], then their rows' transforms.
  Vec4* picture(const FarLevel& level, std::size_t i) const;
  void set_spectra(const FarLevel& level, Room& room, const float* coefficients, std::size_t first,
                   std::size_t count);
  void weigh(const FarLevel& level, const FarExtent& part, const Sources& sources,
             std::size_t first, std::size_t count);
  /// The rectangle that light goes into, in a picture of `pitch` columns.
  struct Target {
    Vec4* light;
    i32 pitch;
  };
  void convolve(const FarLevel& level, Room& room, const FarExtent& part, std::size_t first,
                std::size_t count, Target to);
  Target target(std::size_t level, FarRect light, Vec4* far, i32 far_pitch) const;
  CoarseLight light_of(std::size_t level, FarRect corner) const;

  Device& device_;
  const FarPlan& plan_;
  std::vector<DeviceArray<float>> shares_;  // [nodes]
  std::vector<Room> rooms_;                 // [levels]
  DeviceArray<Vec4> work_;                  // pictures of a group, after the rows; before them the
                                            // kernels whose spectra are made
};

}  // namespace kiln
