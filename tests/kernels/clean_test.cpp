// SPDX-License-Identifier: MIT
// Cleaning against the plain sums of its definition, what it does to noise and to edges, and the clumps
// that it has to know of.
#include "kernels/clean.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "engine/base/error.h"
#include "engine/render/accumulate/clumps.h"
#include "engine/render/renderer.h"
#include "engine/render/stages/clean/clean_stage.h"
#include "engine/render/stripes.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/motion.h"
#include "tests/kernels/output_reference.h"

namespace kiln::test {
namespace {

using namespace kiln::testing;

/// What is compared of buckets: hits, red, green, blue, in independent hits.
class Reference {
 public:
  /// `gain`: what hits count of another frame with the same sums; 0: there is none.
  Reference(const TestHistogram& sums, double hit, double gain = 0)
      : sums_(sums), hit_(hit), gain_(gain) {}

  /// Red, green, blue and hits of a bucket when it is cleaned and has back what a line has lost.
  Pixel lit(int x, int y) const {
    constexpr int lines[8][4][2] = {
        {{1, 0}, {2, 0}, {3, 0}, {0, 2}},      {{1, 0}, {2, 1}, {3, 1}, {-1, 2}},
        {{1, 1}, {2, 2}, {3, 3}, {-2, 2}},     {{0, 1}, {1, 2}, {1, 3}, {-2, 1}},
        {{0, 1}, {0, 2}, {0, 3}, {-2, 0}},     {{0, 1}, {-1, 2}, {-1, 3}, {-2, -1}},
        {{-1, 1}, {-2, 2}, {-3, 3}, {-2, -2}}, {{-1, 0}, {-2, 1}, {-3, 1}, {-1, -2}}};
    double best = 0, gain = 1;
    for (const auto& line : lines) {
      const auto half = [&](int i, int j, int sign, bool raw = false) {
        double sum = 0;
        for (int t = 0; t < 3; ++t) sum += hits(i + sign * line[t][0], j + sign * line[t][1], raw);
        return sum;
      };
      const auto all = [&](int i, int j, bool raw = false) {
        return half(i, j, 1, raw) + half(i, j, -1, raw) + hits(i, j, raw);
      };
      const double before = half(x, y, -1), behind = half(x, y, 1);
      const double aside =
          std::max(all(x + line[3][0], y + line[3][1]), all(x - line[3][0], y - line[3][1]));
      const double contrast = (std::min(before, behind) + (before + behind) / 2) * 7 / 6 - aside;
      if (contrast <= best) continue;
      best = contrast;
      const double sum = all(x, y);
      const double sure = std::clamp((contrast / std::sqrt(sum + aside + 0.5) - 0.4) * 5, 0.0, 1.0),
                   steep = std::clamp((contrast / sum - 0.2) * 5, 0.0, 1.0);
      gain = 1 + sure * steep * (std::min((all(x, y, true) + 0.5) / (sum + 0.5), 3.0) - 1);
    }
    Pixel light = cleaned(x, y);
    for (double& value : light) value *= gain;
    return light;
  }

  /// Red, green, blue and hits of a bucket when it is cleaned.
  Pixel cleaned(int x, int y) const {
    Pixel sum{};
    double weights = 0, squares = 0;
    for (int dy = -6; dy <= 6; ++dy) {
      for (int dx = -6; dx <= 6; ++dx) {
        if (dx * dx + dy * dy > 36) continue;
        double weight = 0;
        for (int j = -1; j <= 1; ++j)
          for (int i = -1; i <= 1; ++i) weight += likeness(x + i, y + j, dx, dy);
        weight = std::pow(std::max(weight, 0.0), 2) * std::exp(-(dx * dx + dy * dy) / 20.0);
        weights += weight;
        squares += weight * std::pow(value(x + dx, y + dy, 3), 2);
        for (std::size_t c = 0; c < 4; ++c) sum[c] += weight * value(x + dx, y + dy, int(c));
      }
    }
    if (gain_ > 0) {  // in the same place, surely alike
      constexpr double alike = 81;
      weights += alike;
      squares += alike * std::pow(gain_ * value(x, y, 3), 2);
      for (std::size_t c = 0; c < 4; ++c) sum[c] += alike * gain_ * value(x, y, int(c));
    }
    const double mean = sum[3] / weights;
    const double scatter = (squares / weights + 0.05) / (mean * mean + mean + 0.05);
    const double odds = 3 * std::pow(scatter, 1.5) / std::sqrt(weights) / (mean + 0.003);
    for (std::size_t c = 0; c < 4; ++c)
      sum[c] = hit_ * (sum[c] / weights + odds * value(x, y, int(c))) / (1 + odds);
    return sum;
  }

