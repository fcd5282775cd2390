// SPDX-License-Identifier: MIT
// A still whose sums outlive its render: it begins with what a state file has, saves what it has
// come to while it plays, stops when it is asked to, and may be only a share of the picture.
//
// Units of work are the same whoever plays them (kernels/pool.h), so a picture does not show where
// it was stopped, shared out or taken further. The sums are copied and then written by another
// thread while the game goes on; what that costs the game is the copy.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/api/kiln/render_options.h"
#include "engine/measure/noise.h"
#include "engine/model/saved_sums.h"

namespace kiln {

/// The whole units of a picture that are a shard of it: those of a part of the chains where pools
/// go on from unit to unit, else a stretch. All shards together are all of them, none twice.
UnitSet units_of_shard(std::uint64_t whole_units, std::uint64_t chains, const Shard& shard);

struct Checkpoint {
  enum class Request { go_on, save, stop };
  enum class End { quality, noise, time };

  /// In: the sums to begin with; none if the shape has no digest. Out: those that were saved last.
  SavedSums sums;
  Shard shard = {};
  /// No unit is played: the picture is made of the sums as they are, so its quality must be theirs.
  bool regrade = false;
  /// The flame as XML at another quality, for what is saved of a picture that may end before its own.
  std::function<std::string(double quality)> genome_at;
  /// Asked after every launch of the game, by its thread.
  std::function<Request()> ask;
  /// Stops the render while nothing is played (noise is measured, or the picture is made): then
  /// all finished units are whole on the device, or saved.
  std::stop_token stop;
  /// Writes the sums; on a thread of its own. May throw Error.
  std::function<void(const SavedSums&)> save;
  /// Called with the reason where a save in mid-render failed; the next save tries again.
  std::function<void(const std::string&)> warn;
  /// Out: it was asked to stop, and the sums are saved.
  bool stopped = false;
  /// Out: the reason why the sums of a finished picture could not be saved. The picture is returned
  /// all the same; the caller stores it, then throws this.
  std::exception_ptr unsaved;
  /// Out: the reason why the picture ended, and its quality if that was noise or time, else 0.
  End end = End::quality;
  double quality = 0;
  /// Out: the picture's noise, if its sums are in halves with a unit in each.
  std::optional<PictureNoise> noise;
  /// Out: every unit that is finished was saved, though the device may have failed since.
  bool saved = false;
};

}  // namespace kiln
