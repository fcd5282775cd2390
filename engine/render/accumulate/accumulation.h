// SPDX-License-Identifier: MIT
// What a picture is made of before its look is decided, and how it comes together: an accumulation
// has the integer histogram of a pass and the units of work that are in it, a player plays units,
// and accumulate() lets a player fill what is missing, with one hook after each launch. A unit is
// the same whoever plays it and sums are integers, so a picture does not show who played it, in what
// order, nor in how many goes: a render, one that is saved, shared out or taken further, one that
// ends by its noise and one that grows under somebody's eyes are this and their own hook.
#pragma once

#include <cstdint>
#include <functional>
#include <stop_token>
#include <vector>

#include "engine/device/device.h"
#include "engine/model/saved_sums.h"
#include "engine/render/plan/prepared_frame.h"

namespace kiln {

// Which sums may be added: a digest of all that decides what a unit of work adds to the histogram.
// It is taken of the compiled flame, so that what changes only the look (brightness, gamma,
// background, filter, estimator, effects) is not in it, whatever attribute it came from.

/// The shape of the sums of this still with these options; chains and their pools are left out,
/// since only the game knows them.
SumsShape sums_shape(const PreparedFrame& frame, const RenderOptions& options);

/// The game's fuse: steps that --compat flam3 hides of each chain, else 0.
std::uint32_t flam3_fuse(const RenderOptions& options);

struct GameTotals {
  std::uint64_t samples = 0;  // recorded
  std::uint64_t bad_values = 0;

  GameTotals& operator+=(const GameTotals& more) {
    samples += more.samples;
    bad_values += more.bad_values;
    return *this;
  }
};

class Accumulation {
 public:
  /// The histogram is the picture's, [height][width][channels], and outlives this. `halves`: the odd
  /// units are summed in one of their own, of as much memory.
  Accumulation(Device& device, DeviceArray<std::uint64_t>& histogram, bool halves = false);

  bool in_halves() const { return odd_.size() > 0; }
  std::size_t halves() const { return in_halves() ? 2 : 1; }
  /// The number of values of a half.
  std::size_t values() const { return histogram_.size(); }
  /// The histogram that this unit is added to: one for even and one for odd units in halves.
  std::uint64_t* sums_of(std::uint64_t unit) { return half(in_halves() ? unit % 2 : 0).data(); }
  DeviceArray<std::uint64_t>& half(std::uint64_t number) { return number ? odd_ : histogram_; }

  /// No unit is done.
  void clear();
  /// The sums of a state and none else; those are gone from `saved` then.
  void restore(SavedSums& saved);
  /// Memory for copy_to(), touched: that takes longer than the copy. Throws Error (stopped).
  void make_room(SavedSums& saved, const std::stop_token& stop) const;
  /// Copies the sums for a state. Throws Error (stopped).
  void copy_to(SavedSums& saved, const std::stop_token& stop) const;
  /// sum [height][width][channels] = that of both halves; it may be one of them.
  void sum_halves(std::uint64_t* sum);

  UnitSet done;
  GameTotals totals;   // of the done units, as far as one knows amid a launch of several devices
  GameTotals earlier;  // those of them that restore() brought
  std::uint64_t launch = 0;  // units of the launch under way

 private:
  Device& device_;
  DeviceArray<std::uint64_t>& histogram_;
  DeviceArray<std::uint64_t> odd_;
};

/// Plays units of the pass that began: a device (chaos_game.h) or several (device_group.h).
class Player {
 public:
  /// Called now and then with the number of samples recorded; if it throws, nothing more is played.
  using Ask = std::function<void(std::uint64_t samples)>;

  virtual ~Player() = default;
  /// Plays the first units of `range`, as many as suit it, adds what they record, and returns how
  /// many they were.
  virtual std::uint64_t play(const UnitRange& range, Accumulation& sums, const Ask& ask) = 0;
  /// Whether a play that threw left sums that are not those of the done units, or pools that moved.
  virtual bool is_amid_launch() const = 0;
};

/// Number of units to play between two questions, adapted so that they take about `seconds`.
class Pace {
 public:
  Pace(double seconds, std::uint64_t least) : seconds_(seconds), least_(least), units_(least) {}
  std::uint64_t units() const { return units_; }
  void took(std::uint64_t played, double seconds);

 private:
  double seconds_;
  std::uint64_t least_, units_;
};

/// Plays the units of `wanted` that `sums` lack. `goes_on` is asked after each launch, or what a
/// player has of the kind, of at most `pace` units where one is kept: false ends it. True if it
/// never did.
bool accumulate(Player& player, const UnitSet& wanted, Accumulation& sums, const Player::Ask& ask,
                const std::function<bool()>& goes_on = {}, Pace* pace = nullptr);

}  // namespace kiln
