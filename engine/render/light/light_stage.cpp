#include "engine/render/light/light_stage.h"

namespace kiln {

LightStage::LightStage(Device& device, const PreparedFrame& frame, const PictureBuffers& buffers,
                       bool exact_density, double clumps)
    : device_(device),
      frame_(frame),
      exact_density_(exact_density),
      histogram_{buffers.histogram.data(), frame.plan.geometry.width, frame.plan.geometry.height,
                 frame.compiled.table.opaque ? 4 : 5, float(frame.compiled.unit)},
      unit_(frame.compiled.unit),
      plan_(frame.plan) {
  set_pass(0);
  if (plan_.clean > 0) clean_.emplace(device_, plan_, frame_.compiled.unit, clumps);
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
  if (!plan_.density.active()) return;
  if (plan_.has_bands)
    density_of(plan_.largest_band());
  else
    density_.emplace(device_, plan_, unit_, far);
}

/// Bands of a height have one estimator, one after the other.
DensityStage& LightStage::density_of(const Stripe& band) {
  if (!plan_.has_bands) return *density_;
  if (!density_ || band_plan_.geometry.height != band.height) {
    density_.reset();  // before the next one takes memory
    band_plan_ = plan_of(plan_, band);
    density_.emplace(device_, band_plan_, unit_, plan_far(band_plan_, unit_, exact_density_));
  }
  return *density_;
}

FarWork LightStage::far_work() const {
  FarWork work = density_ ? density_->far_work() : FarWork{};
  work.cells *= double(plan_.bands.size());
  return work;
}

void LightStage::set(const LogCurve& log_curve, double more) {
  plan_.log_curve = log_curve;
  band_plan_.log_curve = log_curve;
  unit_ = frame_.compiled.unit * more;
  histogram_.unit = float(unit_);
  if (density_) density_->set(unit_, exact_density_);
}

void LightStage::run(int pass, const PictureBuffers& buffers, const HearStage& hear) {
  if (buffers.hits.size() > 0) count_hits(pass, buffers);
  if (pass > 0) set_pass(pass);
  make(histogram_, buffers.light.data(), pass > 0, hear);
}

void LightStage::run_of(const std::uint64_t* sums, Vec4* light) {
  Buckets others = histogram_;
  others.sums = sums;
  make(others, light, false, {});
}

void LightStage::make(const Buckets& histogram, Vec4* light, bool accumulate,
                      const HearStage& hear) {
  if (clean_) {
    if (hear) hear(RenderStage::gather, 0);
    clean_->run(histogram, plan_.log_curve, light, accumulate);
    return;
  }
  if (density_) {
    const double part = 1 / double(plan_.bands.size());
    double before = 0;  // share of the bands
    for (const Stripe& band : plan_.bands) {
      Buckets rows = histogram;
      rows.sums += std::int64_t(band.top) * histogram.width * histogram.channels;
      rows.height = band.height;
      const bool is_last = &band == &plan_.bands.back();
      density_of(band).run(rows, light, accumulate, [&](RenderStage stage, double done) {
        if (hear && (is_last || stage == RenderStage::far)) hear(stage, before + part * done);
      });
      light += std::int64_t(band.height) * histogram.width;
      before += part;
    }
    return;
  }
  const LogScale scale{histogram, plan_.log_curve, light, accumulate};
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
