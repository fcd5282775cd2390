// The far part of density estimation: the FFT against the direct sum, in the dark as well.
#include "engine/render/density_far.h"

#include <gtest/gtest.h>

#include <cstring>
#include <functional>

#include "engine/model/exact_math.h"
#include "engine/render/density_stage.h"
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

/// hits(x, y) in every bucket, in colours that differ from bucket to bucket; blue is rare.
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
                std::uint64_t products, int passes = 1) {
  DensityStage stage(device, plan, h.unit, exact);
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

TEST(FarPlan, memory_at_4k_is_a_gigabyte) {
  for (double radius : {20.0, 50.0, 100.0, 200.0}) {
    const OutputPlan plan = plan_output(flame_of(3840, 2160, {radius}), {});
    EXPECT_LE(plan_far(plan, 1, false).bytes(), 1'000'000'000u) << radius;
    EXPECT_LE(plan_far(plan, 1, true).bytes(), 1'000'000'000u) << radius;
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

TEST_ON_EVERY_DEVICE(DensityFar, a_hot_pixel_leaves_its_dim_neighbours_alone) {
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

/// The default's picture against the exact one's, after tone mapping, in 255ths.
void expect_same_picture(const OutputPlan& plan, const std::vector<Vec4>& got,
                         const std::vector<Pixel>& expected, const ToneSettings& tone) {
  double square = 0;
  std::size_t count = 0, off = 0;
  each_seen(plan, [&](std::size_t i) {
    const Pixel a = tone_mapped(pixel_of(got[i]), tone), b = tone_mapped(expected[i], tone);
    for (std::size_t c = 0; c < 3; ++c) {
      const double d = a[c] - b[c];
      square += d * d;
      off += std::fabs(d) > 1;
      ++count;
    }
  });
  EXPECT_LE(std::sqrt(square / double(count)), 0.25);
  EXPECT_LE(double(off), 0.001 * double(count)) << "of " << count;
}

TEST_ON_EVERY_DEVICE(DensityFar, mixed_kernels_make_the_same_picture) {
  std::vector<ToneSettings> tones(3);
  tones[1].threshold = 0;
  tones[2].vibrancy = 0;
  for (const Estimator& e :
       {Estimator{30}, Estimator{60}, Estimator{40, 0, 0.7}, Estimator{30, 8}}) {
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
  for (const Estimator& e : {Estimator{30}, Estimator{9, 0, 0.4, 2}}) {
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
