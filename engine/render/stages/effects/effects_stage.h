// SPDX-License-Identifier: MIT
// Bloom, glare and point spread functions on a device: one kernel, one fused convolution
// (engine/fft/transform.h) between two passes over the picture (kernels/effects.h).
#pragma once

#include "engine/fft/transform.h"
#include "engine/render/stages/effects/effects_plan.h"
#include "engine/render/stages/stage.h"

namespace kiln {

/// Light before the effects and its losses, as sums of r + g + b.
struct EffectsReport {
  double light = 0;       // of the picture before
  double scattered = 0;   // what the lens spread
  double left_frame = 0;  // what of it fell outside of the picture

  /// Share of the light that is gone, 0..1.
  double lost() const { return light > 0 ? left_frame / light : 0; }
};

/// The spectrum of one kernel, for any number of pictures: it takes longer than one of them.
class EffectsStage : public KeptByStage {
 public:
  EffectsStage(Device& device, const EffectsPlan& plan);
  /// Whether it serves this plan too, whose threshold may be another.
  bool has_kernel_of(const EffectsPlan& plan) const { return kernel_ == plan.kernel; }

  /// `light`: [height, width] linear light, in place. `scratch`: room for two such pictures. The
  /// plan's kernel is this stage's.
  EffectsReport run(const EffectsPlan& plan, Vec4* light, Vec4* scratch) const;
  /// Makes the convolution alone.
  void convolve(const Vec4* scattered, Vec4* spread) const {
    convolution_.run({scattered}, spread);
  }

 private:
  Convolution make_convolution() const;

  Device& device_;
  EffectsKernel kernel_;
  Convolution convolution_;
  DeviceArray<LightSums> sums_;
};

}  // namespace kiln
