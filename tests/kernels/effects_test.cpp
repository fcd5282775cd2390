// SPDX-License-Identifier: MIT
// Bloom, glare and point spread functions against direct sums in double, and against what light
// must obey. The reference knows the formulas of docs/inside/lens.md, not the code.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/image.h"
#include "engine/render/renderer.h"
#include "engine/render/stages/effects/effects_plan.h"
#include "engine/render/stages/effects/effects_stage.h"
#include "engine/render/stages/output_plan.h"
#include "tests/devices.h"

namespace kiln::test {
namespace {

using Picture = std::vector<Vec4>;

/// Light on black: some points over four decades, row-major.
Picture points_of_light(int width, int height, unsigned seed, int every = 7) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(0, 1);
  Picture picture(std::size_t(width) * std::size_t(height), Vec4{0, 0, 0, 0});
  for (Vec4& pixel : picture) {
    if (int(random() % unsigned(every)) != 0) continue;
    const double light = std::exp(uniform(random) * 9 - 2);
    pixel = {float(light * uniform(random)), float(light * uniform(random)),
             float(light * uniform(random)), float(light)};
  }
  return picture;
}

struct Result {
  Picture picture;
  EffectsReport report;
};

Result spread(Device& device, const EffectsPlan& plan, const Picture& before) {
  const EffectsStage stage(device, plan);
  const DeviceArray<Vec4> light(device, before), scratch(device, 2 * before.size());
  Result result;
  result.report = stage.run(plan, light.data(), scratch.data());
  result.picture = light.download();
  return result;
}

EffectsFrame frame(int width, int height, double aspect = 1) {
  return {width, height, height / 100.0, aspect, false};
}

double sum_of(const Picture& picture) {
  double sum = 0;
  for (const Vec4& p : picture) sum += double(p.r) + p.g + p.b;
  return sum;
}

// ---- the reference: the kernel at an offset, in double ----

double gaussian(double x, double y, double along, double across, double angle_deg) {
  const double angle = angle_deg * M_PI / 180, c = std::cos(angle), s = std::sin(angle);
  const double own = 1.0 / 6 + std::max(0.0, 1.0 / 12 - std::pow(std::min(along, across), 2));
  const double a = along * along + own, b = across * across + own;  // square pixels only
  const auto at = [&](double px, double py) {
    const double u = px * c - py * s, v = px * s + py * c;  // y down
    return std::exp(-u * u / (2 * a) - v * v / (2 * b));
  };
  // what the lattice sums up: directly for narrow ones, the integral for others
  double total = 2 * M_PI * std::sqrt(a * b);
  if (std::min(a, b) < 2) {
    const int reach = int(8 * std::sqrt(std::max(a, b))) + 4;
    total = 0;
    for (int j = -reach; j <= reach; ++j)
      for (int i = -reach; i <= reach; ++i) total += at(i, j);
  }
  return at(x, y) / total;
}

/// The kernel for offsets -reach..reach in both directions, without the spread of a file.
std::vector<double> reference_kernel(const Effects& effects, int height, int reach) {
  const int side = 2 * reach + 1;
  std::vector<double> kernel(std::size_t(side) * std::size_t(side));
  const auto add = [&](double light, double along, double across, double angle) {
    const double unit = gaussian(0, 0, along, across, angle);  // its normalization, once
    const double a = angle * M_PI / 180, c = std::cos(a), s = std::sin(a);
    const double own = 1.0 / 6 + std::max(0.0, 1.0 / 12 - std::pow(std::min(along, across), 2));
    for (int y = -reach; y <= reach; ++y) {
      for (int x = -reach; x <= reach; ++x) {
        const double u = x * c - y * s, v = x * s + y * c;
        kernel[std::size_t((y + reach) * side + x + reach)] +=
            light * unit *
            std::exp(-u * u / (2 * (along * along + own)) - v * v / (2 * (across * across + own)));
      }
    }
  };
  const double percent = height / 100.0;
  for (int i = 0; i < 5; ++i) {
    const double light = std::pow(0.5, i) / 1.9375;
    const double width = 0.572 * effects.bloom.radius * percent * std::pow(2, i);
    if (effects.bloom.strength > 0) add(light * effects.bloom.strength, width, width, 0);
    const int rays = effects.glare.points / 2;
    for (int ray = 0; ray < rays; ++ray) {
      add(light * effects.glare.strength / rays, 0.75 * percent * std::pow(2, i), 0.08 * percent,
          effects.glare.angle_deg + 180.0 * ray / rays);
    }
  }
  return kernel;
}

/// Direct convolution of a channel, with the identity's part.
std::vector<double> spread_directly(const Picture& picture, int width, int height,
                                    const std::vector<double>& kernel, int reach, double strength,
                                    float Vec4::*channel) {
  std::vector<double> result(picture.size());
  const int side = 2 * reach + 1;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double light = double(picture[std::size_t(y * width + x)].*channel);
      result[std::size_t(y * width + x)] += (1 - strength) * light;
      if (light == 0) continue;
      for (int v = std::max(0, y - reach); v <= std::min(height - 1, y + reach); ++v) {
        for (int u = std::max(0, x - reach); u <= std::min(width - 1, x + reach); ++u) {
          result[std::size_t(v * width + u)] +=
              light * kernel[std::size_t((v - y + reach) * side + u - x + reach)];
        }
      }
    }
  }
  return result;
}

