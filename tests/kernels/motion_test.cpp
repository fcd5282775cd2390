// SPDX-License-Identifier: MIT
// Motion blur: every time sample gets its share of the frame, whatever the number of units, time samples and
// devices; and a flame that stands still is the still.
#include "tests/kernels/motion.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "tests/devices.h"

namespace kiln::test {
namespace {

constexpr std::uint64_t unit = unit_samples;

/// All points lie at (x, y).
Xform point_xform(double weight, double x, double y) {
  return linear_xform(weight, {0, 0, 0, 0, x, y});
}
/// 100 x 4 pixels, pixel i begins at x = i; one point, in the middle of the rows.
Flame point_flame() {
  Flame flame = flame_over(100, 4, 0, 0, 1);
  flame.xforms.push_back(point_xform(1, 0.5, 1.5));
  return flame;
}
void move_point(Flame& flame, double t) { flame.xforms[0].coefs.c = 100 * t; }

/// Two contractions that turn and drift; their picture has structure at every scale.
Flame turning_flame() {
  Flame flame = flame_over(64, 64, -2, -2, 16);
  flame.xforms = {linear_xform(1, {}), linear_xform(2, {})};
  flame.xforms[0].color = 1;
  return flame;
}
void turn(Flame& flame, double t) {
  const double a = 1 + t, c = 0.6 * std::cos(a), s = 0.6 * std::sin(a);
  flame.xforms[0].coefs = {c, s, -s, c, 0.5, 0.2};
  flame.xforms[1].coefs = {0.5, 0, 0, 0.5, -0.8 + 0.6 * t, -0.3};
  flame.xforms[0].weight = 1 + t;
}

void expect_same(const Histogram& got, const Histogram& expected) {
  EXPECT_EQ(got.channels, expected.channels);
  EXPECT_EQ(got.unit, expected.unit);
  EXPECT_TRUE(got.sums == expected.sums);
  EXPECT_EQ(got.totals.samples, expected.totals.samples);
  EXPECT_EQ(got.totals.bad_values, expected.totals.bad_values);
}

/// A point of color (200, 1, 0) that moves on, and is weighed differently at each time sample.
Moving weighed_point(int time_samples, const std::function<double(double)>& weight) {
  Flame still = point_flame();
  still.palette.fill({200 / 255.0, 1 / 255.0, 0, 1});
  Moving moving(still, time_samples, move_point);
  for (int m = 0; m < time_samples; ++m)
    moving.weights[std::size_t(m)] = weight((m + 0.5) / time_samples);
  return moving;
}

// ---- every time sample its share ----

TEST_ON_EVERY_DEVICE(Motion, a_moving_point_draws_an_even_streak) {
  for (int time_samples : {2, 10, 100, 1000}) {
    SCOPED_TRACE(time_samples);
    const std::uint64_t samples = 3 * unit + 12345;
    const Histogram got = play(device, Moving(point_flame(), time_samples, move_point), samples);
    EXPECT_EQ(got.all_hits(), double(samples));
    const int pixels = std::min(time_samples, 100);
    // the edges of a time sample are rounded to a step of every unit that meets them
    const double rounding = 2.0 * pool_slots;
    for (int i = 0; i < pixels; ++i) {
      const int x = int(100 * (i + 0.5) / pixels);
      EXPECT_NEAR(got.hits(x, 1), double(samples) / pixels, rounding) << x;
    }
    for (int x = 0; x < 100; ++x) {
      for (int y : {0, 2, 3}) EXPECT_EQ(got.hits(x, y), 0);
    }
  }
}

TEST_ON_EVERY_DEVICE(Motion, more_moments_than_steps_get_even_shares_too) {
  const int time_samples =
      5000;  // 5 units of 1024 steps: a step for a time sample, a few for none or two
  const Histogram got = play(device, Moving(point_flame(), time_samples, move_point), 5 * unit);
  for (int x = 0; x < 100; ++x) EXPECT_NEAR(got.hits(x, 1), 5.0 * unit / 100, 2.0 * pool_slots);
}

TEST_ON_EVERY_DEVICE(Motion, passes_divide_the_moments) {
  Flame still = point_flame();
  still.passes = 4;
  const Moving moving(still, 100, move_point);
  for (int pass : {0, 3}) {
    const Histogram got = play(device, moving, unit, 0, false, pass);
    for (int x = 0; x < 100; ++x) {
      EXPECT_NEAR(got.hits(x, 1), x / 25 == pass ? double(unit) / 25 : 0.0,
                  x / 25 == pass ? 2.0 * pool_slots : 0.0);
    }
  }
}

TEST_ON_EVERY_DEVICE(Motion, bad_values_do_not_shift_time) {
  Flame still = point_flame();
  still.xforms.push_back(bad_xform(1));  // half of all attempts
  const std::uint64_t samples = unit;
  const Histogram got = play(device, Moving(still, 100, move_point), samples);
  EXPECT_EQ(got.totals.samples, samples);
  EXPECT_GT(got.totals.bad_values, samples / 2);
  // laid out anew every 32 steps, of which half are lost: what one group is late, the next is early
  for (int tenth = 0; tenth < 10; ++tenth) {
    double hits = 0;
    for (int x = 10 * tenth; x < 10 * tenth + 10; ++x) hits += got.hits(x, 1);
    EXPECT_NEAR(hits / got.all_hits(), 0.1, tenth == 0 || tenth == 9 ? 0.02 : 0.01) << tenth;
  }
}

/// Of a draft no step reaches beyond the end of its time sample, also where values are lost.
TEST_ON_EVERY_DEVICE(Motion, few_samples_give_every_moment_its_share) {
  Flame losing = point_flame();
  losing.xforms.push_back(bad_xform(0.03));  // five in a row, which are recorded, never come
  for (const Flame& still : {point_flame(), losing}) {
    for (int time_samples : {4, 20, 100, 1000}) {
      for (std::uint64_t samples : {1600, 31111, 400000}) {
        SCOPED_TRACE(fmt::format("{} samples, {} moments", samples, time_samples));
        const Histogram got = play(device, Moving(still, time_samples, move_point), samples);
        EXPECT_EQ(got.all_hits(), double(samples));
        const int pixels = std::min(time_samples, 100);
        for (int i = 0; i < pixels; ++i)
          EXPECT_NEAR(got.hits(int(100 * (i + 0.5) / pixels), 1), double(samples) / pixels, 1) << i;
      }
    }
  }
}

/// A frame of 4 samples a pixel has the light of one of many.
TEST_ON_EVERY_DEVICE(Motion, few_samples_have_the_light_of_many) {
  const auto weight = [](double t) { return t * t * t * t; };
  for (int time_samples : {16, 1000}) {
    double light = 0;
    for (int m = 0; m < time_samples; ++m) light += weight((m + 0.5) / time_samples) / time_samples;
    for (int quality : {4, 40, 1000}) {
      SCOPED_TRACE(fmt::format("{} moments, quality {}", time_samples, quality));
      const Histogram got =
          play(device, weighed_point(time_samples, weight), std::uint64_t(400 * quality));
      double sum = 0;
      for (std::size_t i = 0; i < got.pixels(); ++i) sum += got.value(i, 3) / 255;
      EXPECT_NEAR(sum / (400 * quality) / light, 1, 0.005);
    }
  }
}

/// The same picture by one point that runs through the flame of one time sample after the other.
std::vector<double> plain_game(const Moving& moving, int boxes, std::uint64_t samples) {
  std::vector<double> shares(std::size_t(boxes) * std::size_t(boxes), 0.0);
  std::mt19937 random(5);
  const auto uniform = [&] { return random() / 4294967296.0; };
  const std::uint64_t each = samples / moving.at.size();
  for (const Flame& flame : moving.at) {
    double x = 0, y = 0;
    const double first = flame.xforms[0].weight / (flame.xforms[0].weight + flame.xforms[1].weight);
    for (std::uint64_t i = 0; i < each + 100; ++i) {
      const AffineD& m = flame.xforms[uniform() < first ? 0 : 1].coefs;
      const double px = x, py = y;
      x = m.a * px + m.b * py + m.c;
      y = m.d * px + m.e * py + m.f;
      const int column = int((x + 2) * boxes / 4), row = int((y + 2) * boxes / 4);
      if (i >= 100) shares[std::size_t(row * boxes + column)] += 1.0 / double(samples);
    }
  }
  return shares;
}

TEST_ON_EVERY_DEVICE(Motion, is_the_mean_of_the_moments) {
  constexpr int boxes = 16;
  for (int time_samples : {3, 40}) {
    SCOPED_TRACE(time_samples);
    const Moving moving(turning_flame(), time_samples, turn);
    const Histogram got = play(device, moving, 2 * unit);
    const std::vector<double> expected = plain_game(moving, boxes, 4'000'000);
    std::vector<double> boxed(boxes * boxes, 0.0);
    for (int y = 0; y < 64; ++y) {
      for (int x = 0; x < 64; ++x)
        boxed[std::size_t((y / 4) * boxes + x / 4)] += got.hits(x, y) / got.all_hits();
    }
    double difference = 0;
    for (std::size_t i = 0; i < boxed.size(); ++i) difference += std::fabs(boxed[i] - expected[i]);
    // both have noise of some 1e-3 together; one time sample left out of 40 would be 0.01 and more
    EXPECT_LT(difference, 0.006);
  }
}

// ---- what stands still is the still ----

TEST_ON_EVERY_DEVICE(Motion, equal_moments_are_the_still_to_the_bit) {
  Flame still = turning_flame();
  turn(still, 0.3);
  const Histogram expected = play(device, still, 2 * unit + 77, 3);
  for (int time_samples : {1, 300, 3000}) {
    const Moving moving(still, time_samples, [](Flame&, double) {});
    expect_same(play(device, moving, 2 * unit + 77, 3), expected);
  }
}

// ---- weights, palettes, visibility ----

TEST_ON_EVERY_DEVICE(Motion, weights_scale_colors_and_alpha_but_not_hits) {
  Moving moving(point_flame(), 2, move_point);
  moving.weights = {0.25, 1};
  const Histogram got = play(device, moving, unit);
  ASSERT_EQ(got.channels, 5);
  for (const auto& [x, weight] : {std::pair{25, 0.25}, {75, 1.0}}) {
    const std::size_t pixel = std::size_t(100 + x);
    EXPECT_GT(got.hits(pixel), 0.45 * unit);
    for (int channel = 0; channel < 4; ++channel)
      EXPECT_NEAR(got.value(pixel, channel), weight * got.value(pixel, 4), 1e-9 * unit);
  }
}

TEST_ON_EVERY_DEVICE(Motion, palettes_move_and_give_their_mean) {
  for (PaletteMode mode : {PaletteMode::step, PaletteMode::linear}) {
    Flame still = point_flame();
    still.palette_mode = mode;
    const Moving moving(still, 1000, [](Flame& flame, double t) {
      move_point(flame, t);
      flame.palette.fill({t, 1 - t, 0.5, 1});
    });
    const Histogram got = play(device, moving, 4 * unit);
    double red = 0;
    for (int x = 0; x < 100; ++x) {
      const std::size_t pixel = std::size_t(100 + x);
      const double share = got.value(pixel, 0) / 255 / got.hits(pixel);
      EXPECT_NEAR(share, (x + 0.5) / 100, 1.0 / 64);  // as finely as there are rows
      EXPECT_NEAR(got.value(pixel, 1) / 255 / got.hits(pixel), 1 - share, 0.005);
      red += got.value(pixel, 0) / 255;
    }
    EXPECT_NEAR(red / got.all_hits(), 0.5, 5e-4);
  }
}

/// Whole numbers stand for weights and for palettes between them where time samples are many.
TEST_ON_EVERY_DEVICE(Motion, whole_rows_keep_the_means) {
  const double levels[] = {100.3, 0.25, 254.8};
  Moving slow(point_flame(), 800, [&](Flame& flame, double t) {
    move_point(flame, t);
    flame.palette.fill({(levels[0] + 2 * t) / 255, levels[1] / 255, levels[2] / 255, 1});
  });
  const Histogram got = play(device, slow, 4 * unit);
  EXPECT_EQ(got.unit, 1);
  EXPECT_EQ(got.channels, 4);
  double sums[3] = {};
  for (int x = 0; x < 100; ++x) {
    for (int c = 0; c < 3; ++c) {
      const double mean = got.value(std::size_t(100 + x), c) / got.hits(std::size_t(100 + x));
      EXPECT_NEAR(mean, levels[c] + (c == 0 ? 2 * (x + 0.5) / 100 : 0), 0.5) << x;
      sums[c] += got.value(std::size_t(100 + x), c);
    }
  }
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(sums[c] / got.all_hits(), levels[c] + (c == 0 ? 1 : 0), 0.1);
}

/// What is faint is seen as well, by the logarithm of its density: a hundred time samples get the weight
/// that they have, down to a millionth.
TEST_ON_EVERY_DEVICE(Motion, small_weights_are_right_in_proportion) {
  const auto weight = [](double t) { return std::exp(13.8 * (t - 0.995)); };
  const Histogram got = play(device, weighed_point(100, weight), 4 * unit);
  ASSERT_EQ(got.channels, 5);
  for (int x = 0; x < 100; ++x) {
    const std::size_t pixel = std::size_t(100 + x);
    const double expected = weight((x + 0.5) / 100), hits = got.hits(pixel);
    EXPECT_NEAR(hits, 4.0 * unit / 100, 2.0 * pool_slots) << x;
    // neighbors are 15 % apart, and each its own row; the rest is the units' fraction
    EXPECT_NEAR(got.value(pixel, 0) / 200 / hits / expected, 1, 0.002) << x;
    EXPECT_NEAR(got.value(pixel, 3) / 255 / hits / expected, 1, 0.002) << x;
  }
}

/// Steps that are hidden at the begin of a time sample take nothing from it, nor from its neighbors.
TEST_ON_EVERY_DEVICE(Motion, moments_of_ten_steps_keep_their_shares) {
  constexpr int units = 24, steps = unit_steps / 100;
  const Moving moving = weighed_point(100, [](double t) { return 0.01 + t; });
  std::vector<double> sum(100, 0.0);
  for (int seed = 0; seed < units; ++seed) {
    const Histogram got = play(device, moving, unit, std::uint64_t(seed));
    for (int x = 0; x < 100; ++x) sum[std::size_t(x)] += got.hits(x, 1);
  }
  // a time sample of a unit is rounded to its steps, up or down by chance
  const double expected = double(units) * double(unit) / 100;
  for (int x = 0; x < 100; ++x) EXPECT_NEAR(sum[std::size_t(x)] / expected, 1, 0.5 / steps) << x;
}

/// Of a thousand time samples neighbors share rows, and their sum is right.
TEST_ON_EVERY_DEVICE(Motion, many_weights_make_an_even_trail) {
  for (const double exponent : {1.0, 4.0}) {
    SCOPED_TRACE(exponent);
    const auto weight = [&](double t) { return std::pow(t, exponent); };
    const Histogram got = play(device, weighed_point(1000, weight), 8 * unit);
    ASSERT_EQ(got.channels, 5);
    double total = 0, sum = 0;
    for (int m = 0; m < 1000; ++m) total += weight((m + 0.5) / 1000) / 1000;
    for (int x = 0; x < 100; ++x) {
      const std::size_t pixel = std::size_t(100 + x);
      double expected = 0;
      for (int m = 0; m < 10; ++m) expected += weight((10 * x + m + 0.5) / 1000) / 10;
      const double red = got.value(pixel, 0) / 200, alpha = got.value(pixel, 3) / 255;
      sum += alpha;
      if (expected < 1e-6) continue;  // of the largest: nobody sees it
      EXPECT_NEAR(alpha / got.hits(pixel) / expected, 1, 0.05) << x;
      EXPECT_NEAR(red / alpha, 1, 0.005) << x;
    }
    EXPECT_NEAR(sum / got.all_hits() / total, 1, 0.002);
  }
}

TEST(Motion, both_sides_of_a_gaussian_share_their_rows) {
  const Moving moving =
      weighed_point(1000, [](double t) { return std::exp(-18 * (t - 0.5) * (t - 0.5)); });
  const CompiledFlame flame = compile(moving.flame, moving.time_samples(), PlotArea{1, 0, 100, 4});
  EXPECT_GT(flame.table.rows, 80);
  EXPECT_LT(flame.table.rows, 100);  // a row for 5 % of the weight, from 1 to 0.011
  EXPECT_FALSE(flame.table.wide);
  for (std::size_t m = 0; m < 500; ++m) {
    const int early = flame.xforms[m].palette_row, late = flame.xforms[999 - m].palette_row;
    EXPECT_LE(std::abs(early - late), 1) << m;
  }
}

TEST_ON_EVERY_DEVICE(Motion, xforms_fade) {
  Flame still = point_flame();
  still.xforms.push_back(point_xform(1, 50.5, 2.5));
  const Moving moving(still, 50, [](Flame& flame, double t) {
    move_point(flame, t);
    flame.xforms[0].opacity = 1 - t;
    flame.xforms[1].opacity = t < 0.5 ? 0 : 1;
  });
  const Histogram got = play(device, moving, 4 * unit);
  for (int i = 0; i < 50; ++i) {
    const double t = (i + 0.5) / 50, visibility = std::pow(1 - t, std::log2(10.0));
    EXPECT_NEAR(got.hits(2 * i + 1, 1), 2.0 * unit / 50 * visibility,
                0.04 * 2.0 * unit / 50 + 2.0 * pool_slots)  // 32 rows for each of two xforms
        << t;
  }
  EXPECT_NEAR(got.hits(50, 2), 1.0 * unit, 0.02 * unit);
}

// ---- time samples of different structure ----

TEST_ON_EVERY_DEVICE(Motion, a_variation_with_weight_0_gives_no_bad_values) {
  Flame still = point_flame();
  still.xforms[0].coefs = {0, 0, 0, 0, 200, 1.5};  // exponential of it is infinite in float
  const std::size_t exponential = std::size_t(find_variation("exponential").value());
  const Moving moving(still, 300, [&](Flame& flame, double t) {
    flame.xforms[0].coefs.c = t < 0.5 ? 200 : 0;
    flame.xforms[0].variations[exponential] = t < 0.5 ? 0 : 1;
  });
  EXPECT_EQ(play(device, moving, unit).totals.bad_values, 0u);
}

TEST_ON_EVERY_DEVICE(Motion, xforms_may_come_and_go) {
  const Moving moving(point_flame(), 2, [](Flame& flame, double t) {
    move_point(flame, t);
    if (t < 0.5) {
      flame.final_xform = point_xform(0, 3.5, 3.5);
    } else {
      flame.xforms.push_back(point_xform(3, 90.5, 0.5));
      flame.xforms[0].chaos = {1, 2};
    }
  });
  const Histogram got = play(device, moving, 2 * unit);
  EXPECT_NEAR(got.hits(3, 3), unit, 4.0 * pool_slots);  // the final xform moves all of the first
  EXPECT_EQ(got.hits(25, 1), 0);
  // shares of the second time sample: after xform 0 1 : 6, after xform 1 1 : 3, so 7 / 32 and 25 / 32
  EXPECT_NEAR(got.hits(75, 1), unit * 7.0 / 32, 0.01 * unit);
  EXPECT_NEAR(got.hits(90, 0), unit * 25.0 / 32, 0.01 * unit);
}

TEST_ON_EVERY_DEVICE(Motion, the_camera_moves) {
  const Moving moving(point_flame(), 100, [](Flame& flame, double t) {
    flame.center_x = 50.3 - 100 * t;  // the point, at 0.5, wanders to the right
    flame.scale = 1;
  });
  const Histogram got = play(device, moving, 2 * unit);
  for (int x = 1; x < 99; ++x) EXPECT_NEAR(got.hits(x, 1), 2.0 * unit / 100, 3.0 * pool_slots) << x;
}

TEST_ON_EVERY_DEVICE(Motion, few_moments_leave_no_transients) {
  // the second time sample is far from the first: what had not settled would lie between them
  Flame still = flame_over(100, 4, 0, -2, 1);
  still.xforms.push_back(contraction(1, 0.25, 0, 0));
  const Moving moving(still, 2, [](Flame& flame, double t) {
    flame.xforms[0].coefs.c = t < 0.5 ? 0.375 : 75.375;  // fixed points 0.5 and 100.5
  });
  const Histogram got = play(device, moving, unit);
  EXPECT_NEAR(got.hits(0, 2), double(unit) / 2, 2.0 * pool_slots);
  for (int x = 1; x < 100; ++x) EXPECT_EQ(got.hits(x, 2), 0) << x;
}

TEST_ON_EVERY_DEVICE(Motion, few_samples_leave_no_trail) {
  // what had not settled in a time sample would lie between its place and that of the one before
  Flame still = flame_over(100, 4, 0, -2, 1);
  still.xforms.push_back(contraction(1, 0.25, 0, 0));
  const Moving moving(still, 16, [](Flame& flame, double t) {
    flame.xforms[0].coefs.c = 0.75 * (int(t * 16) % 2 ? 4.5 : 90.5);
  });
  const Histogram got = play(device, moving, 1600);
  EXPECT_EQ(got.hits(4, 2), 800);
  EXPECT_EQ(got.hits(90, 2), 800);
}

TEST_ON_EVERY_DEVICE(Motion, a_moment_gets_samples_by_its_own_quality_and_zoom) {
  constexpr int time_samples = 10, passes = 2;
  Flame still = point_flame();
  still.passes = passes;
  const Moving moving(still, time_samples, [](Flame& flame, double t) {
    flame.xforms[0].coefs.c = 100 * t + 0.5;  // in the middle of a pixel
    flame.center_x = 50;                      // the picture is 100 units wide at zoom 0
    flame.quality = 2e4 * t;
    flame.zoom = t < 0.5 ? 0 : 0.5;
    flame.scale = t < 0.5 ? 1 : std::sqrt(0.5);
  });
  for (int pass = 0; pass < passes; ++pass) {
    const Histogram got = play(device, moving, 0, 0, false, pass);
    double all = 0;
    for (int m = pass * 5; m < pass * 5 + 5; ++m) {
      const double expected = 400.0 / time_samples * 2e4 * (m + 0.5) / 10 * (m < 5 ? 1 : 2);
      EXPECT_NEAR(got.hits(10 * m + 5, 1), expected, 2.0 * pool_slots) << m;
      all += expected;
    }
    EXPECT_NEAR(double(got.totals.samples), all, 2);
    EXPECT_EQ(got.all_hits(), double(got.totals.samples));
  }
}

TEST(Motion, a_sample_lies_between_the_ends_of_its_moment) {
  const std::vector<std::uint64_t> ends = {0, 5, 5, 6, 20};  // two time samples without a sample
  TimeRange range{};
  range.count = 5;
  range.samples = 20;
  range.ends = ends.data();
  for (std::uint64_t sample = 0; sample < 20; ++sample)
    EXPECT_EQ(time_sample_of(range, sample), sample < 5 ? 1u : sample < 6 ? 3u : 4u) << sample;
}

// ---- the same bits everywhere ----

std::vector<Moving> scenes() {
  std::vector<Moving> all;
  Flame varied = turning_flame();
  varied.xforms.push_back(linear_xform(1.5, {0.5, 0.2, -0.2, 0.5, 0.3, -0.4}));
  const char* const names[] = {"spherical", "julian", "pre_blur", "swirl", "blur", "mobius"};
  for (std::size_t i = 0; i < 6; ++i)
    varied.xforms[i % 3].variations[std::size_t(find_variation(names[i]).value())] = 0.3;
  const auto move = [](Flame& flame, double t) {
    turn(flame, t);
    flame.center_x += t;
    flame.rotate_deg = 20 * t;
    flame.xforms[2].post = {1, t / 9, 0, 1, 0, t};
    flame.xforms[2].color_speed = t;
    for (int i = 0; i < 256; ++i)
      flame.palette[std::size_t(i)] = {i / 255.0, t * i / 255, (1 - t) * i / 255, 1};
  };
  for (int time_samples : {5, 300}) all.push_back({varied, time_samples, move});
  all.push_back({varied, 90, [&](Flame& flame, double t) {  // quality moves: shares by their ends
                   move(flame, t);
                   flame.quality = (unit + 4321) / (64.0 * 64) * (0.5 + t);
                 }});
  all.push_back({varied, 300, [&](Flame& flame, double t) {
                   move(flame, t);
                   for (Xform& xform : flame.xforms) xform.chaos = {1, 1 - t, 2};
                   flame.final_xform = linear_xform(0, {0.9, t, -0.2, 0.9, 0, 0.1});
                   flame.final_xform->opacity = 0.5 + t / 2;
                 }});
  all.back().weights[7] = 0.5;
  all.push_back({varied, 90, [&](Flame& flame, double t) {
                   move(flame, t);
                   flame.xforms.push_back(bad_xform(0.5 + t));
                   flame.palette_mode = PaletteMode::linear;
                   flame.palette[9].a = 0.25;
                   flame.xforms[1].opacity = t;
                 }});
  return all;
}

TEST(Motion, is_the_same_with_every_instruction_set_and_on_a_gpu) {
  const auto devices = open_every_arithmetic();
  for (const Moving& moving : scenes()) {
    const CompiledFlame scene = planned(moving);
    for (bool transients : {false, true}) {
      if (transients && moving.at.size() != 5) continue;
      const std::uint64_t samples = unit + 4321;
      const Histogram expected = play(*devices[0], scene, samples, 11, transients);
      EXPECT_GT(expected.all_hits(), 0.1 * double(samples));
      for (std::size_t i = 1; i < devices.size(); ++i) {
        SCOPED_TRACE(devices[i]->describe());
        expect_same(play(*devices[i], scene, samples, 11, transients), expected);
      }
    }
  }
}

TEST(Motion, is_the_same_for_any_number_of_units_in_flight) {
  const CompiledFlame scene = planned(scenes()[1]);
  const std::uint64_t samples = 9 * unit + 4321;
  const Histogram expected = play(*open_cpu(1), scene, samples);
  for (int threads : {2, 5}) expect_same(play(*open_cpu(threads), scene, samples), expected);
}

}  // namespace
}  // namespace kiln::test
