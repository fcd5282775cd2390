// SPDX-License-Identifier: MIT
// The edges of a sphere's picture: what lies beyond one is at the other, so that filter and estimator read
// across; and each row counts by what of the sphere it shows (kernels/log_scale.h).
#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/device/device.h"
#include "engine/model/exact_math.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

/// The weight of a sample in each row of a sphere, which shows less of it towards the poles: the inverse of the solid
/// angle of a bucket, 1 at the equator. `top`: the first row's place in the buffer.
std::vector<float> weights_of_rows(const Flame& flame, const BufferGeometry& buffer, int top) {
  const double pole = exact::pi / 2,
               row_angle = 2 * pole / (0.5 * buffer.supersample * flame.width);
  const double equator = buffer.gutter + 0.5 * buffer.supersample * flame.height;
  std::vector<float> weights(std::size_t(buffer.height), 1);
  for (int row = 0; row < buffer.height; ++row) {
    double latitude = std::fabs((row + top + 0.5 - equator) * row_angle);
    if (latitude > pole) latitude = 2 * pole - latitude;  // beyond it, that of WrapEdges
    const double solid =
        exact::sin(std::min(latitude + row_angle / 2, pole)) - exact::sin(latitude - row_angle / 2);
    if (solid > 0) weights[std::size_t(row)] = float(row_angle / solid);
  }
  return weights;
}

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

SphereEdges::SphereEdges(Device& device, const PlannedPicture& picture, int top)
    : device_(device),
      flame_(picture.flame),
      buffer_(picture.plan.geometry),
      top_(top),
      row_weights_(device, weights_of_rows(flame_, buffer_, top)) {}

void SphereEdges::run(std::uint64_t* sums, int channels) {
  WrapEdges wrap;
  wrap.sums = sums;
  wrap.channels = channels;
  wrap.width = buffer_.width;
  wrap.height = buffer_.height;
  wrap.top = top_;
  wrap.gutter = buffer_.gutter;
  wrap.picture_width = buffer_.supersample * flame_.width;
  wrap.picture_height = buffer_.supersample * flame_.height;
  wrap.to_the_poles = flame_.width == 2 * flame_.height;
  device_.launch(wrap, wrap.block_count());
}

}  // namespace

constinit const PictureStage stages::sphere_edges = {
    .name = "sphere edges",
    .is_wanted =
        [](const Flame& flame) { return flame.depth_camera.projection == Projection::sphere; },
    .sums = [](Device& device, const PlannedPicture& picture,
               int top) -> std::unique_ptr<SumsMaker> {
      return std::make_unique<SphereEdges>(device, picture, top);
    },
};

}  // namespace kiln
