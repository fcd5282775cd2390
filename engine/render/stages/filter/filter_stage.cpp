// SPDX-License-Identifier: MIT
#include "engine/render/stages/filter/filter_stage.h"

#include "engine/device/device.h"
#include "engine/render/stages/stages.h"

namespace kiln {

SpatialFilter filter_rows(const OutputPlan& plan, const Vec4* density, const float* taps_x,
                          Vec4* rows) {
  const BufferGeometry& g = plan.geometry;
  SpatialFilter pass;
  pass.source = density + std::int64_t(g.filter_offset + g.rows_above) * g.width + g.filter_offset;
  pass.x_step = g.supersample;
  pass.y_step = g.width;
  pass.tap_step = 1;
  pass.taps = taps_x;
  pass.tap_count = plan.filter.size;
  pass.result = rows;
  pass.width = plan.width;
  pass.height = plan.filter_rows();
  return pass;
}

SpatialFilter filter_columns(const OutputPlan& plan, const Vec4* rows, const float* taps_y,
                             Vec4* picture) {
  SpatialFilter pass;
  pass.source = rows;
  pass.x_step = 1;
  pass.y_step = std::int64_t(plan.geometry.supersample) * plan.width;
  pass.tap_step = plan.width;
  pass.taps = taps_y;
  pass.tap_count = plan.filter.size;
  pass.result = picture;
  pass.width = plan.width;
  pass.height = plan.height;
  return pass;
}

TableFilter filter_table(const OutputPlan& plan, const Vec4* light, const float* table,
                         Vec4* picture) {
  const BufferGeometry& g = plan.geometry;
  TableFilter pass;
  pass.source = light + std::int64_t(g.filter_offset + g.rows_above) * g.width + g.filter_offset;
  pass.x_step = g.supersample;
  pass.y_step = std::int64_t(g.supersample) * g.width;
  pass.row_step = g.width;
  pass.size = plan.filter.size;
  pass.colors = table;
  pass.opacity = table + plan.filter.size * plan.filter.size;
  pass.result = picture;
  pass.width = plan.width;
  pass.height = plan.height;
  return pass;
}

namespace {

/// Filters each band's light [height, BW] -> scratch [rows, W] -> light [rows, W].
void run_table(Device& device, const Developing& picture) {
  const OutputPlan& plan = picture.plan;
  const DeviceArray<float> table(device, plan.filter.table), one(device, std::vector<float>{1.0f});
  Vec4 *light = picture.light, *filtered = picture.light;
  for (const Stripe& band : plan.bands) {
    TableFilter filter = filter_table(plan, light, table.data(), picture.scratch);
    filter.source +=
        std::int64_t(plan.geometry.supersample * band.first_row - band.top) * plan.geometry.width;
    filter.height = band.rows;
    device.launch(filter, filter.block_count());
    SpatialFilter back;
    back.source = picture.scratch;
    back.y_step = plan.width;
    back.taps = one.data();
    back.tap_count = 1;
    back.result = filtered;
    back.width = plan.width;
    back.height = band.rows;
    device.launch(back, back.block_count());
    light += std::int64_t(band.height) * plan.geometry.width;
    filtered += std::int64_t(band.rows) * plan.width;
  }
}

/// Filters each band's light [height, BW] -> rows [filter_rows(), W] -> light [rows, W], which
/// never reaches the light of the next band.
void run_filter(Device& device, const Developing& picture, std::unique_ptr<KeptByStage>&) {
  const OutputPlan& plan = picture.plan;
  if (!plan.filter.table.empty()) return run_table(device, picture);
  const DeviceArray<float> taps_x(device, plan.filter.x), taps_y(device, plan.filter.y);
  Vec4 *light = picture.light, *rows = picture.scratch, *filtered = picture.light;
  for (const Stripe& band : plan.bands) {
    const int os = plan.geometry.supersample;
    SpatialFilter across = filter_rows(plan, light, taps_x.data(), rows);
    across.source += std::int64_t(os * band.first_row - band.top) * plan.geometry.width;
    across.height = (band.rows - 1) * os + plan.filter.size;
    device.launch(across, across.block_count());
    SpatialFilter down = filter_columns(plan, rows, taps_y.data(), filtered);
    down.height = band.rows;
    device.launch(down, down.block_count());
    light += std::int64_t(band.height) * plan.geometry.width;
    filtered += std::int64_t(band.rows) * plan.width;
  }
}

}  // namespace

constinit const PictureStage stages::filter = {
    .name = "filter",
    .plan = [](const Flame& flame, const OutputSettings&,
               OutputPlan& plan) { plan.filter = plan_filter(flame); },
    .gutter = taps_behind,
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const OutputPlan& plan = work.plan;
          if (!plan.filter.table.empty()) {
            seconds[std::size_t(RenderStage::filter)] +=
                double(plan.width) * plan.height * plan.filter.size * plan.filter.size * 1e-9;
            return;
          }
          const double rows = plan.filter_rows() + double(plan.height);
          seconds[std::size_t(RenderStage::filter)] +=
              plan.width * rows * (2 + plan.filter.size) * 0.5e-9;
        },
    .pixels = run_filter,
    .step = RenderStage::filter,
};

}  // namespace kiln