void expect_close(const Picture& got, const std::vector<double>& expected, float Vec4::*channel,
                  double tolerance) {
  double largest = 0, worst = 0;
  for (std::size_t i = 0; i < got.size(); ++i) {
    largest = std::max(largest, expected[i]);
    worst = std::max(worst, std::fabs(double(got[i].*channel) - expected[i]));
    ASSERT_GE(got[i].*channel, 0) << i;
  }
  EXPECT_LT(worst / largest, tolerance);
}

Effects bloom(double strength, double radius, double threshold = 0) {
  Effects effects;
  effects.bloom = {strength, radius, threshold};
  return effects;
}

PointSpread crooked_spread() {
  PointSpread s;
  s.width = 4;
  s.height = 3;
  s.values = {0, 1, 2, 0, 3, 8, 1, 0, 0, 5, 0, 4};
  s.strength = 0.25;
  return s;
}

// ---- the convolution ----

TEST_ON_EVERY_DEVICE(Effects, MatchDirectSums) {
  const int width = 75, height = 53, reach = 75;
  Effects effects = bloom(0.3, 3);
  effects.glare = {6, 20, 0.2};
  const PointSpread file = crooked_spread();
  const EffectsPlan plan = plan_effects(effects, &file, frame(width, height));
  EXPECT_FALSE(plan.kernel.symmetric);
  std::vector<double> kernel = reference_kernel(effects, height, reach);
  double sum = 0;
  for (const double value : file.values) sum += value;
  for (int v = 0; v < 3; ++v) {
    for (int u = 0; u < 4; ++u) {  // pixel (2, 1) is the middle
      kernel[std::size_t((v - 1 + reach) * (2 * reach + 1) + u - 2 + reach)] +=
          file.strength * file.values[std::size_t(v * 4 + u)] / sum;
    }
  }
  const Picture before = points_of_light(width, height, 3);
  const Result result = spread(device, plan, before);
  for (float Vec4::*channel : {&Vec4::r, &Vec4::g, &Vec4::b, &Vec4::a}) {
    expect_close(result.picture,
                 spread_directly(before, width, height, kernel, reach, 0.75, channel), channel,
                 1e-6);
  }
}

