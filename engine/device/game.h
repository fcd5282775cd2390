// SPDX-License-Identifier: MIT
// The chaos game on a device (kernels/iterate_batch.h): how many units a launch takes, where records
// wait between the game and their sums, which kernels play. A device has one game at a time
// (Device::choose_game): cpu/game.cpp, cuda/game.cpp.
#pragma once

#include <cstdint>

#include "kernels/accumulate.h"
#include "kernels/iterate_batch.h"

namespace kiln {

struct CompiledFlame;

/// The units of the chaos game that a launch takes, and their cost in memory.
struct GamePlan {
  int units = 1;  // units in flight
  std::uint64_t memory_bytes =
      0;  // records, pools and everything else the game needs beside the frame
  std::uint64_t record_bytes = 0;  // on the CPU: what of it the records take at most
  std::uint64_t record_room = 0;   // and those that wait at a time
};

class DeviceGame {
 public:
  virtual ~DeviceGame() = default;
  /// Whether it can sort the points of a flame by its tiles.
  virtual bool can_sort([[maybe_unused]] const CompiledFlame& flame) const { return true; }
  /// Throws Error (device) for a flame that it cannot play.
  virtual GamePlan plan(const CompiledFlame& flame, std::uint64_t unit_count,
                        std::uint64_t max_memory_bytes) = 0;
  /// Takes what the last plan needs.
  virtual void begin(const GamePlan& plan, const CompiledFlame& flame) = 0;
  /// Runs the steps of `units` units that nobody sees.
  virtual void warm_up(const ChaosGame& game, int units) = 0;
  /// Iterates the units to their end and adds all records to `sums`' frame.
  virtual void play(const ChaosGame& game, const AccumulateTiles& sums, int units) = 0;
  /// Gives back what begin() took.
  virtual void end() = 0;
};

}  // namespace kiln
