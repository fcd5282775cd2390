// SPDX-License-Identifier: MIT
#include "engine/render/stages/background/background_stage.h"

#include <algorithm>
#include <array>

#include "engine/device/device.h"
#include "engine/model/flame.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

using Color = std::array<double, 3>;

Vec4 mean(const Color& a, const Color& b) {
  return {float(128 * (a[0] + b[0])), float(128 * (a[1] + b[1])), float(128 * (a[2] + b[2])), 0};
}

void add_background(Device& device, const Developing& picture, std::unique_ptr<KeptByStage>&) {
  const OutputPlan& plan = picture.plan;
  if (picture.tone.transparent) return;
  BackgroundGradient gradient = *plan.background;
  gradient.first_row = plan.first_row;
  const AddBackground kernel{picture.light, plan.width, plan.height, gradient};
  device.launch(kernel, kernel.block_count());
}

}  // namespace

// GRADIENT_2X2 ends with the last pixel. The quarters of GRADIENT_2X2_C are as wide as half of the picture's
// whole number, less one: the last pixel is a little beyond the second. JWildfire divides by 0 below 4 pixels.
std::optional<BackgroundGradient> plan_gradient(const Flame& flame, int width, int height) {
  if (flame.background_type == BackgroundType::single_color) return std::nullopt;
  const Color &ul = flame.background_ul, &ur = flame.background_ur, &ll = flame.background_ll,
              &lr = flame.background_lr, &cc = flame.background_cc;
  if (flame.background_type == BackgroundType::gradient_2x2_c)
    return BackgroundGradient{{mean(ul, ul), mean(ul, ur), mean(ur, ur), mean(ul, ll), mean(cc, cc),
                               mean(ur, lr), mean(ll, ll), mean(ll, lr), mean(lr, lr)},
                              float(std::max(1, width / 2 - 1)),
                              float(std::max(1, height / 2 - 1))};
  return BackgroundGradient{{mean(ul, ul), mean(ur, ur), mean(ur, ur), mean(ll, ll), mean(lr, lr),
                             mean(lr, lr), mean(ll, ll), mean(lr, lr), mean(lr, lr)},
                            float(std::max(1, width - 1)),
                            float(std::max(1, height - 1))};
}

constinit const PictureStage stages::background = {
    .name = "background",
    .is_in = [](const OutputPlan& plan) { return plan.background.has_value(); },
    .plan =
        [](const Flame& flame, const OutputSettings&, OutputPlan& plan) {
          plan.background = plan_gradient(flame, plan.width, plan.height);
        },
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const double pixels = double(work.plan.width) * work.plan.height;
          seconds[std::size_t(RenderStage::tone)] += pixels * 8e-9;
        },
    .pixels = add_background,
};

}  // namespace kiln