 private:
  static int mirrored(int at, int count) {
    while (at < 0 || at >= count) at = at < 0 ? -1 - at : 2 * count - 1 - at;
    return at;
  }
  /// Hits of a bucket, raw or cleaned; mirrored beyond the edges.
  double hits(int x, int y, bool raw) const {
    if (raw) return value(x, y, 3);
    const std::pair place{mirrored(x, sums_.width), mirrored(y, sums_.height)};
    const auto known = cleaned_.find(place);
    if (known != cleaned_.end()) return known->second;
    return cleaned_[place] = cleaned(place.first, place.second)[3] / hit_;
  }
  double value(int x, int y, int channel) const {
    return sums_.value(mirrored(x, sums_.width), mirrored(y, sums_.height), channel) / hit_;
  }
  double variance(int x, int y) const {
    const double n = value(x, y, 3);
    double colors = 0;
    for (int c = 0; c < 3; ++c) colors += std::pow(value(x, y, c), 2);
    return n > 0 ? n + colors / n : 0;
  }
  /// How alike the patches around (x, y) and (x + dx, y + dy) are, 0 to 1; -9 where one of them is
  /// black and the other surely is not.
  double likeness(int x, int y, int dx, int dy) const {
    double within = 0, expected = 0, of_sums = 0, of_colors = 0;
    double p[4] = {}, q[4] = {};
    for (std::size_t c = 0; c < 4; ++c) {
      for (int j = y - 1; j <= y + 1; ++j) {
        for (int i = x - 1; i <= x + 1; ++i) {
          const double one = value(i, j, int(c)), other = value(i + dx, j + dy, int(c));
          p[c] += one;
          q[c] += other;
          within += (one - other) * (one - other);
          if (c == 0) expected += variance(i, j) + variance(i + dx, j + dy);
        }
      }
      of_sums += (p[c] - q[c]) * (p[c] - q[c]);
    }
    if (p[3] * q[3] == 0 && p[3] + q[3] > 16) return -9;
    if (p[3] * q[3] > 0)
      for (int c = 0; c < 3; ++c)
        of_colors += std::pow(p[c] / p[3] - q[c] / q[3], 2) * p[3] * q[3] / (p[3] + q[3]);
    const double beyond = std::max({(within - expected) / 2.2, (of_sums - expected) / 2.4, 0.0});
    const double apart = std::max(beyond / (expected + 1e-3), (of_colors - 0.1) / 0.1);
    return std::pow(std::max(1 - apart / 8, 0.0), 8);
  }

