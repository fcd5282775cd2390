// SPDX-License-Identifier: MIT
// A steered game (kernels/steering.h) has the picture of the plain one, with less noise: its sums have the same means, on
// every device the same bits, and their light is that of the samples that were asked for.
#include "engine/render/plan/steering.h"

#include <gtest/gtest.h>

#include <cmath>

#include "engine/io/flame/flame_reader.h"
#include "engine/program/sample_shares.h"
#include "engine/render/accumulate/chaos_game.h"
#include "engine/render/plan/prepared_frame.h"
#include "kernels/steered_deal.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/statistics.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

constexpr std::uint64_t samples_of_a_play = std::uint64_t(1) << 21;

Flame gallery_flame(const std::string& name, int width, std::uint64_t samples) {
  Flame flame =
      read_flames(std::string(source_dir()) + "/flames/" + name + ".flam3", {}).flames.at(0);
  const double factor = double(width) / flame.width;
  flame.height = int(std::lround(flame.height * factor));
  flame.width = width;
  flame.scale *= factor;
  flame.estimator_radius = 0;
  flame.quality = quality_of_samples(flame, samples);
  return flame;
}

/// Nine xforms, which take two words of a cell; some cannot be drawn, one is seen in part, one not at all.
Flame flame_of_many_xforms() {
  Flame flame = flame_over(96, 64, -1.2, -0.8, 40);
  number_palette(flame);
  for (int f = 0; f < 10; ++f) {
    Xform xform = xform_of(f % 2 ? "spherical" : "linear", f == 3 || f == 9 ? 0 : 0.2 + f,
                           {0.4, 0.1 * f - 0.5, 0.5 - 0.1 * f, 0.4, 0.1 * f - 0.4, 0.3 - 0.07 * f});
    xform.color = f / 9.0;
    flame.xforms.push_back(xform);
  }
  flame.xforms[4].opacity = 0.5;
  flame.xforms[6].opacity = 0;
  flame.quality = quality_of_samples(flame, samples_of_a_play);
  return flame;
}

PreparedFrame prepared(const Flame& flame, bool steer = false) {
  RenderOptions options;
  options.threads = 2;
  options.backend = Backend::cpu;
  options.steer = steer;
  return prepare(Frame{flame, {}, {}, 0}, options);
}
/// Steered, whatever it gains.
PreparedFrame steered_frame(const Flame& flame) {
  PreparedFrame frame = prepared(flame);
  EXPECT_TRUE(plan_steering(frame.plan, 2, frame.compiled, 0)) << flame.name;
  return frame;
}

struct Play {
  std::vector<double> values;  // [pixels] hits, then red of each
  std::vector<std::uint64_t> sums;
  GameTotals totals;
};

class FramePlayer {
 public:
  FramePlayer(Device& device, const PreparedFrame& frame)
      : frame_(frame),
        channels_(std::size_t(frame.compiled.channels())),
        sums_(device, std::size_t(frame.plan.geometry.width) *
                          std::size_t(frame.plan.geometry.height) * channels_),
        game_(device, frame.compiled, 0) {}
  Play play(std::uint64_t seed) {
    sums_.clear();
    Play out;
    out.totals = game_.play_pass(sums_, seed, 0, 0);
    out.sums = sums_.download();
    const std::size_t pixels = out.sums.size() / channels_;
    out.values.resize(2 * pixels);
    for (std::size_t i = 0; i < pixels; ++i) {
      const double unit = frame_.compiled.unit / 255;
      out.values[i] = double(out.sums[i * channels_ + channels_ - 1]) * unit;
      out.values[pixels + i] = double(out.sums[i * channels_]) * unit;
    }
    return out;
  }

 private:
  const PreparedFrame& frame_;
  std::size_t channels_;
  DeviceArray<std::uint64_t> sums_;
  Accumulator game_;
};

/// Squares of the picture, so that each has some points.
Measured measured(Device& device, const PreparedFrame& frame, int plays) {
  constexpr int side = 8;
  const int width = frame.plan.geometry.width, height = frame.plan.geometry.height;
  const int columns = (width + side - 1) / side, rows = (height + side - 1) / side;
  const std::size_t cells = std::size_t(columns) * std::size_t(rows);
  Measured out(2 * cells);
  FramePlayer player(device, frame);
  for (int seed = 0; seed < plays; ++seed) {
    const Play play = player.play(std::uint64_t(seed));
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        const std::size_t pixel = std::size_t(y) * std::size_t(width) + std::size_t(x);
        const std::size_t cell = std::size_t(y / side * columns + x / side);
        out.now(cell) += play.values[pixel];
        out.now(cells + cell) += play.values[pixel + play.values.size() / 2];
      }
    }
    out.end();
  }
  return out;
}

