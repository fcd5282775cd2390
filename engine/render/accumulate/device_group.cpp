// SPDX-License-Identifier: MIT
#include "engine/render/accumulate/device_group.h"

#include <algorithm>
#include <chrono>
#include <exception>
#include <new>
#include <set>
#include <system_error>
#include <thread>

#include "engine/base/error.h"
#include "engine/base/ranks.h"
#include "engine/base/resources.h"
#include "engine/device/test_hooks.h"
#include "engine/program/compile.h"

namespace kiln {
namespace {

std::unique_ptr<Device> open_helper(const HelpingDevice& helper, Game game) {
  RenderOptions options;
  options.backend = helper.backend;
  options.device = helper.device;
  options.threads = helper.threads;
  std::unique_ptr<Device> device = open_device(options);
  device->choose_game(game);
  return device;
}

/// A portion, as many units as the game likes at a time, unless the work is stopped. `sums_of`:
/// where a unit is summed.
template <class SumsOf>
void play_portion(std::size_t worker, const UnitSet& portion, std::uint64_t stride,
                  WorkQueue& queue, Accumulator& game, SumsOf sums_of,
                  const std::function<void()>& ask) {
  for (const UnitRange& range : portion.ranges()) {
    for (std::uint64_t first = range.first; first < std::min(range.end, range.first + stride);
         ++first) {
      for (UnitRange units{first, range.end}; units.first < units.end;) {
        GameTotals totals;
        units.first += stride * game.launch(units, sums_of(first), totals, ask);
        if (!queue.add(worker, totals)) return;
        ask();
      }
    }
  }
  queue.end(worker);
}

/// The pools that units of the set go on with.
std::set<std::uint64_t> chains_of(const UnitSet& units, std::uint64_t chains) {
  std::set<std::uint64_t> all;
  if (chains == 0) return all;
  for (const UnitRange& range : units.ranges())
    for (std::uint64_t u = range.first; u < std::min(range.end, range.first + chains); ++u)
      all.insert(u % chains);
  return all;
}

/// Runs body(i) for each of 0 .. count - 1, all at once, the first by the caller; throws what the
/// first of them to fail threw.
template <class Body>
void at_once(std::size_t count, Body body) {
  std::vector<std::exception_ptr> failures(count);
  {
    std::vector<std::jthread> threads;
    const auto guarded = [&](std::size_t i) {
      try {
        body(i);
      } catch (...) {
        failures[i] = std::current_exception();
      }
    };
    std::size_t started = 1;
    try {
      for (; started < count; ++started)
        threads.emplace_back([&guarded, started] { guarded(started); });
    } catch (const std::system_error&) {  // no thread is to be had: one after the other
    }
    guarded(0);
    for (; started < count; ++started) guarded(started);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace

struct DeviceGroup::Helper {
  std::future<std::unique_ptr<Device>> opening;
  std::unique_ptr<Device> device;
  DeviceArray<std::uint16_t> permutations;
  DeviceArray<std::uint64_t> sums;  // of the pass; empty if it played none of it
  Pools pools;                      // as its units left them
  std::string name;
  std::string loss;             // why it plays no more
  std::exception_ptr unopened;  // it was never there

  /// The device, for the calling thread.
  Device& use() {
    if (!device) {
      try {
        device = opening.get();
        name = device->describe();
      } catch (...) {
        unopened = std::current_exception();
        throw;
      }
    }
    device->use();
    if (permutations.size() == 0) permutations = {*device, pool_permutations()};
    return *device;
  }
};

DeviceGroup::DeviceGroup(const RenderOptions& options) : ranks_(options.ranks) {
  for (const HelpingDevice& wanted : options.helpers) {
    helpers_.push_back(std::make_unique<Helper>());
    helpers_.back()->opening =
        std::async(std::launch::async | std::launch::deferred, open_helper, wanted, options.game);
  }
}
DeviceGroup::~DeviceGroup() = default;

void DeviceGroup::begin(Device& device, Accumulator& game, const PassOfGame& pass) {
  pass_.emplace(Playing{device, game, pass});
  is_playing_ = false;
  gather_s_ = 0;
}

void DeviceGroup::play_portions(std::size_t worker, WorkQueue& queue, const Pools& pools,
                                const Accumulation& sums) {
  Helper& helper = *helpers_[worker - 1];
  const PassOfGame& pass = pass_->pass;
  try {
    Device& device = helper.use();
    const std::size_t values = sums.values();
    helper.sums = {device, sums.halves() * values};
    helper.sums.clear();
    Accumulator game(device, pass.frame.compiled, pass.room, helper.permutations.data(),
                     pass.unit_most);
    game.number(pass.frame.number);
    game.begin(pass.seed, pass.number, pass.flam3_fuse, pass.stride);
    const auto sums_of = [&](std::uint64_t unit) {
      return helper.sums.data() + unit % sums.halves() * values;
    };
    int portions = 0;
    while (const auto portion = queue.take(worker, [] {})) {
      if (helper_shall_be_lost(int(worker) + 1, ++portions))
        fail(ErrorKind::device, "lost, as a test wants it");
      const std::set<std::uint64_t> chains = chains_of(*portion, game.chains());
      for (const std::uint64_t chain : chains)
        if (const auto pool = pools.find(chain); pool != pools.end())
          game.restore_pool(chain, pool->second);
      play_portion(worker, *portion, pass.stride, queue, game, sums_of, [] {});
      if (moves_pools_)
        for (const std::uint64_t chain : chains) helper.pools[chain] = game.pool(chain);
    }
    device.wait();
  } catch (const std::bad_alloc&) {
    helper.loss = "out of memory";
  } catch (const std::exception& error) {
    helper.loss = error.what();
  }
  if (!helper.loss.empty()) queue.lose(worker);
  if (helper.unopened) queue.stop();
}

/// Pools as they are before units of a range that is not all of the pass.
DeviceGroup::Pools DeviceGroup::pools_before(const UnitRange& range) const {
  Pools pools;
  const Accumulator& game = pass_->game;
  for (const std::uint64_t chain : chains_of(UnitSet(range), game.chains()))
    if (range.first > chain) pools[chain] = game.pool(chain);
  return pools;
}

std::uint64_t DeviceGroup::play(const UnitRange& range, Accumulation& sums, const Ask& ask) {
  /// Ends the others where the first device fails or is told to stop.
  struct Ending {
    WorkQueue& queue;
    ~Ending() { queue.stop(); }
  };
  auto& [device, game, pass] = *pass_;
  WorkQueue queue(portions_of(game, range, helpers_.size() + 1), helpers_.size() + 1);
  is_playing_ = true;
  sums.launch = std::uint64_t(game.units_of_a_launch());
  const auto asks = [&] { ask(sums.totals.samples + queue.totals().samples); };
  const bool is_all = range == UnitRange{0, game.units()};
  moves_pools_ = game.chains() > 0 && (pass.in_parts || !is_all);
  const Pools pools = moves_pools_ ? pools_before(range) : Pools{};
  {
    std::vector<std::jthread> threads;
    const Ending ending{queue};
    try {
      for (std::size_t i = 0; i < helpers_.size(); ++i) {
        if (!helpers_[i]->loss.empty()) continue;
        threads.emplace_back([&, i] { play_portions(i + 1, queue, pools, sums); });
      }
    } catch (const std::system_error&) {  // those that are there do the work
    }
    const auto sums_of = [&](std::uint64_t unit) { return sums.sums_of(unit); };
    while (const auto portion = queue.take(0, asks))
      play_portion(0, *portion, pass.stride, queue, game, sums_of, asks);
    device.wait();
  }
  for (const auto& helper : helpers_)
    if (helper->unopened) std::rethrow_exception(helper->unopened);
  KILN_CHECK(queue.is_complete(), "{} samples played", queue.totals().samples);
  note_losses();
  gather(sums);
  sums.totals += queue.totals();
  sums.done.add(range);
  is_playing_ = false;
  return range.count();
}

void DeviceGroup::sum_ranks(Device& device, DeviceArray<std::uint64_t>& histogram,
                            GameTotals& totals) {
  if (!ranks_) return;
  const auto start = Clock::now();
  if (rank_shall_fail(ranks_->rank())) fail(ErrorKind::device, "failed, as a test wants it");
  ranks_->meet();
  std::vector<std::uint64_t> counts = {totals.samples, totals.bad_values};
  ranks_->sum_to_first(counts);
  totals = {counts[0], counts[1]};
  constexpr std::size_t piece = std::size_t(8) << 20;  // 64 MiB
  std::vector<std::uint64_t> values;
  for (std::size_t at = 0; at < histogram.size(); at += piece) {
    values.resize(std::min(piece, histogram.size() - at));
    device.download(values.data(), histogram.data() + at, values.size() * sizeof(std::uint64_t));
    ranks_->sum_to_first(values);
    if (ranks_->is_first())
      device.upload(histogram.data() + at, values.data(), values.size() * sizeof(std::uint64_t));
  }
  gather_s_ += seconds_since(start);
}

void DeviceGroup::note_losses() {
  losses_.clear();
  for (const auto& helper : helpers_) {
    if (helper->loss.empty()) continue;
    helper->sums = {};
    helper->pools.clear();
    losses_ += fmt::format("{}{} is lost, the other devices played its part: {}",
                           losses_.empty() ? "" : "; ", helper->name, helper->loss);
  }
}

/// Leaves all sums and pools with the first device, and the helpers' memory to their next ones.
void DeviceGroup::gather(Accumulation& sums) {
  const auto start = Clock::now();
  for (std::size_t half = 0; half < sums.halves(); ++half) {
    std::vector<Part> parts = {{&pass_->device, sums.half(half).data()}};
    for (const auto& helper : helpers_)
      if (helper->sums.size() > 0)
        parts.push_back({helper->device.get(), helper->sums.data() + half * sums.values()});
    add_up(parts, sums.values());
  }
  for (const auto& helper : helpers_) {
    for (const auto& [chain, pool] : helper->pools) pass_->game.restore_pool(chain, pool);
    helper->pools.clear();
    helper->sums = {};
  }
  gather_s_ += seconds_since(start);
}

/// The sums of all parts in the first one.
void DeviceGroup::add_up(const std::vector<Part>& parts, std::size_t values) {
  constexpr std::size_t grain = 1024;  // stripes begin at whole lines of memory
  const std::size_t stripe =
      ((values + parts.size() - 1) / parts.size() + grain - 1) / grain * grain;
  const auto first = [&](std::size_t i) { return std::min(i * stripe, values); };
  at_once(parts.size(), [&](std::size_t i) {
    const Part& mine = parts[i];
    mine.device->use();
    for (std::size_t step = 1; step < parts.size(); ++step) {  // no two read the same one at once
      const Part& other = parts[(i + step) % parts.size()];
      mine.device->add_sums(mine.sums + first(i), *other.device, other.sums + first(i),
                            first(i + 1) - first(i));
    }
  });
  parts[0].device->use();
  for (std::size_t i = 1; i < parts.size(); ++i)
    parts[0].device->copy_sums(parts[0].sums + first(i), *parts[i].device, parts[i].sums + first(i),
                               first(i + 1) - first(i));
}

std::string DeviceGroup::describe() const {
  std::string names;
  for (const auto& helper : helpers_)
    if (!helper->name.empty() && helper->loss.empty()) names += " + " + helper->name;
  return names;
}

std::vector<UnitSet> portions_of(const Accumulator& game, const UnitRange& range,
                                 std::size_t devices) {
  const std::uint64_t turn = game.chains() > 0 ? game.chains() : range.count(),
                      shared_out = std::min(turn, range.count());
  const std::uint64_t round =
      devices * std::uint64_t(game.units_of_a_launch()) * std::uint64_t(game.stride());
  const std::uint64_t count = (shared_out + round - 1) / round * devices;
  std::vector<UnitSet> portions;
  for (std::uint64_t number = 0; number < count; ++number) {
    const UnitRange part{shared_out * number / count, shared_out * (number + 1) / count};
    UnitSet portion;
    for (std::uint64_t first = range.first; first < range.end; first += turn)
      portion.add({first + part.first, std::min(first + part.end, range.end)});
    if (portion.count() > 0) portions.push_back(std::move(portion));
  }
  return portions;
}

WorkQueue::WorkQueue(std::vector<UnitSet> portions, std::size_t workers)
    : waiting_(std::move(portions)), workers_(workers) {
  std::reverse(waiting_.begin(), waiting_.end());
}

bool WorkQueue::is_anybody_playing() const {
  return std::any_of(workers_.begin(), workers_.end(),
                     [](const Taker& worker) { return worker.is_playing; });
}

std::optional<UnitSet> WorkQueue::take(std::size_t worker, const std::function<void()>& ask) {
  constexpr std::chrono::milliseconds patience(100);
  std::unique_lock lock(mutex_);
  while (!stopped_ && waiting_.empty() && is_anybody_playing()) {
    if (changed_.wait_for(lock, patience) != std::cv_status::timeout) continue;
    lock.unlock();
    ask();
    lock.lock();
  }
  if (stopped_ || waiting_.empty()) return std::nullopt;
  Taker& mine = workers_[worker];
  mine.taken.push_back(std::move(waiting_.back()));
  waiting_.pop_back();
  mine.is_playing = true;
  return mine.taken.back();
}

bool WorkQueue::add(std::size_t worker, const GameTotals& totals) {
  const std::lock_guard lock(mutex_);
  workers_[worker].totals += totals;
  return !stopped_;
}

void WorkQueue::end(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  workers_[worker].is_playing = false;
  changed_.notify_all();
}

void WorkQueue::lose(std::size_t worker) {
  const std::lock_guard lock(mutex_);
  std::vector<UnitSet>& taken = workers_[worker].taken;
  waiting_.insert(waiting_.end(), taken.rbegin(), taken.rend());
  workers_[worker] = Taker{};
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
  for (const Taker& worker : workers_) all += worker.totals;
  return all;
}

bool WorkQueue::is_complete() const {
  const std::lock_guard lock(mutex_);
  return waiting_.empty() && !is_anybody_playing();
}

}  // namespace kiln
