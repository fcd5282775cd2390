// SPDX-License-Identifier: MIT
// One flame and one seed are one picture, to the last bit: for any number of threads, every
// instruction set, any number of units in flight, and on a GPU.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "engine/model/image.h"
#include "engine/render/renderer.h"
#include "tests/devices.h"
#include "tests/evaluate_xforms.h"
#include "tests/kernels/game.h"

namespace kiln::test {
namespace {

// ---- scenes ----

class Numbers {
 public:
  explicit Numbers(unsigned seed) : twister_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * (twister_() / 4294967296.0);
  }
  unsigned word() { return unsigned(twister_()); }

 private:
  std::mt19937 twister_;
};

AffineD random_affine(Numbers& u, double size) {
  const double angle = u(0, 6.2831853), s = size * u(0.5, 1);
  return {s * std::cos(angle),
          s * std::sin(angle),
          -s * std::sin(angle) + u(-0.2, 0.2),
          s * std::cos(angle),
          u(-1, 1),
          u(-1, 1)};
}

Flame base_flame(unsigned seed, int xforms) {
  Numbers u(seed);
  Flame flame = flame_over(150, 110, -1.9, -1.4, 40);
  flame.quality = 20;
  for (int i = 0; i < 256; ++i) {
    flame.palette[std::size_t(i)] = {(u.word() % 256) / 255.0, (u.word() % 256) / 255.0,
                                     (u.word() % 256) / 255.0, 1};
  }
  for (int f = 0; f < xforms; ++f) {
    flame.xforms.push_back(linear_xform(u(0.2, 2), random_affine(u, 0.7)));
    flame.xforms.back().color = u(0, 1);
  }
  return flame;
}

void add_variation(Xform& xform, const char* name, double weight) {
  xform.variations[std::size_t(find_variation(name).value())] = weight;
}

struct Scene {
  const char* name;
  Flame flame;
  bool transients = false;
};

std::vector<Scene> scenes() {
  std::vector<Scene> all;
  all.push_back({"affine", base_flame(1, 8)});

  Flame varied = base_flame(2, 6);
  const char* const names[] = {"spherical",    "julian",      "curl",        "pre_blur",
                               "noise",        "swirl",       "cpow",        "blur",
                               "handkerchief", "exponential", "super_shape", "mobius"};
  for (std::size_t i = 0; i < std::size(names); ++i)
    add_variation(varied.xforms[i % 6], names[i], 0.3 + 0.05 * double(i));
  varied.xforms[1].post = {0.8, 0.1, -0.1, 0.9, 0.2, -0.1};
  all.push_back({"variations", varied});

  Flame xaos = base_flame(3, 40);
  for (std::size_t f = 0; f < 40; ++f) {
    for (std::size_t to = 0; to < 40; ++to)
      xaos.xforms[f].chaos.push_back((f + to) % 3 == 0 ? 0 : double(to % 5) + 0.5);
  }
  all.push_back({"xaos of 40 xforms", xaos});

  Flame final_flame = varied;
  final_flame.final_xform = linear_xform(0, {0.9, 0.2, -0.2, 0.9, 0, 0.1});
  add_variation(*final_flame.final_xform, "julia", 0.4);
  final_flame.final_xform->opacity = 0.6;
  final_flame.final_xform->color = 0.9;
  all.push_back({"final xform of opacity 0.6", final_flame});

  Flame bad = xaos;
  bad.xforms.resize(12);
  for (Xform& xform : bad.xforms) xform.chaos.resize(12);
  add_variation(bad.xforms[2], "exponential", 1);
  bad.xforms[2].coefs = {300, 0, 0, 1, 0, 0};
  bad.xforms.push_back(bad_xform(4));
  all.push_back({"bad values under xaos", bad});

  Flame dim = varied;
  dim.palette_mode = PaletteMode::linear;
  dim.palette[9].a = 0.25;
  const double opacities[] = {1, 0.2, 0, 0.7, 5, 0.2};
  for (std::size_t f = 0; f < 6; ++f) dim.xforms[f].opacity = opacities[f];
  dim.supersample = 2;
  dim.filter_radius_px = 1;
  dim.estimator_radius = 5;
  dim.rotate_deg = 33;
  dim.gamma_threshold = 0.05;
  dim.highlight_power = 1;
  dim.vibrancy = 0.5;
  dim.passes = 2;
  all.push_back({"linear palette with alpha and opacities, supersampled, estimated", dim});

  all.push_back({"transients", base_flame(4, 3), true});
  return all;
}

Histogram histogram_of(Device& device, const Scene& scene, std::uint64_t samples) {
  const int os = scene.flame.supersample, gutter = 3 * os;
  const PlotArea area{os, gutter, os * scene.flame.width + 2 * gutter,
                      os * scene.flame.height + 2 * gutter};
  return Player(device, scene.flame, samples, area).play(42, 1, scene.transients);
}

void expect_same(const Histogram& got, const Histogram& expected) {
  EXPECT_TRUE(got.sums == expected.sums);
  EXPECT_EQ(got.totals.samples, expected.totals.samples);
  EXPECT_EQ(got.totals.bad_values, expected.totals.bad_values);
}

// ---- histograms ----

TEST(Parity, HistogramsAreTheSameForAnyNumberOfThreads) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    const std::uint64_t samples = 150'001;
    const Histogram expected = histogram_of(*open_cpu(1), scene, samples);
    EXPECT_GT(expected.all_hits(), 10'000);
    for (const int threads : {2, 7})
      expect_same(histogram_of(*open_cpu(threads), scene, samples), expected);
  }
}

