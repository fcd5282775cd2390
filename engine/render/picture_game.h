// SPDX-License-Identifier: MIT
// Plays the chaos game of pictures on a device and those that help it, and says to its account how far it has come.
#pragma once

#include <cstdint>
#include <functional>

#include "engine/render/accumulate/device_group.h"
#include "engine/render/picture_sums.h"
#include "engine/render/work.h"

namespace kiln {

struct MeasuredWork;
struct MemoryPlan;
struct RenderAccount;

class PictureGame {
 public:
  /// Makes a picture that noise is measured of.
  using MakeMeasured = std::function<void(const MeasuredWork&, PictureSums&)>;

  /// `group`: the devices that help. All of these outlive it.
  PictureGame(const RenderOptions& options, Device& device, DeviceGroup& group,
              MakeMeasured make_measured);

  /// The first pass of the game of these sums begins, with what --max-memory leaves to it beside so many bytes of
  /// others'. `checkpoint`: it keeps the sums.
  void begin(PictureSums& sums, std::uint64_t taken, const Checkpoint* checkpoint = nullptr);
  /// Begins the next pass likewise.
  void begin_next_pass(PictureSums& sums, const Checkpoint* checkpoint);
  /// Plays what the work asks for of the pass. True where with this its histogram is complete.
  bool play_pass(const RenderWork& work, PictureSums& sums, RenderAccount& account);

  /// ClumpSums::factor() of a picture that is made so, by a game of its own. No other may be on the device now.
  double measure_clumps(const PreparedFrame& whole, const MemoryPlan& memory);
  /// Measures the same for a picture that is made whole, whose game waits meanwhile.
  double measure_clumps_amid(PictureSums& sums);

 private:
  void make_game(PictureSums& sums);
  void start_pass(PictureSums& sums, const Checkpoint* checkpoint);
  bool play_kept(Checkpoint& checkpoint, PictureSums& sums, RenderAccount& account);
  Player& player_of(PictureSums& sums) {
    return group_.is_empty() ? static_cast<Player&>(*sums.game) : group_;
  }

  const RenderOptions& options_;
  Device& device_;
  DeviceGroup& group_;
  const MakeMeasured make_measured_;
  const DeviceArray<std::uint16_t> permutations_;
  Pace pace_;  // of games that are asked whether they go on
};

}  // namespace kiln
