// SPDX-License-Identifier: MIT
// The far part of density estimation: the FFT against the direct sum, in the dark as well.
#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "bench/seeded_flames.h"
#include "engine/model/exact_math.h"
#include "engine/render/stages/density/density_stage.h"
#include "tests/devices.h"
#include "tests/kernels/output_reference.h"

namespace kiln::test {
namespace {

using namespace kiln::testing;

constexpr std::uint64_t always = 0, never = ~std::uint64_t(0), usual = 1;  // products_a_bucket

struct Estimator {
  double radius, minimum = 0, curve = 0.4;
  int supersample = 1;
};

Flame flame_of(int width, int height, const Estimator& e) {
  Flame flame;
  flame.width = width;
  flame.height = height;
  flame.quality = 20;
  flame.scale = 30;
  flame.supersample = e.supersample;
  flame.estimator_radius = e.radius;
  flame.estimator_minimum = e.minimum;
  flame.estimator_curve = e.curve;
  return flame;
}

/// hits(x, y) in every bucket, in colors that differ from bucket to bucket; blue is rare.
TestHistogram histogram_of(const OutputPlan& plan, const std::function<int(int, int)>& hits) {
  const int width = plan.geometry.width, height = plan.geometry.height;
  TestHistogram h{width, height, 4, 1,
                  std::vector<u64>(std::size_t(width) * std::size_t(height) * 4)};
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const u64 n = u64(hits(x, y));
      u64* sums = &h.sums[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * 4];
      const u64 colors[4] = {u64(x * 7 + y * 3) % 256, u64(x + y * 5) % 256,
                             x % 5 ? 0 : u64(x * y) % 256, 255};
      for (int c = 0; c < 4; ++c) sums[c] = n * colors[c];
    }
  }
  return h;
}

/// Thin noise, a dense blob in it, a filament of one-hit buckets, and half of the picture empty.
int noise_and_blob(int x, int y) {
  const u32 random = (u32(x) * 2654435761u) ^ (u32(y) * 2246822519u), r = random >> 7;
  const int dx = x - 60, dy = y - 50;
  if (dx * dx + dy * dy < 400) return 1 + int(r % 3000);
  if (y == 150 && x > 80) return 1;
  if (x > 120) return 0;
  return r % 5 == 0 ? 1 + int(r % 7) : 0;
}

struct Result {
  std::vector<Vec4> light;
  bool used_fft;
};

Result estimate(Device& device, const OutputPlan& plan, const TestHistogram& h, bool exact,
                std::uint64_t products, int passes = 1,
                std::uint64_t far_bytes = far_memory_bytes) {
  DensityStage stage(device, plan, h.unit, plan_far(plan, h.unit, exact, far_bytes));
  if (products != usual) stage.products_a_bucket = products;
  const DeviceArray<u64> sums(device, h.sums);
  DeviceArray<Vec4> light(device, std::size_t(h.width) * std::size_t(h.height));
  for (int pass = 0; pass < passes; ++pass)
    stage.run({sums.data(), h.width, h.height, h.channels, h.unit}, light.data(), pass > 0);
  return {light.download(), stage.used_fft()};
}

/// body(i) for every bucket that the spatial filter reads.
void each_seen(const OutputPlan& plan, const std::function<void(std::size_t)>& body) {
  const BufferGeometry& g = plan.geometry;
  for (int y = g.filter_offset; y < g.height - g.filter_offset; ++y) {
    for (int x = g.filter_offset; x < g.width - g.filter_offset; ++x)
      body(std::size_t(y) * std::size_t(g.width) + std::size_t(x));
  }
}

Pixel pixel_of(Vec4 v) { return {v.r, v.g, v.b, v.a}; }