TEST_ON_EVERY_DEVICE(Effects, AnImpulseGivesTheKernel) {
  const int width = 160, height = 90, x = 31, y = 50, reach = 160;
  for (const int points : {0, 2, 8}) {
    Effects effects = bloom(0.5, 4);
    effects.glare = {points, 10, 0.25};
    const double strength = points ? 0.75 : 0.5;
    Picture before(std::size_t(width * height), Vec4{0, 0, 0, 0});
    before[std::size_t(y * width + x)] = {1000, 0, 10, 1000};
    const Picture after =
        spread(device, plan_effects(effects, nullptr, frame(width, height)), before).picture;
    const std::vector<double> kernel = reference_kernel(effects, height, reach);
    double worst = 0;
    for (int v = 0; v < height; ++v) {
      for (int u = 0; u < width; ++u) {
        const double tap = kernel[std::size_t((v - y + reach) * (2 * reach + 1) + u - x + reach)];
        const double expected = 1000 * (tap + (u == x && v == y ? 1 - strength : 0));
        const Vec4& got = after[std::size_t(v * width + u)];
        worst = std::max(worst, std::fabs(double(got.r) - expected) / 1000);
        EXPECT_EQ(got.g, 0) << "a channel without light got some at " << u << ", " << v;
      }
    }
    EXPECT_LT(worst, 3e-7) << points;
  }
}

TEST_ON_EVERY_DEVICE(Effects, PixelsThatAreNotSquareGetARoundGlow) {
  const int width = 64, height = 64;  // pixels twice as wide as high
  Picture before(std::size_t(width * height), Vec4{0, 0, 0, 0});
  before[std::size_t(32 * width + 32)] = {1000, 1000, 1000, 1000};
  const Picture after =
      spread(device, plan_effects(bloom(1, 10), nullptr, frame(width, height, 2)), before).picture;
  const auto at = [&](int x, int y) {
    return double(after[std::size_t((32 + y) * width + 32 + x)].g);
  };
  for (const int d : {6, 8, 10}) EXPECT_NEAR(at(d, 0) / at(0, 2 * d), 1, 0.03) << d;
  EXPECT_GT(at(0, 8) / at(8, 0), 1.5);
}

TEST_ON_EVERY_DEVICE(Effects, ConservesLight) {
  for (const double radius : {0.5, 5.0, 50.0}) {
    Effects effects = bloom(0.4, radius);
    effects.glare = {4, 30, 0.2};
    const Picture before = points_of_light(190, 107, 5);
    const Result result = spread(device, plan_effects(effects, nullptr, frame(190, 107)), before);
    const double light = sum_of(before), left = light - sum_of(result.picture);
    EXPECT_NEAR(result.report.light / light, 1, 1e-9);
    EXPECT_NEAR(result.report.scattered / light, 0.6, 1e-6);
    EXPECT_NEAR(result.report.left_frame / light, left / light, 1e-6) << radius;
    EXPECT_GT(result.report.lost(), 0.001);
    EXPECT_LT(result.report.lost(), 0.6);
  }
  // far from the edges nothing leaves
  Picture middle(256 * 256, Vec4{0, 0, 0, 0});
  middle[std::size_t(128 * 256 + 128)] = {500, 300, 100, 500};
  const Result whole =
      spread(device, plan_effects(bloom(0.9, 1), nullptr, frame(256, 256)), middle);
  EXPECT_NEAR(sum_of(whole.picture) / 900, 1, 1e-4);
  EXPECT_NEAR(whole.report.lost(), 0, 1e-4);
}

TEST_ON_EVERY_DEVICE(Effects, WhatLeavesIsTheKernelsShareBeyondTheFrame) {
  const int size = 65, x = 5, y = 40, reach = 400;
  Picture before(std::size_t(size * size), Vec4{0, 0, 0, 0});
  before[std::size_t(y * size + x)] = {100, 100, 100, 100};
  const Effects effects = bloom(0.8, 6);
  const std::vector<double> kernel = reference_kernel(effects, size, reach);
  double inside = 0, all = 0;
  for (int v = -reach; v <= reach; ++v) {
    for (int u = -reach; u <= reach; ++u) {
      const double tap = kernel[std::size_t((v + reach) * (2 * reach + 1) + u + reach)];
      all += tap;
      if (u + x >= 0 && u + x < size && v + y >= 0 && v + y < size) inside += tap;
    }
  }
  EXPECT_NEAR(all, 0.8, 1e-6);
  const Result result = spread(device, plan_effects(effects, nullptr, frame(size, size)), before);
  EXPECT_NEAR(result.report.lost(), all - inside, 1e-5);
}

