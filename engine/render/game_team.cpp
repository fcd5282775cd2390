#include "engine/render/game_team.h"

#include <algorithm>
#include <exception>
#include <new>
#include <system_error>
#include <thread>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/ranks.h"
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

/// A portion, as many units as the game likes at a time, unless the work is stopped.
void play_portion(std::size_t taker, const UnitSet& portion, WorkQueue& queue, GameRunner& game,
                  std::uint64_t* sums, const std::function<void()>& ask) {
  for (UnitRange range : portion.ranges()) {
    while (range.first < range.end) {
      GameTotals totals;
      range.first += game.play_some(range, sums, totals, ask);
      if (!queue.add(taker, totals)) return;
      ask();
    }
  }
  queue.end(taker);
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

struct GameTeam::Helper {
  std::future<std::unique_ptr<Device>> opening;
  std::unique_ptr<Device> device;
  DeviceArray<std::uint16_t> permutations;
  DeviceArray<std::uint64_t> sums;  // of the pass; empty if it played none of it
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

GameTeam::GameTeam(const RenderOptions& options) : ranks_(options.ranks) {
  for (const HelpingDevice& wanted : options.helpers) {
    helpers_.push_back(std::make_unique<Helper>());
    helpers_.back()->opening =
        std::async(std::launch::async | std::launch::deferred, open_helper, wanted, options.game);
  }
}
GameTeam::~GameTeam() = default;

void GameTeam::play_portions(std::size_t taker, WorkQueue& queue, const PassOfGame& pass,
                             std::size_t values) {
  Helper& helper = *helpers_[taker - 1];
  try {
    Device& device = helper.use();
    helper.sums = {device, values};
    helper.sums.clear();
    GameRunner game(device, pass.frame.compiled, pass.room, helper.permutations.data(),
                    pass.unit_most);
    game.number(pass.frame.number);
    game.begin(pass.seed, pass.number, pass.flam3_fuse);
    int portions = 0;
    while (const auto portion = queue.take(taker, [] {})) {
      if (helper_shall_be_lost(int(taker) + 1, ++portions))
        fail(ErrorKind::device, "lost, as a test wants it");
      play_portion(taker, *portion, queue, game, helper.sums.data(), [] {});
    }
    device.wait();
  } catch (const std::bad_alloc&) {
    helper.loss = "out of memory";
  } catch (const std::exception& error) {
    helper.loss = error.what();
  }
  if (!helper.loss.empty()) queue.lose(taker);
  if (helper.unopened) queue.stop();
}

GameTotals GameTeam::play(Device& device, GameRunner& game, const PassOfGame& pass,
                          DeviceArray<std::uint64_t>& histogram,
                          const std::function<void(std::uint64_t)>& on_progress) {
  /// Ends the others where the first device fails or is told to stop.
  struct Ending {
    WorkQueue& queue;
    ~Ending() { queue.stop(); }
  };
  game.begin(pass.seed, pass.number, pass.flam3_fuse);
  const std::size_t devices = helpers_.size() + 1;
  const std::size_t rank = ranks_ ? std::size_t(ranks_->rank()) : 0,
                    ranks = ranks_ ? std::size_t(ranks_->count()) : 1;
  WorkQueue queue(portions_of(game, devices, rank, ranks), devices);
  const auto ask = [&] {
    if (on_progress) on_progress(queue.totals().samples);
  };
  {
    std::vector<std::jthread> threads;
    const Ending ending{queue};
    try {
      for (std::size_t i = 0; i < helpers_.size(); ++i) {
        if (!helpers_[i]->loss.empty()) continue;
        threads.emplace_back([&, i] { play_portions(i + 1, queue, pass, histogram.size()); });
      }
    } catch (const std::system_error&) {  // those that are there do the work
    }
    while (const auto portion = queue.take(0, ask))
      play_portion(0, *portion, queue, game, histogram.data(), ask);
    device.wait();
  }
  for (const auto& helper : helpers_)
    if (helper->unopened) std::rethrow_exception(helper->unopened);
  KILN_CHECK(queue.is_complete(), "{} samples played", queue.totals().samples);
  note_losses();
  const auto start = Clock::now();
  gather(device, histogram);
  GameTotals totals = queue.totals();
  sum_ranks(device, histogram, totals);
  gather_s_ = seconds_since(start);
  return totals;
}

void GameTeam::sum_ranks(Device& device, DeviceArray<std::uint64_t>& histogram,
                         GameTotals& totals) const {
  if (!ranks_) return;
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
}

void GameTeam::note_losses() {
  losses_.clear();
  for (const auto& helper : helpers_) {
    if (helper->loss.empty()) continue;
    helper->sums = {};
    losses_ += fmt::format("{}{} is lost, the other devices played its part: {}",
                           losses_.empty() ? "" : "; ", helper->name, helper->loss);
  }
}

/// Leaves all sums in the first device's histogram, and the helpers' memory to their next one.
void GameTeam::gather(Device& device, DeviceArray<std::uint64_t>& histogram) {
  constexpr std::size_t grain = 1024;  // stripes begin at whole lines of memory
  std::vector<Part> parts = {{&device, histogram.data()}};
  for (const auto& helper : helpers_)
    if (helper->sums.size() > 0) parts.push_back({helper->device.get(), helper->sums.data()});
  const std::size_t values = histogram.size();
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
  device.use();
  for (std::size_t i = 1; i < parts.size(); ++i)
    device.copy_sums(histogram.data() + first(i), *parts[i].device, parts[i].sums + first(i),
                     first(i + 1) - first(i));
  for (const auto& helper : helpers_) helper->sums = {};
}

std::string GameTeam::describe() const {
  std::string names;
  for (const auto& helper : helpers_)
    if (!helper->name.empty() && helper->loss.empty()) names += " + " + helper->name;
  return names;
}

}  // namespace kiln
