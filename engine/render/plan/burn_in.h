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
  const DeviceArray<std::uint16_t> permutations_;
  DeviceArray<Point> points_;
  DeviceArray<std::uint32_t> random0_, random1_, step_, recorded_;
  DeviceArray<std::uint64_t> bad_;
  DeviceArray<float> depths_;
  int begun_ = 0;                                      // pools
  std::uint32_t behind_ = 0;                           // steps of the pool that has the fewest
  std::map<std::uint32_t, std::vector<Point>> alone_;  // the first pool's points by steps
};

/// Steps after which nothing of a point's start shows any more: `warm_up_steps` for most flames, at
/// most `most_burn_in_steps`. Measured by pools of the flame; the same on every machine and
/// device. Of a flame in motion the longest of its first, middle and last time sample. `device`: one that
/// plays permutations and has no game now; null: one thread of this machine's CPU. `memory`: what
/// is known already; null: nothing.
std::uint32_t burn_in_steps(const CompiledFlame& flame, Device* device = nullptr,
                            BurnInMemory* memory = nullptr);

/// Finds the burn-in and says how the flame is played by it: a pool that takes long to settle
/// goes on from unit to unit, and rare xforms get single slots.
void plan_burn_in(CompiledFlame& flame, Device* device = nullptr, BurnInMemory* memory = nullptr);

}  // namespace kiln