TEST_ON_EVERY_DEVICE(Effects, EnergyOutsideHighlightsRisesByStrength) {
  const int size = 300;
  for (const double strength : {0.05, 0.2, 0.8}) {
    Picture before(std::size_t(size * size), Vec4{1, 1, 1, 1});
    std::vector<bool> bright(before.size());
    for (const auto& [x, y] : {std::pair{120, 140}, {180, 160}, {150, 110}}) {
      bright[std::size_t(y * size + x)] = true;
      before[std::size_t(y * size + x)] = {4000, 3000, 2000, 4000};
    }
    const auto outside = [&](const Picture& picture) {
      double sum = 0;
      for (std::size_t i = 0; i < picture.size(); ++i)
        if (!bright[i]) sum += double(picture[i].r) + picture[i].g + picture[i].b;
      return sum;
    };
    const Result result =
        spread(device, plan_effects(bloom(strength, 2, 0.1), nullptr, frame(size, size)), before);
    const double rise = outside(result.picture) - outside(before), spread_light = 3 * (9000 - 57.4);
    EXPECT_NEAR(rise / spread_light / strength, 1, 0.05) << strength;
  }
}

TEST_ON_EVERY_DEVICE(Effects, OnlyLightAboveTheThresholdSpreads) {
  Picture before(64 * 64, Vec4{0, 0, 0, 0});
  before[10 * 64 + 10] = {100, 80, 60, 100};   // below 1 = 255
  before[40 * 64 + 40] = {510, 255, 51, 600};  // a half of it is above
  const Result result =
      spread(device, plan_effects(bloom(0.5, 1, 1), nullptr, frame(64, 64)), before);
  const Vec4 &below = result.picture[10 * 64 + 10], &above = result.picture[40 * 64 + 40];
  EXPECT_NEAR(below.r, 100, 0.01);
  EXPECT_NEAR(below.g, 80, 0.01);
  EXPECT_NEAR(result.report.scattered, 0.5 * (510 + 255 + 51) / 2, 1e-3);
  EXPECT_LT(above.r, 480);  // a quarter went, some came back
  EXPECT_GT(above.r, 382.5);
  EXPECT_NEAR(above.r / above.b, 10, 1e-3);  // the hue stays
}

// ---- the picture ----

TEST_ON_EVERY_DEVICE(Effects, ConstantPictureStaysConstantInside) {
  // Nothing shines from outside of the frame: what the reference says of the edges.
  const int size = 160, reach = 159;
  const Effects effects = bloom(0.5, 0.5);  // sigma up to 7.3 pixels
  const Picture before(std::size_t(size * size), Vec4{90, 60, 30, 100});
  const Picture after =
      spread(device, plan_effects(effects, nullptr, frame(size, size)), before).picture;
  for (int y = 50; y < size - 50; ++y) {
    for (int x = 50; x < size - 50; ++x) {
      ASSERT_NEAR(after[std::size_t(y * size + x)].r, 90, 90 * 1e-5);
      ASSERT_NEAR(after[std::size_t(y * size + x)].a, 100, 100 * 1e-5);
    }
  }
  const std::vector<double> kernel = reference_kernel(effects, size, reach);
  double came = 0;  // to the corner
  for (int v = 0; v <= reach; ++v)
    for (int u = 0; u <= reach; ++u)
      came += kernel[std::size_t((v + reach) * (2 * reach + 1) + u + reach)];
  EXPECT_NEAR(after[0].r, 90 * (0.5 + came), 90 * 1e-5);
  EXPECT_LT(came, 0.3);
}

