// SPDX-License-Identifier: MIT
#include "engine/render/stages/tone/tone_stage.h"

#include <algorithm>

#include "engine/api/kiln/render_options.h"
#include "engine/device/device.h"
#include "engine/model/exact_math.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"

namespace kiln {

namespace {

/// JWildfire's colors are a share of flam3's, and cover the background by a share of their own.
void use_jwildfires_light(const Flame& flame, double exponent, ToneCurve& tone) {
  const double share = 200.0 * 255 / 256 / flame.white_level;
  tone.vibrancy = float(256 * flame.vibrancy * share);
  tone.plain = float(256 * (1 - flame.vibrancy) * exact::pow(share, exponent));
  tone.cover = float(1 - exact::atan2(3 * (flame.fg_opacity - 1), 1.0) / 1.25);
}

void map_tone(Device& device, const Developing& picture, std::unique_ptr<KeptByStage>&) {
  const OutputPlan& plan = picture.plan;
  const std::int64_t count = plan.earlyclip ? std::int64_t(plan.geometry.width) * plan.light_rows()
                                            : std::int64_t(plan.width) * plan.height;
  const ToneMap kernel{picture.light, picture.light, count, picture.tone};
  device.launch(kernel, kernel.block_count());
}

}  // namespace

ToneCurve plan_tone(const Flame& flame, bool transparent) {
  constexpr double largest_exponent =
      1e6;  // gamma 0 would be infinite; this draws the same picture without 0 * infinity
  const double exponent = flame.gamma == 0
                              ? largest_exponent
                              : std::clamp(1 / flame.gamma, -largest_exponent, largest_exponent);
  const double threshold = flame.gamma_threshold;
  ToneCurve tone;
  tone.exponent = float(exponent);
  tone.threshold = float(threshold);
  if (threshold > 0) {
    tone.inverse_threshold = float(1 / threshold);
    tone.low_slope = float(std::min(exact::pow(threshold, exponent - 1), 1e30));
  }
  tone.vibrancy = float(256 * flame.vibrancy);
  tone.plain = float(256 * (1 - flame.vibrancy));
  tone.highlight_power = float(flame.highlight_power);
  if (flame.dialect == Dialect::jwildfire) use_jwildfires_light(flame, exponent, tone);
  if (flame.background_type == BackgroundType::single_color)
    tone.background = {float(256 * flame.background[0]), float(256 * flame.background[1]),
                       float(256 * flame.background[2]), 0};
  tone.transparent = transparent ? 1 : 0;
  return tone;
}

Saturation plan_saturation(const Flame& flame) {
  return {float(std::max(flame.saturation, 0.0) - 1)};
}

constinit const PictureStage stages::tone = {
    .name = "tone curve",
    .plan =
        [](const Flame& flame, const OutputSettings& settings, OutputPlan& plan) {
          plan.tone = plan_tone(flame, settings.transparent);
          plan.saturation = plan_saturation(flame);
        },
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const double pixels = double(work.plan.width) * work.plan.height;
          seconds[std::size_t(RenderStage::tone)] += pixels * 6e-9;
        },
    .excludes = [](const RenderOptions& options) -> const char* {
      if (!options.linear || !options.earlyclip) return nullptr;
      return "with earlyclip there is no linear picture: colors are clipped before the filter; "
             "leave --earlyclip out";
    },
    .pixels = map_tone,
    .clips_early = true,
};

}  // namespace kiln
