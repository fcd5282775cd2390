// SPDX-License-Identifier: MIT
// A picture that several devices share is the picture of one, to the last bit; so it is when some of
// them are lost on the way.
#include "engine/render/accumulate/device_group.h"

#include <gtest/gtest.h>

#include <thread>

#include "engine/base/error.h"
#include "engine/render/renderer.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"

namespace kiln::test {
namespace {

/// Three contractions and now and then a bad value; `units` of work, which may be broken.
Flame shared_flame(double units) {
  constexpr double quality_of_a_unit = 512;  // of 64 x 64 pixels
  Flame flame = flame_over(64, 64, -1, -1, 32);
  number_palette(flame);
  flame.quality = units * quality_of_a_unit;
  for (const double x : {-0.5, 0.0, 0.5}) {
    flame.xforms.push_back(contraction(1, 0.5, x, x * x));
    flame.xforms.back().color = x + 0.5;
  }
  flame.xforms.push_back(bad_xform(0.01));
  return flame;
}

struct Made {
  Image image;
  RenderStatistics statistics;
};

/// `chains`: pools that go on, as flames have them that settle slowly; 0: none.
Made made(const Flame& flame, const RenderOptions& options, std::uint32_t chains) {
  PreparedFrame frame = prepare({flame, {}, {}, 0}, options);
  frame.compiled.chains = chains;
  Made result;
  result.image = Renderer(options).render(frame, &result.statistics);
  return result;
}

RenderOptions options_with(const std::vector<HelpingDevice>& devices) {
  RenderOptions options;
  options.backend = devices.front().backend;
  options.device = devices.front().device;
  options.threads = 1;
  options.bits = 16;
  options.helpers.assign(devices.begin() + 1, devices.end());
  return options;
}

/// Teams of the devices that are here: a GPU may play several parts.
std::vector<std::vector<HelpingDevice>> groups() {
  const HelpingDevice cpu{Backend::cpu, 0, 1};
  std::vector<std::vector<HelpingDevice>> all = {{cpu, cpu}, {cpu, cpu, cpu}};
  const std::vector<DeviceInfo> gpus = list_cuda_devices();
  if (gpus.empty()) return all;
  const HelpingDevice first{Backend::cuda, gpus.front().index, 0},
      last{Backend::cuda, gpus.back().index, 0};
  all.insert(all.end(), {{first, first}, {first, last, last}, {first, cpu}, {cpu, first}});
  std::vector<HelpingDevice> every;
  for (const DeviceInfo& gpu : gpus) every.push_back({Backend::cuda, gpu.index, 0});
  if (every.size() > 1) all.push_back(every);
  return all;
}

TEST(DeviceGroup, makes_the_picture_of_one_device) {
  Flame flame = shared_flame(19.5);
  flame.estimator_radius = 3;
  for (const int passes : {1, 2}) {
    flame.passes = passes;
    for (const std::uint32_t chains : {0u, 5u}) {
      const Made expected = made(flame, options_with({{Backend::cpu, 0, 1}}), chains);
      EXPECT_GT(expected.statistics.bad_values, 0u);
      for (const auto& group : groups()) {
        const Made shared = made(flame, options_with(group), chains);
        SCOPED_TRACE(shared.statistics.device);
        EXPECT_EQ(shared.image.pixels16(), expected.image.pixels16());
        EXPECT_EQ(shared.statistics.samples, expected.statistics.samples);
        EXPECT_EQ(shared.statistics.bad_values, expected.statistics.bad_values);
        EXPECT_EQ(shared.statistics.warning, "");
        EXPECT_NE(shared.statistics.device.find(" + "), std::string::npos);
      }
    }
  }
}

TEST(DeviceGroup, serves_picture_after_picture) {
  const RenderOptions options = options_with(groups().front());
  Renderer renderer(options);
  for (const double units : {3.0, 7.25, 0.125}) {
    const Flame flame = shared_flame(units);
    EXPECT_EQ(renderer.render(Frame{flame, {}, {}, 0}).pixels16(),
              made(flame, options_with({{Backend::cpu, 0, 2}}), 0).image.pixels16());
  }
}

TEST(DeviceGroup, a_device_that_is_not_there_is_an_error) {
  const RenderOptions options =
      options_with({{Backend::cpu, 0, 1}, {Backend::cuda, 1000, 0}, {Backend::cpu, 0, 1}});
  try {
    made(shared_flame(2), options, 0);
    FAIL() << "rendered";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::device);
  }
}

TEST(DeviceGroup, a_caller_who_stops_is_heard) {
  RenderOptions options = options_with(groups().front());
  int calls = 0;
  options.on_progress = [&](const Progress&) {
    if (++calls == 2) throw 7;
  };
  EXPECT_THROW(made(shared_flame(400), options, 0), int);
}

std::vector<UnitSet> units_from(std::uint64_t first, std::uint64_t count) {
  std::vector<UnitSet> portions;
  for (std::uint64_t i = first; i < first + count; ++i) portions.emplace_back(UnitRange{i, i + 1});
  return portions;
}

TEST(WorkQueue, gives_what_a_lost_taker_had_to_the_others) {
  WorkQueue queue(units_from(0, 4), 2);
  const auto never = [] { FAIL() << "nothing to wait for"; };
  UnitSet played;
  const auto play = [&](std::size_t worker) {
    const auto portion = queue.take(worker, never);
    ASSERT_TRUE(portion);
    if (worker == 0) played.add(*portion);
    EXPECT_TRUE(queue.add(worker, {10, 1}));
    queue.end(worker);
  };
  play(0);
  play(1);
  ASSERT_TRUE(queue.take(1, never));
  EXPECT_EQ(queue.totals().samples, 20u);
  queue.lose(1);
  EXPECT_EQ(queue.totals().samples, 10u);
  for (int i = 0; i < 3; ++i) play(0);
  EXPECT_FALSE(queue.take(0, never));
  EXPECT_TRUE(queue.is_complete());
  EXPECT_EQ(played, UnitSet({0, 4}));
  EXPECT_EQ(queue.totals().samples, 40u);
  EXPECT_EQ(queue.totals().bad_values, 4u);
}

TEST(WorkQueue, nobody_leaves_before_all_is_played) {
  WorkQueue queue(units_from(0, 1), 2);
  ASSERT_TRUE(queue.take(1, [] {}));
  int asked = 0;
  std::jthread other;
  const auto portion = queue.take(0, [&] {
    if (++asked == 1) other = std::jthread([&] { queue.lose(1); });
  });
  ASSERT_TRUE(portion);  // the other's
  EXPECT_GE(asked, 1);
  queue.stop();
  EXPECT_FALSE(queue.add(0, {}));
  EXPECT_FALSE(queue.take(1, [] {}));
}

TEST(WorkQueue, portions_are_all_units_once) {
  const RenderOptions options = options_with({{Backend::cpu, 0, 1}});
  const auto device = open_cpu(1);
  for (const double units : {1.0, 7.5, 63.0, 200.0}) {
    PreparedFrame frame = prepare({shared_flame(units), {}, {}, 0}, options);
    for (const std::uint32_t chains : {0u, 5u, 64u}) {
      frame.compiled.chains = chains;
      Accumulator game(*device, frame.compiled, 0);
      game.begin(0, 0, 0);
      for (const std::size_t devices : {1, 2, 3}) {
        UnitSet all;
        std::uint64_t count = 0;
        for (const UnitSet& portion : portions_of(game, {0, game.units()}, devices)) {
          count += portion.count();
          all.add(portion);
        }
        EXPECT_EQ(all, UnitSet({0, game.units()}));
        EXPECT_EQ(count, game.units());
      }
    }
  }
}

}  // namespace
}  // namespace kiln::test