/// Dark where it must be, and elsewhere within `share` of the pixel's light.
void expect_close(const OutputPlan& plan, const std::vector<Vec4>& got,
                  const std::vector<Pixel>& expected, double share) {
  int wrong = 0;
  double worst = 0;
  each_seen(plan, [&](std::size_t i) {
    const Pixel light = pixel_of(got[i]), wanted = expected[i];
    for (std::size_t c = 0; c < 4; ++c) {
      const double error = std::fabs(light[c] - wanted[c]);
      if (wanted[3] == 0 ? light[c] != 0 : !(error <= share * wanted[3])) ++wrong;
      if (wanted[3] > 0) worst = std::max(worst, error / wanted[3]);
    }
  });
  EXPECT_EQ(wrong, 0) << "worst share of the light: " << worst;
}

std::vector<Pixel> direct(Device& device, const OutputPlan& plan, const TestHistogram& h) {
  std::vector<Pixel> light;
  for (const Vec4& v : estimate(device, plan, h, true, never).light) light.push_back(pixel_of(v));
  return light;
}

TEST(FarPlan, nodes_and_shares) {
  for (const Estimator& e :
       {Estimator{9, 0, 0.4, 2}, Estimator{20}, Estimator{30}, Estimator{100}, Estimator{9},
        Estimator{200, 3, 0.6}, Estimator{50, 0, 1}, Estimator{40, 39}}) {
    SCOPED_TRACE(e.radius);
    const OutputPlan plan = plan_output(flame_of(64, 48, e), {});
    const DensityPlan& density = plan.density;
    const FarPlan far = plan_far(plan, 1, false);
    ASSERT_GT(far.split, 0);
    EXPECT_GT(density.widths[std::size_t(far.split) - 1], gathered_width);
    if (far.split <= density.last) {
      EXPECT_LE(density.widths[std::size_t(far.split)], gathered_width);
    }
    EXPECT_GE(far.nodes.size(), std::size_t(std::min(far.split, fewest_nodes)));
    EXPECT_EQ(far.nodes.front(), 0);
    EXPECT_EQ(far.nodes.back(), far.split - 1);
    EXPECT_TRUE(std::is_sorted(far.nodes.begin(), far.nodes.end()));
    for (int k = 0; k < far.split; k += 7) {
      double light = 0, mixed = 0, square = 0, difference = 0;
      const int reach = density.reach;
      for (int y = -reach; y <= reach; ++y) {
        for (int x = -reach; x <= reach; ++x) {
          const double wanted = density.coefficient(k, x, y);
          double got = 0;
          for (std::size_t n = 0; n < far.nodes.size(); ++n)
            got += double(far.shares[n][std::size_t(k)]) * density.coefficient(far.nodes[n], x, y);
          light += wanted, mixed += got, square += wanted * wanted;
          difference += (got - wanted) * (got - wanted);
        }
      }
      EXPECT_NEAR(mixed, light, 2e-6) << k;
      EXPECT_LT(std::sqrt(difference / square), 0.03) << k;
    }
    EXPECT_EQ(plan_far(plan, 1, true).nodes.size(), std::size_t(far.split));
  }
  EXPECT_FALSE(plan_far(plan_output(flame_of(64, 48, {5}), {}), 1, false).active());
}

/// --de exact: a transform may err by 1e-7 of the brightest light that it sums, that of a bucket
/// whose hits just make it far, and promises 1e-3 of every other.
TEST(FarPlan, exact_trusts_no_light_that_the_transform_could_spoil) {
  for (double radius : {40.0, 200.0, 400.0}) {
    const OutputPlan plan = plan_output(flame_of(64, 48, {radius}), {});
    const double unit = 0.25;
    const FarPlan exact = plan_far(plan, unit, true), mixed = plan_far(plan, unit, false);
    const double hits =
        double(density_thresholds(plan.density, unit)[std::size_t(exact.split) - 1]);
    const double brightest =
        double(plan.log_curve.k1) * std::log1p(double(plan.log_curve.k2) * hits * unit);
    const double needed = brightest * 1e-7 / 1e-3;
    EXPECT_NEAR(exact.trusted, std::max(needed, double(mixed.trusted)), 1e-5 * exact.trusted);
    EXPECT_EQ(needed > mixed.trusted, radius > 100) << radius;
    EXPECT_GT(exact.most_sources, 1 << 30);
    EXPECT_EQ(mixed.most_sources, 1500);
  }
}

