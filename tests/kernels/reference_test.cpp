// SPDX-License-Identifier: MIT
// Flames that flam3 does not know, against a plain chaos game in double (reference_game.h): kiln's
// histogram is as far from the reference's as two histograms of the same renderer from each other.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "engine/io/flame/flame_reader.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/reference_game.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

constexpr std::uint64_t samples = 400'000;

/// A flame of the repository on boxes of a small picture.
Flame coarse(const std::string& file) {
  Flame flame = read_flames(std::string(source_dir()) + "/" + file, {}).flames.at(0);
  constexpr int width = 32;
  const double shrink = double(width) / flame.width;
  flame.height = int(std::lround(flame.height * shrink));
  flame.width = width;
  flame.scale *= shrink;
  flame.estimator_radius = 0;
  return flame;
}

ReferencePicture picture_of(const Histogram& histogram) {
  ReferencePicture picture(histogram.pixels());
  for (std::size_t i = 0; i < picture.size(); ++i) {
    for (int c = 0; c < 3; ++c) picture[i][std::size_t(c)] = histogram.value(i, c) / 255;
    picture[i][3] = histogram.hits(i);
  }
  return picture;
}

/// Sum of the absolute differences, of all values' sum.
double distance(const ReferencePicture& a, const ReferencePicture& b) {
  double apart = 0, all = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t c = 0; c < 4; ++c) {
      apart += std::abs(a[i][c] - b[i][c]);
      all += (a[i][c] + b[i][c]) / 2;
    }
  }
  return apart / all;
}

double squared(double v) { return v * v; }

class ExtendedFlames : public testing::TestWithParam<const char*> {};

TEST_P(ExtendedFlames, AreThoseOfAPlainChaosGame) {
  const Flame flame = coarse(GetParam());
  ASSERT_TRUE(flame.dialect != Dialect::flam3);  // where opacity is a power
  const ReferencePicture reference[] = {play_reference(flame, samples, 1),
                                        play_reference(flame, samples, 2)};
  for (const auto& device : open_every_device()) {
    Player player(*device, flame, samples);
    const ReferencePicture ours[] = {picture_of(player.play(1)), picture_of(player.play(2))};
    const double noise2 =
        (squared(distance(ours[0], ours[1])) + squared(distance(reference[0], reference[1]))) / 2;
    double apart2 = 0;
    for (const ReferencePicture& a : ours)
      for (const ReferencePicture& b : reference) apart2 += squared(distance(a, b)) / 4;
    const double ratio = std::sqrt(apart2 / noise2);
    std::printf("%s: apart %.4f, noise %.4f, ratio %.3f\n", GetParam(), std::sqrt(apart2),
                std::sqrt(noise2), ratio);
    EXPECT_LT(std::sqrt(noise2), 0.12);  // or nothing is compared
    EXPECT_NEAR(ratio, 1, 0.15) << device->describe();
  }
}

INSTANTIATE_TEST_SUITE_P(Reference, ExtendedFlames,
                         testing::Values("flames/wild/drift.flame", "flames/wild/glaze.flame",
                                         "flames/wild/harbour.flame", "flames/wild/panes.flame",
                                         "flames/wild/rosette.flame", "flames/wild/thistle.flame",
                                         "tests/kernels/forty.flame",
                                         "tests/kernels/forty_deep.flame"));

}  // namespace
}  // namespace kiln::test
