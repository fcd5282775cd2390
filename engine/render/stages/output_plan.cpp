// SPDX-License-Identifier: MIT
#include "engine/render/stages/output_plan.h"

#include <algorithm>

#include "engine/base/error.h"
#include "engine/device/test_hooks.h"
#include "engine/render/stages/stages.h"

namespace kiln {

BufferGeometry plan_geometry(const Flame& flame, int gutter) {
  const int os = flame.supersample;
  KILN_CHECK(flame.width > 0 && flame.height > 0 && os > 0, "size {} x {}, supersample {}",
             flame.width, flame.height, os);
  BufferGeometry geometry;
  geometry.supersample = os;
  for (const PictureStage* stage : all_stages)
    if (stage->gutter) geometry.gutter = std::max(geometry.gutter, stage->gutter(flame));
  if (gutter >= 0 && geometry.gutter > gutter) {
    fail(
        ErrorKind::usage,
        "filter and density estimation reach {} buckets beyond the picture, and the sums end after "
        "{}; take a smaller filter or estimator_radius, or render the flame anew",
        geometry.gutter, gutter);
  }
  if (gutter >= 0) geometry.gutter = gutter;
  geometry.filter_offset = geometry.gutter - taps_before(flame);
  geometry.width = os * flame.width + 2 * geometry.gutter;
  geometry.height = os * flame.height + 2 * geometry.gutter;
  return geometry;
}

OutputPlan plan_output(const Flame& flame, const OutputSettings& settings) {
  KILN_CHECK(settings.bits == 8 || settings.bits == 16, "{} bits a channel", settings.bits);
  OutputPlan plan;
  plan.geometry = plan_geometry(flame, settings.gutter);
  plan.width = flame.width;
  plan.height = flame.height;
  plan.bits = settings.bits;
  plan.transparent = settings.transparent;
  plan.earlyclip = settings.earlyclip;
  for (const PictureStage* stage : all_stages)
    if (stage->plan) stage->plan(flame, settings, plan);
  plan.density_grid =
      density_grid(plan.density, plan.geometry.width, plan.geometry.height, plan.hidden_buckets());
  plan.bands = plan_bands(plan);
  plan.has_bands = plan.bands.size() > 1;
  return plan;
}

int OutputPlan::light_rows() const {
  int rows = 0;
  for (const Stripe& band : bands) rows += band.height;
  return rows;
}

const Stripe& OutputPlan::largest_band() const {
  return *std::max_element(bands.begin(), bands.end(),
                           [](const Stripe& a, const Stripe& b) { return a.height < b.height; });
}

int reach_above(const OutputPlan& plan) {
  const BufferGeometry& buffer = plan.geometry;
  int reach = 0;
  for (const PictureStage* stage : all_stages)
    if (stage->reach && is_in(*stage, plan)) reach = std::max(reach, stage->reach(plan));
  return reach - std::min(buffer.filter_offset, buffer.gutter);
}

Stripe stripe_of(const OutputPlan& plan, int first_row, int rows) {
  const BufferGeometry& buffer = plan.geometry;
  const int os = buffer.supersample, grain = density_tile;
  const int reach = reach_above(plan) + std::min(buffer.filter_offset, buffer.gutter);
  const int first = os * first_row - reach_above(plan);
  const int end = std::max(os * (first_row + rows - 1) + buffer.filter_offset + plan.filter.size,
                           os * (first_row + rows) + buffer.gutter) +
                  reach;
  Stripe stripe{first_row, rows, 0, 0};
  stripe.top = std::max(first, 0) / grain * grain;
  stripe.height = std::min(end, buffer.height) - stripe.top;
  return stripe;
}

std::vector<Stripe> plan_bands(const OutputPlan& plan) {
  constexpr int most_buckets = 2304;
  const int os = plan.geometry.supersample;
  const bool in_bands =
      std::any_of(std::begin(all_stages), std::end(all_stages), [&](const PictureStage* stage) {
        return stage->in_bands && is_in(*stage, plan) && stage->in_bands(plan);
      });
  const bool sees_all = plan.earlyclip && plan.effects.active();
  const int each =
      !in_bands || sees_all ? plan.height : std::max(1, band_buckets_at_most(most_buckets) / os);
  if (each >= plan.height) return {{0, plan.height, 0, plan.geometry.height}};
  std::vector<Stripe> bands;
  for (int row = 0; row < plan.height; row += each)
    bands.push_back(stripe_of(plan, row, std::min(each, plan.height - row)));
  return bands;
}

OutputPlan plan_of(const OutputPlan& whole, const Stripe& stripe) {
  OutputPlan plan = whole;
  plan.geometry.rows_above += whole.geometry.supersample * stripe.first_row - stripe.top;
  plan.geometry.height = stripe.height;
  plan.height = stripe.rows;
  plan.first_row += stripe.first_row;
  plan.density_grid =
      density_grid(plan.density, plan.geometry.width, stripe.height, plan.hidden_buckets());
  plan.bands = {{0, stripe.rows, 0, stripe.height}};
  return plan;
}

}  // namespace kiln
