#include "engine/render/light/light_stage.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "engine/model/exact_math.h"

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
                       bool exact_density, double clumps)
    : device_(device),
      frame_(frame),
      exact_density_(exact_density),
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
  if (plan_.clean > 0 && clumps > 0) clean_.emplace(device_, plan_, frame_.compiled.unit, clumps);
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
  if (frame_.flame.depth_camera.projection == Projection::sphere) wrap_edges(buffers);
  if (pass > 0) set_pass(pass);
  make(histogram_, buffers.light.data(), pass > 0, hear);
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
      if (rows.row_weights) rows.row_weights += band.top;
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
