// From the histogram of a pass to linear light in the supersampled buffer: the logarithm of the
// density, with density estimation or of cleaned sums.
#pragma once

#include <optional>

#include "engine/render/plan/picture_buffers.h"
#include "engine/render/stages/clean/clean_stage.h"
#include "engine/render/stages/density/density_stage.h"

namespace kiln {

class LightStage {
 public:
  /// Takes the memory that estimator or cleaning need. `exact_density`: every kernel instead of mixed
  /// ones. `clumps`: ClumpSums::factor() of a frame that is cleaned; 0: it is only taken into a window.
  LightStage(Device& device, const PreparedFrame& frame, const PictureBuffers& buffers,
             bool exact_density, double clumps = 1);

  /// buffers.light = the light of the histogram; of a later pass, so much more of it. The same for
  /// buffers.hits, if there are any.
  void run(int pass, const PictureBuffers& buffers, const HearStage& hear = {});
  /// The histogram's counts are those of this place, and buffers.hits as run() makes them.
  void take(const PictureBuffers& buffers, int place, double clumps, CleanWindow& window);
  /// light = that of the first pass from other sums of the picture, laid out as the histogram is.
  void run_of(const std::uint64_t* sums, Vec4* light);
  /// What the far part of density estimation takes if it is transformed.
  FarWork far_work() const;
  /// From now on a still of another quality, whose sums count `more` times as much each.
  void set(const LogCurve& log_curve, double more);

 private:
  void set_pass(int pass);
  void set_density(const FarPlan& far);
  DensityStage& density_of(const Stripe& band);
  void make(const Buckets& histogram, Vec4* light, bool accumulate, const HearStage& hear);
  void wrap_edges(const PictureBuffers& buffers);
  void count_hits(int pass, const PictureBuffers& buffers);

  Device& device_;
  const PreparedFrame& frame_;
  const bool exact_density_;
  Buckets histogram_;
  DeviceArray<float> row_weights_;  // of a sphere
  double unit_;                     // of the histogram
  OutputPlan plan_;                 // with the log scale and the estimator of the pass
  OutputPlan band_plan_;  // where there are several: of the band that density_ is made for
  std::optional<DensityStage> density_;
  std::optional<CleanStage> clean_;
};

}  // namespace kiln