  const TestHistogram& sums_;
  const double hit_, gain_;
  mutable std::map<std::pair<int, int>, double> cleaned_;
};

OutputPlan plan_of(const TestHistogram& h, double share) {
  OutputPlan plan;
  plan.geometry.width = h.width;
  plan.geometry.height = h.height;
  plan.clean = share;
  return plan;
}

/// A curve that scales by nearly 1.
constexpr LogCurve straight = {1e9f, 1e-9f};

std::vector<Vec4> cleaned(Device& device, const TestHistogram& h, double clumps = 1,
                          double share = 1, const LogCurve& curve = straight) {
  const OutputPlan plan = plan_of(h, share);
  const DeviceArray<u64> sums(device, h.sums);
  const DeviceArray<Vec4> light(device, std::size_t(h.width) * std::size_t(h.height));
  CleanStage stage(device, plan, double(h.unit), clumps);
  stage.run({sums.data(), h.width, h.height, h.channels, h.unit}, curve, light.data(), false);
  return light.download();
}

/// Hits around a mean that depends on the place, of one color.
TestHistogram noisy(int width, int height, unsigned seed, double (*mean)(int x, int y)) {
  std::mt19937 random(seed);
  TestHistogram h{width, height, 4, 1, {}};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double goal = std::exp(-mean(x, y));  // Knuth's way: the same everywhere
      u64 hits = 0;
      for (double p = 1; (p *= (random() + 0.5) / 4294967296.0) > goal;) ++hits;
      for (const u64 color : {128, 64, 0, 255}) h.sums.push_back(hits * color);
    }
  }
  return h;
}

double hits(Vec4 light) { return double(light.a) / 255; }

TEST_ON_EVERY_DEVICE(Clean, is_the_sums_of_its_definition) {
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {17, 5}, {65, 34}}) {
    for (const int channels : {4, 5}) {
      SCOPED_TRACE(fmt::format("{} x {}, {} channels", width, height, channels));
      TestHistogram h = random_histogram(width, height, channels, 1 / 256.0f, unsigned(width));
      for (std::size_t i = 0; i < h.sums.size(); i += std::size_t(channels))
        if (h.sums[i + 3] == 0) h.sums[i] = h.sums[i + 1] = h.sums[i + 2] = 0;  // as palettes do
      const double clumps = 1.7;
      const Reference reference(h, 255 * clumps);
      const std::vector<Vec4> light = cleaned(device, h, clumps);
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; x += 1 + width / 20) {
          const Vec4 got = light[std::size_t(y) * std::size_t(width) + std::size_t(x)];
          const Pixel wanted = reference.lit(x, y);
          const float of[] = {got.r, got.g, got.b, got.a};
          for (std::size_t c = 0; c < 4; ++c)
            EXPECT_NEAR(of[c], wanted[c], wanted[c] * 2e-3 + 1e-2) << x << ", " << y << ", " << c;
        }
      }
    }
  }
}

/// The first frame, cleaned with the others.
std::vector<Vec4> cleaned_in_film(Device& device, const std::vector<TestHistogram>& frames,
                                  double share = 1) {
  const OutputPlan plan = plan_of(frames[0], share);
  CleanWindow window(device, plan);
  std::vector<int> others;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const TestHistogram& h = frames[i];
    const DeviceArray<u64> sums(device, h.sums);
    window.take(int(i), {sums.data(), h.width, h.height, h.channels, h.unit}, double(h.unit), 1,
                straight);
    if (i > 0) others.push_back(int(i));
  }
  const DeviceArray<Vec4> light(device, frames[0].sums.size() / 4);
  window.run(0, others, plan, light.data());
  return light.download();
}

