#include "engine/render/light/light_stage.h"

namespace kiln {

LightStage::LightStage(Device& device, const PreparedFrame& frame, const PictureBuffers& buffers,
                       bool exact_density)
    : device_(device),
      frame_(frame),
      exact_density_(exact_density),
      histogram_{buffers.histogram.data(), frame.plan.geometry.width, frame.plan.geometry.height,
                 frame.compiled.table.opaque ? 4 : 5, float(frame.compiled.unit)},
      plan_(frame.plan) {
  set_pass(0);
}

/// The log scale and the estimator of a pass. All passes of a still are alike.
void LightStage::set_pass(int pass) {
  if (frame_.passes.empty()) {
    if (pass == 0) set_density(frame_.far);
    return;
  }
  const PreparedFrame::Pass& own = frame_.passes[std::size_t(pass)];
  plan_.log_curve = own.log_curve;
  plan_.density = own.density;
  plan_.density_grid = own.density_grid;
  set_density(own.far);
}

void LightStage::set_density(const FarPlan& far) {
  density_.reset();
  if (plan_.density.active()) density_.emplace(device_, plan_, frame_.compiled.unit * more_, far);
}

void LightStage::set(const LogCurve& log_curve, double more) {
  plan_.log_curve = log_curve;
  histogram_.unit = float(frame_.compiled.unit * more);
  if (more == more_) return;
  more_ = more;
  set_density(plan_far(plan_, frame_.compiled.unit * more_, exact_density_));
}

void LightStage::run(int pass, const PictureBuffers& buffers, const HearStage& hear) {
  const bool accumulate = pass > 0;
  if (buffers.hits.size() > 0) count_hits(pass, buffers);
  if (pass > 0) set_pass(pass);
  if (density_) {
    density_->run(histogram_, buffers.light.data(), accumulate, hear);
    return;
  }
  const LogScale scale{histogram_, plan_.log_curve, buffers.light.data(), accumulate};
  device_.launch(scale, scale.block_count());
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
