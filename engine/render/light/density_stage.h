// Density estimation on a device: from the histogram to linear light (kernels/density.h,
// kernels/density_far.h).
//
// Sources are log scaled and given their width. Those up to `gathered_width` are gathered directly.
// For wider ones the picture decides, by a count that is the same on every device: where a direct
// sum would take few products they are gathered as well, else they go through the FFT.
#pragma once

#include <memory>

#include "engine/render/light/far_field.h"
#include "engine/render/progress_report.h"

namespace kiln {

/// The estimator of one picture: tables in device memory, and room for one pass.
class DensityStage {
 public:
  /// `unit`: of the histogram that comes.
  DensityStage(Device& device, const OutputPlan& plan, double unit, FarPlan far);

  /// light [buffer] = the estimate of a histogram, or that much more of it.
  void run(const Buckets& histogram, Vec4* light, bool accumulate, const HearStage& hear = {});
  /// What the far part takes if it is transformed.
  FarWork far_work() const;

  /// How the far part of the last run was summed; for measurements.
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

}  // namespace kiln
