// SPDX-License-Identifier: MIT
// Works of a renderer (engine/render/work.h) leave nothing behind for the next one, and say what they were.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/device/cpu/device.h"
#include "engine/device/device_picture.h"
#include "engine/device/game.h"
#include "engine/live/live_pictures.h"
#include "engine/model/image.h"
#include "engine/render/picture_sums.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "engine/render/stripes.h"
#include "engine/render/work.h"
#include "tests/devices.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

using Ready = std::shared_ptr<const PreparedFrame>;

const auto never = [] { return false; };

Flame sample(double quality) { return test::sample_flame("conch", 160, quality); }

RenderOptions on_cpu() {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 2;
  return options;
}

/// A frame of a film that is cleaned.
Ready frame_of_film(const RenderOptions& options, double quality, std::uint32_t number) {
  Flame flame = sample(quality);
  flame.clean = 1;
  return std::make_shared<const PreparedFrame>(prepare(Frame{flame, {}, {}, number}, options));
}

std::vector<Ready> frames_of_film(const RenderOptions& options, double quality) {
  return {frame_of_film(options, quality, 0), frame_of_film(options, quality, 1)};
}

// ---- films ----

TEST(film_work, each_frame_says_its_own_samples) {
  const RenderOptions options = on_cpu();
  const std::vector<Ready> frames = frames_of_film(options, 20);
  Renderer renderer(options);
  for (const std::size_t own : {0u, 1u}) {  // the first window plays both
    RenderStatistics said, alone;
    renderer.render(FilmWindow{frames, own}, &said);
    Renderer(options).render(*frames[own], &alone);
    EXPECT_EQ(said.samples, alone.samples) << own;
    EXPECT_EQ(said.bad_values, alone.bad_values) << own;
  }
}

TEST(film_work, a_picture_alone_and_other_options_end_it) {
  const RenderOptions options = on_cpu();
  const std::vector<Ready> frames = frames_of_film(options, 5);
  Renderer renderer(options);
  for (const bool alone : {true, false}) {
    renderer.render(FilmWindow{frames, 0});
    EXPECT_GT(frames[1].use_count(), 1) << "its counts wait for the next window";
    if (alone)
      renderer.render(Frame{sample(5), {}, {}, 0});
    else
      renderer.change(options);
    EXPECT_EQ(frames[1].use_count(), 1) << alone;
  }
}

TEST(film_work, linear_light_has_the_hits_of_its_own_frame) {
  RenderOptions options = on_cpu();
  options.linear = true;
  const std::vector<Ready> frames = frames_of_film(options, 20);
  Renderer renderer(options);
  for (const std::size_t own : {0u, 1u}) {
    const Image image = renderer.render(FilmWindow{frames, own});
    ASSERT_EQ(image.bits(), 32) << own;
    EXPECT_EQ(image.linear().hits, Renderer(options).render(*frames[own]).linear().hits) << own;
  }
}

TEST(film_work, progress_counts_the_frames_that_are_still_to_play) {
  RenderOptions options = on_cpu();
  double done = 0;
  options.on_progress = [&](const Progress& progress) {
    if (std::string(progress.stage) == "iterate") done = progress.done;
  };
  const Ready before = frame_of_film(options, 3000, 0), frame = frame_of_film(options, 1500, 1);
  Renderer renderer(options);
  const FilmWindow first{{before}, 0}, both{{before, frame}, 1};
  renderer.make({.frame = before.get(), .window = &first});
  done = 0;
  renderer.make({.frame = frame.get(), .window = &both});
  EXPECT_GT(done, 0.45) << "most of it is the game of one frame, a third of both";
}

// ---- several passes ----

/// The look of the later edit is that of the light of all passes after it.
TEST(work_of_passes, has_one_look_and_the_samples_of_all) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    Flame flame = sample(1500);
    flame.passes = 3;
    ProgressiveRender picture(options);
    picture.show(flame);
    picture.grow(1, never);  // of the first
    flame.brightness *= 3;
    ASSERT_TRUE(picture.restyle(flame));
    picture.grow(1e12, never);
    RenderStatistics rendered;
    const Image expected = Renderer(options).render(Frame{flame, {}, {}, 0}, &rendered);
    EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(expected));
    EXPECT_EQ(picture.statistics().samples, rendered.samples);
    EXPECT_EQ(picture.statistics().bad_values, rendered.bad_values);
  }
}

TEST(work_of_passes, each_is_a_part_of_the_progress) {
  RenderOptions options = on_cpu();
  double done = 0;
  options.on_progress = [&](const Progress& progress) { done = progress.done; };
  Flame flame = test::sample_flame("conch", 640, 4);
  flame.estimator_radius = 20;
  flame.estimator_curve = 0.2;  // most of the time
  flame.passes = 8;
  render(flame, options);
  EXPECT_GT(done, 0.7);
}

