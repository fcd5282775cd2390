// The far part of density estimation on a device: sources weighed by the share of each transformed
// kernel, the convolutions of a level, coarser light brought down to the next.
#pragma once

#include <optional>
#include <vector>

#include "engine/fft/plan.h"
#include "engine/render/light/far_plan.h"

namespace kiln {

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
