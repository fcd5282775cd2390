// SPDX-License-Identifier: MIT
// Symmetry folded into the other xforms: the law of what is folded, the same measure as playing it,
// counts that do not clump, and the same bits everywhere.
#include "engine/program/symmetry.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/io/flame/xform_reader.h"
#include "engine/render/plan/burn_in.h"
#include "engine/render/plan/prepared_frame.h"
#include "tests/devices.h"
#include "tests/kernels/motion.h"
#include "tests/kernels/statistics.h"

namespace kiln::test {
namespace {

constexpr double two_pi = 6.283185307179586476925;

AffineD turn_by(double turns) {
  const double c = std::cos(two_pi * turns), s = std::sin(two_pi * turns);
  return {c, s, -s, c, 0, 0};
}
AffineD mirror_at(double turns) {
  const double c = std::cos(2 * two_pi * turns), s = std::sin(2 * two_pi * turns);
  return {c, s, s, -c, 0, 0};
}
Xform symmetry_xform(double weight, const AffineD& coefs) {
  Xform xform = linear_xform(weight, coefs);
  xform.color_speed = 0;
  return xform;
}

/// Two xforms off the center, one with a post affine, that mix at once.
Flame two_others(int width, int height) {
  Flame flame = flame_over(width, height, -1.6, -1.6, width / 3.2);
  flame.xforms = {xform_of("swirl", 0.6, {0.5, 0.2, -0.3, 0.4, 0.7, 0.2}),
                  xform_of("sinusoidal", 0.9, {1.7, -0.6, 0.5, 1.4, -0.2, 0.5})};
  flame.xforms[0].color = 0.2;
  flame.xforms[1].color = 0.9;
  flame.xforms[1].post = {0.8, 0.3, -0.3, 0.8, 0.4, -0.1};
  number_palette(flame);
  return flame;
}
Flame with_symmetry(int kind, int width = 16, int height = 16) {
  Flame flame = two_others(width, height);
  append_symmetry(kind, flame);
  return flame;
}
std::optional<SymmetryGroup> group_of(const Flame& flame) { return SymmetryGroup::of({&flame}); }
int order_of(const Flame& flame) {
  const auto group = group_of(flame);
  return group ? group->order() : 0;
}

// ---- the law ----

/// Products of rotations by k / n of a turn.
std::vector<int> cyclic(int n) {
  std::vector<int> table;
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) table.push_back((a + b) % n);
  return table;
}

TEST(Symmetry, the_law_of_rotations_as_flam3_adds_them) {
  for (const int n : {2, 3, 15, 60}) {
    std::vector<double> weights(std::size_t(n), 1);
    weights[0] = 0;
    const std::vector<double> law = law_of_symmetry(weights, 1, cyclic(n));
    for (int g = 0; g < n; ++g)
      EXPECT_NEAR(law[std::size_t(g)], (g == 0 ? 2.0 : 1.0) / (n + 1), 1e-14) << n;
  }
}

/// One generator, any weights: walks of 0, 1, 2 ... elements.
TEST(Symmetry, the_law_of_a_walk) {
  const int n = 5;
  const std::vector<double> weights = {0.1, 0.7, 0, 0.2, 0};
  const double others = 0.4;
  std::vector<double> walk(n), expected(n);
  walk[0] = 1;
  for (int length = 0; length < 400; ++length) {
    std::vector<double> next(n);
    for (std::size_t h = 0; h < n; ++h) {
      expected[h] += walk[h] * others / 1.4;
      for (std::size_t g = 0; g < n; ++g) next[(g + h) % n] += walk[h] * weights[g] / 1.4;
    }
    walk = next;
  }
  const std::vector<double> law = law_of_symmetry(weights, others, cyclic(n));
  for (std::size_t g = 0; g < n; ++g) EXPECT_NEAR(law[g], expected[g], 1e-13);
}

// ---- what is folded ----

TEST(Symmetry, groups_are_found) {
  EXPECT_EQ(order_of(two_others(16, 16)), 0);
  for (const int n : {2, 3, 7, 20, 48}) {
    EXPECT_EQ(order_of(with_symmetry(n)), n);
    EXPECT_EQ(order_of(with_symmetry(-n)), 2 * n);
  }
  EXPECT_EQ(order_of(with_symmetry(-1)), 2);
  Flame twice = with_symmetry(4);  // flam3 writes it so
  append_symmetry(6, twice);
  EXPECT_EQ(order_of(twice), 12);
  Flame some = two_others(16, 16);  // by hand: what two of them generate
  some.xforms.push_back(symmetry_xform(0.3, turn_by(2 / 9.0)));
  EXPECT_EQ(order_of(some), 9);
  some.xforms.insert(some.xforms.begin(), symmetry_xform(2, mirror_at(0.11)));
  EXPECT_EQ(order_of(some), 18);
  some.xforms.push_back(symmetry_xform(2, mirror_at(0.11 + 1 / 12.0)));
  EXPECT_EQ(order_of(some), 36);
}

TEST(Symmetry, what_is_no_symmetry_is_played) {
  const auto changed = [](auto&& change) {
    Flame flame = with_symmetry(5);
    change(flame, flame.xforms[3]);
    return order_of(flame);
  };
  EXPECT_EQ(changed([](Flame&, Xform&) {}), 5);
  EXPECT_EQ(changed([](Flame& flame, Xform&) { flame.xforms[0].chaos = {1, 1, 0.5}; }), 0);
  EXPECT_EQ(changed([](Flame& flame, Xform&) { flame.xforms[1].opacity = 0.5; }), 0);
  EXPECT_EQ(changed([](Flame&, Xform& xform) { xform.opacity = 0; }), 0);
  EXPECT_EQ(changed([](Flame&, Xform& xform) { xform.coefs = turn_by(0.1234567); }), 0);
  // one of the others: it is folded with them
  EXPECT_EQ(changed([](Flame&, Xform& xform) { xform.color_speed = 0.1; }), 5);
  EXPECT_EQ(changed([](Flame&, Xform& xform) { xform.coefs.c = 0.01; }), 5);
  EXPECT_EQ(changed([](Flame&, Xform& xform) { xform.variations[0] = 0.99; }), 5);
  Flame alone = with_symmetry(5);
  alone.xforms.erase(alone.xforms.begin(), alone.xforms.begin() + 2);
  EXPECT_EQ(order_of(alone), 0);
  Flame large = with_symmetry(5);
  while (large.xforms.size() < 300) large.xforms.push_back(large.xforms[0]);
  EXPECT_EQ(order_of(large), 0);
}

TEST(Symmetry, each_of_the_others_gets_its_images) {
  const Flame flame = with_symmetry(-3);
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, 16, 16});
  EXPECT_EQ(compiled.program.xform_count, 12);
  EXPECT_EQ(compiled.program.copy_count, 6);
  EXPECT_EQ(compiled.symmetry.size(), 6u);
  Flame folded;
  ASSERT_TRUE(group_of(flame)->fold(flame, folded));
  double sum = 0;
  for (const Xform& xform : folded.xforms) sum += xform.weight;
  EXPECT_NEAR(sum, 1.5, 1e-12);
  const CompiledFlame played = compile(flame, PlotArea{1, 0, 16, 16}, Symmetry::iterated);
  EXPECT_EQ(played.program.xform_count, 5);
  EXPECT_EQ(played.program.copy_count, 1);
}

