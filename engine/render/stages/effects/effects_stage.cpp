// SPDX-License-Identifier: MIT
#include "engine/render/stages/effects/effects_stage.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"
#include "engine/model/flame.h"
#include "engine/render/stages/effects/effects_wrap.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

/// The convolution's error is white over the padded frame, at most this times the root mean square
/// of what is spread (tests/kernels/effects_test.cpp holds it to half of that).
constexpr double leakage = 2e-6;

constexpr std::size_t blocks_for(std::size_t pixels) {
  return (pixels + effect_pixels - 1) / effect_pixels;
}

LightSums total(const std::vector<LightSums>& parts) {
  LightSums sum;
  for (const LightSums& part : parts) {
    sum.light += part.light;
    sum.scattered += part.scattered;
    sum.square += part.square;
    sum.landed += part.landed;
  }
  return sum;
}

/// The frame of bloom and glare: the filtered picture, or with earlyclip the buffer before it.
EffectsFrame effects_frame(const Flame& flame, const OutputPlan& plan) {
  const auto has_negative = [](const std::vector<float>& taps) {
    return std::any_of(taps.begin(), taps.end(), [](float tap) { return tap < 0; });
  };
  const BufferGeometry& buffer = plan.geometry;
  const double percent_px = flame.height / 100.0;
  if (plan.earlyclip)
    return {buffer.width, buffer.height, percent_px * buffer.supersample, flame.pixel_aspect,
            false};
  return {plan.width, plan.height, percent_px, flame.pixel_aspect,
          has_negative(plan.filter.x) || has_negative(plan.filter.y)};
}

void spread_light(Device& device, const Developing& picture, std::unique_ptr<KeptByStage>& kept) {
  const EffectsPlan& plan = picture.plan.effects;
  const auto* stage = static_cast<const EffectsStage*>(kept.get());
  if (!stage || !stage->has_kernel_of(plan)) {
    kept.reset();  // before the next one takes memory
    kept = std::make_unique<EffectsStage>(device, plan);
    stage = static_cast<const EffectsStage*>(kept.get());
  }
  picture.statistics.light_lost = stage->run(plan, picture.light, picture.scratch).lost();
}

}  // namespace

EffectsStage::EffectsStage(Device& device, const EffectsPlan& plan)
    : device_(device),
      kernel_(plan.kernel),
      convolution_(make_convolution()),
      sums_(device, blocks_for(std::size_t(plan.kernel.width) * std::size_t(plan.kernel.height))) {}

Convolution EffectsStage::make_convolution() const {
  const EffectsKernel& kernel = kernel_;
  const DeviceArray<GaussianLobe> lobes(device_, kernel.lobes);
  const DeviceArray<float> spread(device_, kernel.spread);
  DeviceTaps taps;
  taps.padded_width = kernel.padded_width;
  taps.padded_height = kernel.padded_height;
  taps.symmetric = kernel.symmetric;
  taps.write = [&](Complex* to) {
    WriteTaps write;
    write.lobes = lobes.data();
    write.lobe_count = i32(kernel.lobes.size());
    write.spread = kernel.spread.empty() ? nullptr : spread.data();
    write.spread_width = kernel.spread_width;
    write.spread_height = kernel.spread_height;
    write.spread_x = kernel.spread_x;
    write.spread_y = kernel.spread_y;
    write.taps = to;
    write.width = kernel.padded_width;
    write.height = kernel.padded_height;
    write.reach_x = kernel.reach_x;
    write.reach_y = kernel.reach_y;
    device_.launch(write, write.block_count());
  };
  return Convolution(device_, kernel.width, kernel.height, taps);
}

EffectsReport EffectsStage::run(const EffectsPlan& plan, Vec4* light, Vec4* scratch) const {
  const EffectsKernel& kernel = kernel_;
  const i64 pixels = i64(kernel.width) * kernel.height;
  const bool all_of_it = plan.threshold <= 0 && !plan.may_be_negative;
  Vec4 *spread = scratch, *scattered = all_of_it ? light : scratch + pixels;

  const float threshold = 255 * plan.threshold;
  const MeasureLight measure{light, all_of_it ? nullptr : scattered, pixels, threshold,
                             sums_.data()};
  device_.launch(measure, measure.block_count());
  convolve(scattered, spread);
  const LightSums before = total(sums_.download());  // a GPU is busy with the convolution meanwhile

  const double padded = double(kernel.padded_width) * kernel.padded_height;
  const float floor = float(leakage * double(plan.strength) * std::sqrt(before.square / padded));
  const AddScattered add{spread, light, pixels, threshold, plan.strength, floor, sums_.data()};
  device_.launch(add, add.block_count());
  const LightSums after = total(sums_.download());

  const double scattered_light = double(plan.strength) * before.scattered;
  return {before.light, scattered_light, scattered_light - after.landed};
}

constinit const PictureStage stages::effects = {
    .name = "effects",
    .is_in = [](const OutputPlan& plan) { return plan.effects.active(); },
    .plan =
        [](const Flame& flame, const OutputSettings& settings, OutputPlan& plan) {
          plan.effects = plan_effects(flame.effects, settings.psf, effects_frame(flame, plan));
          if (flame.tile == 0 || !plan.effects.active()) return;
          if (plan.earlyclip)
            fail(ErrorKind::usage,
                 "--earlyclip spreads light before there is a picture that could repeat; leave "
                 "--tile, --earlyclip or the effects out");
          wrap_effects(plan.effects);
        },
    .bytes = [](const PlannedPicture& picture) -> StageBytes {
      return {picture.plan.effects.bytes()};
    },
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const EffectsKernel& kernel = work.plan.effects.kernel;
          const double padded = 2.0 * kernel.padded_width * kernel.padded_height;
          seconds[std::size_t(RenderStage::effects)] +=
              padded * exact::log(padded) / exact::log(2) * 0.6e-9;
        },
    .why_whole = [](const PlannedPicture& picture) -> const char* {
      if (!picture.plan.effects.active()) return nullptr;
      return "bloom, glare and --psf spread light over the whole picture, which cannot be made in "
             "stripes";
    },
    .pixels = spread_light,
    .step = RenderStage::effects,
    .clips_early = true,
    .hash = &StageHashes::filtered,
};

}  // namespace kiln
