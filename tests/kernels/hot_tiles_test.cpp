// SPDX-License-Identifier: MIT
// Tiles that hold most points of a picture are summed by several threads at once: the sums are those of one thread.
#include <gtest/gtest.h>

#include "tests/devices.h"
#include "tests/kernels/game.h"

namespace kiln::test {
namespace {

/// 320 x 192 pixels, 15 tiles: nine of ten points lie in a few pixels of one, others everywhere, some nowhere.
Flame hot_flame() {
  Flame flame = flame_over(320, 192, -1, -1, 100);
  flame.xforms = {contraction(9, 0.01, 1.1, 0.3), contraction(0.5, 0.9, 0.1, 0.05),
                  contraction(0.5, 1.05, -0.6, 0.1)};
  flame.xforms[0].color = 1;
  for (int i = 0; i < 256; ++i) flame.palette[std::size_t(i)] = {i / 255.0, 0.5, 1 - i / 255.0, 1};
  return flame;
}

TEST(HotTiles, have_the_same_sums_whoever_adds_them) {
  Flame with_alpha = hot_flame();
  with_alpha.palette[200].a = 0.25;
  Flame between = hot_flame();
  between.palette_mode = PaletteMode::linear;
  between.xforms[1].opacity = 0.3;
  Flame wide = hot_flame();
  wide.xforms[0].opacity = 0.01;
  wide.xforms[2].opacity = 10;
  Flame wide_with_alpha = wide;
  wide_with_alpha.palette[100].a = 0.5;
  Flame in_one_tile = flame_over(40, 30, -1, -1, 20);
  in_one_tile.xforms = hot_flame().xforms;
  int wide_ones = 0;
  for (const Flame& flame :
       {hot_flame(), with_alpha, between, wide, wide_with_alpha, in_one_tile}) {
    const std::uint64_t samples = 4 * unit_samples + 4321;
    const std::unique_ptr<Device> one = open_cpu(1);
    Player alone(*one, flame, samples);
    const Histogram expected = alone.play(3);
    wide_ones += alone.flame().table.wide;
    EXPECT_GT(expected.all_hits(), 0.001 * double(samples));
    for (const int threads : {2, 5}) {
      const std::unique_ptr<Device> device = open_cpu(threads);
      Player several(*device, flame, samples);
      for (int again = 0; again < 2; ++again) {  // nothing is left of the first game
        const Histogram got = several.play(3);
        EXPECT_TRUE(got.sums == expected.sums)
            << threads << " threads, flame with wide entries: " << several.flame().table.wide;
        EXPECT_EQ(got.totals.samples, expected.totals.samples);
      }
    }
  }
  EXPECT_EQ(wide_ones, 2);
}

}  // namespace
}  // namespace kiln::test