/// Seven threads keep 14 units in flight, one thread 8: 15 of them need two launches or one and
/// two.
TEST(Parity, HistogramsOfManyUnitsAreTheSameForAnyNumberOfThreads) {
  const Scene scene = scenes()[0];
  const std::uint64_t samples = 15 * unit_samples - 12'345;
  const Histogram expected = histogram_of(*open_cpu(1), scene, samples);
  for (const int threads : {2, 7})
    expect_same(histogram_of(*open_cpu(threads), scene, samples), expected);
}

TEST(Parity, HistogramsAreTheSameWithEveryArithmetic) {
  const auto devices = open_every_arithmetic();
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    const Histogram expected = histogram_of(*devices[0], scene, 150'001);
    for (std::size_t d = 1; d < devices.size(); ++d) {
      SCOPED_TRACE(devices[d]->describe());
      expect_same(histogram_of(*devices[d], scene, 150'001), expected);
    }
  }
}

/// One, two or all three units of a frame at a time.
TEST_ON_EVERY_DEVICE(Parity, UnitsInFlightDoNotMatter) {
  constexpr std::uint64_t samples = 2 * unit_samples + 77'777, seed = 42;
  constexpr int units = 3;
  for (const Scene& scene : scenes()) {
    if (scene.transients || scene.flame.supersample > 1) continue;
    SCOPED_TRACE(scene.name);
    const Histogram expected = Player(device, scene.flame, samples).play(seed);
    for (const int at_once : {1, 2, 3}) {
      Pools pools(device, scene.flame, at_once, seed);
      for (int first = 0; first < units; first += at_once) {
        pools.warm_up(first);
        pools.iterate(samples);
      }
      std::vector<std::uint64_t> sums = pools.sums();
      sums.resize(expected.sums.size());
      EXPECT_TRUE(sums == expected.sums) << at_once;
    }
  }
}

/// A launch may end after any step: the pools go on from memory.
TEST_ON_EVERY_DEVICE(Parity, LaunchesMayEndAfterAnyStep) {
  constexpr u64 steps = 24;
  for (const Scene& scene : scenes()) {
    if (scene.name != std::string("affine") && scene.name != std::string("xaos of 40 xforms"))
      continue;
    SCOPED_TRACE(scene.name);
    std::vector<float> x[2];
    std::vector<std::uint64_t> sums[2];
    for (int often = 0; often < 2; ++often) {
      Pools pools(device, scene.flame, 1, 5);
      pools.warm_up();
      for (u64 step = 1; often && step < steps; ++step) pools.iterate(step * pool_slots);
      pools.iterate(steps * pool_slots);
      x[often] = pools.look().x;
      sums[often] = pools.sums();
    }
    EXPECT_TRUE(x[0] == x[1]);
    EXPECT_TRUE(sums[0] == sums[1]);
  }
}

/// With little memory a GPU needs many launches a unit.
TEST_ON_EVERY_DEVICE(Parity, LittleMemoryMakesTheSameHistogram) {
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    const PlotArea area{1, 0, scene.flame.width, scene.flame.height};
    const Histogram expected =
        Player(device, scene.flame, 300'001, area).play(6, 0, scene.transients);
    expect_same(Player(device, scene.flame, 300'001, area, 1).play(6, 0, scene.transients),
                expected);
  }
}

// ---- pictures ----

std::string hash_of(const Scene& scene, const RenderOptions& options) {
  return pixel_hash(render(scene.flame, options));
}

TEST(Parity, PicturesAreTheSameForThreadsAndArithmetics) {
  const bool has_gpu = open_every_device().size() > 1;
  for (const Scene& scene : scenes()) {
    SCOPED_TRACE(scene.name);
    for (const int bits : {8, 16}) {
      RenderOptions options;
      options.backend = Backend::cpu;
      options.threads = 1;
      options.bits = bits;
      options.transparent = bits == 16;
      options.earlyclip = bits == 16 && scene.flame.passes == 1;
      options.compat_flam3 = scene.transients;
      const std::string expected = hash_of(scene, options);
      if (bits == 8) {
        for (const int threads : {2, 7}) {
          options.threads = threads;
          EXPECT_EQ(hash_of(scene, options), expected) << threads << " threads";
        }
      }
      options.threads = 2;
      for (const std::string& isa : cpu_instruction_sets()) {
        const ForcedInstructionSet forced(isa);
        EXPECT_EQ(hash_of(scene, options), expected) << isa;
      }
      if (has_gpu) {
        options.backend = Backend::cuda;
        EXPECT_EQ(hash_of(scene, options), expected) << "cuda";
      }
      options.backend = Backend::cpu;
      options.seed = 1;
      EXPECT_NE(hash_of(scene, options), expected) << "another seed";
    }
  }
}

// ---- variations ----

/// 256 points: ordinary ones, all magnitudes, and pairs of special values.
std::vector<Vec2> hard_points(unsigned seed) {
  constexpr float inf = std::numeric_limits<float>::infinity(),
                  nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float special[] = {0.f,          -0.f,   1.f,     -1.f,   0.5f,   -2.f,   3.14159274f,
                               -1.57079637f, 1e-45f, -1e-40f, 1e-38f, 1e-30f, 1e-10f, 1e10f,
                               -1e11f,       1e20f,  -3e38f,  inf,    -inf,   nan};
  Numbers u(seed);
  std::vector<Vec2> points;
  const auto any_size = [&] { return float((u.word() & 1 ? -1 : 1) * std::pow(10, u(-40, 38))); };
  for (int i = 0; i < 110; ++i) points.push_back({float(u(-3, 3)), float(u(-3, 3))});
  for (int i = 0; i < 40; ++i) points.push_back({any_size(), any_size()});
  for (int i = 0; i < 20; ++i) points.push_back({any_size(), float(u(-3, 3))});
  while (points.size() < 256)
    points.push_back(
        {special[u.word() % std::size(special)], special[u.word() % std::size(special)]});
  return points;
}

/// The first `count` variations with their defaults, with random parameters, weights and affines, and
/// with an affine that overflows; and one xform of them all, whose random draws must stay in step.
Flame flame_of_variations(int count) {
  Numbers u(99);
  Flame flame = flame_over(64, 64, -1, -1, 32);
  for (int v = 0; v < count; ++v) {
    const std::string& name = variations()[std::size_t(v)].name;
    flame.xforms.push_back(xform_of(name, 1, {}));
    for (const double size : {0.7, 4.0}) {
      Xform xform = xform_of(name, 1, random_affine(u, size));
      xform.variations[std::size_t(v)] = u(-2, 2);
      for (double& p : xform.parameters) p = u.word() % 4 == 0 ? std::round(u(-5, 5)) : u(-3, 3);
      xform.post = random_affine(u, size);
      flame.xforms.push_back(xform);
    }
  }
  Xform together = xform_of("linear", 1, {});
  for (int v = 0; v < count; ++v) together.variations[std::size_t(v)] = 0.125;
  flame.xforms.push_back(together);
  return flame;
}

/// Each variation before and after another one, with depth and a color that they may change.
Flame flame_of_forms() {
  Flame flame = flame_of_variations(variation_count());
  flame.depth_camera.pitch_rad = 0.5;
  for (std::size_t f = 0; f + 1 < flame.xforms.size(); ++f) {
    Xform& xform = flame.xforms[f];
    const VariationInfo& info = variations()[f / 3];
    const auto first = xform.parameters.begin() + info.first_parameter;
    const std::vector<double> parameters(first, first + std::ptrdiff_t(info.parameters.size()));
    for (const Stage stage : {Stage::pre, Stage::post})
      xform.staged.push_back({stage, int(f / 3), 0.75, parameters});
    xform.direct_color = 0.5;
  }
  return flame;
}

void expect_the_same_bits(const Flame& flame) {
  std::vector<std::vector<Vec2>> points;
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) points.push_back(hard_points(unsigned(f)));
  const auto devices = open_every_arithmetic();
  const auto expected = evaluate_xforms(*devices[0], flame, points, 17);
  const auto same = [](float a, float b) {
    return bits_of(a) == bits_of(b) || (std::isnan(a) && std::isnan(b));
  };
  std::size_t good = 0, nan = 0, infinite = 0;
  for (const auto& list : expected) {
    for (const EvaluatedPoint& p : list) {
      good += !p.bad;
      nan += std::isnan(p.x) || std::isnan(p.y);
      infinite += std::isinf(p.x) || std::isinf(p.y);
    }
  }
  EXPECT_GT(good, 30'000u);  // the points reach what they are meant to reach
  EXPECT_GT(nan, 5'000u);
  EXPECT_GT(infinite, 1'000u);
  for (std::size_t d = 1; d < devices.size(); ++d) {
    const auto got = evaluate_xforms(*devices[d], flame, points, 17);
    for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
      int different = 0;
      for (std::size_t i = 0; i < points[f].size(); ++i) {
        const EvaluatedPoint &a = got[f][i], &b = expected[f][i];
        if (same(a.x, b.x) && same(a.y, b.y) && same(a.z, b.z) && same(a.color, b.color) &&
            a.bad == b.bad)
          continue;
        if (different++ > 0) continue;
        ADD_FAILURE() << devices[d]->describe() << ": xform " << f << ", variation "
                      << (f / 3 < std::size_t(variation_count()) ? variations()[f / 3].name : "all")
                      << " of (" << points[f][i].x << ", " << points[f][i].y << "): (" << a.x
                      << ", " << a.y << ", " << a.z << "), not (" << b.x << ", " << b.y << ", "
                      << b.z << ")";
      }
      EXPECT_EQ(different, 0) << "xform " << f;
    }
  }
}

TEST(Parity, EveryVariationHasTheSameBitsEverywhere) {
  expect_the_same_bits(flame_of_variations(flam3_variation_count()));
}
TEST(Parity, EveryVariationOfExtendedFlamesHasTheSameBitsEverywhere) {
  expect_the_same_bits(flame_of_variations(variation_count()));
}
TEST(Parity, EveryFormHasTheSameBitsEverywhere) { expect_the_same_bits(flame_of_forms()); }

}  // namespace
}  // namespace kiln::test
