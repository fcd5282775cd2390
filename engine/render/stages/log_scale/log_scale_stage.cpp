// SPDX-License-Identifier: MIT
#include "engine/render/stages/log_scale/log_scale_stage.h"

#include <cmath>

#include "engine/base/error.h"
#include "engine/device/device.h"
#include "engine/model/exact_math.h"
#include "engine/program/camera.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"

namespace kiln {

namespace {

/// JWildfire's logarithm is that of base 10, twice. A bucket's light counts for itself there, not as a share of
/// its pixel's (docs/inside/algorithm.md).
constexpr double jwildfires_strength = 512 / 2.302585092994046;

}  // namespace

LogCurve plan_log_curve(const Flame& flame, double temporal_weight) {
  const double zoom = exact::pow(2.0, flame.zoom);
  const double ppy = flame.scale * zoom, ppx = ppy / flame.pixel_aspect;
  const double area = double(flame.width) * flame.height / (ppx * ppy);
  const double sample_density = flame.quality * zoom * zoom;
  const double os = flame.supersample;
  // Fractorium shows a 1.05th of flam3's light, measured beside it (docs/reference/compatibility.md)
  const bool jwildfire = flame.dialect == Dialect::jwildfire;
  const double strength = jwildfire ? jwildfires_strength * flame.contrast * os
                          : flame.dialect == Dialect::fractorium ? 255
                                                                 : 268;
  const double k1 = flame.brightness * strength * 255 / 256 / flame.passes;
  const double usual_k2 =
      os * os * flame.passes / (area * 255 * sample_density * temporal_weight * thinning(flame));
  const double k2 = flame.logscale_k2 > 0 ? flame.logscale_k2
                    : jwildfire           ? usual_k2 / (flame.contrast * os)
                                          : usual_k2;
  KILN_CHECK(std::isfinite(k1) && std::isfinite(k2) && k2 > 0, "log scale k1 {}, k2 {}", k1, k2);
  return {float(k1), float(k2)};
}

namespace {

class Logarithm : public LightMaker {
 public:
  explicit Logarithm(Device& device) : device_(device) {}
  void run(const Buckets& histogram, const LogCurve& curve, Vec4* light, bool accumulate,
           const HearStage&) override {
    const LogScale scale{histogram, curve, light, accumulate};
    device_.launch(scale, scale.block_count());
  }

 private:
  Device& device_;
};

}  // namespace

constinit const PictureStage stages::log_scale = {
    .name = "log scale",
    .plan =
        [](const Flame& flame, const OutputSettings& settings, OutputPlan& plan) {
          plan.log_curve = plan_log_curve(flame, settings.temporal_weight);
        },
    .seconds =
        [](const StageWork& work, StageSeconds& seconds) {
          const double buckets = double(work.plan.geometry.width) * work.plan.geometry.height;
          seconds[std::size_t(RenderStage::select)] += buckets * 4e-9;
        },
    .light = [](const LightSource& source) -> std::unique_ptr<LightMaker> {
      return std::make_unique<Logarithm>(source.device);
    },
    .hash = &StageHashes::light,
};

}  // namespace kiln
