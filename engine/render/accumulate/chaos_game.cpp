// SPDX-License-Identifier: MIT
#include "engine/render/accumulate/chaos_game.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/device/test_hooks.h"
#include "engine/program/compile.h"

namespace kiln {
namespace {

/// Sets until when a pool is hidden and when it has settled. Recorded steps begin where the strata
/// of the offsets do (offset_stratum).
void plan_hidden_steps(std::uint32_t steps, std::uint32_t flam3_fuse, ChaosGame& game) {
  if (flam3_fuse) steps = std::min(steps, flam3_chain + flam3_fuse);
  const std::uint32_t more = steps - warm_up_steps;
  game.recorded_from = warm_up_steps + (more + unit_steps - 1) / unit_steps * unit_steps;
  game.first_step = game.recorded_from - steps;
  game.flam3_transients = flam3_fuse > 0 && flam3_fuse < steps;
  game.hidden_until = game.flam3_transients ? game.first_step + flam3_fuse : game.recorded_from;
}

/// Steps that a time sample of `steps` steps hides because points still lie where the one before put
/// them: at most a sixteenth of them, and as many as most maps need to forget; a quarter where
/// time samples weigh differently, as a bright one's steps show in a dim one's trail. Where points
/// settle slowly the exposure would come late by what they remember, a seventh of their burn-in
/// time: at most a 200th of it is allowed.
std::uint64_t burn_in_steps_of(const CompiledFlame& flame, std::uint64_t steps) {
  constexpr std::uint64_t most_maps = 15;
  const std::uint64_t share = flame.weighed ? 4 : 16;
  const std::uint64_t usual = std::min(most_maps, steps / share), all = flame.burn_in_steps;
  if (all <= u64(warm_up_steps)) return usual;
  const std::uint64_t wanted = all * 30 / std::uint64_t(flame.program.time_sample_count);
  return std::max(usual, std::min(all, wanted > steps ? wanted - steps : 0));
}

/// flam3's chains begin with every time sample, or, so that their first steps do not take minutes, with
/// every few.
void begin_chains(const ChaosGame& game, TimeRange& range) {
  constexpr std::uint32_t least_starts = 64, most_steps = 1 << 18;  // two seconds of a core
  const std::uint64_t each = std::max<std::uint64_t>(1, range.samples / range.count);
  range.chain = std::uint32_t(each / ((each + flam3_chain - 1) / flam3_chain));
  range.fuse = game.hidden_until - game.first_step;
  const std::uint32_t settled = game.recorded_from - game.first_step;
  const std::uint32_t starts =
      std::max(least_starts, most_steps / std::min(settled, range.fuse + range.chain));
  range.time_samples_a_chain = (range.count + starts - 1) / starts;
}

/// Assigns by samples, not by groups of steps (kernels/time_samples.h), a pass of fewer steps than
/// a full unit, whose time samples share that many hidden and recorded ones, and flam3's chains.
void assign_to_the_sample(const ChaosGame& game, TimeRange& range) {
  constexpr std::uint32_t most_maps = 15;
  const bool chains = game.flam3_transients;
  if (range.count == 1 || (range.samples >= unit_samples && !chains)) return;
  range.sequential = 1;
  range.assigned_at_once = 1;
  if (range.count > u32(unit_steps))
    range.least_room = std::uint32_t(std::min(range.samples / unit_steps, u64(pool_slots)));
  const std::uint32_t share = std::max(1u, unit_steps / range.count) - 1;
  range.burn_in_steps = std::max(range.burn_in_steps, std::min(most_maps, share));
  if (chains) begin_chains(game, range);
}

/// Whether steps are laid out one after the other, as hidden ones move those that follow in their
/// group to another time sample. A long time sample has a group for itself; where hidden steps are a small
/// part of it, the next group makes up for them. Of uneven time samples some are short.
bool is_sequential(const CompiledFlame& flame, std::uint64_t burn_in_steps, std::uint64_t steps) {
  constexpr std::uint64_t group = group_of_steps;
  if (burn_in_steps == 0) return false;
  return burn_in_steps >= group / 2 || steps < 2 * group || !flame.time_sample_ends.empty();
}

/// The time samples of pass `pass` (kernels/time_samples.h).
TimeRange time_samples_of_pass(const CompiledFlame& flame, int pass, const ChaosGame& game) {
  TimeRange range{};
  const std::uint32_t all = std::uint32_t(flame.program.time_sample_count);
  range.count = all == 1 ? 1 : all / std::uint32_t(flame.passes);
  range.first = all == 1 ? 0 : std::uint32_t(pass) * range.count;
  range.samples = std::max<std::uint64_t>(1, flame.samples_of_pass(pass));
  KILN_CHECK(range.count > 0 && range.first + range.count <= all, "pass {} of {}, {} time samples",
             pass, flame.passes, all);
  KILN_CHECK(range.samples < (std::uint64_t(1) << 63) / range.count,
             "{} samples of {} time samples", range.samples, range.count);
  const std::uint64_t steps = range.samples / range.count / pool_slots;
  range.burn_in_steps = std::uint32_t(burn_in_steps_of(flame, steps));
  range.sequential = is_sequential(flame, range.burn_in_steps, steps);
  assign_to_the_sample(game, range);
  return range;
}

// A pool of a flame that settles slowly, as a state file has it: points, generators, and what points
// have more, as they lie in a device's memory.

constexpr std::size_t points_bytes = pool_slots * sizeof(Point);
constexpr std::size_t lanes_bytes = pool_lanes * sizeof(std::uint32_t);
std::size_t more_bytes(const Program& program) {
  return std::size_t(program.more_numbers()) * pool_slots * sizeof(float);
}

/// Whether kernels can play on from the point: they look up tables by its last xform.
bool is_possible(const Point& point, int xform_count) {
  const std::uint32_t bad = (point.meta & ~meta_level_mask) >> meta_bad_shift;
  return std::isfinite(point.x) && std::isfinite(point.y) &&
         (point.meta & meta_last_mask) <= std::uint32_t(xform_count) && bad <= bad_limit;
}

}  // namespace

Accumulator::Accumulator(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes)
    : Accumulator(device, flame, max_memory_bytes, nullptr) {}

Accumulator::Accumulator(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes,
                         const std::uint16_t* permutations, std::uint32_t unit_most)
    : device_(device),
      flame_(flame),
      unit_most_(unit_most),
      loaded_(device, flame),
      plan_(device.game().plan(flame, units_of(flame.sample_count), max_memory_bytes)),
      permutations_(permutations) {
  if (!permutations_) {
    own_permutations_ = DeviceArray<std::uint16_t>(device, pool_permutations());
    permutations_ = own_permutations_.data();
  }
  const std::uint64_t chains = std::min<std::uint64_t>(flame.chains, units_of(flame.sample_count));
  const std::size_t units = std::max(std::size_t(plan_.units), std::size_t(chains));
  points_ = DeviceArray<Point>(device, units * pool_slots);
  for (DeviceArray<std::uint32_t>* lanes : {&random0_, &random1_})
    *lanes = DeviceArray<std::uint32_t>(device, units * pool_lanes);
  step_ = DeviceArray<std::uint32_t>(device, units);
  recorded_ = DeviceArray<std::uint32_t>(device, units);
  bad_ = DeviceArray<std::uint64_t>(device, units);
  const std::size_t more = std::size_t(flame.program.more_numbers());
  if (more > 0) more_ = DeviceArray<float>(device, units * more * pool_slots);
  if (flame.program.time_sample_count > 1) walk_ = DeviceArray<TimeWalk>(device, units);
  device.game().begin(plan_, flame);
}

Accumulator::~Accumulator() { device_.game().end(); }

PoolState Accumulator::pools_from(std::size_t pool) const {
  const std::size_t lane = pool * pool_lanes;
  return {points_.data() + pool * pool_slots,
          random0_.data() + lane,
          random1_.data() + lane,
          step_.data() + pool,
          recorded_.data() + pool,
          bad_.data() + pool,
          walk_.data(),
          more_.data() + pool * std::size_t(flame_.program.more_numbers()) * pool_slots};
}

std::size_t Accumulator::place_of(std::uint64_t chain) const {
  if (game_.unit_stride == 1) return std::size_t(chain);
  const std::uint64_t even = (std::min(chains_, units_) + 1) / 2;
  return std::size_t(chain % 2 * even + chain / 2);
}

void Accumulator::burn_in(ChaosGame game, std::size_t pools, const std::function<void()>& ask) {
  constexpr std::uint32_t most_steps = 1024;  // between two looks at whether to go on
  const std::uint32_t end = game.hidden_until;
  game.hidden_until = std::min(end, game.first_step + most_steps);
  device_.game().warm_up(game, int(pools));
  for (game.goes_on = 1; game.hidden_until < end;) {
    ask();
    game.hidden_until = std::min(end, game.hidden_until + most_steps);
    device_.game().warm_up(game, int(pools));
  }
}

void Accumulator::reset_pools(const ChaosGame& game, std::size_t pools) {
  const std::vector<std::uint32_t> steps(pools, game.recorded_from);
  device_.upload(game.state.step, steps.data(), pools * sizeof(std::uint32_t));
  device_.clear(game.state.recorded, pools * sizeof(std::uint32_t));
  device_.clear(game.state.bad, pools * sizeof(std::uint64_t));
}

void Accumulator::begin(std::uint64_t seed, int pass, std::uint32_t flam3_fuse,
                        std::uint32_t stride) {
  game_ = {};
  game_.unit_stride = stride;
  game_.program = loaded_.program();
  game_.permutations = permutations_;
  game_.seed = seed;
  // passes are frames of their own: other samples of the same flame
  game_.pass = std::uint32_t(pass);
  game_.number = number_;
  samples_ = flame_.samples_of_pass(pass);
  game_.total_samples = samples_;
  game_.unit_most = unit_most_;
  plan_hidden_steps(flame_.burn_in_steps, flam3_fuse, game_);
  game_.time_samples = time_samples_of_pass(flame_, pass, game_);
  if (loaded_.time_sample_ends())
    game_.time_samples.ends = loaded_.time_sample_ends() + game_.time_samples.first;

  sums_ = {};
  sums_.palette = loaded_.table();
  sums_.width = game_.program.width;
  sums_.height = game_.program.height;
  sums_.tiling = game_.program.tiling;
  sums_.record_limit = records_of_a_sum(loaded_.table(), flame_.largest_increment);
  sums_.halves = holds_halves(sums_.tiling, loaded_.table());

  units_ = units_of(samples_);
  // flam3's chains are short: there every unit begins anew
  chains_ = flam3_fuse ? 0 : flame_.chains;
  KILN_CHECK(chains_ % stride == 0, "{} chains, every {}th unit", chains_, stride);
}

std::uint64_t Accumulator::launch(const UnitRange& range, std::uint64_t* frame, GameTotals& totals,
                                  const std::function<void()>& ask) {
  const std::uint64_t chain = chains_ ? range.first % chains_ : 0;
  const auto strides = [&](std::uint64_t units) {
    return std::size_t((units + game_.unit_stride - 1) / game_.unit_stride);
  };
  std::size_t active = std::min(strides(range.count()), std::size_t(plan_.units));
  if (chains_) active = std::min(active, strides(chains_ - chain));
  game_.first_unit = std::uint32_t(range.first);
  game_.state = pools_from(place_of(chain));
  if (chains_ && range.first >= chains_) {
    reset_pools(game_, active);
  } else {
    burn_in(game_, active, ask);
  }
  sums_.histogram = frame;
  std::vector<std::uint32_t> recorded(active);
  std::vector<std::uint64_t> bad(active);
  let_game_fail();
  launching_ = active;
  device_.game().play(game_, sums_, int(active));
  let_launch_fail();
  device_.download(recorded.data(), game_.state.recorded, active * sizeof(std::uint32_t));
  device_.download(bad.data(), game_.state.bad, active * sizeof(std::uint64_t));
  for (std::size_t u = 0; u < recorded.size(); ++u) {
    const std::uint32_t half = game_.program.steering ? 1u << light_bits >> 1 : 0;
    totals.samples += (recorded[u] + half) >> (half ? light_bits : 0);
    totals.bad_values += bad[u];
  }
  launching_ = 0;
  return active;
}

bool Accumulator::is_amid_launch() const {
  std::vector<std::uint32_t> recorded(launching_);
  device_.download(recorded.data(), game_.state.recorded, launching_ * sizeof(std::uint32_t));
  return std::any_of(recorded.begin(), recorded.end(), [](std::uint32_t n) { return n > 0; });
}

std::uint64_t Accumulator::play(const UnitRange& range, Accumulation& sums, const Ask& ask) {
  const std::uint64_t stride = game_.unit_stride;
  KILN_CHECK(stride == sums.halves(), "{} halves, every {}th unit", sums.halves(), stride);
  const auto launched = [&](const UnitRange& units) {
    sums.launch = std::min((units.count() + stride - 1) / stride, std::uint64_t(plan_.units));
    const auto settles = [&] { ask(sums.totals.samples); };
    settles();
    return launch(units, sums.sums_of(units.first), sums.totals, settles);
  };
  if (!sums.in_halves()) {
    const std::uint64_t count = launched(range);
    sums.done.add({range.first, range.first + count});
    return count;
  }
  const auto every_other = [&](const UnitRange& units) {
    const std::uint64_t end = units.first + stride * launched(units);
    for (std::uint64_t u = units.first; u < end; u += stride) sums.done.add({u, u + 1});
    return end - units.first;
  };
  const std::uint64_t end = std::min(range.end, range.first + every_other(range));
  for (UnitRange others{range.first + 1, end}; others.first < others.end;)
    others.first += every_other(others);
  return end - range.first;
}

GameTotals Accumulator::play_pass(DeviceArray<std::uint64_t>& frame, std::uint64_t seed, int pass,
                                  std::uint32_t flam3_fuse) {
  begin(seed, pass, flam3_fuse);
  Accumulation sums(device_, frame);
  accumulate(*this, UnitSet({0, units_}), sums, [](std::uint64_t) {});
  return sums.totals;
}

std::size_t Accumulator::pool_bytes() const {
  return points_bytes + 2 * lanes_bytes + more_bytes(flame_.program);
}

std::vector<char> Accumulator::pool(std::uint64_t chain) const {
  const PoolState state = pools_from(place_of(chain));
  std::vector<char> bytes(pool_bytes());
  char* at = bytes.data();
  const auto take = [&](const void* from, std::size_t count) {
    device_.download(at, from, count);
    at += count;
  };
  take(state.points, points_bytes);
  take(state.random0, lanes_bytes);
  take(state.random1, lanes_bytes);
  take(state.more, more_bytes(flame_.program));
  return bytes;
}

void Accumulator::restore_pool(std::uint64_t chain, const std::vector<char>& bytes) {
  KILN_CHECK(bytes.size() == pool_bytes(), "a pool of {} bytes", bytes.size());
  for (std::size_t i = 0; i < std::size_t(pool_slots); ++i) {
    Point point;
    std::memcpy(&point, bytes.data() + i * sizeof point, sizeof point);
    if (!is_possible(point, flame_.program.xform_count))
      fail(ErrorKind::input,
           "point {} of chain {} is none that this flame can have; use another copy of the state, "
           "or render it again",
           i, chain);
  }
  const PoolState state = pools_from(place_of(chain));
  const char* at = bytes.data();
  const auto give = [&](void* to, std::size_t count) {
    device_.upload(to, at, count);
    at += count;
  };
  give(state.points, points_bytes);
  give(state.random0, lanes_bytes);
  give(state.random1, lanes_bytes);
  give(state.more, more_bytes(flame_.program));
}

}  // namespace kiln
