// SPDX-License-Identifier: MIT
// How long the points of a flame need to forget where they began.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "engine/device/device.h"
#include "engine/program/compiled_flame.h"
#include "engine/render/plan/burn_in_memory.h"
#include "engine/render/plan/loaded_flame.h"

namespace kiln {

// A few pools of a flame at one of its time samples, from a seed of their own, for whoever wants to see
// where their points go. They are the same on every device that plays permutations.

class Pilot {
 public:
  static constexpr int most_pools = 4;

  /// The device has no other game meanwhile.
  Pilot(Device& device, const CompiledFlame& flame, std::size_t time_sample);
  ~Pilot();
  Pilot(const Pilot&) = delete;
  Pilot& operator=(const Pilot&) = delete;

  /// The points of the first `pools` pools after `step` steps, which only grow. But where the first
  /// pool has gone alone, the others may follow, and stop where it did.
  std::vector<Point> at(std::uint32_t step, int pools);

 private:
  void warm_up(int first, int end, std::uint32_t step, bool goes_on);

  Device& device_;
  const CompiledFlame flame_;  // at that time sample alone
  const LoadedFlame loaded_;
  const DeviceArray<std::uint16_t>
      permutations_;  // none on the CPU, which reads those of the program
  DeviceArray<Point> points_;
  DeviceArray<std::uint32_t> random0_, random1_, step_, recorded_;
  DeviceArray<std::uint64_t> bad_;
  DeviceArray<float> more_;
  int begun_ = 0;                                      // pools
  std::uint32_t behind_ = 0;                           // steps of the pool that has the fewest
  std::map<std::uint32_t, std::vector<Point>> alone_;  // the first pool's points by steps
};

/// Steps after which nothing of a point's start shows any more: `warm_up_steps` for most flames, at
/// most `most_burn_in_steps`. Measured by pools of the flame; the same on every machine and device.
/// A flame in motion takes the most of its first, middle and last time sample. `device`: one that
/// plays permutations and has no game now; null: one thread of this machine's CPU. `memory`: what
/// is known already; null: nothing.
std::uint32_t burn_in_steps(const CompiledFlame& flame, Device* device = nullptr,
                            BurnInMemory* memory = nullptr);

/// Finds the burn-in and says how the flame is played by it: a pool that takes long to settle
/// goes on from unit to unit, and rare xforms get single slots.
void plan_burn_in(CompiledFlame& flame, Device* device = nullptr, BurnInMemory* memory = nullptr);

// What is left of a memory long after one has stopped looking. Points are watched for some hundred steps;
// what they remember is a sum of parts that fade by a constant factor from step to step each, and the slow
// ones decide. So the parts are told apart, each is followed over a hundred steps by all pairs of looks, and
// the rest is multiplication: a part that 1 % of the points lose in a hundred steps is known to a few percent
// from 8192 points, as 80 of them have been seen to lose it (as implied time scales in molecular dynamics:
// Prinz et al., Markov models of molecular kinetics, 2011).

/// Points seen again and again: a class, or a color, of each.
template <class Value>
struct Watched {
  std::vector<std::uint32_t> steps;  // at no regular distances
  std::vector<std::vector<Value>> points;
};
using Classes = std::vector<std::uint16_t>;

/// A part of what is remembered: the square of a correlation.
struct Mode {
  double amount = 0;  // `lag` steps later
  double left = 0;    // share of it that is left after `steps` more
};

struct Fade {
  double lag = 0, steps = 0;
  std::vector<Mode> modes;

  bool lasts(const Mode& mode) const;
  /// Whether there are modes and none of them fades.
  bool all_last() const;
  /// Steps after which at most `enough` is left of all that fades; none above `most`.
  double steps_to(double enough, double most) const;
};

/// The fading of places or xforms, by canonical correlations.
Fade fade_of_classes(const Watched<std::uint16_t>& seen, std::size_t classes);
/// The fading of the share of points that stay in a class more often than chance keeps `surprise` there, squared.
Fade fade_of_staying(const Watched<std::uint16_t>& seen, std::size_t classes, double surprise);
/// The fading of numbers that are pulled from where they began: the regression's slope, squared.
Fade fade_of_colors(const Watched<float>& seen);

}  // namespace kiln
