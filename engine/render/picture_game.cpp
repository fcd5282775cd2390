// SPDX-License-Identifier: MIT
#include "engine/render/picture_game.h"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/ranks.h"
#include "engine/program/compile.h"
#include "engine/render/accumulate/checkpointed_game.h"
#include "engine/render/accumulate/clumps.h"
#include "engine/render/accumulate/noise_probe.h"
#include "engine/render/memory_need.h"
#include "engine/render/render_account.h"
#include "engine/render/stripes.h"

namespace kiln {
namespace {

/// Samples of a unit at most.
std::uint32_t unit_most(const PreparedFrame& frame, const Device& device) {
  if (!frame.quick) return std::uint32_t(unit_samples);
  constexpr std::uint64_t least = 16 * pool_slots;  // or warming up is all that is done
  const int units = frame.quick_units > 0 ? frame.quick_units : device.units_at_once();
  const std::uint64_t equal = samples_of(frame) / std::uint64_t(units) + 1;
  return std::uint32_t(std::clamp<std::uint64_t>(equal, least, unit_samples));
}

constexpr double launch_s = 0.08;  // what somebody who begins to drag may have to wait

}  // namespace

PictureGame::PictureGame(const RenderOptions& options, Device& device, DeviceGroup& group,
                         MakeMeasured make_measured)
    : options_(options),
      device_(device),
      group_(group),
      make_measured_(std::move(make_measured)),
      permutations_(device, pool_permutations()),
      pace_(launch_s, std::uint64_t(device.units_at_once())) {}

void PictureGame::begin(PictureSums& sums, std::uint64_t taken, const Checkpoint* checkpoint) {
  const std::uint64_t picture = memory_need(sums.frame, options_).picture;
  sums.room = room_for_game(sums.frame, picture + taken, options_, device_);
  make_game(sums);
  start_pass(sums, checkpoint);
  if (!checkpoint) sums.played.clear();
}

void PictureGame::begin_next_pass(PictureSums& sums, const Checkpoint* checkpoint) {
  sums.before = sums.totals();
  ++sums.pass;
  start_pass(sums, checkpoint);
  sums.played.clear();
}

void PictureGame::make_game(PictureSums& sums) {
  sums.game.emplace(device_, sums.frame.compiled, sums.room, permutations_.data(),
                    unit_most(sums.frame, device_));
}

void PictureGame::start_pass(PictureSums& sums, const Checkpoint* checkpoint) {
  const bool in_parts = checkpoint != nullptr;
  const std::uint32_t stride = in_parts && checkpoint->sums.shape.halves ? 2 : 1;
  const PassOfGame pass{sums.frame,
                        options_.seed,
                        sums.pass,
                        flam3_fuse(options_),
                        stride,
                        sums.room,
                        unit_most(sums.frame, device_),
                        in_parts};
  sums.game->number(sums.frame.number);
  sums.game->begin(pass.seed, pass.number, pass.flam3_fuse, pass.stride);
  group_.begin(device_, *sums.game, pass);
}

bool PictureGame::play_pass(const RenderWork& work, PictureSums& sums, RenderAccount& account) {
  if (work.checkpoint) return play_kept(*work.checkpoint, sums, account);
  RenderStatistics& totals = account.totals;
  const PreparedFrame& frame = sums.frame;
  const std::uint64_t all = frame.compiled.samples_of_pass(sums.pass);
  std::uint64_t next_look = all / 20;  // of so few the picture's light can be told
  const auto ask = [&](std::uint64_t samples) {
    account.progress.iterated(totals.samples + samples, sums.played.launch * unit_samples);
    if (samples <= next_look || !group_.is_empty() || account.progress.is_young(device_)) return;
    next_look = samples * 4;
    account.expect_stages(frame, sums.buffers, double(all) / double(samples));
  };
  const std::uint64_t units = sums.game->units();
  const Shard mine =
      options_.ranks ? Shard{options_.ranks->rank() + 1, options_.ranks->count()} : Shard{};
  const UnitSet wanted = work.sums ? UnitSet({0, std::min(work.units, units)})
                                   : units_of_shard(units, sums.game->chains(), mine);
  const bool went_on = accumulate(player_of(sums), wanted, sums.played, ask, work.goes_on,
                                  work.goes_on ? &pace_ : nullptr);
  if (work.sums) return went_on && sums.is_pass_over();
  group_.sum_ranks(device_, sums.buffers.histogram, sums.played.totals);
  totals.samples += sums.played.totals.samples;
  totals.bad_values += sums.played.totals.bad_values;
  totals.gather_s += group_.gather_s();
  account.histogram_done = Clock::now();
  return true;
}

/// Plays sums that a checkpoint keeps; false if the game was stopped or they are a shard.
bool PictureGame::play_kept(Checkpoint& checkpoint, PictureSums& sums, RenderAccount& account) {
  const PreparedFrame& frame = sums.frame;
  PictureBuffers& buffers = sums.buffers;
  NoiseProbe probe(frame, options_, device_,
                   [&](const MeasuredWork& work) { make_measured_(work, sums); });
  if (checkpoint.sums.shape.halves) probe.make_room(buffers.histogram.size());
  CheckpointedGame kept(device_, *sums.game, player_of(sums), frame, options_, checkpoint,
                        buffers.histogram, std::ref(probe));
  bool complete = kept.play([&](std::uint64_t samples) {
    account.progress.samples(kept.samples_to_play());
    account.progress.looks(probe.count(), probe.seconds(), kept.probes_to_come());
    account.progress.iterated(samples - kept.earlier().samples,
                              kept.units_launched() * unit_samples);
  });
  GameTotals totals = kept.totals();
  if (options_.ranks && checkpoint.stopped) options_.ranks->give_up();
  const bool is_shard_of_ranks = options_.ranks && !checkpoint.stopped && !complete;
  if (is_shard_of_ranks) {
    group_.sum_ranks(device_, buffers.histogram, totals);
    complete = options_.ranks->is_first();
    if (complete) kept.play_partial_unit(totals);
  }
  if (checkpoint.quality > 0)
    sums.light->set(log_curve_of(frame.flame, totals.samples / unit_samples), 1);
  else if (checkpoint.noise)
    sums.light->set(frame.plan.log_curve, 1);
  RenderStatistics& seen = account.totals;
  seen.samples = totals.samples;
  seen.bad_values = totals.bad_values;
  seen.earlier_samples = kept.earlier().samples;
  seen.gather_s = group_.gather_s();
  if (checkpoint.noise) {
    seen.noise = checkpoint.noise->rms;
    seen.noise_error = checkpoint.noise->error;
  }
  if (checkpoint.end != Checkpoint::End::quality)
    seen.ended_by = checkpoint.end == Checkpoint::End::noise ? "noise" : "time";
  if (checkpoint.quality > 0) seen.quality = checkpoint.quality;
  account.histogram_done = Clock::now();
  if (checkpoint.stop.stop_possible()) device_.watch(checkpoint.stop);
  return complete;
}

double PictureGame::measure_clumps(const PreparedFrame& whole, const MemoryPlan& memory) {
  ClumpSums clumps;
  for (const Stripe& stripe : memory.stripes) {
    std::optional<PreparedFrame> part;
    const PreparedFrame& frame = memory.is_whole() ? whole : part.emplace(frame_of(whole, stripe));
    PictureBuffers buffers(device_, frame, false);
    clumps += kiln::measure_clumps(device_, frame, options_, permutations_.data(), buffers);
  }
  return clumps.factor();
}

double PictureGame::measure_clumps_amid(PictureSums& sums) {
  device_.watch({});  // it is soon over, and what it interrupts goes on
  std::map<std::uint64_t, std::vector<char>> pools;
  const std::uint64_t chains = sums.is_pass_over() ? 0 : sums.game->chains();
  for (std::uint64_t chain = 0; chain < chains; ++chain)
    if (sums.played.done.contains({chain, chain + 1})) pools[chain] = sums.game->pool(chain);
  sums.game.reset();
  const auto go_on = [&] {
    make_game(sums);
    start_pass(sums, nullptr);
    for (const auto& [chain, pool] : pools) sums.game->restore_pool(chain, pool);
  };
  try {
    const double clumps = measure_clumps(sums.frame, whole_of(sums.frame.plan));
    go_on();
    return clumps;
  } catch (...) {
    go_on();
    throw;
  }
}

}  // namespace kiln