TEST_ON_EVERY_DEVICE(Effects, NothingWrapsAround) {
  for (const int width : {100, 128, 129}) {  // padded 256, 256, 512
    Picture before(std::size_t(width * 90), Vec4{0, 0, 0, 0});
    for (int y = 0; y < 90; ++y) before[std::size_t(y * width)] = {1e4, 1e4, 1e4, 1e4};
    for (int x = 0; x < width; ++x) before[std::size_t(x)] = {1e4, 1e4, 1e4, 1e4};
    const Picture after =
        spread(device, plan_effects(bloom(0.5, 30), nullptr, frame(width, 90)), before).picture;
    const auto at = [&](int x, int y) { return after[std::size_t(y * width + x)].r; };
    for (int d = 40; d < 89; ++d) {
      ASSERT_LT(at(d + 1, d + 1), at(d, d)) << "light falls away from the corner, " << width;
    }
    EXPECT_GT(at(width - 1, 89), 0);
  }
}

TEST_ON_EVERY_DEVICE(Effects, BlackStaysBlackBesideAnyBrightness) {
  PointSpread file = crooked_spread();
  file.strength = 1;
  Picture before = points_of_light(200, 120, 9, 2);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 200; ++x) {
      Vec4& pixel = before[std::size_t(y * 200 + x)];
      pixel = x < 100 ? pixel * 1e4f : Vec4{0, 0, 0, 0};
    }
  }
  const Picture after = spread(device, plan_effects({}, &file, frame(200, 120)), before).picture;
  for (int y = 0; y < 120; ++y) {
    for (int x = 104; x < 200; ++x) {
      const Vec4& pixel = after[std::size_t(y * 200 + x)];
      ASSERT_TRUE(pixel.r == 0 && pixel.g == 0 && pixel.b == 0 && pixel.a == 0) << x << " " << y;
    }
  }
}

/// What a transform in float leaves where nothing should be, in units of what `leakage` multiplies.
TEST_ON_EVERY_DEVICE(Effects, LeakageIsFarBelowTheFloor) {
  const int width = 300, height = 200;
  FilterTaps one{3, 1, 1, 0, {0.25f, 0.5f, 0.25f}};
  const Picture before = [&] {
    Picture p = points_of_light(width, height, 4, 2);
    for (int i = 0; i < width * height; ++i)
      if (i % width >= width / 2) p[std::size_t(i)] = {0, 0, 0, 0};
    return p;
  }();
  const Convolution convolution(device, width, height, {one});
  const DeviceArray<Vec4> from(device, before), to(device, before.size());
  convolution.run({from.data()}, to.data());
  double square = 0, worst = 0;
  for (const Vec4& p : before)
    square += double(p.r) * p.r + double(p.g) * p.g + double(p.b) * p.b + double(p.a) * p.a;
  const Picture after = to.download();
  for (int i = 0; i < width * height; ++i) {
    if (i % width < width / 2 + 2) continue;
    const Vec4& p = after[std::size_t(i)];
    for (const float c : {p.r, p.g, p.b, p.a}) worst = std::max(worst, std::fabs(double(c)));
  }
  const double rms = std::sqrt(square / (convolution.padded_width() * convolution.padded_height()));
  EXPECT_LT(worst / rms, 1e-6);  // half of the floor
  EXPECT_GT(worst, 0);
}

/// Mean of blocks of 4 x 4 pixels.
Picture quarter(const Picture& picture, int width, int height) {
  Picture small(std::size_t(width / 4 * (height / 4)), Vec4{0, 0, 0, 0});
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      Vec4& to = small[std::size_t(y / 4 * (width / 4) + x / 4)];
      to = to + picture[std::size_t(y * width + x)] * (1 / 16.0f);
    }
  }
  return small;
}

/// What a spatial filter leaves of single bright pixels: 1 2 1 in both directions.
Picture filtered_like_a_picture(const Picture& picture, int width, int height) {
  Picture result(picture.size(), Vec4{0, 0, 0, 0});
  for (int y = 1; y < height - 1; ++y) {
    for (int x = 1; x < width - 1; ++x) {
      for (int v = -1; v <= 1; ++v)
        for (int u = -1; u <= 1; ++u) {
          Vec4& to = result[std::size_t((y + v) * width + x + u)];
          to = to + picture[std::size_t(y * width + x)] *
                        (float((2 - std::abs(u)) * (2 - std::abs(v))) / 16);
        }
    }
  }
  return result;
}

