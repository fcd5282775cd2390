// SPDX-License-Identifier: MIT
#include "engine/render/accumulate/checkpointed_game.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "engine/base/error.h"
#include "engine/device/device_kind.h"
#include "engine/program/sample_shares.h"
#include "engine/render/accumulate/accumulation.h"
#include "engine/render/plan/picture_buffers.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

constexpr double between_meetings_s = 0.5;  // several devices between two meetings of their sums

}  // namespace

UnitSet units_of_shard(std::uint64_t whole_units, std::uint64_t chains, const Shard& shard) {
  const auto part_of = [&](std::uint64_t all) {
    const std::uint64_t of = std::uint64_t(shard.of), number = std::uint64_t(shard.number);
    return UnitRange{all * (number - 1) / of, all * number / of};  // units are below 2^32
  };
  if (chains == 0 || whole_units <= chains) return UnitSet(part_of(whole_units));
  UnitSet units;
  const UnitRange part = part_of(chains);
  for (std::uint64_t turn = 0; turn < whole_units; turn += chains)
    units.add({turn + part.first, std::min(turn + part.end, whole_units)});
  return units;
}

CheckpointedGame::CheckpointedGame(Device& device, Accumulator& game, Player& player,
                                   const PreparedFrame& frame, const RenderOptions& options,
                                   Checkpoint& checkpoint, DeviceArray<std::uint64_t>& histogram,
                                   Probe probe)
    : device_(device),
      game_(game),
      player_(player),
      frame_(frame),
      options_(options),
      checkpoint_(checkpoint),
      probe_(std::move(probe)),
      sums_(device, histogram, checkpoint.sums.shape.halves > 0),
      schedule_({units_of_shard(game.whole_units(), game.chains(), checkpoint.shard),
                 game.whole_units(), game.units(), options.until_noise, options.time_limit_s},
                ProbeSchedule(options.until_noise,
                              std::uint64_t(frame.plan.width) * std::uint64_t(frame.plan.height),
                              light_stage(frame.plan).noise.blurs)),
      pace_(between_meetings_s, sums_.halves() * std::uint64_t(game.units_of_a_launch()) *
                                    (options.helpers.size() + 1)) {
  if (!checkpoint.sums.shape.digest.empty()) check_shape();
  restore();
  make_room();
}

SumsShape CheckpointedGame::shape() const {
  SumsShape shape = sums_shape(frame_, options_);
  shape.halves = checkpoint_.sums.shape.halves;
  shape.chains = std::uint32_t(game_.chains());
  shape.pool_bytes = game_.chains() ? std::uint32_t(game_.pool_bytes()) : 0;
  return shape;
}

void CheckpointedGame::check_shape() const {
  const SumsShape &there = checkpoint_.sums.shape, here = shape();
  if (there.width != here.width || there.height != here.height ||
      there.supersample != here.supersample) {
    fail(ErrorKind::usage,
         "the state has sums of {} x {} buckets (supersample {}, {} around the picture), and this "
         "picture needs {} x {} (supersample {}, {}); sizes, supersample and reach of filter and "
         "estimator have to stay, or the flame is rendered again",
         there.width, there.height, there.supersample, there.gutter, here.width, here.height,
         here.supersample, here.gutter);
  }
  if (there != here)
    fail(ErrorKind::usage,
         "the state is of another flame, seed, camera, palette, --compat or --steer than this "
         "picture: "
         "its sums cannot be used; leave out what changed, or render again");
  const std::uint64_t whole = game_.whole_units();
  if (checkpoint_.sums.done.end() > whole) {
    fail(ErrorKind::usage,
         "the state has unit {} already and this picture ends with unit {}: sums cannot be taken "
         "back; ask for a higher --quality, or render again",
         checkpoint_.sums.done.end() - 1, whole);
  }
}

void CheckpointedGame::restore() {
  SavedSums& saved = checkpoint_.sums;
  if (saved.shape.digest.empty()) {
    sums_.clear();
    saved.shape = shape();
    return;
  }
  for (const auto& [chain, pool] : saved.pools) {
    if (chain < game_.units()) game_.restore_pool(chain, pool);
  }
  sums_.restore(saved);
  schedule_.next_probe(saved.next_look);
}

void CheckpointedGame::make_room() {
  if (!checkpoint_.save || is_cpu(device_)) return;
  try {
    room_ = std::async(std::launch::async,
                       [this] { sums_.make_room(checkpoint_.sums, options_.stop); });
  } catch (const std::system_error&) {  // no thread is to be had: the first copy makes it
  }
}

bool CheckpointedGame::play(const Player::Ask& on_progress) {
  try {
    if (play_shard(on_progress)) return finish();
    finish_saving(true);
    checkpoint_.saved = checkpoint_.stopped = true;
    return false;
  } catch (const Error& error) {
    if (error.kind == ErrorKind::device) rescue();
    const bool sums_are_whole = is_measuring_ || use_copies_;
    if (error.kind != ErrorKind::stopped || !sums_are_whole || !checkpoint_.save) throw;
    finish_saving(false);
    if (is_measuring_) {
      device_.watch(options_.stop);
      copy_sums();
    }
    checkpoint_.save(checkpoint_.sums);
    checkpoint_.saved = checkpoint_.stopped = true;
    return false;
  } catch (const std::bad_alloc&) {
    rescue();
    throw;
  }
}

