#include "engine/render/light/light_stage.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/model/exact_math.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

/// What a sample counts in each row of a sphere, which shows less of it towards the poles: the inverse of
/// the solid angle of a bucket, 1 at the equator. `top`: the first row's place in the buffer.
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

}  // namespace

LightStage::LightStage(Device& device, const PreparedFrame& frame, const PictureBuffers& buffers,
                       double clumps)
    : device_(device),
      frame_(frame),
      clumps_(clumps),
      histogram_{buffers.histogram.data(), frame.plan.geometry.width, frame.plan.geometry.height,
                 frame.compiled.table.opaque ? 4 : 5, float(frame.compiled.unit)},
      unit_(frame.compiled.unit),
      plan_(frame.plan) {
  if (frame.flame.depth_camera.projection == Projection::sphere) {
    const OutputPlan& plan = frame.plan;
    row_weights_ = {device,
                    weights_of_rows(frame.flame, plan.geometry, frame.compiled.program.top)};
    histogram_.row_weights = row_weights_.data();
  }
  set_pass(0);
}

/// The log scale and the estimator of a pass. All passes of a still are alike.
void LightStage::set_pass(int pass) {
  if (frame_.passes.empty()) {
    if (pass == 0) make_light(frame_.far);
    return;
  }
  const PreparedFrame::Pass& own = frame_.passes[std::size_t(pass)];
  plan_.log_curve = own.log_curve;
  plan_.density = own.density;
  plan_.density_grid = own.density_grid;
  make_light(own.far);
}

void LightStage::make_light(const FarPlan& far) {
  light_.reset();  // before the next one takes memory
  const PictureStage& stage = light_stage(plan_);
  if (stage.needs_game && clumps_ == 0) return;
  light_ = stage.light({device_, plan_, far, unit_, clumps_});
}

void LightStage::set(const LogCurve& log_curve, double more) {
  plan_.log_curve = log_curve;
  unit_ = frame_.compiled.unit * more;
  histogram_.unit = float(unit_);
  if (light_) light_->set(unit_);
}

void LightStage::run(int pass, const PictureBuffers& buffers, const HearStage& hear) {
  if (buffers.hits.size() > 0) count_hits(pass, buffers);
  if (frame_.flame.depth_camera.projection == Projection::sphere) wrap_edges(buffers);
  if (pass > 0) set_pass(pass);
  light_->run(histogram_, plan_.log_curve, buffers.light.data(), pass > 0, hear);
}

void LightStage::take(const PictureBuffers& buffers, int place, double clumps,
                      CleanWindow& window) {
  if (buffers.hits.size() > 0) count_hits(0, buffers);
  if (frame_.flame.depth_camera.projection == Projection::sphere) wrap_edges(buffers);
  window.take(place, histogram_, unit_, clumps, plan_.log_curve);
}

void LightStage::run_of(const std::uint64_t* sums, Vec4* light) {
  Buckets others = histogram_;
  others.sums = sums;
  light_->run(others, plan_.log_curve, light, false, {});
}

void LightStage::wrap_edges(const PictureBuffers& buffers) {
  const BufferGeometry& buffer = plan_.geometry;
  WrapEdges wrap;
  wrap.sums = buffers.histogram.data();
  wrap.channels = histogram_.channels;
  wrap.width = buffer.width;
  wrap.height = buffer.height;
  wrap.top = frame_.compiled.program.top;
  wrap.gutter = buffer.gutter;
  wrap.picture_width = buffer.supersample * frame_.flame.width;
  wrap.picture_height = buffer.supersample * frame_.flame.height;
  wrap.to_the_poles = frame_.flame.width == 2 * frame_.flame.height;
  device_.launch(wrap, wrap.block_count());
}

void LightStage::count_hits(int pass, const PictureBuffers& buffers) {
  CountHits count;
  count.sums = histogram_.sums +
               std::int64_t(plan_.geometry.rows_above) * plan_.geometry.width * histogram_.channels;
  count.channels = histogram_.channels;
  count.buffer_width = plan_.geometry.width;
  count.gutter = plan_.geometry.gutter;
  count.supersample = plan_.geometry.supersample;
  count.a_hit = 255 / frame_.compiled.unit;
  count.hits = buffers.hits.data();
  count.width = plan_.width;
  count.height = plan_.height;
  count.accumulate = pass > 0;
  device_.launch(count, count.block_count());
}

}  // namespace kiln