TEST_ON_EVERY_DEVICE(Effects, PreviewAtQuarterSizeAgreesWithTheFinal) {
  const int width = 960, height = 540;
  PointSpread file;  // a ring
  file.width = file.height = 33;
  for (int y = -16; y <= 16; ++y)
    for (int x = -16; x <= 16; ++x)
      file.values.push_back(std::abs(std::hypot(x, y) - 12) < 3 ? 1 : 0);
  file.strength = 0.3;
  file.size = 12;
  const Picture before =
      filtered_like_a_picture(points_of_light(width, height, 2, 40), width, height);
  struct Case {
    Effects effects;
    const PointSpread* file;
  };
  Effects star = bloom(0.0, 2);
  star.glare = {6, 15, 0.1};
  for (const Case& c : {Case{bloom(0.5, 2), nullptr}, Case{bloom(0.2, 1), nullptr},
                        Case{bloom(0.9, 20), nullptr}, Case{star, nullptr}, Case{{}, &file}}) {
    const Picture final_small = quarter(
        spread(device, plan_effects(c.effects, c.file, frame(width, height)), before).picture,
        width, height);
    const Picture preview =
        spread(device, plan_effects(c.effects, c.file, frame(width / 4, height / 4)),
               quarter(before, width, height))
            .picture;
    double difference = 0, size = 0;
    for (std::size_t i = 0; i < preview.size(); ++i) {
      difference += std::pow(double(preview[i].r) - final_small[i].r, 2);
      size += std::pow(double(final_small[i].r), 2);
    }
    const double error = std::sqrt(difference / size);
    EXPECT_LT(error, 0.02) << "bloom " << c.effects.bloom.strength << " radius "
                           << c.effects.bloom.radius << " glare " << c.effects.glare.points;
  }
}

// ---- the same bits, the plan ----

TEST(Effects, SameBitsWithEveryArithmetic) {
  Effects effects = bloom(0.3, 4, 0.05);
  effects.glare = {6, 11, 0.3};
  const PointSpread file = crooked_spread();
  for (const bool with_file : {false, true}) {
    const EffectsPlan plan =
        plan_effects(effects, with_file ? &file : nullptr, frame(203, 117, 1.1));
    const Picture before = points_of_light(203, 117, 8, 3);
    Picture first;
    for (const auto& device : open_every_arithmetic()) {
      const Result result = spread(*device, plan, before);
      if (first.empty()) first = result.picture;
      EXPECT_EQ(std::memcmp(first.data(), result.picture.data(), first.size() * sizeof(Vec4)), 0)
          << device->describe();
    }
  }
}

TEST(Effects, RenderedPicturesAreTheSameOnCuda) {
  if (list_cuda_devices().empty()) {
    std::puts("skipped: no CUDA device");
    return;
  }
  const std::string flame =
      R"(<flame size="160 120" center="0.5 0.5" scale="100" quality="50" supersample="2"
         kiln_bloom="0.3 3 0.1" kiln_glare="6 15 0.1">
         <xform weight="1" color="0" linear="1" coefs="0.5 0 0 0.5 0 0"/>
         <xform weight="1" color="1" linear="1" coefs="0.5 0 0 0.5 0.5 0.3"/>
         <color index="0" rgb="255 128 0"/><color index="255" rgb="0 128 255"/></flame>)";
  for (const bool linear : {false, true}) {
    for (const bool earlyclip : {false, true}) {
      if (linear && earlyclip) continue;
      RenderOptions options;
      options.linear = linear;
      options.earlyclip = earlyclip;
      options.psf = std::make_shared<const PointSpread>(crooked_spread());
      std::string hashes[2];
      for (const Backend backend : {Backend::cpu, Backend::cuda}) {
        options.backend = backend;
        const Image image = render(parse_flames(flame, "test", {}).flames.at(0), options);
        hashes[backend == Backend::cuda] = pixel_hash(image);
      }
      EXPECT_EQ(hashes[0], hashes[1]) << "linear " << linear << ", earlyclip " << earlyclip;
    }
  }
}