/// Does what the schedule says; false where somebody stopped it.
bool CheckpointedGame::play_shard(const Player::Ask& ask) {
  if (checkpoint_.regrade)
    check_nothing_is_missing(
        units_of_shard(game_.whole_units(), game_.chains(), checkpoint_.shard));
  auto after = StillSchedule::After::go_on;
  const auto goes_on = [&] { return (after = after_launch()) == StillSchedule::After::go_on; };
  Pace* const pace = options_.helpers.empty() ? nullptr : &pace_;
  while (after == StillSchedule::After::go_on) {
    const StillSchedule::Work work = schedule_.next(sums_.done);
    if (work.kind == StillSchedule::Kind::finish) return true;
    if (work.kind == StillSchedule::Kind::play) {
      accumulate(player_, UnitSet(work.units), sums_, ask, goes_on, pace);
    } else {
      measure();
      schedule_.judge(sums_.done, *checkpoint_.noise);
    }
  }
  return after == StillSchedule::After::finish;
}

void CheckpointedGame::check_nothing_is_missing(const UnitSet& shard) const {
  for (const UnitRange& wanted : shard.ranges()) {
    const UnitSet missing = sums_.done.missing_of(wanted);
    if (missing.count() > 0)
      fail(ErrorKind::input, "units {} are missing; kiln render of the state renders them",
           in_words(missing));
  }
}

/// Asks what is wanted, and saves where that is.
StillSchedule::After CheckpointedGame::after_launch() {
  using After = StillSchedule::After;
  const Checkpoint::Request request =
      checkpoint_.ask ? checkpoint_.ask() : Checkpoint::Request::go_on;
  const After after = schedule_.launched(sums_.done, seconds_since(begun_), request, is_saving());
  if (after != After::save && after != After::stop) return after;
  finish_saving(false);
  start_saving();
  return after == After::stop ? after : After::go_on;
}

void CheckpointedGame::measure() {
  is_measuring_ = true;
  if (checkpoint_.stop.stop_possible()) device_.watch(checkpoint_.stop);
  checkpoint_.noise = probe_(sums_);
  if (checkpoint_.stop.stop_possible()) device_.watch(options_.stop);
  is_measuring_ = false;
}

/// Measures and saves what there is; true if it is a picture, whose histogram is then complete.
bool CheckpointedGame::finish() {
  checkpoint_.end = schedule_.end();
  const bool ends_early = checkpoint_.end != Checkpoint::End::quality;
  // ranks meet whatever each of them has, one with all units too
  const bool complete = options_.ranks ? ends_early : schedule_.is_complete(sums_.done);
  if (complete && sums_.in_halves() && schedule_.wants_last_measure(sums_.done)) measure();
  finish_saving(false);
  if (checkpoint_.save) {
    start_saving();
    use_copies_ = true;
  }
  if (ends_early) checkpoint_.quality = quality_now();
  if (complete && sums_.in_halves()) sums_.sum_halves(sums_.half(0).data());
  if (complete && !ends_early) play_partial_unit(sums_.totals);
  try {
    finish_saving(true);
    checkpoint_.saved = bool(checkpoint_.save);
  } catch (...) {
    if (!complete && !options_.ranks) throw;
    checkpoint_.unsaved = std::current_exception();
  }
  return complete;
}

void CheckpointedGame::play_partial_unit(GameTotals& totals) {
  if (game_.whole_units() < game_.units())
    game_.launch({game_.whole_units(), game_.units()}, sums_.half(0).data(), totals, [] {});
}

/// The device failed, or memory ran out. What a launch left half done is of no use, and a device
/// that is lost gives nothing back: then the state is as it was written last.
void CheckpointedGame::rescue() {
  if (!checkpoint_.save || checkpoint_.saved) return;
  try {
    finish_saving(false);
    if (!use_copies_) {
      if (player_.is_amid_launch()) return;
      copy_sums();
    }
    checkpoint_.save(checkpoint_.sums);
    checkpoint_.saved = true;
  } catch (const std::exception&) {
    return;
  }
}

double CheckpointedGame::quality_now() const {
  return quality_of_samples(frame_.flame, sums_.done.count() * unit_samples);
}

void CheckpointedGame::copy_sums() {
  SavedSums& saved = checkpoint_.sums;
  if (room_.valid()) room_.get();
  sums_.copy_to(saved, options_.stop);
  for (std::uint64_t chain = 0; chain < game_.chains(); ++chain) {
    if (sums_.done.contains({chain, chain + 1}))
      saved.pools[std::uint32_t(chain)] = game_.pool(chain);
  }
  saved.next_look = schedule_.next_probe();
  if (schedule_.is_open() && checkpoint_.genome_at && sums_.done.count() > 0)
    saved.genome = checkpoint_.genome_at(quality_now());
}

void CheckpointedGame::start_saving() {
  copy_sums();
  const auto save = [this] { checkpoint_.save(checkpoint_.sums); };
  const auto policy = options_.threads == 1 ? std::launch::deferred : std::launch::async;
  try {
    saving_ = std::async(policy, save);
  } catch (const std::system_error&) {  // no thread is to be had
    saving_ = std::async(std::launch::deferred, save);
  }
  if (saving_.wait_for(std::chrono::seconds(0)) == std::future_status::deferred)
    saving_.wait();  // by this thread, at once: a state that is not written helps nobody
}

bool CheckpointedGame::is_saving() const {
  return saving_.valid() &&
         saving_.wait_for(std::chrono::seconds(0)) == std::future_status::timeout;
}

void CheckpointedGame::finish_saving(bool last) {
  if (!saving_.valid()) return;
  try {
    saving_.get();
  } catch (const Error& error) {
    if (last) throw;
    if (checkpoint_.warn) checkpoint_.warn(error.what());
  }
}

}  // namespace kiln
