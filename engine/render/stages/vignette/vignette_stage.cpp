// SPDX-License-Identifier: MIT
// Dims the corners of the filtered picture, in place (kernels/vignette.h): DimCorners, once.
#include <algorithm>

#include "engine/device/device.h"
#include "engine/model/flame.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

VignetteFall plan_vignette(const Flame& flame, int width, int height) {
  return {float(flame.vignette),
          float((width - 1) / 2.0),
          float((height - 1) / 2.0),
          float(2.0 / std::max(width - 1, 1)),
          float(2.0 / std::max(height - 1, 1)),
          0};
}

void dim_corners(Device& device, const Developing& picture, std::unique_ptr<KeptByStage>&) {
  const OutputPlan& plan = picture.plan;
  VignetteFall fall = plan.vignette;
  fall.first_row = plan.first_row;
  const DimCorners kernel{picture.light, plan.width, plan.height, fall};
  device.launch(kernel, kernel.block_count());
}

}  // namespace

constinit const PictureStage stages::vignette = {
    .name = "vignette",
    .is_in = [](const OutputPlan& plan) { return plan.vignette.strength != 0; },
    .plan = [](const Flame& flame, const OutputSettings&,
               OutputPlan& plan) { plan.vignette = plan_vignette(flame, plan.width, plan.height); },
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const double pixels = double(work.plan.width) * work.plan.height;
          seconds[std::size_t(RenderStage::effects)] += pixels * 4e-9;
        },
    .pixels = dim_corners,
    .step = RenderStage::effects,
};

}  // namespace kiln
