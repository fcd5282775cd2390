// SPDX-License-Identifier: MIT
// The pilots of the burn-in: the same points whatever plays them and in whatever portions; and what is
// remembered of them: it is used where nothing that decides has changed, and never believed blindly.
#include "engine/render/plan/burn_in_memory.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "engine/io/flame/flame_reader.h"
#include "engine/render/plan/burn_in.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "tests/cli/scratch.h"
#include "tests/devices.h"
#include "tests/kernels/motion.h"

namespace kiln::test {
namespace {

/// Left once in 200 steps.
Flame slow_flame() {
  Flame flame = flame_over(64, 64, -2, -2, 16);
  flame.xforms = {linear_xform(0.995, {0.98, 0.1, -0.1, 0.98, 0, 0}),
                  contraction(0.005, 0.5, 0.9, 0.1)};
  return flame;
}
Flame read(const std::string& xforms) {
  ReaderOptions options;
  options.dialect = Dialect::fractorium;
  options.palette = std::make_shared<Palette>(slow_flame().palette);
  return parse_flames("<flame size=\"64 64\" scale=\"16\">" + xforms + "</flame>", "test.flame",
                      options)
      .flames.front();
}
CompiledFlame compiled(const Flame& flame, int supersample = 1) {
  return compile(flame,
                 PlotArea{supersample, 0, flame.width * supersample, flame.height * supersample});
}

/// Slow ones of every kind: plain, with xaos, bad values, a symmetry, wide and with depth.
std::vector<CompiledFlame> flames_of_all_kinds() {
  std::vector<CompiledFlame> all = {compiled(slow_flame())};
  Flame bad = slow_flame();
  bad.xforms.push_back(bad_xform(0.01));
  all.push_back(compiled(bad));
  Flame xaos = slow_flame();
  xaos.xforms[0].chaos = {1, 0.5};
  all.push_back(compiled(xaos));
  all.push_back(compiled(read(R"(
    <xform weight="1" color="0" color_speed="0.05" linear="1" coefs="0.5 0 0 0.5 0.6 0.1"/>
    <xform weight="1" color="1" color_speed="0.05" spherical="0.4" coefs="0.7 0.2 -0.2 0.7 0 0"/>
    <symmetry kind="-3"/>)")));
  all.push_back(compiled(read(R"(
    <xform weight="1" color="0" color_speed="0.05" hemisphere="0.8" pre_rotate_x="0.4"
      coefs="0.5 0 0 0.5 0.6 0.1"/>
    <xform weight="1" color="1" color_speed="0.05" bubble="0.7" post_blur="0.1" zscale="0.3"
      coefs="0.7 0.2 -0.2 0.7 0 0"/>)")));
  return all;
}

TEST(Pilot, the_answer_is_the_same_everywhere) {
  for (const CompiledFlame& flame : flames_of_all_kinds()) {
    const std::uint32_t steps = burn_in_steps(flame);
    EXPECT_GT(steps, u32(warm_up_steps));
    for (const auto& device : open_every_arithmetic())
      EXPECT_EQ(burn_in_steps(flame, device.get()), steps) << device->describe();
    for (const int threads : {1, 7})
      EXPECT_EQ(burn_in_steps(flame, open_cpu(threads).get()), steps) << threads;
  }
}

bool same_points(const std::vector<Point>& a, const std::vector<Point>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Point& p, const Point& q) {
    return p.x == q.x && p.y == q.y && p.color == q.color && p.meta == q.meta;
  });
}

TEST_ON_EVERY_DEVICE(Pilot, the_first_pool_may_go_ahead) {
  constexpr int all = Pilot::most_pools;
  for (const CompiledFlame& flame : flames_of_all_kinds()) {
    std::vector<std::vector<Point>> together, ahead;
    {
      Pilot pilot(device, flame, 0);
      for (const std::uint32_t step : {20u, 25u, 40u}) together.push_back(pilot.at(step, all));
    }
    Pilot pilot(device, flame, 0);
    for (const std::uint32_t step : {20u, 25u, 31u}) {
      const std::vector<Point> alone = pilot.at(step, 1);
      EXPECT_EQ(alone.size(), std::size_t(pool_slots));
    }
    for (const std::uint32_t step : {20u, 25u, 40u}) ahead.push_back(pilot.at(step, all));
    for (std::size_t i = 0; i < ahead.size(); ++i) {
      EXPECT_EQ(ahead[i].size(), std::size_t(all * pool_slots));
      EXPECT_TRUE(same_points(ahead[i], together[i])) << i;
    }
    EXPECT_FALSE(same_points(together[0], together[1]));
  }
}

TEST_ON_EVERY_DEVICE(Pilot, each_moment_has_its_own) {
  const Moving moving(slow_flame(), 5, [](Flame& flame, double t) {
    flame.xforms[0].weight = 1 - 0.05 * t;
    flame.xforms[1].weight = 0.05 * t;
  });
  const CompiledFlame all = compile(moving.flame, moving.time_samples(), PlotArea{1, 0, 64, 64});
  const auto points = [&](const CompiledFlame& flame, std::size_t time_sample) {
    return Pilot(device, flame, time_sample).at(30, 1);
  };
  for (const std::size_t time_sample : {0, 3}) {
    const std::vector<Point> expected = points(compiled(moving.at[time_sample]), 0);
    EXPECT_TRUE(same_points(points(all, time_sample), expected)) << time_sample;
    EXPECT_FALSE(same_points(points(all, time_sample + 1), expected)) << time_sample;
  }
  EXPECT_EQ(burn_in_steps(all, &device), burn_in_steps(all));
}

// ---- what is remembered ----

/// Says of a flame's only time sample what nobody would measure.
void pretend(BurnInMemory& memory, const CompiledFlame& flame, std::uint32_t forgotten,
             bool on_disk = true) {
  memory.keep(burn_in_key(flame, 0), {0.5, forgotten}, on_disk);
}

TEST(BurnInMemory, what_is_known_is_not_measured_again) {
  const CompiledFlame flame = compiled(slow_flame());
  BurnInMemory memory("");
  const std::uint32_t steps = burn_in_steps(flame, nullptr, &memory);
  EXPECT_EQ(steps, burn_in_steps(flame));
  const std::optional<TimeSampleBurnIn> known = memory.recall(burn_in_key(flame, 0));
  ASSERT_TRUE(known);
  EXPECT_GT(known->first_look, 0);
  EXPECT_EQ(burn_in_steps(flame, nullptr, &memory), steps);
  pretend(memory, flame, 4000);
  EXPECT_EQ(burn_in_steps(flame, nullptr, &memory), 10016u);
}

TEST(BurnInMemory, what_decides_is_in_the_key_and_nothing_else) {
  const Flame flame = slow_flame();
  const std::string key = burn_in_key(compiled(flame), 0);
  Flame looks = flame;
  looks.scale *= 2;
  looks.center_x += 1;
  looks.rotate_deg = 30;
  looks.quality *= 3;
  looks.brightness = 9;
  looks.palette.fill({0, 1, 0, 1});
  looks.width *= 2;
  EXPECT_EQ(burn_in_key(compiled(looks, 2), 0), key);

  std::set<std::string> keys = {key};
  const auto changed = [&](const auto& change) {
    Flame other = slow_flame();
    change(other);
    EXPECT_TRUE(keys.insert(burn_in_key(compiled(other), 0)).second) << keys.size();
  };
  changed([](Flame& f) { f.xforms[1].coefs.a += 1e-6; });
  changed([](Flame& f) { f.xforms[1].post = {1, 0, 0, 1, 0.1, 0}; });
  changed([](Flame& f) { f.xforms[1].weight = 0.006; });
  changed([](Flame& f) { f.xforms[1].color_speed = 0.4; });
  changed([](Flame& f) { f.xforms[1].chaos = {1, 0.5}; });
  changed([](Flame& f) { f.xforms[1].variations[1] = 0.1; });
  changed([](Flame& f) { f.xforms.push_back(contraction(0.1, 0.5, 0, 0)); });
  const auto julian = [](double power) {
    return [power](Flame& f) {
      f.xforms[1] = xform_of("julian", 0.005, {0.5, 0, 0, 0.5, 0.9, 0.1});
      f.xforms[1].parameters[std::size_t(find_parameter("julian_power").value())] = power;
    };
  };
  changed(julian(2));
  changed(julian(3));
  EXPECT_NE(burn_in_key(flames_of_all_kinds()[3], 0), burn_in_key(flames_of_all_kinds()[4], 0));
}

TEST(BurnInMemory, the_next_process_knows_it_too) {
  const ScratchFolder folder;
  const CompiledFlame flame = compiled(slow_flame());
  {
    BurnInMemory memory(folder / "a/b");
    pretend(memory, flame, 4000);
  }
  BurnInMemory next(folder / "a/b");
  EXPECT_EQ(burn_in_steps(flame, nullptr, &next), 10016u);
  BurnInMemory elsewhere(folder / "c");
  EXPECT_EQ(burn_in_steps(flame, nullptr, &elsewhere), burn_in_steps(flame));
}

TEST(BurnInMemory, nothing_damaged_is_believed) {
  const ScratchFolder folder;
  const std::string key = burn_in_key(compiled(slow_flame()), 0);
  const auto is_known = [&] { return BurnInMemory(folder.path()).recall(key).has_value(); };
  BurnInMemory(folder.path()).keep(key, {0.5, 4000}, true);
  ASSERT_EQ(folder.entries().size(), 1u);
  const std::string path = folder / folder.entries().front();
  const std::string whole = read_file(path);
  EXPECT_TRUE(is_known());
  for (std::size_t i = 0; i < whole.size(); i += 3) {
    std::string damaged = whole;
    damaged[i] = char(damaged[i] ^ 1);
    for (const std::string& bytes : {damaged, whole.substr(0, i)}) {
      write_file(path, bytes);
      EXPECT_FALSE(is_known()) << i;
    }
  }
  for (const TimeSampleBurnIn& wrong : {TimeSampleBurnIn{0.5, most_burn_in_steps + 1},
                                        TimeSampleBurnIn{-1, 4000}, TimeSampleBurnIn{NAN, 4000}}) {
    BurnInMemory(folder.path()).keep(key, wrong, true);
    EXPECT_FALSE(is_known()) << wrong.first_look << ", " << wrong.forgotten;
  }
  BurnInMemory(folder.path()).keep(key, {0.5, 4000}, true);  // written anew
  EXPECT_TRUE(is_known());
}

TEST(BurnInMemory, the_moments_of_a_film_do_not_pile_up) {
  BurnInMemory memory("");
  constexpr int time_samples = 2000;
  for (int i = 0; i < time_samples; ++i)
    memory.keep(std::to_string(i), {0.5, 4000}, /*on_disk=*/false);
  int known = 0;
  for (int i = 0; i < time_samples; ++i) known += memory.recall(std::to_string(i)).has_value();
  EXPECT_GT(known, 0);
  EXPECT_LE(known, 256);
}

/// A file stands where the folder would be.
TEST(BurnInMemory, without_a_folder_it_is_measured) {
  const ScratchFolder folder;
  write_file(folder / "file", "");
  const CompiledFlame flame = compiled(slow_flame());
  BurnInMemory memory(folder / "file/below");
  pretend(memory, flame, 4000);
  BurnInMemory next(folder / "file/below");
  EXPECT_EQ(burn_in_steps(flame, nullptr, &next), burn_in_steps(flame));
}

/// Frames that are prepared remember too.
TEST(BurnInMemory, preparing_asks_it) {
  Flame flame = slow_flame();
  flame.xforms[0].coefs.c = 0.000123;  // no other test has this one
  pretend(BurnInMemory::shared(), compiled(flame), 1000, /*on_disk=*/false);
  const Frame still{flame, {}, {}, 0};
  EXPECT_EQ(prepare(still, {}).compiled.burn_in_steps, 2528u);
  Flame other = flame;
  other.xforms[0].coefs.c = 0.000124;
  const std::uint32_t steps = prepare(Frame{other, {}, {}, 0}, {}).compiled.burn_in_steps;
  EXPECT_EQ(steps, burn_in_steps(compiled(other)));
  EXPECT_NE(steps, 2528u);
}

/// A device that is asked to stop does not play pilots to their end.
TEST(BurnInMemory, preparing_can_be_stopped) {
  Flame flame = slow_flame();
  flame.xforms[0].coefs.c = 0.000125;
  for (RenderOptions options : options_of_every_device()) {
    std::stop_source stop;
    stop.request_stop();
    options.stop = stop.get_token();
    try {
      Renderer(options).prepare(Frame{flame, {}, {}, 0});
      ADD_FAILURE() << "went on";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::stopped);
    }
  }
}

}  // namespace
}  // namespace kiln::test
