// SPDX-License-Identifier: MIT
// The first half of a render: from a compiled flame to the integer histogram.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/device/device.h"
#include "engine/program/compiled_flame.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/plan/loaded_flame.h"

namespace kiln {

/// Plays the chaos game of one pass of one frame on a device; its memory is allocated once, for as
/// many passes as wanted.
class Accumulator : public Player {
 public:
  Accumulator(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes);
  /// Uses the permutations of make_permutations() in the device's memory, which outlive this.
  /// `unit_most`: fewer samples a unit than usual, for a quick look at a still that shares its few
  /// samples out among many units; another picture within noise.
  Accumulator(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes,
              const std::uint16_t* permutations,
              std::uint32_t unit_most = std::uint32_t(unit_samples));
  ~Accumulator() override;
  Accumulator(const Accumulator&) = delete;
  Accumulator& operator=(const Accumulator&) = delete;

  static std::uint64_t unit_count(std::uint64_t samples) {
    return (samples + unit_samples - 1) / unit_samples;
  }

  /// Bytes beside the frame.
  std::uint64_t memory_bytes() const { return plan_.memory_bytes; }

  /// The frame's number in its animation: other samples of the same flame.
  void number(std::uint32_t number) { number_ = number; }

  /// The pass that units are played of from now on. `flam3_fuse`: 0 for the settled measure, else
  /// each chain of 10 000 points begins anew and hides so many steps, in expectation. `stride`: 2
  /// where the units of a launch are all even or all odd, as sums in halves need them.
  void begin(std::uint64_t seed, int pass, std::uint32_t flam3_fuse, std::uint32_t stride = 1);
  /// The units of the pass that began; only the last one may be partial.
  std::uint64_t units() const { return units_; }
  std::uint64_t whole_units() const { return samples_ / unit_most_; }
  int units_of_a_launch() const { return plan_.units; }
  std::uint32_t stride() const { return game_.unit_stride; }
  /// Pools that go on from unit to unit, 0 where every unit has its own.
  std::uint64_t chains() const { return chains_; }
  /// A launch; of sums in halves one of the even units and then as many as it takes of the odd ones.
  std::uint64_t play(const UnitRange& range, Accumulation& sums, const Ask& ask) override;
  /// A launch alone: units from the first of `range` on, each a stride behind the last, are added to
  /// the frame, [height][width][channels], and their counts to `totals`. Returns how many they were.
  /// `ask` is called while pools settle.
  std::uint64_t launch(const UnitRange& range, std::uint64_t* frame, GameTotals& totals,
                       const std::function<void()>& ask);
  bool is_amid_launch() const override;
  /// All samples of a pass, added to the frame: for whom no picture is wanted.
  GameTotals play_pass(DeviceArray<std::uint64_t>& frame, std::uint64_t seed, int pass = 0,
                       std::uint32_t flam3_fuse = 0);

  /// A pool that goes on, as bytes for a state file (chaos_game.cpp).
  std::size_t pool_bytes() const;
  std::vector<char> pool(std::uint64_t chain) const;
  /// Throws Error (input) for a pool that no game can have come to.
  void restore_pool(std::uint64_t chain, const std::vector<char>& bytes);

 private:
  PoolState pools_from(std::size_t pool) const;
  /// The place of a chain's pool: the pools of a launch lie one behind the other.
  std::size_t place_of(std::uint64_t chain) const;
  /// Makes pools and runs their hidden steps; `ask` is called now and then and may throw.
  void burn_in(ChaosGame game, std::size_t pools, const std::function<void()>& ask);
  std::uint64_t units_of(std::uint64_t samples) const {
    return (samples + unit_most_ - 1) / unit_most_;
  }
  /// Pools of units that are complete begin another unit.
  void reset_pools(const ChaosGame& game, std::size_t pools);

  Device& device_;
  const CompiledFlame& flame_;
  const std::uint32_t unit_most_;
  LoadedFlame loaded_;
  GamePlan plan_;
  DeviceArray<std::uint16_t> own_permutations_;
  const std::uint16_t* permutations_;
  DeviceArray<Point> points_;
  DeviceArray<std::uint32_t> random0_, random1_, step_, recorded_;
  DeviceArray<std::uint64_t> bad_;
  DeviceArray<TimeWalk> walk_;  // of a flame in motion
  DeviceArray<float> more_;     // Program::more_numbers() of each point
  std::uint32_t number_ = 0;

  // of the pass that began
  ChaosGame game_{};
  AccumulateTiles sums_{};
  std::uint64_t samples_ = 0, units_ = 0, chains_ = 0;
  std::size_t launching_ = 0;  // pools of the launch under way
};

}  // namespace kiln