TEST(Symmetry, flam3s_starts_are_those_of_its_own_chain) {
  RenderOptions options;
  options.backend = Backend::cpu;
  const Frame frame{with_symmetry(4), {}, {}, 0};
  EXPECT_EQ(prepare(frame, options).compiled.program.copy_count, 4);
  options.compat_flam3 = true;
  EXPECT_EQ(prepare(frame, options).compiled.program.copy_count, 1);
}

/// Time samples fold together or not at all.
TEST(Symmetry, in_motion_it_has_to_stand_still) {
  const auto images = [](const Moving& moving) {
    return compile(moving.flame, moving.time_samples(), PlotArea{1, 0, 16, 16}).program.copy_count;
  };
  EXPECT_EQ(images(Moving(with_symmetry(3), 4,
                          [](Flame& flame, double t) {
                            flame.xforms[0].coefs.a = t;
                            for (Xform& xform : flame.xforms) xform.weight = 1 + t;
                          })),
            3);
  EXPECT_EQ(images(Moving(with_symmetry(3), 4,
                          [](Flame& flame, double t) {
                            if (t > 0.3) flame.xforms[3].coefs = turn_by(t);
                          })),
            1);
}

// ---- the same measure ----

/// Plays a compiled flame.
class CompiledPlayer {
 public:
  CompiledPlayer(Device& device, const CompiledFlame& compiled, std::uint64_t max_memory_bytes = 0)
      : compiled_(compiled),
        channels_(compiled.table.opaque ? 4 : 5),
        frame_(device, std::size_t(compiled.program.width) *
                           std::size_t(compiled.program.height * channels_)),
        game_(device, compiled_, max_memory_bytes) {}
  Histogram play(std::uint64_t seed) {
    frame_.clear();
    Histogram out{
        compiled_.program.width, compiled_.program.height, channels_, compiled_.unit, {}, {}};
    out.totals = game_.play_pass(frame_, seed);
    out.sums = frame_.download();
    return out;
  }