TEST(FarPlan, memory_at_4k_is_a_gigabyte) {
  for (double radius : {9.0, 20.0, 50.0, 100.0, 200.0}) {
    const OutputPlan plan = plan_output(flame_of(3840, 2160, {radius}), {});
    for (bool exact : {false, true}) {
      const FarPlan far = plan_far(plan, 1, exact);
      EXPECT_LE(far.bytes(), 1'000'000'000u) << radius;
      if (exact) continue;
      for (const FarLevel& level : far.levels)  // one inverse for all that one launch can sum
        EXPECT_EQ(level.group,
                  int((level.count + 7) / 8
                          ? (level.count + (level.count + 7) / 8 - 1) / ((level.count + 7) / 8)
                          : 0))
            << radius << ", step " << level.step;
    }
  }
}

TEST(FarPlan, memory_is_bounded_at_any_size) {
  for (const auto& [width, height] : {std::pair{7680, 4320}, {16384, 16384}, {30000, 700}}) {
    for (double radius : {9.0, 60.0}) {
      const OutputPlan plan = plan_output(flame_of(width, height, {radius}), {});
      for (bool exact : {false, true}) {
        const FarPlan far = plan_far(plan, 1, exact);
        ASSERT_TRUE(far.active());
        std::uint64_t light = 0;  // a part of the picture, as the stage's other buffers are
        for (const FarLevel& level : far.levels) {
          if (level.step > 1)
            light += u64(level.whole.sources.width()) * u64(level.whole.sources.height()) * 16;
          EXPECT_TRUE(is_one_line(level.padded_width) && is_one_line(level.padded_height));
        }
        EXPECT_LE(light, u64(width) * u64(height) * 16 / 2);
        EXPECT_LE(far.bytes() - light, 1'000'000'000u) << width << ", radius " << radius;
      }
    }
  }
}

TEST(FarPlan, a_wide_kernel_does_not_pad_the_finest_grid) {
  const auto finest = [](double radius) {
    return plan_far(plan_output(flame_of(3840, 2160, {radius}), {}), 1, false).levels.back();
  };
  const FarLevel narrow = finest(50), wide = finest(200);
  EXPECT_EQ(narrow.step, 1);
  EXPECT_EQ(wide.step, 1);
  EXPECT_EQ(wide.padded_width, narrow.padded_width);
  EXPECT_EQ(wide.padded_height, narrow.padded_height);
  EXPECT_EQ(wide.parts.size(), narrow.parts.size());
}

/// Parts tile what is seen, read what reaches them, and nothing comes in from the other side.
TEST(FarPlan, parts_cover_the_picture_and_their_sources) {
  for (const Estimator& e : {Estimator{30}, Estimator{100}, Estimator{40, 39}}) {
    const OutputPlan plan = plan_output(flame_of(200, 160, e), {});
    const DensityGrid& grid = plan.density_grid;
    for (std::uint64_t bytes : {far_memory_bytes, std::uint64_t(3'000'000)}) {
      for (const FarLevel& level : plan_far(plan, 1, false, bytes).levels) {
        const int reach = level.count > 0 ? level.kernels[0].reach : 0;
        i64 cells = 0;
        for (const FarExtent& part : level.parts) {
          const FarRect &light = part.light, &sources = part.sources;
          cells += i64(light.width()) * light.height();
          const int begin = level.step == 1 ? 0 : -1;
          EXPECT_LE(sources.x, std::max(light.x - reach, begin));
          EXPECT_LE(sources.y, std::max(light.y - reach, begin));
          EXPECT_GE(sources.end_x * level.step,
                    std::min((light.end_x + reach) * level.step, grid.width));
          EXPECT_GE(sources.end_y * level.step,
                    std::min((light.end_y + reach) * level.step, grid.height));
          EXPECT_GT(level.padded_width - sources.end_x + light.x, reach - 1);
          EXPECT_GT(level.padded_width - light.end_x + sources.x, reach - 1);
          EXPECT_GT(level.padded_height - sources.end_y + light.y, reach - 1);
          EXPECT_GT(level.padded_height - light.end_y + sources.y, reach - 1);
        }
        EXPECT_EQ(cells, i64(level.whole.light.width()) * level.whole.light.height());
        EXPECT_LE(level.whole.light.x * level.step, grid.hidden);
        EXPECT_GE(level.whole.light.end_x * level.step, grid.width - grid.hidden);
      }
    }
  }
}

/// What cells and the way there and back make of a kernel: the kernel, but for its rim.
TEST(FarPlan, kernels_on_cells_look_like_themselves) {
  const OutputPlan plan = plan_output(flame_of(64, 48, {80}), {});
  for (const FarLevel& level : plan_far(plan, 1, false).levels) {
    if (level.step == 1) continue;
    ASSERT_GT(level.count, 1u);
    for (std::size_t k : {std::size_t(0), level.count - 1}) {
      const DensityKernel kernel = level.kernels[k];
      double light = 0, variance = 0;
      for (int y = -kernel.reach; y <= kernel.reach; ++y) {
        for (int x = -kernel.reach; x <= kernel.reach; ++x) {
          const double tap =
              level.coefficients[kernel.first +
                                 std::size_t(std::abs(y)) * std::size_t(2 * kernel.reach + 1) +
                                 std::size_t(x + kernel.reach)];
          light += tap;
          variance += tap * x * x * level.step * level.step;
        }
      }
      const int node = plan_far(plan, 1, false).nodes[level.first + k];
      const DensityPlan& density = plan.density;
      double wanted_light = 0, wanted_variance = 0;
      for (int y = -density.reach; y <= density.reach; ++y) {
        for (int x = -density.reach; x <= density.reach; ++x) {
          const double tap = density.coefficient(node, x, y);
          wanted_light += tap, wanted_variance += tap * x * x;
        }
      }
      EXPECT_NEAR(light, wanted_light, 2e-6);
      // [1 3 3 1]/8 down and up: 3/4 each for cells of 2, and 3 each for the halving to 4
      const double way = level.step == 2 ? 1.5 : 7.5;
      EXPECT_NEAR((variance + way) / wanted_variance, 1, 0.02) << level.step;
    }
  }
}

TEST_ON_EVERY_DEVICE(DensityCoarse, brings_light_down_and_up) {
  // a grid of one width that all is far of, its share 0.5 of one kernel and 2 of another
  constexpr int width = 70, height = 45;
  DensityPlan density = plan_density(20, 0, 0.4, 1);
  const DensityGrid grid = density_grid(density, width, height);
  std::vector<Vec4> scaled(std::size_t(source_count(grid)));
  std::vector<u16> widths(scaled.size(), u16(9));
  const auto at = [&](int x, int y) {
    return std::size_t(i64(y + grid.margin * density_tile) * grid.stride() + x +
                       grid.margin * density_tile);
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      if ((x * 7 + y * 3) % 4 == 0) continue;  // not far
      widths[at(x, y)] = u16((x + y) % 2);
      scaled[at(x, y)] = {float(x), float(y), 1, float((x * y) % 13)};
    }
  }
  for (int step : {2, 4}) {
    const std::vector<double> taps = step == 2
                                         ? std::vector<double>{1, 3, 3, 1}
                                         : std::vector<double>{1, 3, 6, 10, 12, 12, 10, 6, 3, 1};
    const double sum = step == 2 ? 8 : 64;
    const DeviceArray<Vec4> device_scaled(device, scaled);
    const DeviceArray<u16> device_widths(device, widths);
    const DeviceArray<float> first(device, std::vector<float>{0.5f, 1.0f}),
        second(device, std::vector<float>{2.0f, 0.25f});
    WeighCoarse weigh;
    weigh.grid = grid;
    weigh.scaled = device_scaled.data();
    weigh.widths = device_widths.data();
    weigh.split = 2;
    weigh.step = step;
    weigh.from_x = -1;
    weigh.from_y = -1;
    weigh.width = (width + step - 1) / step + 2;
    weigh.height = (height + step - 1) / step + 2;
    weigh.tap_count = int(taps.size());
    for (std::size_t i = 0; i < taps.size(); ++i) weigh.taps[i] = float(taps[i] / sum);
    weigh.terms = 2;
    weigh.pitch = weigh.width + 3;
    const std::size_t cells = std::size_t(weigh.pitch) * std::size_t(weigh.height);
    const DeviceArray<Vec4> a(device, cells), b(device, cells);
    weigh.shares[0] = first.data(), weigh.shares[1] = second.data();
    weigh.pictures[0] = a.data(), weigh.pictures[1] = b.data();
    device.launch(weigh, weigh.block_count());
    const std::vector<Vec4> got[2] = {a.download(), b.download()};
    for (int y = 0; y < weigh.height; ++y) {
      for (int x = 0; x < weigh.width; ++x) {
        Pixel wanted[2] = {};
        const int before = (int(taps.size()) - step) / 2;
        for (std::size_t j = 0; j < taps.size(); ++j) {
          for (std::size_t i = 0; i < taps.size(); ++i) {
            const int from_x = (x - 1) * step - before + int(i),
                      from_y = (y - 1) * step - before + int(j);
            const std::size_t source = at(from_x, from_y);
            if (widths[source] >= 2) continue;
            const Pixel light = pixel_of(scaled[source]);
            const double shares[2] = {widths[source] == 0 ? 0.5 : 1.0,
                                      widths[source] == 0 ? 2.0 : 0.25};
            for (int k : {0, 1}) {
              for (std::size_t c = 0; c < 4; ++c)
                wanted[k][c] += light[c] * shares[k] * taps[i] * taps[j] / (sum * sum);
            }
          }
        }
        for (int k : {0, 1}) {
          const Pixel value = pixel_of(got[k][std::size_t(y * weigh.pitch + x)]);
          for (std::size_t c = 0; c < 4; ++c)
            ASSERT_NEAR(value[c], wanted[k][c], 1e-5 * wanted[k][c] + 1e-6) << x << " " << y;
        }
      }
    }
  }

  // a slope goes up as a slope, at even and odd places, added to what is there
  std::vector<Vec4> slope(12 * 9), light(20 * 14, Vec4{1, 0, 0, 0});
  for (int i = 0; i < 12 * 9; ++i) slope[std::size_t(i)] = {float(i % 12), float(i / 12), 3, 0};
  const DeviceArray<Vec4> coarse(device, slope), fine(device, light);
  for (int pass : {0, 1}) {
    RefineLight refine;
    refine.coarse = {coarse.data(), -3, -2, 12};
    refine.light = fine.data();
    refine.width = 17, refine.height = 13, refine.pitch = 20;
    refine.accumulate = pass;
    device.launch(refine, refine.block_count());
    const std::vector<Vec4> got = fine.download();
    for (int y = 0; y < 14; ++y) {
      for (int x = 0; x < 20; ++x) {
        const Vec4 v = got[std::size_t(y * 20 + x)];
        if (x >= 17 || y >= 13) {
          ASSERT_EQ(v.r, 1);
          continue;
        }
        ASSERT_EQ(v.r, float(pass + 1) * (float(x + 3) / 2 - 0.25f));
        ASSERT_EQ(v.g, float(pass + 1) * (float(y + 2) / 2 - 0.25f));
        ASSERT_EQ(v.b, float(pass + 1) * 3);
      }
    }
  }
}

TEST_ON_EVERY_DEVICE(DensityFar, direct_sum_equals_a_scatter_in_double) {
  for (const Estimator& e : {Estimator{12}, Estimator{30, 2, 0.6}, Estimator{20, 0, 1}}) {
    const OutputPlan plan = plan_output(flame_of(50, 30, e), {});
    const TestHistogram h = histogram_of(
        plan, [](int x, int y) { return (x * 31 + y * 17) % 61 == 0 ? 1 + (x * y) % 9 : 0; });
    expect_close(plan, estimate(device, plan, h, true, never).light,
                 scatter_density(h, plan.log_curve, plan.density, e.radius), 1e-5);
    expect_close(plan, estimate(device, plan, h, true, always).light,
                 scatter_density(h, plan.log_curve, plan.density, e.radius), 1e-3);
  }
}

TEST_ON_EVERY_DEVICE(DensityFar, exact_mode_is_the_direct_sum) {
  for (const Estimator& e :
       {Estimator{9}, Estimator{12}, Estimator{25}, Estimator{50}, Estimator{20, 5, 1},
        Estimator{9, 0, 0.4, 2}, Estimator{14.5, 0.7, 0.6, 3}, Estimator{40, 20, 0.8},
        Estimator{12, 11}, Estimator{15, 0, 0.2}}) {
    SCOPED_TRACE(e.radius);
    const OutputPlan plan = plan_output(flame_of(150 / e.supersample, 120 / e.supersample, e), {});
    const TestHistogram h = histogram_of(plan, noise_and_blob);
    const Result got = estimate(device, plan, h, true, always);
    ASSERT_TRUE(got.used_fft);
    expect_close(plan, got.light, direct(device, plan, h), 1e-3);
  }
}

TEST_ON_EVERY_DEVICE(DensityFar, a_hot_pixel_leaves_its_dim_neighbors_alone) {
  const OutputPlan plan = plan_output(flame_of(160, 100, {30}), {});
  const int left = plan.geometry.gutter;
  const TestHistogram h = histogram_of(plan, [&](int x, int y) {
    if (x == left + 80 && y == left + 50) return 1000000;
    return (x * 13 + y * 7) % 101 == 0 ? 1 : 0;
  });
  const std::vector<Pixel> expected = direct(device, plan, h);
  expect_close(plan, estimate(device, plan, h, true, always).light, expected, 1e-3);
  expect_close(plan, estimate(device, plan, h, false, always).light, expected, 0.02);
}

TEST_ON_EVERY_DEVICE(DensityFar, an_empty_picture_is_dark_and_edges_are_cut) {
  const OutputPlan plan = plan_output(flame_of(70, 50, {40}), {});
  for (bool exact : {false, true}) {
    for (const Vec4& v :
         estimate(device, plan, histogram_of(plan, [](int, int) { return 0; }), exact, always)
             .light)
      ASSERT_TRUE(v.r == 0 && v.g == 0 && v.b == 0 && v.a == 0);
    // all along the buffer's edge: what a transform would carry to the other side
    const TestHistogram edge = histogram_of(plan, [&](int x, int y) {
      return x == 0 || y == 0 || x == plan.geometry.width - 1 || y == plan.geometry.height - 1;
    });
    expect_close(plan, estimate(device, plan, edge, exact, always).light,
                 direct(device, plan, edge), exact ? 1e-3 : 0.02);
  }
}

/// The default's picture against the exact one's, after tone mapping, in 255ths: a pixel is off if
/// any of its channels is.
void expect_same_picture(const OutputPlan& plan, const std::vector<Vec4>& got,
                         const std::vector<Pixel>& expected, const ToneSettings& tone) {
  double square = 0, worst = 0;
  std::size_t pixels = 0, off = 0;
  each_seen(plan, [&](std::size_t i) {
    const Pixel a = tone_mapped(pixel_of(got[i]), tone), b = tone_mapped(expected[i], tone);
    double largest = 0;
    for (std::size_t c = 0; c < 3; ++c) {
      const double d = a[c] - b[c];
      square += d * d / 3;
      largest = std::max(largest, std::fabs(d));
    }
    worst = std::max(worst, largest);
    off += largest > 1;
    ++pixels;
  });
  EXPECT_LE(std::sqrt(square / double(pixels)), 0.25);
  EXPECT_LE(double(off), 0.001 * double(pixels)) << "of " << pixels << ", worst " << worst;
}

TEST_ON_EVERY_DEVICE(DensityFar, mixed_kernels_make_the_same_picture) {
  std::vector<ToneSettings> tones(3);
  tones[1].threshold = 0;
  tones[2].vibrancy = 0;
  for (const Estimator& e : {Estimator{20}, Estimator{30}, Estimator{60}, Estimator{40, 0, 0.7},
                             Estimator{30, 8}, Estimator{40, 38}}) {
    SCOPED_TRACE(e.radius);
    const OutputPlan plan = plan_output(flame_of(200, 160, e), {});
    const TestHistogram h = histogram_of(plan, noise_and_blob);
    const std::vector<Vec4> got = estimate(device, plan, h, false, always).light;
    const std::vector<Pixel> expected = direct(device, plan, h);
    each_seen(plan, [&](std::size_t i) {
      ASSERT_EQ(got[i].a == 0, expected[i][3] == 0) << i;
      ASSERT_GE(std::min({got[i].r, got[i].g, got[i].b}), 0) << i;
    });
    for (const ToneSettings& tone : tones) {
      SCOPED_TRACE(tone.threshold + tone.vibrancy);
      expect_same_picture(plan, got, expected, tone);
    }
  }
}

/// Bright places beside dark ones show most of what the kernels' rims do.
TEST(DensityFar, mixed_kernels_make_the_same_flame) {
  Flame flame = bench::seeded_flame({12, 1}, 480, 270);
  flame.quality = 10;
  flame.estimator_radius = 40;
  flame.estimator_minimum = 0;
  flame.estimator_curve = 0.4;
  const OutputPlan plan = plan_output(flame, {});
  const BufferGeometry& g = plan.geometry;
  const CompiledFlame compiled = compile(flame, {g.supersample, g.gutter, g.width, g.height});
  ASSERT_TRUE(compiled.table.opaque);
  const auto device = open_cpu(2);
  DeviceArray<u64> sums(*device, std::size_t(g.width) * std::size_t(g.height) * 4);
  sums.clear();
  Accumulator(*device, compiled, 0).play_pass(sums, 0);
  const TestHistogram h{g.width, g.height, 4, float(compiled.unit), sums.download()};
  ToneSettings tone;
  tone.threshold = flame.gamma_threshold;
  expect_same_picture(plan, estimate(*device, plan, h, false, always).light,
                      direct(*device, plan, h), tone);
}

/// Diagonally from the corner of a bright square, in cells that its sources might reach but do not:
/// too many sources for a direct sum, so only the mask keeps the transform's leak out.
TEST_ON_EVERY_DEVICE(DensityFar, beyond_the_reach_it_is_dark) {
  const OutputPlan plan = plan_output(flame_of(200, 160, {50}), {});
  const int left = plan.geometry.gutter;
  const TestHistogram h =
      histogram_of(plan, [&](int x, int y) { return x < left + 90 && y < left + 70; });
  const std::vector<Vec4> got = estimate(device, plan, h, false, always).light;
  const std::vector<Pixel> expected = direct(device, plan, h);
  int dark = 0;
  each_seen(plan, [&](std::size_t i) {
    dark += expected[i][3] == 0;
    ASSERT_EQ(got[i].a == 0, expected[i][3] == 0) << i;
  });
  EXPECT_GT(dark, 1000);
}

TEST_ON_EVERY_DEVICE(DensityFar, parts_make_the_same_picture) {
  const OutputPlan plan = plan_output(flame_of(200, 160, {40}), {});
  const TestHistogram h = histogram_of(plan, noise_and_blob);
  for (bool exact : {false, true}) {
    const std::vector<Vec4> whole = estimate(device, plan, h, exact, always).light;
    std::vector<Pixel> expected;
    for (const Vec4& v : whole) expected.push_back(pixel_of(v));
    bool stripes = false, columns = false;
    for (std::uint64_t bytes : {8'000'000, 3'000'000, 700'000}) {
      if (exact && bytes < 1'000'000) continue;
      const FarPlan far = plan_far(plan, 1, exact, bytes);
      stripes |= far.levels.back().parts.size() > 1;
      columns |= far.levels.back().in_columns;
      expect_close(plan, estimate(device, plan, h, exact, always, 1, bytes).light, expected, 1e-4);
    }
    EXPECT_TRUE(stripes);
    EXPECT_TRUE(columns || exact);
  }
}

TEST_ON_EVERY_DEVICE(DensityFar, what_bloom_sees_of_the_gutter_is_right) {
  Flame flame = flame_of(90, 60, {25});
  OutputPlan plan = plan_output(flame, {false, true});
  EXPECT_GT(plan.hidden_buckets(), 0);
  plan.density_grid.hidden = 0;
  const TestHistogram h = histogram_of(plan, [](int x, int y) { return (x + y * 3) % 4 == 0; });
  const std::vector<Pixel> expected = direct(device, plan, h);
  for (bool exact : {false, true}) {
    const std::vector<Vec4> got = estimate(device, plan, h, exact, always).light;
    for (std::size_t i = 0; i < got.size(); ++i)
      ASSERT_NEAR(got[i].a, expected[i][3], (exact ? 1e-3 : 0.03) * expected[i][3]) << i;
  }
  flame.effects.bloom.strength = 0.1;
  EXPECT_EQ(plan_output(flame, {false, true}).hidden_buckets(), 0);
  EXPECT_GT(plan_output(flame, {false, false}).hidden_buckets(), 0);
}

TEST_ON_EVERY_DEVICE(DensityFar, the_picture_chooses) {
  const OutputPlan plan = plan_output(flame_of(150, 120, {50}), {});
  const auto used = [&](int one_in) {
    const TestHistogram h =
        histogram_of(plan, [=](int x, int y) { return (x + y * 7) % one_in == 0; });
    return estimate(device, plan, h, false, usual).used_fft;
  };
  EXPECT_TRUE(used(10));     // 1000 products a bucket
  EXPECT_FALSE(used(1000));  // 10
}

TEST_ON_EVERY_DEVICE(DensityFar, passes_add_up) {
  const OutputPlan plan = plan_output(flame_of(80, 60, {30}), {});
  const TestHistogram h = histogram_of(plan, noise_and_blob);
  const auto once = estimate(device, plan, h, false, always).light,
             twice = estimate(device, plan, h, false, always, 2).light;
  for (std::size_t i = 0; i < once.size(); ++i) ASSERT_EQ(twice[i].g, 2 * once[i].g);
}

TEST(DensityFar, the_same_bits_on_every_device) {
  for (const Estimator& e : {Estimator{30}, Estimator{60}, Estimator{9, 0, 0.4, 2}}) {
    const OutputPlan plan = plan_output(flame_of(120 / e.supersample, 90 / e.supersample, e), {});
    const TestHistogram h = histogram_of(plan, noise_and_blob);
    for (bool exact : {false, true}) {
      const auto devices = open_every_arithmetic();
      const auto first = estimate(*devices[0], plan, h, exact, always).light;
      for (std::size_t i = 1; i < devices.size(); ++i) {
        const auto other = estimate(*devices[i], plan, h, exact, always).light;
        EXPECT_EQ(std::memcmp(first.data(), other.data(), first.size() * sizeof(Vec4)), 0)
            << devices[i]->describe() << ", exact " << exact;
      }
    }
  }
}

}  // namespace
}  // namespace kiln::test