TEST(work_of_passes, half_of_them_are_not_nearly_all_of_the_progress) {
  RenderOptions options = on_cpu();
  std::vector<Progress> said;
  options.on_progress = [&](const Progress& progress) { said.push_back(progress); };
  Flame flame = test::sample_flame("conch", 640, 4);
  flame.estimator_radius = 20;
  flame.estimator_curve = 0.2;  // most of the time
  flame.passes = 8;
  const auto start = Clock::now();
  render(flame, options);
  const double half_s = seconds_since(start) / 2;
  double done = 0;
  for (const Progress& progress : said)
    if (progress.elapsed_s <= half_s) done = progress.done;
  EXPECT_LT(done, 0.8);
}

// ---- stripes ----

TEST(work_in_stripes, says_the_seconds_of_all) {
  RenderOptions options = on_cpu();
  Flame flame = test::sample_flame("conch", 240, 200);
  flame.estimator_radius = 0;
  const PreparedFrame frame = prepare(Frame{flame, {}, {}, 0}, options);
  options.max_memory_bytes = memory_need(frame, options).picture / 3;
  Renderer renderer(options);
  RenderStatistics said;
  const auto start = Clock::now();
  renderer.render(frame, &said);
  EXPECT_GT(said.iterate_s, 0.6 * seconds_since(start));
}

/// A CPU that notes the most memory that a game was allowed.
class Watched : public CpuDevice, private DeviceGame {
 public:
  Watched() : CpuDevice(2) {}
  DeviceGame& game() const override { return const_cast<Watched&>(*this); }
  std::uint64_t most_room = 0;

 private:
  DeviceGame& real() const { return CpuDevice::game(); }
  GamePlan plan(const CompiledFlame& flame, std::uint64_t units, std::uint64_t room) override {
    most_room = std::max(most_room, room);
    return real().plan(flame, units, room);
  }
  void begin(const GamePlan& plan, const CompiledFlame& flame) override {
    real().begin(plan, flame);
  }
  void warm_up(const ChaosGame& game, int units) override { real().warm_up(game, units); }
  void play(const ChaosGame& game, const AccumulateTiles& sums, int units) override {
    real().play(game, sums, units);
  }
  void end() override { real().end(); }
};

TEST(work_in_stripes, leaves_memory_to_the_rows_that_are_made) {
  RenderOptions options = on_cpu();
  options.linear = true;
  options.max_memory_bytes = 90'000'000;
  Flame flame = test::sample_flame("conch", 1600, 0.1);
  flame.estimator_radius = 0;
  const PreparedFrame frame = prepare(Frame{flame, {}, {}, 0}, options);
  const std::uint64_t rows = bytes_of_rows(frame, options);
  ASSERT_GT(rows, 25'000'000u);
  auto device = std::make_unique<Watched>();
  const Watched& watched = *device;
  const MemoryPlan plan = plan_memory(frame, options, *device);
  ASSERT_GT(plan.stripes.size(), 1u);
  device->most_room = 0;
  Renderer renderer(options, std::move(device));
  EXPECT_EQ(renderer.render(frame).height, flame.height);
  EXPECT_LE(watched.most_room + rows + program_bytes, options.max_memory_bytes);
}

TEST(work_in_stripes, a_later_one_goes_on_with_the_progress) {
  RenderOptions options = on_cpu();
  double done = 0;
  options.on_progress = [&](const Progress& progress) {
    if (std::string(progress.stage) == "iterate") done = progress.done;
  };
  Flame flame = test::sample_flame("conch", 640, 100);
  flame.estimator_radius = 0;
  const PreparedFrame frame = prepare(Frame{flame, {}, {}, 0}, options);
  options.max_memory_bytes = memory_need(frame, options).picture / 3;
  CpuDevice device(2);
  ASSERT_GT(plan_memory(frame, options, device).stripes.size(), 2u);
  Renderer(options).render(frame);
  EXPECT_GT(done, 0.6) << "its samples are counted behind those of the stripes before";
}

TEST(work_in_stripes, counts_a_bad_value_once) {
  RenderOptions options = on_cpu();
  Flame flame = sample(20);
  flame.estimator_radius = 0;
  flame.xforms[0].variations[0] = 1e9;  // linear
  const PreparedFrame frame = prepare(Frame{flame, {}, {}, 0}, options);
  RenderStatistics whole, said;
  Renderer(options).render(frame, &whole);
  options.max_memory_bytes = memory_need(frame, options).picture / 3;
  Renderer(options).render(frame, &said);
  EXPECT_GT(whole.bad_values, 0u);
  EXPECT_EQ(said.bad_values, whole.bad_values);
}

// ---- sums that are kept ----

TEST(kept_work, counts_the_memory_of_the_copy) {
  RenderOptions options = on_cpu();
  const PreparedFrame frame = prepare(Frame{sample(5), {}, {}, 0}, options);
  Checkpoint checkpoint;
  checkpoint.save = [](const SavedSums&) {};
  options.max_memory_bytes =
      memory_need(frame, options).picture + kept_bytes(frame, checkpoint) / 2;
  Renderer renderer(options);
  EXPECT_TRUE(renderer.make({.frame = &frame}));
  EXPECT_THROW(renderer.make({.frame = &frame, .checkpoint = &checkpoint}), Error);
}

