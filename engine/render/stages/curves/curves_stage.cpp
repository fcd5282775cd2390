// SPDX-License-Identifier: MIT
#include "engine/render/stages/curves/curves_stage.h"

#include <algorithm>

#include "engine/device/device.h"
#include "engine/model/flame.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"
#include "kernels/curves.h"

namespace kiln {
namespace {

constexpr std::size_t steps = curve_steps;

float unit(float value) { return std::clamp(value, 0.0f, 1.0f); }

/// Adds the part's share of what its curves make of each value.
void add_part(const CurveShare& part, std::vector<double>& sums) {
  const ColorCurves& curves = part.curves;
  const std::vector<float> all = curve_table(curves.kind, curves.curves[0], curve_steps);
  for (std::size_t channel = 0; channel < 3; ++channel) {
    const std::vector<float> own =
        curve_table(curves.kind, curves.curves[channel + 1], curve_steps);
    for (std::size_t i = 0; i < steps; ++i) {
      const float through_all = unit(all[i]) * float(steps - 1);
      sums[channel * steps + i] += part.share * double(unit(own[std::size_t(through_all)]));
    }
  }
}

void apply_curves(Device& device, const Developing& picture, std::unique_ptr<KeptByStage>&) {
  const OutputPlan& plan = picture.plan;
  const DeviceArray<float> tables(device, plan.curves);
  const ApplyCurves kernel{picture.light, tables.data(), i64(plan.width) * plan.height};
  device.launch(kernel, kernel.block_count());
}

}  // namespace

std::vector<float> plan_curves(const CurveMix& mix) {
  if (mix.empty()) return {};
  std::vector<double> sums(3 * steps, 0.0);
  for (const CurveShare& part : mix) add_part(part, sums);
  std::vector<float> tables;
  tables.reserve(sums.size());
  for (const double sum : sums) tables.push_back(unit(float(sum)));
  return tables;
}

constinit const PictureStage stages::curves = {
    .name = "curves",
    .is_in = [](const OutputPlan& plan) { return !plan.curves.empty(); },
    .plan =
        [](const Flame& flame, const OutputSettings& settings, OutputPlan& plan) {
          if (settings.tables) plan.curves = plan_curves(flame.curves);
        },
    .bytes = [](const PlannedPicture& picture) -> StageBytes {
      return {picture.flame.curves.empty() ? 0 : 3 * curve_steps * sizeof(float)};
    },
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const double pixels = double(work.plan.width) * work.plan.height;
          seconds[std::size_t(RenderStage::tone)] += pixels * 4e-9;
        },
    .pixels = apply_curves,
};

}  // namespace kiln