std::vector<Flame> steered_flames() {
  Flame depth = gallery_flame("conch", 96, samples_of_a_play);
  depth.depth_camera.pitch_rad = 0.6;
  depth.depth_camera.perspective = 0.3;
  return {gallery_flame("conch", 96, samples_of_a_play),
          gallery_flame("halo", 96, samples_of_a_play), flame_of_many_xforms(), depth};
}

TEST(SteeredGames, HaveTheMeansOfPlainOnes) {
  const std::unique_ptr<Device> device = open_cpu(2);
  for (const Flame& flame : steered_flames()) {
    const PreparedFrame plain = prepared(flame), steered = steered_frame(flame);
    ASSERT_EQ(steered.compiled.steering.size(), 1u) << flame.name;
    ASSERT_TRUE(plain.compiled.steering.empty());
    const Deviations off = deviations(measured(*device, steered, 10), measured(*device, plain, 10));
    EXPECT_GT(off.cells, 60u) << flame.name;
    EXPECT_LT(off.mean_square(), 1.7) << flame.name << ", the largest at " << off.at;
    EXPECT_LT(off.largest, 7) << flame.name << " at " << off.at;
  }
}

TEST(SteeredGames, HaveTheSameSumsOnEveryDevice) {
  for (const Flame& flame : steered_flames()) {
    const PreparedFrame frame = steered_frame(flame);
    std::vector<std::uint64_t> expected;
    const auto check = [&](Device& device, const std::string& name) {
      FramePlayer player(device, frame);
      const Play play = player.play(5);
      EXPECT_NEAR(double(play.totals.samples), double(frame.compiled.sample_count),
                  0.001 * double(frame.compiled.sample_count))
          << name;
      if (expected.empty()) expected = play.sums;
      EXPECT_TRUE(play.sums == expected) << flame.name << " on " << name;
    };
    for (const std::string& isa : cpu_instruction_sets()) {
      const ForcedInstructionSet forced(isa);
      check(*open_cpu(3), isa);
    }
    for (const std::unique_ptr<Device>& device : open_every_device())
      check(*device, device->describe());
  }
}

TEST(SteeredGames, ShowHalfTheNoiseOfPlainOnes) {
  const std::unique_ptr<Device> device = open_cpu(2);
  for (const char* name : {"conch"}) {
    const Flame flame = gallery_flame(name, 160, samples_of_a_play);
    const PreparedFrame plain = prepared(flame), steered = steered_frame(flame);
    FramePlayer of_plain(*device, plain);
    const auto shown = [](double hits) { return std::cbrt(std::log1p(hits)); };
    const std::size_t pixels = of_plain.play(0).values.size() / 2;
    std::vector<double> mean(pixels);
    constexpr int plays = 12;
    for (int seed = 100; seed < 100 + plays; ++seed) {
      const Play play = of_plain.play(std::uint64_t(seed));
      for (std::size_t i = 0; i < pixels; ++i) mean[i] += play.values[i] / plays;
    }
    const auto error = [&](const PreparedFrame& frame) {
      FramePlayer player(*device, frame);
      double sum = 0;
      for (std::uint64_t seed = 0; seed < 2; ++seed) {
        const Play play = player.play(seed);
        for (std::size_t i = 0; i < pixels; ++i) {
          const double off = shown(play.values[i]) - shown(mean[i]);
          sum += off * off;
        }
      }
      return sum;
    };
    EXPECT_LT(error(steered), 0.375 * error(plain)) << name;
  }
}

TEST(SteeredGames, AreOfStillsWithoutXaosAlone) {
  const Flame flame = flame_of_many_xforms();
  EXPECT_TRUE(can_steer(prepared(flame).compiled));
  Flame single = flame;
  single.xforms.resize(1);
  EXPECT_FALSE(can_steer(prepared(single).compiled));
  Flame xaos = flame;
  xaos.xforms[0].chaos = {1, 0.5};
  EXPECT_FALSE(can_steer(prepared(xaos).compiled));
  Flame finals = flame;
  finals.final_xform = finals.xforms[0];
  EXPECT_TRUE(can_steer(prepared(finals).compiled));
  finals.more_finals = {finals.xforms[1]};
  EXPECT_FALSE(can_steer(prepared(finals).compiled));
  Flame most = flame;
  while (most.xforms.size() < std::size_t(most_steered_xforms))
    most.xforms.push_back(most.xforms[0]);
  EXPECT_TRUE(can_steer(prepared(most).compiled));
  most.xforms.push_back(most.xforms[0]);
  EXPECT_FALSE(can_steer(prepared(most).compiled));
  Flame few = flame;
  few.quality = quality_of_samples(few, samples_of_a_play - 1);
  PreparedFrame of_few = prepared(few);
  EXPECT_FALSE(plan_steering(of_few.plan, 2, of_few.compiled, 0));
}