 private:
  CompiledFlame compiled_;
  int channels_;
  DeviceArray<std::uint64_t> frame_;
  Accumulator game_;
};

/// Shares of the samples and their colors, cell by cell.
Measured measure(Device& device, CompiledFlame compiled, int plays, std::uint64_t first_seed) {
  compiled.sample_count = 300 * pool_slots;
  plan_burn_in(compiled);
  CompiledPlayer player(device, compiled);
  const std::size_t cells = std::size_t(compiled.program.width * compiled.program.height);
  Measured shares(2 * cells);
  for (int i = 0; i < plays; ++i) {
    const Histogram histogram = player.play(first_seed + std::uint64_t(i));
    for (std::size_t c = 0; c < cells; ++c) {
      shares.now(c) = histogram.hits(c) / double(compiled.sample_count);
      shares.now(cells + c) = histogram.value(c, 0) / 255 / double(compiled.sample_count);
    }
    shares.end();
  }
  return shares;
}
/// Mean square deviation between playing and folding, about 1 if they leave the same measure.
double difference(Device& device, const CompiledFlame& played, const CompiledFlame& folded) {
  EXPECT_EQ(played.program.copy_count, 1);
  EXPECT_GT(folded.program.copy_count, 1);
  constexpr int plays = 12;
  const Measured a = measure(device, played, plays, 1000), b = measure(device, folded, plays, 1);
  Deviations all;
  for (std::size_t i = 0; i < a.cells(); ++i) {
    if (a.mean(i) + b.mean(i) > 2e-4) all.add(a.mean(i) - b.mean(i), a.error2(i) + b.error2(i), i);
  }
  EXPECT_GT(all.cells, 60u);
  return all.mean_square();
}
double difference(Device& device, const Flame& flame) {
  const PlotArea area{1, 0, flame.width, flame.height};
  return difference(device, compile(flame, area, Symmetry::iterated), compile(flame, area));
}
constexpr double same_measure = 1.5;  // errors are measured too, by 12 plays each

TEST_ON_EVERY_DEVICE(Symmetry, folded_leaves_the_same_measure) {
  for (const int kind : {2, -1, 6, -4}) {
    SCOPED_TRACE(kind);
    EXPECT_LT(difference(device, with_symmetry(kind)), same_measure);
  }
  Flame uneven = two_others(16, 16);  // not one element as likely as another
  uneven.xforms.push_back(symmetry_xform(0.7, turn_by(0.2)));
  uneven.xforms.insert(uneven.xforms.begin(), symmetry_xform(0.2, mirror_at(0.13)));
  uneven.final_xform = xform_of("linear", 1, {0.9, 0, 0.1, 0.9, 0.1, 0});
  uneven.final_xform->opacity = 0.5;
  EXPECT_EQ(order_of(uneven), 10);
  EXPECT_LT(difference(device, uneven), same_measure);
}

/// A bad value becomes a random point of a square, which rotations that are played turn and record.
TEST_ON_EVERY_DEVICE(Symmetry, folded_treats_bad_values_as_played) {
  Flame flame = with_symmetry(8);
  flame.xforms.push_back(bad_xform(0.4));
  EXPECT_LT(difference(device, flame), same_measure);
}

TEST_ON_EVERY_DEVICE(Symmetry, folded_moves_as_played) {
  const Moving moving(with_symmetry(-2), 5, [](Flame& flame, double t) {
    flame.xforms[0].coefs.c = t;
    flame.xforms[0].weight = 0.2 + t;
    flame.xforms.push_back(bad_xform(0.2 * t));
  });
  const PlotArea area{1, 0, 16, 16};
  Moving still = moving;  // played because one of them differs, by nothing that shows
  still.at[3].xforms[2].coefs.a *= 1 + 1e-5;
  EXPECT_LT(difference(device, compile(still.flame, still.time_samples(), area),
                       compile(moving.flame, moving.time_samples(), area)),
            same_measure);
}

