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
//
// Levels. Wide kernels live on cells of 2 x 2 or 4 x 4 buckets (kernels/density_coarse.h): what a
// large radius adds is cheap. Each level transforms no more than the part of the buffer that its
// own kernels carry into the picture, so the padding of the finest does not grow with the radius.
//
// Parts. The picture is transformed in stripes, each with the sources that reach it, so that all
// kernels of a level fit the memory at once, and in columns too where a row is longer than the FFT.
// Levels and parts follow from sizes alone, so every device does the same.
#pragma once

#include <optional>

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
/// What a kernel on cells is worth: its transform is a small one.
constexpr std::uint64_t products_a_coarse_kernel = 6;
/// The transformed kernels lie at most this far apart in log(width): fine ones, those of radii that
/// reach cells of 4, where bright sources lie beside darker places, and coarse ones. They are at
/// least so many if none is coarse.
constexpr double node_spacing = 0.25, dense_node_spacing = 0.15, coarse_spacing = 0.17;
constexpr int fewest_nodes = 6;
/// Kernels at least so wide, in buckets, are summed in cells of 2 and of 4 buckets instead.
struct CellWidths {
  double two, four;
};
/// Very wide kernels take along wider neighbours of what is bright, where cells show more.
constexpr CellWidths cell_widths(double widest) {
  return widest > 64 ? CellWidths{24, 48} : CellWidths{16, 32};
}
/// Device memory of the transforms, if that leaves two kernels at once.
constexpr std::uint64_t far_memory_bytes = 970'000'000;

/// A rectangle of buckets or cells, ends excluded.
struct FarRect {
  i32 x = 0, y = 0, end_x = 0, end_y = 0;

  i32 width() const { return end_x - x; }
  i32 height() const { return end_y - y; }
};

/// What a part of the picture needs of a level, in cells of its grid: the light that is read, and
/// the sources that reach it.
struct FarExtent {
  FarRect light, sources;
};

/// Kernels on one grid of cells.
struct FarLevel {
  int step = 1;                        // buckets along the side of a cell: 4, 2 or 1
  std::size_t first = 0, count = 0;    // its nodes; none where it only brings coarser light down
  std::vector<DensityKernel> kernels;  // [count]
  std::vector<float> coefficients;     // theirs; empty where a cell is a bucket: the estimator's
  FarExtent whole;                     // of the picture
  std::vector<FarExtent> parts;        // of that, each transformed on its own
  bool in_columns = false;  // the parts lie beside each other, not only one below another
  i32 padded_width = 0, padded_height = 0;  // of the transforms
  int group = 0;                            // kernels at once; 0 if there are none

  std::uint64_t picture_cells() const;  // the most that one kernel of a part takes
  std::size_t kept_spectra() const;     // those of cells are small: all stay
};

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
  /// Products a bucket of a direct sum that cost as much as the transforms.
  std::uint64_t worth_products() const;
};

/// The far part of a picture. `unit`: of the histogram, see density_thresholds.
FarPlan plan_far(const OutputPlan& plan, double unit, bool exact,
                 std::uint64_t memory_bytes = far_memory_bytes);

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
  /// MaskFar; elsewhere it is left as it is.
  Light run(const DensityGrid& grid, const DeviceArray<float>& coefficients, const Vec4* scaled,
            const u16* widths, Vec4* far);

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
  /// Where light goes: a rectangle in a picture of `pitch` columns.
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
