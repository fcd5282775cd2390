#include "engine/render/accumulate/work_queue.h"

#include <algorithm>
#include <chrono>

namespace kiln {

std::vector<UnitSet> portions_of(const GameRunner& game, const UnitRange& range,
                                 std::size_t devices) {
  const std::uint64_t turn = game.lineages() > 0 ? game.lineages() : range.count(),
                      in_turn = std::min(turn, range.count());
  const std::uint64_t round =
      devices * std::uint64_t(game.units_of_a_launch()) * std::uint64_t(game.stride());
  const std::uint64_t count = (in_turn + round - 1) / round * devices;
  std::vector<UnitSet> portions;
  for (std::uint64_t number = 0; number < count; ++number) {
    const UnitRange part{in_turn * number / count, in_turn * (number + 1) / count};
    UnitSet portion;
    for (std::uint64_t first = range.first; first < range.end; first += turn)
      portion.add({first + part.first, std::min(first + part.end, range.end)});
    if (portion.count() > 0) portions.push_back(std::move(portion));
  }
  return portions;
}

WorkQueue::WorkQueue(std::vector<UnitSet> portions, std::size_t takers)
    : waiting_(std::move(portions)), takers_(takers) {
  std::reverse(waiting_.begin(), waiting_.end());
}

bool WorkQueue::is_anybody_playing() const {
  return std::any_of(takers_.begin(), takers_.end(),
                     [](const Taker& taker) { return taker.is_playing; });
}

std::optional<UnitSet> WorkQueue::take(std::size_t taker, const std::function<void()>& ask) {
  constexpr std::chrono::milliseconds patience(100);
  std::unique_lock lock(mutex_);
  while (!stopped_ && waiting_.empty() && is_anybody_playing()) {
    if (changed_.wait_for(lock, patience) != std::cv_status::timeout) continue;
    lock.unlock();
    ask();
    lock.lock();
  }
  if (stopped_ || waiting_.empty()) return std::nullopt;
  Taker& mine = takers_[taker];
  mine.taken.push_back(std::move(waiting_.back()));
  waiting_.pop_back();
  mine.is_playing = true;
  return mine.taken.back();
}

bool WorkQueue::add(std::size_t taker, const GameTotals& totals) {
  const std::lock_guard lock(mutex_);
  takers_[taker].totals += totals;
  return !stopped_;
}

void WorkQueue::end(std::size_t taker) {
  const std::lock_guard lock(mutex_);
  takers_[taker].is_playing = false;
  changed_.notify_all();
}

void WorkQueue::lose(std::size_t taker) {
  const std::lock_guard lock(mutex_);
  std::vector<UnitSet>& taken = takers_[taker].taken;
  waiting_.insert(waiting_.end(), taken.rbegin(), taken.rend());
  takers_[taker] = Taker{};
  changed_.notify_all();
}

void WorkQueue::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  changed_.notify_all();
}

GameTotals WorkQueue::totals() const {
  const std::lock_guard lock(mutex_);
  GameTotals all;
  for (const Taker& taker : takers_) all += taker.totals;
  return all;
}

bool WorkQueue::is_complete() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && !is_anybody_playing();
}

}  // namespace kiln
