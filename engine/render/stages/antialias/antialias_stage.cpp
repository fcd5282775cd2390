// SPDX-License-Identifier: MIT
// JWildfire's antialiasing and the glow of its lone samples.
//
//   MovedLight   sums -> light [BH, BW]
#include "engine/device/device.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"
#include "kernels/moved_light.h"

namespace kiln {
namespace {

class MovedLightMaker : public LightMaker {
 public:
  MovedLightMaker(Device& device, const AntialiasPlan& plan)
      : device_(device), plan_(plan), shares_(device, plan.shares) {}
  void run(const Buckets& histogram, const LogCurve& curve, Vec4* light, bool accumulate,
           const HearStage&) override {
    const MovedLight moved{histogram,
                           curve,
                           shares_.data(),
                           plan_.radius,
                           float(plan_.glow * curve.k2),
                           float(plan_.samples),
                           light,
                           accumulate};
    device_.launch(moved, moved.block_count());
  }

 private:
  Device& device_;
  const AntialiasPlan plan_;
  const DeviceArray<float> shares_;
};

}  // namespace

constinit const PictureStage stages::antialias = {
    .name = "antialiasing",
    .is_wanted = is_antialiased,
    .is_in = [](const OutputPlan& plan) { return !plan.antialias.shares.empty(); },
    .plan = [](const Flame& flame, const OutputSettings&,
               OutputPlan& plan) { plan.antialias = plan_antialias(flame); },
    .gutter = [](const Flame& flame) { return taps_behind(flame) + antialias_radius(flame); },
    .reach = [](const OutputPlan& plan) { return plan.antialias.radius; },
    .bytes = [](const PlannedPicture& picture) -> StageBytes {
      return {picture.plan.antialias.shares.size() * sizeof(float)};
    },
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const double buckets = double(work.plan.geometry.width) * work.plan.geometry.height;
          seconds[std::size_t(RenderStage::gather)] +=
              buckets * (5e-9 + 2e-9 * double(work.plan.antialias.shares.size()));
        },
    .light = [](const LightSource& source) -> std::unique_ptr<LightMaker> {
      return std::make_unique<MovedLightMaker>(source.device, source.plan.antialias);
    },
    .leave_out = [](Flame& flame) { flame.antialias_amount = flame.low_density_brightness = 0; },
    .hash = &StageHashes::light,
};

}  // namespace kiln
