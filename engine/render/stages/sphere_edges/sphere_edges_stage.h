// The edges of a sphere's picture: what lies beyond one is at the other, so that filter and estimator read
// across; and each row counts by what of the sphere it shows (kernels/log_scale.h).
#pragma once

#include "engine/device/device.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stage.h"

namespace kiln {

class SphereEdges : public SumsMaker {
 public:
  SphereEdges(Device& device, const PlannedPicture& picture, int top);
  void set(Buckets& histogram) override { histogram.row_weights = row_weights_.data(); }
  void run(std::uint64_t* sums, int channels) override;

 private:
  Device& device_;
  const Flame& flame_;
  const BufferGeometry& buffer_;
  const int top_;
  DeviceArray<float> row_weights_;
};

}  // namespace kiln