/// Each half has a copy of its own while both are written.
TEST(kept_work, counts_the_copies_of_both_halves) {
  const RenderOptions options = on_cpu();
  const PreparedFrame frame = prepare(Frame{sample(5), {}, {}, 0}, options);
  Checkpoint one, halves;
  halves.sums.shape.halves = 1;
  const std::uint64_t without = kept_bytes(frame, halves);
  one.save = halves.save = [](const SavedSums&) {};
  EXPECT_EQ(kept_bytes(frame, halves) - without, 2 * kept_bytes(frame, one));
}

/// It was stopped behind its game, whose sums nobody has.
TEST(kept_work, that_is_stopped_says_why_its_sums_are_not_saved) {
  const RenderOptions options = on_cpu();
  const PreparedFrame frame = prepare(Frame{sample(5), {}, {}, 0}, options);
  std::stop_source stop;
  Checkpoint checkpoint;
  checkpoint.stop = stop.get_token();
  checkpoint.save = [&](const SavedSums&) {
    stop.request_stop();
    fail(ErrorKind::output, "the disk is full");
  };
  try {
    Renderer(options).make({.frame = &frame, .checkpoint = &checkpoint});
    FAIL() << "it was not stopped";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::output) << error.what();
  }
  EXPECT_FALSE(checkpoint.stopped);
}

// ---- sums that stay ----

TEST(growing_work, pixels_stay_on_the_device_only_where_that_is_asked_for) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    DevicePicture place;
    const Flame flame = sample(150);
    ProgressiveRender picture(options);
    picture.show(flame);
    picture.grow(flame.quality, never, Halves::next);
    const Image there = picture.picture();
    const auto noise = picture.noise();
    EXPECT_TRUE(picture.picture(&place).pixels8().empty());
    const auto again = picture.noise();  // looks at pictures of its own
    EXPECT_EQ(bool(again), bool(noise));
    EXPECT_TRUE(picture.picture(&place).pixels8().empty());
    EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(there));
    place.clear();
  }
}

TEST(growing_work, ends_where_it_is_asked_to_and_its_sums_stay) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    const Flame flame = sample(50);
    ProgressiveRender picture(options);
    picture.show(flame);
    picture.grow(1e12, never);
    std::stop_source stop;
    stop.request_stop();
    picture.watch(stop.get_token());
    try {
      picture.picture();
      ADD_FAILURE() << "it was not stopped";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::stopped) << error.what();
    }
    picture.watch({});
    EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(render(flame, options)));
  }
}

TEST(growing_work, of_a_flame_that_is_refused_there_is_none) {
  RenderOptions options = on_cpu();
  options.max_memory_bytes = 40 << 20;
  Flame flame = sample(20);
  ProgressiveRender picture(options);
  picture.show(flame);
  picture.grow(1e12, never);
  ASSERT_TRUE(picture.complete());
  flame.width = flame.height = 3000;
  EXPECT_THROW(picture.show(flame), Error);
  EXPECT_FALSE(picture.complete());
  EXPECT_EQ(picture.quality(), 0);
}

/// A game that waited for another one goes on with all of its pools, the last one's too.
TEST(growing_work, goes_on_where_it_was_after_measuring_amid_its_game) {
  const RenderOptions options = on_cpu();
  PreparedFrame frame = prepare(Frame{sample(1500), {}, {}, 0}, options);  // 11 units
  frame.compiled.chains = 4;
  Renderer renderer(options);
  const Image expected = renderer.render(frame);
  const std::unique_ptr<PictureSums> sums = renderer.begin(frame);
  renderer.make(
      {.frame = &frame, .sums = sums.get(), .units = 6, .develop = RenderWork::Develop::none});
  EXPECT_EQ(sums->played.done.end(), 6u);
  renderer.measure_clumps(*sums);
  const std::optional<Image> image = renderer.make({.frame = &frame, .sums = sums.get()});
  ASSERT_TRUE(image);
  EXPECT_EQ(pixel_hash(*image), pixel_hash(expected));
}

/// A game that waited for another one goes on where that failed.
TEST(growing_work, goes_on_where_measuring_amid_its_game_failed) {
  const RenderOptions options = on_cpu();
  Flame flame = sample(500);
  ProgressiveRender picture(options);
  picture.show(flame);
  picture.grow(100, never);
  ASSERT_FALSE(picture.complete());
  flame.clean = 1;
  ASSERT_TRUE(picture.restyle(flame));
  setenv("KILN_TEST_FAIL_GAME", "1", 1);
  EXPECT_THROW(picture.picture(), Error);
  unsetenv("KILN_TEST_FAIL_GAME");
  picture.grow(1e12, never);
  EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(render(flame, options)));
}

}  // namespace
}  // namespace kiln
