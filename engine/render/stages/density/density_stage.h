// SPDX-License-Identifier: MIT
// Density estimation on a device: from the histogram to linear light (kernels/density.h,
// kernels/density_far.h).
//
// Sources are log scaled and given their width. Those up to `gathered_width` are gathered directly.
// For wider ones the picture decides, by a count that is the same on every device: where a direct
// sum would take few products they are gathered as well, else they go through the FFT.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/fft/plan.h"
#include "engine/render/stages/density/density_plan.h"
#include "engine/render/stages/density/far_plan.h"
#include "engine/render/stages/stage.h"

namespace kiln {

// The far part of density estimation on a device: sources weighed by the share of each transformed
// kernel, the convolutions of a level, coarser light brought down to the next.

/// The transforms of one picture size on a device.
class FarField {
 public:
  FarField(Device& device, const FarPlan& plan);

  /// The light that MaskFar still has to add to `far`.
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

/// The estimator of one picture: tables in device memory, and room for one pass.
class DensityStage {
 public:
  /// `unit`: of the histogram that comes.
  DensityStage(Device& device, const OutputPlan& plan, double unit, FarPlan far);

  /// Switches to histograms of that unit, under the log scale that the plan has now.
  void set(double unit);
  /// light [buffer] = the estimate of a histogram, or that much more of it.
  void run(const Buckets& histogram, Vec4* light, bool accumulate, const HearStage& hear = {});
  /// Whether the last run summed the far part by the FFT; for measurements.
  bool used_fft() const { return used_fft_; }
  /// The least products a bucket for which the FFT is taken; for tests and measurements.
  std::uint64_t products_a_bucket = 0;

  /// Device memory it takes, without and with the room that the FFT needs.
  static std::uint64_t bytes(const OutputPlan& plan, const FarPlan& far);

 private:
  bool worth_transforms();
  void add_far(const DensityGrid& grid, Vec4* far, const HearStage& hear);

  Device& device_;
  const OutputPlan& plan_;
  FarPlan far_;
  double unit_;
  DeviceArray<std::uint64_t> thresholds_;
  DeviceArray<DensityKernel> kernels_;
  DeviceArray<float> coefficients_;
  DeviceArray<Vec4> scaled_;
  DeviceArray<std::uint16_t> widths_, cell_widths_;
  // of the far part
  DeviceArray<std::uint16_t> cell_near_, cell_far_;
  DeviceArray<std::uint64_t> totals_;
  DeviceArray<MaskFar::Span> spans_;
  DeviceArray<std::uint8_t> unsure_;
  DeviceArray<Vec4> far_light_;  // where `light` holds earlier passes
  std::unique_ptr<FarField> field_;
  bool used_fft_ = false;
};

/// The kernel set of a flame: none where its light is cleaned.
/// `max_memory_bytes`, `tables`: as in density_plan.h.
DensityPlan plan_density(const Flame& flame, std::uint64_t max_memory_bytes, bool tables);

}  // namespace kiln
