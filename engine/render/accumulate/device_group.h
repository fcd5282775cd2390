// SPDX-License-Identifier: MIT
// Several devices play one picture: each takes portions of its units (WorkQueue, below) and sums them
// into a histogram of its own; then the histograms meet on the first device, which makes the
// picture. Sums are integers and a unit is the same whoever plays it, so the picture is the same as
// that of one device, to the last bit.
//
// The histograms meet by stripes: each device adds the others' sums of its stripe to its own, all
// at the same time, and the first one copies the stripes. With n devices (n - 1) / n of a
// histogram comes into each, and as much again into the first. Pools that go on from unit to unit
// are at home on the first device: who plays their units takes them along and brings them back,
// unless all units are played at once.
#pragma once

#include <condition_variable>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "engine/render/accumulate/chaos_game.h"
#include "engine/render/plan/prepared_frame.h"

namespace kiln {

// The units of a game in portions that several devices take, whoever is free the next one. What a
// lost device had played comes back, since its sums are gone with it: so nobody leaves before all
// portions are played.

/// These units of the pass that `game` began, in portions of at most a launch, equal shares for
/// `devices` alike ones. Where pools go on from unit to unit, a portion is all units of some of them.
std::vector<UnitSet> portions_of(const Accumulator& game, const UnitRange& range,
                                 std::size_t devices);

class WorkQueue {
 public:
  WorkQueue(std::vector<UnitSet> portions, std::size_t workers);

  /// The next portion; waits while another worker may still be lost, and calls `ask` meanwhile, which
  /// may throw. Nothing when all is played, or the work was stopped.
  std::optional<UnitSet> take(std::size_t worker, const std::function<void()>& ask);
  /// The worker played so much more of the portion that it took last. False: it may leave the rest.
  bool add(std::size_t worker, const GameTotals& totals);
  /// The worker has played its last portion to the end.
  void end(std::size_t worker);
  /// The worker is lost: others play again all that it took.
  void lose(std::size_t worker);
  /// Stops the work: nobody gets another portion.
  void stop();

  /// The totals of everything that was played.
  GameTotals totals() const;
  /// Whether nothing is left.
  bool is_complete() const;

 private:
  struct Taker {
    std::vector<UnitSet> taken;
    bool is_playing = false;
    GameTotals totals;
  };
  bool is_anybody_playing() const;

  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<UnitSet> waiting_;  // the next one last
  std::vector<Taker> workers_;
  bool stopped_ = false;
};

/// The frame and the settings of one pass of a game.
struct PassOfGame {
  const PreparedFrame& frame;
  std::uint64_t seed = 0;
  int number = 0;
  std::uint32_t flam3_fuse = 0;
  std::uint32_t stride = 1;                               // Accumulator::begin's
  std::uint64_t room = 0;                                 // Accumulator's max_memory_bytes
  std::uint32_t unit_most = std::uint32_t(unit_samples);  // Accumulator's
  bool in_parts = false;  // its pools are wanted back though all units are played at once
};

/// The devices that help the first one, and stay open from picture to picture.
class DeviceGroup : public Player {
 public:
  /// Begins to open the helpers of the options, on threads of their own.
  explicit DeviceGroup(const RenderOptions& options);
  ~DeviceGroup() override;
  DeviceGroup(const DeviceGroup&) = delete;
  DeviceGroup& operator=(const DeviceGroup&) = delete;

  /// Whether the first device plays alone.
  bool is_empty() const { return helpers_.empty(); }
  /// The pass that is played from now on, which `game`, the first device's, began.
  void begin(Device& device, Accumulator& game, const PassOfGame& pass);

  /// Plays all of the range. Throws Error where a helper cannot be opened; one that fails later is
  /// lost, and the others play what it had.
  std::uint64_t play(const UnitRange& range, Accumulation& sums, const Ask& ask) override;
  bool is_amid_launch() const override { return is_playing_ || pass_->game.is_amid_launch(); }

  /// Adds the sums of all ranks into the histogram of rank 0; the totals likewise. Does nothing
  /// without ranks. Throws Error where one of them failed.
  void sum_ranks(Device& device, DeviceArray<std::uint64_t>& histogram, GameTotals& totals);
  /// Seconds that it took to gather the sums in one histogram, since the pass began.
  double gather_s() const { return gather_s_; }
  /// The devices that play: " + cuda 1 (NVIDIA H200)" for each helper.
  std::string describe() const;
  /// The reasons why helpers were lost, a sentence each.
  const std::string& losses() const { return losses_; }

 private:
  struct Helper;
  /// Sums in the memory of a device.
  struct Part {
    Device* device;
    std::uint64_t* sums;
  };
  struct Playing {
    Device& device;
    Accumulator& game;
    PassOfGame pass;
  };
  using Pools = std::map<std::uint64_t, std::vector<char>>;  // of chains

  void play_portions(std::size_t worker, WorkQueue& queue, const Pools& pools,
                     const Accumulation& sums);
  Pools pools_before(const UnitRange& range) const;
  void note_losses();
  void gather(Accumulation& sums);
  static void add_up(const std::vector<Part>& parts, std::size_t values);

  const std::shared_ptr<Ranks> ranks_;
  std::vector<std::unique_ptr<Helper>> helpers_;
  std::optional<Playing> pass_;
  bool moves_pools_ = false;
  bool is_playing_ = false;  // or it was when something was thrown
  std::string losses_;
  double gather_s_ = 0;
};

}  // namespace kiln
