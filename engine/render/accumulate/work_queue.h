// The units of a game in portions that several devices take, whoever is free the next one. What a
// lost device had played comes back, since its sums are gone with it: so nobody leaves before all
// portions are played.
#pragma once

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <vector>

#include "engine/render/accumulate/chaos_game.h"

namespace kiln {

/// These units of the pass that `game` began, in portions of at most a launch, equal shares for
/// `devices` alike ones. Where pools go on from unit to unit, a portion is all units of some of them.
std::vector<UnitSet> portions_of(const GameRunner& game, const UnitRange& range,
                                 std::size_t devices);

class WorkQueue {
 public:
  WorkQueue(std::vector<UnitSet> portions, std::size_t takers);

  /// The next portion; waits while another taker may still be lost, and calls `ask` meanwhile, which
  /// may throw. Nothing when all is played, or the work was stopped.
  std::optional<UnitSet> take(std::size_t taker, const std::function<void()>& ask);
  /// The taker played so much more of the portion that it took last. False: it may leave the rest.
  bool add(std::size_t taker, const GameTotals& totals);
  /// That portion is played.
  void end(std::size_t taker);
  /// All that the taker took is to be played again by others.
  void lose(std::size_t taker);
  /// Nobody gets another portion.
  void stop();

  /// Of all that is played.
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
  std::vector<Taker> takers_;
  bool stopped_ = false;
};

}  // namespace kiln
