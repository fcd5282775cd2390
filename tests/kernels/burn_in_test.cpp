// SPDX-License-Identifier: MIT
// Points that settle slowly: how long a flame needs is found out, and what is recorded has its
// stationary measure from the first sample on; with flam3's chains, theirs.
#include "engine/render/plan/burn_in.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/devices.h"
#include "tests/kernels/motion.h"

namespace kiln::test {
namespace {

/// Two lobes, left of x = 0 and right of it, of two xforms each. xaos leaves them with these
/// probabilities a step. Pixel 0 is the left lobe, pixel 1 the right one.
Flame two_lobes(double leave_left, double leave_right) {
  Flame flame = flame_over(2, 1, -4, -2, 0.25);
  for (const double x : {-1.0, -0.9, 1.0, 0.9})
    flame.xforms.push_back(linear_xform(1, {0.4, 0.1, -0.1, 0.4, x, 0}));
  for (std::size_t f = 0; f < 4; ++f) {
    const double leave = f < 2 ? leave_left : leave_right;
    const double left = f < 2 ? 1 - leave : leave;
    flame.xforms[f].chaos = {left, left, 1 - left, 1 - left};
    flame.xforms[f].color = f < 2 ? 0 : 1;
  }
  return flame;
}
/// Share of the left lobe in the end; what is left of a beginning after one step.
double left_share(double leave_left, double leave_right) {
  return leave_right / (leave_left + leave_right);
}
double memory_of_a_step(double leave_left, double leave_right) {
  return 1 - leave_left - leave_right;
}

template <class... Arguments>
CompiledFlame settled(const Arguments&... arguments) {
  CompiledFlame flame = compile(arguments...);
  plan_burn_in(flame);
  return flame;
}
std::uint32_t burn_in_of(const Flame& flame) {
  return settled(flame, PlotArea{1, 0, flame.width, flame.height}).burn_in_steps;
}

/// A spiral that is left with probability `leave`, and a copy of it.
Flame spiral(double leave, double shrink) {
  Flame flame = flame_over(64, 64, -2, -2, 16);
  const double c = shrink * std::cos(0.11), s = shrink * std::sin(0.11);
  flame.xforms = {linear_xform(1 - leave, {c, s, -s, c, 0, 0}),
                  linear_xform(leave, {0.5, 0, 0, 0.5, 0.9, 0.1})};
  return flame;
}

// ---- how long ----

TEST(BurnIn, flames_that_forget_at_once_keep_their_steps) {
  Flame triangle = flame_over(64, 64, -1, -1, 32);
  for (const double x : {-0.5, 0.0, 0.5}) triangle.xforms.push_back(contraction(1, 0.5, x, x * x));
  const CompiledFlame compiled = settled(triangle, PlotArea{1, 0, 64, 64});
  EXPECT_EQ(compiled.burn_in_steps, u32(warm_up_steps));
  EXPECT_EQ(compiled.chains, 0u);
  EXPECT_FALSE(compiled.program.has_xaos);
}

TEST(BurnIn, it_grows_with_what_points_remember) {
  for (const double leave : {0.02, 0.005, 0.0015, 0.0005}) {
    SCOPED_TRACE(leave);
    const double time = -1 / std::log(memory_of_a_step(leave, leave));
    const double steps = burn_in_of(two_lobes(leave, leave));
    EXPECT_GT(steps, 5 * time);
    EXPECT_LT(steps, 24 * time);
  }
  for (const double leave : {0.01, 0.005, 0.001, 0.0004}) {
    SCOPED_TRACE(leave);
    const double steps = burn_in_of(spiral(leave, leave > 0.002 ? 0.99 : 0.997));
    EXPECT_GT(steps, 5 / leave);
    EXPECT_LT(steps, 20 / leave);
  }
}

TEST(BurnIn, it_has_a_bound) {
  EXPECT_LE(burn_in_of(two_lobes(0.0002, 0.0002)), most_burn_in_steps);
  EXPECT_GE(burn_in_of(two_lobes(0.0002, 0.0002)), most_burn_in_steps / 2);
}

/// A small part that is left as seldom as it is entered.
TEST(BurnIn, small_parts_count) { EXPECT_GT(burn_in_of(two_lobes(0.0001, 0.01)), 500u); }

/// Chaos, x' = s + 2.6 sin(x - s) - 0.878 left of x = s + 0.605, and one place to its right, where one
/// point in a hundred begins; `leave` takes all to the left. Too few to be seen among the others of
/// their part of the plane, but they stay.
TEST(BurnIn, a_point_in_a_hundred_that_stays_counts) {
  for (const double leave : {0.005, 0.002, 0.001}) {
    SCOPED_TRACE(leave);
    Flame flame = flame_over(64, 64, -4, -4, 8);
    const double s = 0.98 - 0.605;
    flame.xforms = {xform_of("sinusoidal", 1 - leave, {1, 3, 0, 0, -s, -3 * s}),
                    linear_xform(leave, {0.1, 0, 0, 0.1, -1, 0})};
    flame.xforms[0].variations[std::size_t(find_variation("sinusoidal").value())] = 2.6;
    flame.xforms[0].post = {1, 0, 0, 1, s - 0.878, 0};
    for (Xform& xform : flame.xforms) xform.color = 0.5;
    EXPECT_GT(burn_in_of(flame), 1 / leave);
  }
}

/// A color moves by a fiftieth of the way each step.
TEST(BurnIn, colors_settle_too) {
  Flame flame = flame_over(64, 64, -1, -1, 32);
  for (const double x : {-0.5, 0.0, 0.5}) {
    flame.xforms.push_back(contraction(1, 0.5, x, x * x));
    flame.xforms.back().color = x + 0.5;
    flame.xforms.back().color_speed = 0.02;
  }
  EXPECT_GT(burn_in_of(flame), 5 * 50u);
  EXPECT_LT(burn_in_of(flame), 16 * 50u);
}

/// What stays for ever is nothing to wait for.
TEST(BurnIn, what_never_fades_does_not_count) {
  EXPECT_EQ(burn_in_of(two_lobes(0, 0)), u32(warm_up_steps));
  Flame colors = flame_over(64, 64, -1, -1, 32);
  for (const double x : {-0.5, 0.0, 0.5}) {
    colors.xforms.push_back(contraction(1, 0.5, x, x * x));
    colors.xforms.back().color_speed = 0;
  }
  EXPECT_EQ(burn_in_of(colors), u32(warm_up_steps));
  Flame rings = flame_over(64, 64, -1, -1, 32);
  const double c = std::cos(1.0), s = std::sin(1.0);
  rings.xforms = {linear_xform(1, {c, s, -s, c, 0, 0})};
  EXPECT_EQ(burn_in_of(rings), u32(warm_up_steps));
}

TEST(BurnIn, of_a_flame_in_motion_the_slowest_moment_counts) {
  const Moving moving(two_lobes(0.5, 0.5), 9, [](Flame& flame, double t) {
    flame = two_lobes(t > 0.9 ? 0.004 : 0.5, t > 0.9 ? 0.004 : 0.5);
  });
  const CompiledFlame compiled =
      settled(moving.flame, moving.time_samples(), PlotArea{1, 0, moving.flame.width, 1});
  EXPECT_GT(compiled.burn_in_steps, 500u);
}

// ---- what is recorded ----

/// Share of pixel 0, the mean of some seeds, and its standard error.
struct Share {
  double mean = 0, error = 0;
};
template <class Play>
Share share_of(int seeds, Play&& play) {
  double sum = 0, squares = 0;
  for (int seed = 0; seed < seeds; ++seed) {
    const Histogram histogram = play(std::uint64_t(seed));
    const double share = histogram.hits(0) / (histogram.hits(0) + histogram.hits(1));
    sum += share;
    squares += share * share;
  }
  const double mean = sum / seeds;
  return {mean, std::sqrt((squares / seeds - mean * mean) / (seeds - 1))};
}
void expect_share(const Share& got, double expected) {
  EXPECT_NEAR(got.mean, expected, 4.5 * got.error + 1e-5);
  EXPECT_LT(got.error, 0.004 * expected);  // else this would say nothing
}

TEST_ON_EVERY_DEVICE(BurnIn, few_samples_have_the_stationary_measure) {
  for (const double scale : {1.0, 0.15}) {  // mixing times 90 and 600
    const double left = 0.001 * scale, right = 0.01 * scale;
    Player player(device, two_lobes(left, right), 50 * pool_slots);
    expect_share(share_of(12, [&](std::uint64_t seed) { return player.play(seed); }),
                 left_share(left, right));
  }
}

TEST_ON_EVERY_DEVICE(BurnIn, pools_that_go_on_have_it_too) {
  const double left = 0.003, right = 0.012;
  const Flame flame = two_lobes(left, right);
  CompiledFlame compiled = settled(flame, PlotArea{1, 0, 2, 1});
  EXPECT_GT(compiled.chains, 0u);
  compiled.chains = 2;
  compiled.sample_count = 5 * unit_samples - 1'000'000;
  Accumulator game(device, compiled, 0);
  DeviceArray<std::uint64_t> frame(device, 2 * 4);
  GameTotals totals;
  const Share share = share_of(6, [&](std::uint64_t seed) {
    frame.clear();
    Histogram out{2, 1, 4, compiled.unit, {}, {}};
    totals = game.play_pass(frame, seed);
    out.sums = frame.download();
    return out;
  });
  EXPECT_EQ(totals.samples, compiled.sample_count);
  expect_share(share, left_share(left, right));
}

/// flam3's chain: the first step from one of all xforms alike, 15 steps that nobody sees, 10 000
/// that are recorded, or as many as there are.
double flam3_share(double left, double right, int steps = 10'000) {
  const double end = left_share(left, right), memory = memory_of_a_step(left, right);
  double weight = std::pow(memory, flam3_warm_up_steps), sum = 0;
  for (int i = 0; i < steps; ++i, weight *= memory) sum += weight;
  return end + (0.5 - end) * sum / steps;
}

TEST_ON_EVERY_DEVICE(BurnIn, flam3s_chains_keep_their_beginning) {
  for (const double scale : {1.0, 0.15}) {
    const double left = 0.001 * scale, right = 0.01 * scale;
    Player player(device, two_lobes(left, right), 500 * pool_slots);
    const Share share =
        share_of(12, [&](std::uint64_t seed) { return player.play(seed, 0, true); });
    expect_share(share, flam3_share(left, right));
    EXPECT_GT(std::fabs(share.mean - left_share(left, right)), 4 * share.error);
  }
}

/// Both lobes swap their places during the exposure: each time sample has its own measure.
TEST_ON_EVERY_DEVICE(BurnIn, moments_have_their_own_measure) {
  for (const int time_samples : {4, 16, 200}) {
    SCOPED_TRACE(time_samples);
    double expected = 0;
    const auto leave = [](double t) { return 0.004 + 0.076 * t * t; };
    const Moving moving(two_lobes(0.5, 0.5), time_samples,
                        [&](Flame& flame, double t) { flame = two_lobes(leave(t), 0.016); });
    for (int i = 0; i < time_samples; ++i)
      expected += left_share(leave((i + 0.5) / time_samples), 0.016) / time_samples;
    const CompiledFlame compiled = planned(moving);
    const Share share = share_of(
        8, [&](std::uint64_t seed) { return play(device, compiled, 1000 * pool_slots, seed); });
    EXPECT_NEAR(share.mean, expected, 4.5 * share.error + 0.001 * expected);
    EXPECT_LT(share.error, 0.004 * expected);
  }
}

/// flam3's chains begin with every time sample, and end with it.
TEST_ON_EVERY_DEVICE(BurnIn, flam3s_chains_begin_in_every_moment) {
  struct Chains {
    int time_samples, each, seeds;
  };
  for (const auto& [time_samples, each, seeds] :
       {Chains{4, 2'000, 16}, {16, 150'000, 16}, {200, 100, 5}}) {
    SCOPED_TRACE(fmt::format("{} moments of {}", time_samples, each));
    double expected = 0, end = 0;
    const auto leave = [](double t) { return 0.004 + 0.004 * t; };
    const Moving moving(two_lobes(0.5, 0.5), time_samples,
                        [&](Flame& flame, double t) { flame = two_lobes(leave(t), 0.001); });
    for (int i = 0; i < time_samples; ++i) {
      const double left = leave((i + 0.5) / time_samples);
      expected += flam3_share(left, 0.001, std::min(each, 10'000)) / time_samples;
      end += left_share(left, 0.001) / time_samples;
    }
    const std::uint64_t samples = std::uint64_t(time_samples) * std::uint64_t(each);
    const CompiledFlame compiled = planned(moving);
    const Share share = share_of(
        seeds, [&](std::uint64_t seed) { return play(device, compiled, samples, seed, true); });
    EXPECT_NEAR(share.mean, expected, 4.5 * share.error);
    EXPECT_LT(share.error, 0.2 * (expected - end));
  }
}

// ---- the same bits everywhere ----

Histogram histogram_of(Device& device, const CompiledFlame& compiled, int side, bool flam3_chains,
                       std::uint64_t max_memory_bytes) {
  DeviceArray<std::uint64_t> frame(device, std::size_t(side) * std::size_t(side) * 4);
  frame.clear();
  Histogram out{side, side, 4, compiled.unit, {}, {}};
  Accumulator game(device, compiled, max_memory_bytes);
  out.totals = game.play_pass(frame, 3, 0, flam3_chains ? flam3_warm_up_steps : 0);
  out.sums = frame.download();
  return out;
}

/// With little memory a GPU ends launches within units, and a CPU plays them one at a time.
void expect_same_everywhere(const CompiledFlame& compiled, int side, bool flam3_chains) {
  const Histogram expected = histogram_of(*open_cpu(1), compiled, side, flam3_chains, 0);
  EXPECT_EQ(expected.totals.samples, compiled.sample_count);
  for (const auto& device : open_every_arithmetic()) {
    SCOPED_TRACE(device->describe());
    const bool is_one =
        device->describe().starts_with("cpu") && compiled.sample_count <= unit_samples;
    for (const std::uint64_t bytes : {0, 1}) {
      if (bytes && is_one) continue;
      const Histogram got = histogram_of(*device, compiled, side, flam3_chains, bytes);
      EXPECT_TRUE(got.sums == expected.sums) << bytes;
      EXPECT_EQ(got.totals.samples, expected.totals.samples);
    }
  }
}

TEST(BurnIn, the_same_bits_everywhere) {
  const PlotArea area{1, 0, 64, 64};
  for (const bool flam3_chains : {false, true}) {
    CompiledFlame whirl = settled(spiral(0.005, 0.99), area);
    EXPECT_TRUE(whirl.program.has_xaos);  // single slots for the rare xform
    whirl.chains = 2;
    whirl.sample_count = 2 * unit_samples + 300'000;
    expect_same_everywhere(whirl, 64, flam3_chains);
    Flame lobes = two_lobes(0.002, 0.01);
    lobes.width = lobes.height = 64;
    lobes.scale = 12;
    CompiledFlame apart = settled(lobes, area);
    apart.sample_count = 400'000;
    expect_same_everywhere(apart, 64, flam3_chains);
  }
}

TEST(BurnIn, the_same_bits_everywhere_in_motion) {
  for (const int time_samples : {5, 300}) {
    Flame still = two_lobes(0.5, 0.5);
    still.width = still.height = 64;
    still.scale = 12;
    const Moving moving(still, time_samples, [&](Flame& flame, double t) {
      flame.xforms = two_lobes(0.02 + 0.02 * t, 0.05).xforms;
      flame.xforms.push_back(bad_xform(0.5));  // bad values hold up the samples
    });
    CompiledFlame compiled = settled(moving.flame, moving.time_samples(), PlotArea{1, 0, 64, 64});
    EXPECT_GT(compiled.burn_in_steps, 100u);
    const std::uint64_t of_chains = time_samples == 5 ? 300'000 : 30'000;  // many begin: short ones
    for (const std::uint64_t samples : {of_chains, u64(1'000'000), u64(2'500'000)}) {
      compiled.sample_count = samples;
      expect_same_everywhere(compiled, 64, /*flam3_chains=*/samples == of_chains);
    }
  }
}

}  // namespace
}  // namespace kiln::test
