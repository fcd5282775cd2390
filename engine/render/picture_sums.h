// SPDX-License-Identifier: MIT
// A picture on a device while its game is played: the memory that its stages share, the game, and the units that
// are in the histogram. It belongs to one work of the renderer, or stays and grows from work to work.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

#include "engine/render/accumulate/accumulation.h"
#include "engine/render/accumulate/chaos_game.h"
#include "engine/render/light/light_stage.h"
#include "engine/render/plan/picture_buffers.h"

namespace kiln {

struct PictureSums {
  /// Takes the memory of the picture, `linear`: with raw counts, and none of a game. The frame outlives this.
  PictureSums(Device& on, const PreparedFrame& of, bool linear)
      : device(on), frame(of), buffers(on, of, linear), played(on, buffers.histogram) {}
  PictureSums(const PictureSums&) = delete;
  PictureSums& operator=(const PictureSums&) = delete;

  Device& device;
  const PreparedFrame& frame;  // whose sums they are
  PictureBuffers buffers;
  /// Memory as large as the histogram, for sums that stay: developing uses a histogram up.
  DeviceArray<std::uint64_t> scratch;
  std::optional<LightStage> light;  // with the look of `frame`; none of sums that stay
  std::uint64_t room = 0;           // Accumulator's max_memory_bytes
  std::optional<Accumulator> game;
  Accumulation played;  // of the pass under way
  int pass = 0;
  GameTotals before;  // of earlier passes

  /// Makes the stage that makes light of the sums, with this look. `clumps`: as LightStage has them.
  LightStage& begin_light(const PreparedFrame& look, double clumps) {
    return light.emplace(device, look, buffers, clumps);
  }

  bool is_pass_over() const { return game && played.done.end() == game->units(); }
  bool is_last_pass() const { return pass + 1 == frame.flame.passes; }
  /// The totals of all passes so far.
  GameTotals totals() const {
    GameTotals all = before;
    return all += played.totals;
  }
};

/// One array in the place of the other, as long as this lives.
template <class Value>
class Exchange {
 public:
  Exchange(DeviceArray<Value>& one, DeviceArray<Value>& other) : one_(one), other_(other) {
    std::swap(one_, other_);
  }
  ~Exchange() { std::swap(one_, other_); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;

 private:
  DeviceArray<Value>&one_, &other_;
};

/// The sums of a picture that is smaller by the factor `divide`, of one pass, by its plan: buckets of `from` are
/// summed in squares, which stay. No game goes with them.
std::unique_ptr<PictureSums> divided(const PictureSums& from, const PreparedFrame& frame,
                                     int divide);

}  // namespace kiln
