// SPDX-License-Identifier: MIT
// Flames in motion for tests: a flame at evenly spaced time samples, and its histogram.
#pragma once

#include <functional>

#include "tests/kernels/game.h"

namespace kiln::test {

/// A flame at `count` time samples: `change(flame, t)` makes the one at t = (i + 0.5) / count.
struct Moving {
  Flame flame;  // at the frame's time, t = 0.5
  std::vector<Flame> at;
  std::vector<double> weights;

  Moving(const Flame& still, int count, const std::function<void(Flame&, double)>& change)
      : flame(still), weights(std::size_t(count), 1.0) {
    change(flame, 0.5);
    for (int i = 0; i < count; ++i) {
      at.push_back(still);
      change(at.back(), (i + 0.5) / count);
    }
  }
  TimeSamples time_samples() const {
    TimeSamples all;
    for (const Flame& time_sample : at) all.flames.push_back(&time_sample);
    all.weights = weights;
    return all;
  }
};

/// Compiled, with the burn-in that was found for it.
inline CompiledFlame planned(const Moving& moving) {
  const Flame& flame = moving.flame;
  CompiledFlame compiled =
      compile(flame, moving.time_samples(), PlotArea{1, 0, flame.width, flame.height});
  plan_burn_in(compiled);
  return compiled;
}

/// `samples` 0: as many as quality and zoom say.
inline Histogram play(Device& device, CompiledFlame compiled, std::uint64_t samples,
                      std::uint64_t seed = 0, bool flam3_transients = false, int pass = 0) {
  if (samples > 0) compiled.sample_count = samples;
  const int width = compiled.program.width, height = compiled.program.height;
  const int channels = compiled.table.opaque ? 4 : 5;
  DeviceArray<std::uint64_t> frame(
      device, std::size_t(width) * std::size_t(height) * std::size_t(channels));
  frame.clear();
  Histogram out{width, height, channels, compiled.unit, {}, {}};
  Accumulator game(device, compiled, 0);
  out.totals = game.play_pass(frame, seed, pass, flam3_transients ? flam3_warm_up_steps : 0);
  out.sums = frame.download();
  return out;
}
inline Histogram play(Device& device, const Moving& moving, std::uint64_t samples,
                      std::uint64_t seed = 0, bool flam3_transients = false, int pass = 0) {
  return play(device, planned(moving), samples, seed, flam3_transients, pass);
}

}  // namespace kiln::test