/// Records name rows of all levels, sums have room for the heaviest entry.
TEST(SteeredGames, NeedRoomForTheirLevels) {
  const Flame flame = flame_of_many_xforms();
  PreparedFrame frame = prepared(flame);
  const auto plan = [](PreparedFrame some) {
    return plan_steering(some.plan, 2, some.compiled, 0);
  };
  frame.compiled.largest_increment = (1u << 31) / light_of_level(0) + 1;
  EXPECT_FALSE(plan(frame));
  frame = prepared(flame);
  frame.compiled.table.rows = 1 << (record_color_bits - frame.compiled.program.color.bits);
  EXPECT_FALSE(plan(frame));
}

/// Each xform is drawn more often from some cells than from others.
TEST(SteeredGames, HaveLevelsOfAllXforms) {
  Flame flame = flame_of_many_xforms();
  for (Xform& xform : flame.xforms) {
    xform.weight = 1;
    xform.opacity = 1;
  }
  const PreparedFrame frame = steered_frame(flame);
  ASSERT_EQ(frame.compiled.steering.size(), 1u);
  for (int f = 0; f < int(flame.xforms.size()); ++f) {
    u32 least = 15, most = 0;
    for (const u32 word : frame.compiled.steering[0].levels[f / levels_of_a_word]) {
      const u32 level = word >> (4 * (f % levels_of_a_word)) & 15;
      least = std::min(least, level);
      most = std::max(most, level);
    }
    EXPECT_LT(least, most) << f;
    EXPECT_LT(most, u32(weight_levels)) << f;
  }
}

/// Where nothing is gained the plain game is played.
/// A table is a function of flame, picture and quality alone: whoever plays a part of the picture has the same one.
TEST(SteeredGames, HaveOneTableEverywhere) {
  const auto digest = [](const Flame& flame) {
    const PreparedFrame frame = steered_frame(flame);
    std::uint64_t sum = 0;
    for (const auto& word : frame.compiled.steering.at(0).levels)
      for (const std::uint32_t levels : word) sum = (sum ^ levels) * 0x100000001b3;
    return sum;
  };
  const std::uint64_t samples = std::uint64_t(1) << 22;
  EXPECT_EQ(digest(gallery_flame("conch", 320, samples)), 8396963103423604119u);
  EXPECT_EQ(digest(gallery_flame("wildfire", 250, samples)), 8437180799167218287u);
  EXPECT_EQ(digest(flame_of_many_xforms()), 2887925425838759505u);
  // a pixel of its trial is 2 x 2 of the picture
  EXPECT_EQ(digest(gallery_flame("conch", 2051, samples)), 14151478529193601056u);
}

TEST(SteeredGames, AreAskedForWhereTheyGain) {
  EXPECT_EQ(prepared(gallery_flame("conch", 160, samples_of_a_play), true).compiled.steering.size(),
            1u);
  const Flame even = gallery_flame("sierpinski", 160, samples_of_a_play);
  EXPECT_TRUE(prepared(even, true).compiled.steering.empty());
  EXPECT_TRUE(prepared(gallery_flame("conch", 160, samples_of_a_play)).compiled.steering.empty());
}

/// All slots are dealt out, and as many of each share as it is large.
TEST(SteeredGames, DealAllSlotsOut) {
  for (const u64 parts : {u64(2048), u64(12345), u64(1) << 25}) {
    for (const u64 share : {u64(1) << 21, u64(1) << 31, u64(1) << 32}) {
      const SteeredDeal deal(parts * (u64(1) << 32));
      const u64 end = deal.of_part(share) * parts, slots = end >> slot_fraction_bits;
      EXPECT_LE(slots, pool_slots * share >> 32);
      EXPECT_GE(double(end), 0.999999 * double(share) * double(u64(pool_slots) << 20));
      EXPECT_LE((end + begin_of_slots(0xffffffffu)) >> slot_fraction_bits, u64(pool_slots));
    }
  }
}

}  // namespace
}  // namespace kiln::test
