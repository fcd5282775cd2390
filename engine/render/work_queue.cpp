#include "engine/render/work_queue.h"

#include <algorithm>
#include <chrono>

#include "engine/render/keeping.h"

namespace kiln {

std::vector<UnitSet> portions_of(const GameRunner& game, std::size_t devices, std::size_t rank,
                                 std::size_t ranks) {
  const std::uint64_t units = game.units(), lineages = game.lineages();
  const std::uint64_t pools = lineages > 0 && lineages < units ? lineages : units;
  const std::uint64_t round = ranks * devices * std::uint64_t(game.units_of_a_launch());
  const std::uint64_t each = (pools + round - 1) / round * devices;
  std::vector<UnitSet> portions;
  for (std::uint64_t number = rank * each + 1; number <= (rank + 1) * each; ++number) {
    UnitSet portion = units_of_shard(units, lineages, {int(number), int(ranks * each)});
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
  takers_[taker].totals.samples += totals.samples;
  takers_[taker].totals.bad_values += totals.bad_values;
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
  for (const Taker& taker : takers_) {
    all.samples += taker.totals.samples;
    all.bad_values += taker.totals.bad_values;
  }
  return all;
}

bool WorkQueue::is_complete() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && !is_anybody_playing();
}

}  // namespace kiln