TEST_ON_EVERY_DEVICE(Clean, of_a_film_takes_what_is_alike_from_the_frames_around) {
  const auto dots = [](int x, int y) { return (x * 7 + y * 13) % 5 == 0 ? 40.0 : 3.0; };
  const auto error = [&](const std::vector<Vec4>& light) {
    double squares = 0;
    for (int y = 0; y < 40; ++y)
      for (int x = 0; x < 70; ++x)
        squares += std::pow(hits(light[std::size_t(70 * y + x)]) - dots(x, y), 2);
    return squares;
  };
  std::vector<TestHistogram> frames;
  for (unsigned seed = 1; seed <= 5; ++seed) frames.push_back(noisy(70, 40, seed, dots));
  const std::vector<Vec4> alone = cleaned(device, frames[0]);
  EXPECT_LT(error(cleaned_in_film(device, frames)), error(alone) / 1.1);
  const std::vector<Vec4> raw = cleaned_in_film(device, frames, 0);
  for (int x = 0; x < 70; ++x)
    EXPECT_NEAR(hits(raw[std::size_t(x)]), frames[0].alpha(x, 0) / 255, 1e-3);

  // nothing of a frame that is another one
  for (std::size_t i = 1; i < frames.size(); ++i)
    frames[i] = noisy(70, 40, unsigned(i), [](int x, int) { return x < 35 ? 0.0 : 400.0; });
  frames[0] = noisy(70, 40, 9, [](int, int y) { return y < 20 ? 0.0 : 60.0; });
  const std::vector<Vec4> with = cleaned_in_film(device, frames),
                          without = cleaned(device, frames[0]);
  for (std::size_t i = 0; i < with.size(); ++i) {
    if (i % 70 < 30 && i / 70 < 15) {
      EXPECT_EQ(with[i].a, 0) << i;
    }
    if (i % 70 >= 40) {
      EXPECT_FLOAT_EQ(with[i].a, without[i].a) << i;
    }
  }
}

/// Of a frame with a third of the samples, hits count three times, and their squares nine times.
TEST_ON_EVERY_DEVICE(Clean, of_a_film_counts_hits_of_other_frames_by_their_worth) {
  TestHistogram h = random_histogram(33, 20, 4, 1 / 256.0f, 5);
  for (std::size_t i = 0; i < h.sums.size(); i += 4)
    if (h.sums[i + 3] == 0) h.sums[i] = h.sums[i + 1] = h.sums[i + 2] = 0;
  CleanWindow window(device, plan_of(h, 1));
  const DeviceArray<u64> sums(device, h.sums);
  const Buckets buckets{sums.data(), h.width, h.height, h.channels, h.unit};
  LogCurve brighter = straight;
  brighter.k2 *= 3;
  window.take(0, buckets, double(h.unit), 1, straight);
  window.take(1, buckets, double(h.unit), 1, brighter);
  const DeviceArray<Vec4> light(device, h.sums.size() / 4);
  window.run(0, {1}, plan_of(h, 1), light.data());
  const Reference reference(h, 255, 3);
  const std::vector<Vec4> got = light.download();
  for (int y = 0; y < h.height; ++y) {
    for (int x = 0; x < h.width; ++x) {
      const Pixel wanted = reference.lit(x, y);
      EXPECT_NEAR(got[std::size_t(33 * y + x)].a, wanted[3], wanted[3] * 2e-3 + 1e-2)
          << x << ", " << y;
    }
  }
}

/// A fifth more or less samples, whichever of the two has them.
TEST(Clean, frames_of_a_window_have_about_as_many_samples) {
  const TestHistogram h{8, 8, 4, 1, {}};
  const auto plan = [&](float k2) {
    OutputPlan plan = plan_of(h, 1);
    plan.log_curve = {1, k2};
    return plan;
  };
  EXPECT_TRUE(CleanWindow::are_alike(plan(1), plan(1.2f)));
  EXPECT_TRUE(CleanWindow::are_alike(plan(1.2f), plan(1)));
  EXPECT_FALSE(CleanWindow::are_alike(plan(1), plan(1.3f)));
  EXPECT_FALSE(CleanWindow::are_alike(plan(1.3f), plan(1)));
}