/// What these tests notice: a law of the wrong kind, a mirror that is lost, bad values that nothing
/// turns or nobody records.
TEST(Symmetry, mistakes_are_noticed) {
  const std::unique_ptr<Device> device = open_cpu(2);
  const PlotArea area{1, 0, 16, 16};
  const Flame flame = with_symmetry(6);
  Flame even = flame;  // each element as likely as the identity
  for (Xform& xform : even.xforms)
    if (xform.color_speed == 0) xform.weight = 1e5;
  EXPECT_GT(difference(*device, compile(flame, area, Symmetry::iterated), compile(even, area)), 3);
  const Flame mirrored = with_symmetry(-6);
  EXPECT_GT(difference(*device, compile(mirrored, area, Symmetry::iterated), compile(flame, area)),
            3);
  Flame bad = flame;
  bad.xforms.push_back(bad_xform(0.4));
  CompiledFlame unturned = compile(bad, area), unseen = unturned;
  for (SymmetryElement& turn : unturned.symmetry) turn = {1, 0, 0, 1, turn.recorded};
  for (SymmetryElement& turn : unseen.symmetry) turn.recorded = 0;
  for (const CompiledFlame& wrong : {unturned, unseen})
    EXPECT_GT(difference(*device, compile(bad, area, Symmetry::iterated), wrong), 3);
}

// ---- noise ----

/// Variance of a pixel's hits by their mean, over plays with different seeds.
double clumping(Device& device, CompiledFlame compiled) {
  constexpr int plays = 24;
  compiled.sample_count = 100 * pool_slots;
  CompiledPlayer player(device, compiled);
  const std::size_t pixels = std::size_t(compiled.program.width * compiled.program.height);
  Measured counts(pixels);
  for (int seed = 0; seed < plays; ++seed) {
    const Histogram histogram = player.play(std::uint64_t(seed));
    for (std::size_t i = 0; i < pixels; ++i) counts.now(i) = histogram.hits(i);
    counts.end();
  }
  double mean = 0;
  for (std::size_t i = 0; i < pixels; ++i) mean += counts.mean(i);
  return counts.total_variance() / mean;
}

TEST(Symmetry, folded_hits_do_not_clump) {
  const std::unique_ptr<Device> device = open_cpu(2);
  for (const int kind : {2, 5, 15, -7}) {
    SCOPED_TRACE(kind);
    const Flame flame = with_symmetry(kind, 200, 200);
    const PlotArea area{1, 0, 200, 200};
    EXPECT_GT(clumping(*device, compile(flame, area, Symmetry::iterated)), kind == 2 ? 1.1 : 1.4);
    EXPECT_LT(clumping(*device, compile(flame, area)), 1.1);
  }
}

// ---- the same bits everywhere ----

TEST(Symmetry, the_same_bits_everywhere) {
  Flame flame = with_symmetry(-5, 64, 64);
  flame.xforms.push_back(bad_xform(0.1));
  flame.final_xform = xform_of("spherical", 1, {0.9, 0, 0.1, 0.9, 0.1, 0});
  flame.final_xform->post = {0.8, 0.1, 0, 0.9, 0.2, 0};
  const Moving moving(flame, 3, [](Flame& now, double t) { now.xforms[0].coefs.c = t; });
  const PlotArea area{1, 0, 64, 64};
  for (CompiledFlame compiled :
       {compile(flame, area), compile(moving.flame, moving.time_samples(), area)}) {
    EXPECT_EQ(compiled.program.copy_count, 10);
    compiled.sample_count = 700'000;
    const Histogram expected = CompiledPlayer(*open_cpu(1), compiled).play(3);
    EXPECT_GT(expected.totals.bad_values, 1000u);
    for (const auto& device : open_every_arithmetic()) {
      SCOPED_TRACE(device->describe());
      for (const std::uint64_t bytes : {0, 1})
        EXPECT_TRUE(CompiledPlayer(*device, compiled, bytes).play(3).sums == expected.sums);
    }
  }
}

}  // namespace
}  // namespace kiln::test
