// SPDX-License-Identifier: MIT
#include "engine/render/light/light_stage.h"

#include "engine/render/stages/stages.h"

namespace kiln {

LightStage::LightStage(Device& device, const PreparedFrame& frame, const PictureBuffers& buffers,
                       double clumps)
    : device_(device),
      frame_(frame),
      clumps_(clumps),
      histogram_{buffers.histogram.data(), frame.plan.geometry.width, frame.plan.geometry.height,
                 frame.compiled.channels(), float(frame.compiled.unit)},
      unit_(frame.compiled.unit),
      plan_(frame.plan) {
  for (const PictureStage* stage : all_stages)
    if (stage->sums && (!stage->is_wanted || stage->is_wanted(frame.flame)))
      sums_.push_back(stage->sums(device, frame.picture(), frame.compiled.program.top));
  for (const auto& stage : sums_) stage->set(histogram_);
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
  for (const auto& stage : sums_) stage->run(buffers.histogram.data(), histogram_.channels);
  if (pass > 0) set_pass(pass);
  light_->run(histogram_, plan_.log_curve, buffers.light.data(), pass > 0, hear);
}

void LightStage::take(const PictureBuffers& buffers, int slot, double clumps, FrameWindow& window) {
  if (buffers.hits.size() > 0) count_hits(0, buffers);
  for (const auto& stage : sums_) stage->run(buffers.histogram.data(), histogram_.channels);
  window.take(slot, histogram_, unit_, clumps, plan_.log_curve);
}

void LightStage::run_of(const std::uint64_t* sums, Vec4* light) {
  Buckets others = histogram_;
  others.sums = sums;
  light_->run(others, plan_.log_curve, light, false, {});
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