TEST_ON_EVERY_DEVICE(Clean, noise_goes_and_light_stays) {
  for (const double rate : {0.1, 1.0, 20.0}) {
    static double mean = 0;
    mean = rate;
    const TestHistogram h = noisy(150, 70, 5, [](int, int) { return mean; });
    double sum = 0, squares = 0, raw = 0;
    for (std::size_t i = 3; i < h.sums.size(); i += 4) raw += double(h.sums[i]) / 255;
    for (const Vec4 light : cleaned(device, h)) {
      sum += hits(light);
      squares += (hits(light) - rate) * (hits(light) - rate);
    }
    const double count = 150 * 70;
    // lonely hits that lie together by chance keep to themselves, and a part of what is next to none
    EXPECT_NEAR(sum / raw, 1, rate < 1 ? 0.1 : 0.02) << rate;
    EXPECT_LT(squares / count, rate / (rate < 1 ? 7.5 : 12)) << "beside a variance of " << rate;
  }
}

TEST_ON_EVERY_DEVICE(Clean, an_edge_stays_sharp) {
  const TestHistogram h = noisy(80, 40, 6, [](int x, int) { return x < 40 ? 2.0 : 60.0; });
  const std::vector<Vec4> light = cleaned(device, h);
  for (int y = 0; y < 40; ++y) {
    EXPECT_LT(hits(light[std::size_t(80 * y + 39)]), 7) << y;
    EXPECT_GT(hits(light[std::size_t(80 * y + 40)]), 40) << y;
  }
}

/// Hits where the mean is at least `least`, of what there should be.
double light_kept(const std::vector<Vec4>& light, int width, double least,
                  double (*mean)(int x, int y)) {
  double sum = 0, wanted = 0;
  for (int i = 0; i < int(light.size()); ++i) {
    if (mean(i % width, i / width) < least) continue;
    sum += hits(light[std::size_t(i)]);
    wanted += mean(i % width, i / width);
  }
  return sum / wanted;
}

/// Lines of one and a half hits a bucket, on black.
TEST_ON_EVERY_DEVICE(Clean, a_faint_line_keeps_its_light) {
  constexpr double hits_of_lines = 1.5;
  const auto across = [](int, int y) { return y % 12 == 5 ? hits_of_lines : 0; };
  const auto upright = [](int x, int) { return x % 12 == 5 ? hits_of_lines : 0; };
  const auto falling = [](int x, int y) { return (x - y + 120) % 16 == 5 ? hits_of_lines : 0; };
  const auto flat = [](int x, int y) { return (y + (x + 1) / 2) % 14 == 5 ? hits_of_lines : 0; };
  for (double (*const mean)(int, int) : {+across, +upright, +falling, +flat}) {
    const TestHistogram h = noisy(150, 120, 8, mean);
    const double raw = light_kept(cleaned(device, h, 1, 0), 150, hits_of_lines, mean);
    const double kept = light_kept(cleaned(device, h), 150, hits_of_lines, mean);
    EXPECT_GT(kept / raw, 0.85);
    EXPECT_LT(kept / raw, 1.05);
  }
}

/// What fell together by chance is no line: neither a lone hit nor a veil has more light than without.
TEST_ON_EVERY_DEVICE(Clean, chance_makes_no_lines) {
  TestHistogram h{40, 40, 4, 1, std::vector<u64>(4 * 40 * 40)};
  for (std::size_t c = 0; c < 4; ++c) h.sums[4 * (20 * 40 + 20) + c] = 255;
  EXPECT_LT(hits(cleaned(device, h)[20 * 40 + 20]), 0.75);
  const auto veil = [](int, int) { return 0.6; };
  EXPECT_NEAR(light_kept(cleaned(device, noisy(150, 120, 8, veil)), 150, 0, veil), 1, 0.04);
}

TEST_ON_EVERY_DEVICE(Clean, a_share_is_between_raw_and_clean) {
  const TestHistogram h = noisy(40, 40, 7, [](int, int) { return 3.0; });
  const std::vector<Vec4> all = cleaned(device, h), half = cleaned(device, h, 1, 0.5);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const double raw = h.alpha(int(i % 40), int(i / 40)) / 255;
    EXPECT_NEAR(hits(half[i]), (hits(all[i]) + raw) / 2, 1e-3);
  }
}

