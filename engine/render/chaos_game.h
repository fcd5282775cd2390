// The first half of a render: from a compiled flame to the integer histogram.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/device/device.h"
#include "engine/model/unit_set.h"
#include "engine/program/compiled_flame.h"
#include "engine/render/loaded_flame.h"

namespace kiln {

struct GameTotals {
  std::uint64_t samples = 0;  // recorded
  std::uint64_t bad_values = 0;
};

/// Plays the chaos game of one pass of one frame on a device; its memory is allocated once, for as
/// many passes as wanted.
class GameRunner {
 public:
  GameRunner(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes);
  /// With the permutations of make_permutations() in the device's memory, which outlive this.
  /// `unit_most`: fewer samples a unit than usual, for a quick look at a still that shares its few
  /// samples out among many units; another picture within noise.
  GameRunner(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes,
             const std::uint16_t* permutations,
             std::uint32_t unit_most = std::uint32_t(unit_samples));
  ~GameRunner();
  GameRunner(const GameRunner&) = delete;
  GameRunner& operator=(const GameRunner&) = delete;

  static std::uint64_t unit_count(std::uint64_t samples) {
    return (samples + unit_samples - 1) / unit_samples;
  }

  /// Bytes beside the frame.
  std::uint64_t memory_bytes() const { return plan_.memory_bytes; }

  /// The frame's number in its animation: other samples of the same flame.
  void number(std::uint32_t number) { number_ = number; }

  /// Adds the samples of pass `pass` to frame [height][width][channels]. on_progress gets the
  /// samples done, and may throw. `flam3_fuse`: 0 for the settled measure, else each chain of
  /// 10 000 points begins anew and hides so many steps, in expectation.
  GameTotals play(std::uint64_t* frame, std::uint64_t seed, int pass, std::uint32_t flam3_fuse,
                  const std::function<void(std::uint64_t)>& on_progress);

  // The same in parts, for a game whose sums are kept between them. `stride`: 2 where the units of a
  // launch are all even or all odd.
  void begin(std::uint64_t seed, int pass, std::uint32_t flam3_fuse, std::uint32_t stride = 1);
  /// Of the pass that began; only the last unit may be cut.
  std::uint64_t units() const { return units_; }
  std::uint64_t whole_units() const { return samples_ / unit_most_; }
  int units_of_a_launch() const { return plan_.units; }
  /// Pools that go on from unit to unit, 0 where every unit has its own.
  std::uint64_t lineages() const { return lineages_; }
  /// Plays units from the first of `range` on, each a stride behind the last, as many as a launch
  /// takes, adds their samples to the frame and their counts to `totals`, and returns how many they
  /// were. `ask` is called while pools settle.
  std::uint64_t play_some(const UnitRange& range, std::uint64_t* frame, GameTotals& totals,
                          const std::function<void()>& ask);

  /// Whether a launch failed when its pools had moved and the frame had perhaps some of their
  /// samples: neither is then of use.
  bool is_amid_launch() const;

  /// A pool that goes on, as bytes for a state file (saved_pool.cpp).
  std::size_t pool_bytes() const;
  std::vector<char> pool(std::uint64_t lineage) const;
  /// Throws Error (input) for a pool that no game can have come to.
  void restore_pool(std::uint64_t lineage, const std::vector<char>& bytes);

 private:
  PoolState pools_from(std::size_t pool) const;
  /// Where the pool of a lineage lies: those of a launch one behind the other.
  std::size_t place_of(std::uint64_t lineage) const;
  /// Makes pools and runs their hidden steps; `ask` is called now and then and may throw.
  void settle(ChaosGame game, std::size_t pools, const std::function<void()>& ask);
  std::uint64_t units_of(std::uint64_t samples) const {
    return (samples + unit_most_ - 1) / unit_most_;
  }
  /// Pools of units that are complete begin another unit.
  void take_up(const ChaosGame& game, std::size_t pools);

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
  DeviceArray<MomentWalk> walk_;  // of a flame in motion
  DeviceArray<float> depths_;     // of a deep one
  std::uint32_t number_ = 0;

  // of the pass that began
  ChaosGame game_{};
  AccumulateTiles sums_{};
  std::uint64_t samples_ = 0, units_ = 0, lineages_ = 0;
  std::size_t launching_ = 0;  // pools of the launch under way
};

}  // namespace kiln
