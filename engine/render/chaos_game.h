// The first half of a render: from a compiled flame to the integer histogram.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/device/device.h"
#include "engine/program/compile.h"

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
  GameRunner(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes,
             const std::uint16_t* permutations);
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
  /// samples done, and may throw.
  GameTotals play(std::uint64_t* frame, std::uint64_t seed, int pass, bool flam3_transients,
                  const std::function<void(std::uint64_t)>& on_progress);

 private:
  Device& device_;
  const CompiledFlame& flame_;
  LoadedFlame loaded_;
  GamePlan plan_;
  DeviceArray<std::uint16_t> own_permutations_;
  const std::uint16_t* permutations_;
  DeviceArray<Point> points_;
  DeviceArray<std::uint32_t> random0_, random1_, step_, recorded_;
  DeviceArray<std::uint64_t> bad_;
  DeviceArray<MomentWalk> walk_;  // of a flame in motion
  std::uint32_t number_ = 0;
};

}  // namespace kiln