TEST_ON_EVERY_DEVICE(Clean, without_a_hit_there_is_no_light) {
  const TestHistogram h{100, 40, 4, 1, std::vector<u64>(4 * 100 * 40)};
  for (const Vec4 light : cleaned(device, h)) EXPECT_EQ(light.r + light.g + light.b + light.a, 0);
}

double clumps_of(Device& device, const Frame& still) {
  const RenderOptions options;
  const PreparedFrame frame = prepare(still, options);
  const DeviceArray<std::uint16_t> permutations(device, pool_permutations());
  PictureBuffers buffers(device, frame, false);
  return measure_clumps(device, frame, options, permutations.data(), buffers).factor();
}

double clumps_of(Device& device, const Flame& flame) {
  return clumps_of(device, Frame{flame, {}, {}, 0});
}

Flame some_flame() {
  Flame flame = flame_over(200, 160, -1, -1, 80);
  for (const double y : {-0.5, 0.2, 0.4}) flame.xforms.push_back(contraction(1, 0.7, y * 0.4, y));
  return flame;
}

TEST_ON_EVERY_DEVICE(Clumps, are_how_often_an_orbit_comes_back) {
  Flame flame = some_flame();
  EXPECT_NEAR(clumps_of(device, flame), 1, 0.06);   // less than 1: the game has strata
  flame.xforms.push_back(contraction(9, 1, 0, 0));  // stays with 3 of 4
  const double clumps = clumps_of(device, flame);
  EXPECT_GT(clumps, 3);
  for (Xform& xform : flame.xforms) xform.opacity = 0.5;
  const double visible = std::pow(0.5, std::log2(10.0));
  EXPECT_NEAR(clumps_of(device, flame), clumps * visible, clumps * visible * 0.06);
  flame.quality = 500;
  EXPECT_NEAR(clumps_of(device, flame), clumps * visible, clumps * visible * 0.06);
}

/// Each time sample of what turns is another picture, and the shutter is one.
TEST_ON_EVERY_DEVICE(Clumps, are_not_what_moves) {
  Flame dust = flame_over(200, 160, -1, -1, 80);
  for (const double y : {-0.7, 0.1, 0.7}) dust.xforms.push_back(contraction(1, 0.2, y * y, y));
  for (const int count : {2, 8, 64}) {
    const auto clumps = [&](const Flame& flame) {
      const Moving turning(flame, count, [](Flame& then, double t) { then.rotate_deg = 60 * t; });
      return clumps_of(device, Frame{turning.flame, turning.at, turning.weights, 3});
    };
    EXPECT_NEAR(clumps(some_flame()), 1, 0.15) << count;
    EXPECT_LT(clumps(dust), 1.3) << count;  // as little as there is to be told apart by chance
  }
}

TEST_ON_EVERY_DEVICE(Clumps, of_stripes_are_those_of_the_picture) {
  const Flame flame = some_flame();
  RenderOptions options;
  Flame clean = flame;
  clean.clean = 1;
  const PreparedFrame whole = prepare({clean, {}, {}, 0}, options);
  const DeviceArray<std::uint16_t> permutations(device, pool_permutations());
  const auto sums_of = [&](const PreparedFrame& frame) {
    PictureBuffers buffers(device, frame, false);
    return measure_clumps(device, frame, options, permutations.data(), buffers);
  };
  const ClumpSums all = sums_of(whole);
  options.max_memory_bytes = memory_need(whole, options).picture / 2;
  const MemoryPlan memory = plan_memory(whole, options, device);
  ASSERT_GE(memory.stripes.size(), 2u);
  ClumpSums sums;
  for (const Stripe& stripe : memory.stripes) sums += sums_of(frame_of(whole, stripe));
  EXPECT_EQ(sums.squares, all.squares);
  EXPECT_EQ(sums.hits, all.hits);
  EXPECT_GT(sums.hits, 0u);
}

}  // namespace
}  // namespace kiln::test
