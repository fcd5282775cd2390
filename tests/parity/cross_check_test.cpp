// SPDX-License-Identifier: MIT
// The permutation method against two ways to play the chaos game that share less with it: the
// divergent reference (no pools, no permutations, no quotas) on every device, and cuRAND's Mersenne
// Twister on a GPU. Pictures must be apart no further than the reference is from itself
// (tests/conformance/distance.h), and a flame that is a little wrong must be noticed.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/render/renderer.h"
#include "tests/conformance/distance.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

using conformance::Distance;
using conformance::Plane;

/// One sample flame, small, every sample in the picture's noise: no density estimator.
Flame sample_flame(const char* name, int width, double quality) {
  FlameFile file = read_flames(std::string(source_dir()) + "/flames/" + name + ".flam3", {});
  Flame flame = file.flames.at(0);
  const double shrink = double(width) / flame.width;
  flame.scale *= shrink;
  flame.width = width;
  flame.height = int(flame.height * shrink);
  flame.quality = quality;
  flame.estimator_radius = 0;
  return flame;
}

std::vector<Plane> planes(const Flame& flame, Backend backend, Game game, std::uint64_t first_seed,
                          int seeds) {
  std::vector<Plane> all;
  for (int i = 0; i < seeds; ++i) {
    RenderOptions options;
    options.backend = backend;
    options.threads = 2;
    options.bits = 16;
    options.game = game;
    options.seed = first_seed + std::uint64_t(i);
    RenderStatistics statistics;
    const Image image = render(flame, options, &statistics);
    EXPECT_EQ(statistics.samples, std::uint64_t(flame.quality * flame.width * flame.height));
    Plane plane{image.width, image.height, 3, {}};
    for (std::size_t at = 0; at < image.pixels16().size(); ++at) {
      if (at % 4 != 3) plane.values.push_back(float(image.pixels16()[at]) / 256);
    }
    all.push_back(std::move(plane));
  }
  return all;
}

std::string shown(const Distance& d) {
  return fmt::format(
      "mean {:.2f}, noise {:.3f}: pixels {:.4f}, boxes {:.4f}, bias {:.4f}, light {:.5f}", d.mean,
      d.noise, d.pixel_ratio, d.box_ratio, d.bias, d.light);
}

void expect_same_picture(Backend backend, Game game, const char* what) {
  const bool gpu = backend == Backend::cuda;
  const int width = gpu ? 192 : 96, seeds = gpu ? 8 : 4;
  const double quality = gpu ? 1000 : 500;
  for (const char* name : {"conch", "seahorse", "squall"}) {  // plain, xaos, a final xform
    const Flame flame = sample_flame(name, width, quality);
    const std::vector<Plane> reference = planes(flame, backend, game, 100, seeds);
    const Distance distance =
        measure(planes(flame, backend, Game::permutation, 0, seeds), reference);
    EXPECT_TRUE(distance.within({})) << what << ", " << name << ": " << shown(distance);
    EXPECT_GT(distance.noise, 0.1) << name;
    std::printf("%s, %s: %s\n", what, name, shown(distance).c_str());

    Flame wrong = flame;  // one weight is 3 % too large
    wrong.xforms[0].weight *= 1.03;
    const Distance seen = measure(planes(wrong, backend, Game::permutation, 0, seeds), reference);
    EXPECT_FALSE(seen.within({})) << what << ", wrong " << name << ": " << shown(seen);
  }
}

TEST(CrossCheck, DivergentOnTheCpu) {
  expect_same_picture(Backend::cpu, Game::divergent, "divergent on the CPU");
}

TEST(CrossCheck, DivergentOnAGpu) {
  if (!open_cuda(0, false)) GTEST_SKIP() << "skipped: no CUDA device";
  expect_same_picture(Backend::cuda, Game::divergent, "divergent on the GPU");
}

TEST(CrossCheck, MersenneTwisterOnAGpu) {
  if (!open_cuda(0, false)) GTEST_SKIP() << "skipped: no CUDA device";
  expect_same_picture(Backend::cuda, Game::mtgp32, "mtgp32");
}

/// One seed is one picture there too, on one device, whatever the memory for records allows.
TEST_ON_EVERY_DEVICE(CrossCheck, OneSeedIsOnePicture) {
  const bool gpu = device.describe().rfind("cuda", 0) == 0;
  Flame flame = flame_over(100, 80, -1, -1, 40);
  flame.xforms.push_back(contraction(1, 0.5, 0.3, 0.1));
  flame.xforms.push_back(xform_of("julia", 1.5, {0.8, 0.1, -0.1, 0.9, 0.2, 0}));
  flame.xforms.push_back(xform_of("blur", 0.5, {0.8, 0, 0, 0.8, 0, 0}));
  flame.xforms.push_back(bad_xform(0.2));
  for (const Game game : {Game::divergent, Game::mtgp32}) {
    if (game == Game::mtgp32 && !gpu) {
      EXPECT_THROW(device.choose_game(game), Error);
      continue;
    }
    device.choose_game(game);
    constexpr std::uint64_t samples = 3 * unit_samples / 2 + 77;  // the last unit is cut
    const Histogram first = play(device, flame, samples, 5);
    EXPECT_EQ(first.totals.samples, samples);
    EXPECT_GT(first.totals.bad_values, samples / 20);
    const Histogram again =
        Player(device, flame, samples, PlotArea{1, 0, 100, 80}, 60 << 20).play(5);
    EXPECT_EQ(again.sums, first.sums);
    EXPECT_EQ(again.totals.bad_values, first.totals.bad_values);
    EXPECT_NE(play(device, flame, samples, 6).sums, first.sums);
    device.choose_game(Game::permutation);
    EXPECT_NE(play(device, flame, samples, 5).sums, first.sums);
  }
}

TEST(CrossCheck, FlamesInMotionAreRefused) {
  Flame flame = flame_over(16, 12, -1, -1, 8);
  flame.xforms.push_back(contraction(1, 0.5, 0.3, 0.1));
  Flame later = flame;
  later.xforms[0].coefs.a = 0.4;
  const Frame frame{flame, {flame, later}, {1, 1}, 0};
  RenderOptions options;
  options.backend = Backend::cpu;
  EXPECT_EQ(Renderer(options).render(frame, nullptr).width, 16);
  options.game = Game::divergent;
  try {
    Renderer(options).render(frame, nullptr);
    FAIL() << "rendered";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
  }
}

}  // namespace
}  // namespace kiln::test
