// SPDX-License-Identifier: MIT
// Bloom, glare and a point spread function become one kernel of the convolution, in pixels of the
// picture at hand (docs/inside/lens.md has the formulas).
//
// The padding is a function of the picture alone: as wide as the picture itself, so that every tap
// between two of its pixels is there and nothing wraps around, whatever the radius. What the kernel
// has beyond that falls outside of the frame anyway. Every lobe is normalized over the infinite
// grid of pixels, so light is lost only over the edges, and that is measured.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/model/effects.h"
#include "kernels/effects.h"

namespace kiln {

/// The picture that the effects work on.
struct EffectsFrame {
  int width = 0, height = 0;     // pixels
  double percent_px = 0;         // pixels of 1 % of the picture's height
  double pixel_aspect = 1;       // width / height of a pixel
  bool may_be_negative = false;  // a filter with negative lobes was here
};

/// A kernel for the device.
struct EffectsKernel {
  std::vector<GaussianLobe> lobes;
  std::vector<float> spread;  // [spread_height, spread_width]; empty: none
  int spread_width = 0, spread_height = 0, spread_x = 0, spread_y = 0;
  bool symmetric = true;         // f(-x) = f(x): its spectrum is real
  int width = 0, height = 0;     // of the picture
  int reach_x = 0, reach_y = 0;  // taps beyond are cut off
  int padded_width = 0, padded_height = 0;

  bool operator==(const EffectsKernel&) const = default;
};

struct EffectsPlan {
  float strength = 0;  // of all effects together; 0: nothing to do
  float threshold = 0;
  bool may_be_negative = false;
  EffectsKernel kernel;

  bool active() const { return strength > 0; }
  /// Device memory beside the picture and two more of its size.
  std::uint64_t bytes() const;
};

/// Throws Error (usage) where the strengths exceed 1 or the picture is too large.
EffectsPlan plan_effects(const Effects& effects, const PointSpread* spread,
                         const EffectsFrame& frame);

/// The taps of a spread with its picture's size: [height, width] around (center_x, center_y),
/// sum 1.
struct ResampledSpread {
  int width = 0, height = 0, center_x = 0, center_y = 0;
  std::vector<double> values;
};
ResampledSpread resampled(const PointSpread& spread, const EffectsFrame& frame);

}  // namespace kiln