TEST(EffectsPlan, CostDoesNotDependOnTheRadius) {
  const auto size_of = [](double radius) {
    const EffectsKernel k = plan_effects(bloom(0.2, radius), nullptr, frame(3840, 2160)).kernel;
    return std::tuple{k.padded_width, k.padded_height, k.lobes.size(), k.symmetric};
  };
  EXPECT_EQ(size_of(0.5), (std::tuple{8192, 4608, std::size_t(5), true}));
  for (const double radius : {0.01, 2.0, 50.0, 100.0}) EXPECT_EQ(size_of(radius), size_of(0.5));
}

TEST(EffectsPlan, OffIsOff) {
  EXPECT_FALSE(plan_effects({}, nullptr, frame(100, 100)).active());
  Effects effects = bloom(0, 5, 1);
  effects.glare = {6, 0, 0};
  EXPECT_FALSE(plan_effects(effects, nullptr, frame(100, 100)).active());
  effects.glare = {0, 0, 0.5};  // no star
  EXPECT_FALSE(plan_effects(effects, nullptr, frame(20000, 100)).active());
}

TEST(EffectsPlan, HalfOfTheBloomIsWithinTheRadius) {
  const int reach = 60, side = 2 * reach + 1;
  const std::vector<double> kernel = reference_kernel(bloom(1, 10), 100, reach);
  double inside = 0;
  for (int y = -reach; y <= reach; ++y)
    for (int x = -reach; x <= reach; ++x)
      if (std::hypot(x, y) < 10) inside += kernel[std::size_t((y + reach) * side + x + reach)];
  EXPECT_NEAR(inside, 0.5, 0.01);
}

TEST(EffectsPlan, MoreThanAllLightIsRefused) {
  Effects effects = bloom(0.7, 2);
  effects.glare = {4, 0, 0.4};
  EXPECT_THROW(plan_effects(effects, nullptr, frame(10, 10)), Error);
  effects.glare.strength = 0.1;
  PointSpread file = crooked_spread();
  EXPECT_THROW(plan_effects(effects, &file, frame(10, 10)), Error);
  file.strength = -1;  // the rest
  EXPECT_FLOAT_EQ(plan_effects(effects, &file, frame(10, 10)).strength, 1);
  EXPECT_THROW(plan_effects(effects, nullptr, frame(12289, 10)), Error);
}

TEST(EffectsPlan, SpreadOfAFileKeepsItsLightAtAnySize) {
  PointSpread file = crooked_spread();
  for (const double size : {0.0, 0.4, 3.0, 33.3}) {
    file.size = size;
    const ResampledSpread taps = resampled(file, frame(640, 360, size == 3 ? 1.5 : 1));
    double sum = 0, x_mean = 0;
    for (std::size_t i = 0; i < taps.values.size(); ++i) {
      EXPECT_GE(taps.values[i], 0);
      sum += taps.values[i];
      x_mean += taps.values[i] * (int(i % std::size_t(taps.width)) - taps.center_x);
    }
    EXPECT_NEAR(sum, 1, 1e-12) << size;
    const double pixel = size > 0 ? size * 3.6 / 3 / (size == 3 ? 1.5 : 1) : 1;
    EXPECT_NEAR(x_mean, -16.0 / 24 * pixel, 0.01) << size;
  }
}

TEST(EffectsPlan, with_earlyclip_bloom_is_as_wide_in_pixels_of_the_picture) {
  Flame flame;
  flame.width = 40;
  flame.height = 30;
  flame.effects = bloom(0.3, 5);
  for (int supersample : {1, 3}) {
    flame.supersample = supersample;
    const OutputPlan plan = plan_output(flame, {.earlyclip = true});
    const EffectsFrame buffer = {plan.geometry.width, plan.geometry.height, 0.3 * supersample, 1,
                                 false};
    EXPECT_EQ(plan.effects.kernel, plan_effects(flame.effects, nullptr, buffer).kernel);
    EXPECT_EQ(plan_output(flame, {}).effects.kernel,
              plan_effects(flame.effects, nullptr, frame(40, 30)).kernel);
  }
}

}  // namespace
}  // namespace kiln::test
