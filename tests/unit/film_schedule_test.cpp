// SPDX-License-Identifier: MIT
// Who makes the frames of a film, by arithmetic: no device is opened.
#include "engine/pipeline/film_schedule.h"

#include <gtest/gtest.h>

#include "engine/pipeline/forecast.h"
#include "engine/program/sample_shares.h"

namespace kiln {
namespace {

std::vector<Flame> film(int width = 640, int height = 360) {
  std::vector<Flame> keys(2);
  for (Flame& key : keys) {
    key.width = width;
    key.height = height;
    key.supersample = 1;
  }
  return keys;
}

RenderOptions on(Backend backend, int threads, std::vector<HelpingDevice> helpers = {}) {
  RenderOptions options;
  options.backend = backend;
  options.threads = threads;
  options.helpers = std::move(helpers);
  return options;
}

constexpr HelpingDevice gpu(int number) { return {Backend::cuda, number, 0}; }

std::vector<int> devices(const FilmSchedule& schedule) {
  std::vector<int> numbers;
  for (const RenderOptions& one : schedule.renderers) numbers.push_back(one.device);
  return numbers;
}

TEST(film_schedule, on_a_cpu_all_cores_make_one_frame_after_the_other) {
  for (const Backend backend : {Backend::cpu, Backend::automatic}) {
    const FilmSchedule schedule = schedule_film(on(backend, 4), film(), 100, false);
    ASSERT_EQ(schedule.renderers.size(), 1u);
    EXPECT_EQ(schedule.renderers[0].backend, Backend::cpu);
    EXPECT_EQ(schedule.threads.render, 1);
    EXPECT_FALSE(schedule.threads.sequential);
  }
  EXPECT_TRUE(schedule_film(on(Backend::cpu, 1), film(), 100, false).threads.sequential);
}

TEST(film_schedule, a_gpu_makes_two_frames_at_once) {
  EXPECT_EQ(devices(schedule_film(on(Backend::automatic, 4), film(), 100, true)),
            (std::vector{0, 0}));
  const RenderOptions two = on(Backend::cuda, 4, {gpu(1)});
  EXPECT_EQ(devices(schedule_film(two, film(), 100, true)), (std::vector{0, 1, 0, 1}));
  EXPECT_EQ(devices(schedule_film(two, film(), 8, true)), (std::vector{0, 1, 0, 1}));
  EXPECT_EQ(devices(schedule_film(two, film(), 7, true)), (std::vector{0, 1}));  // few frames
  EXPECT_EQ(devices(schedule_film(two, film(8192, 4320), 100, true)),
            (std::vector{0, 1}));  // large ones
  EXPECT_EQ(devices(schedule_film(on(Backend::cuda, 4, {gpu(0)}), film(), 100, true)),
            (std::vector{0, 0}));  // that is named twice
  EXPECT_EQ(devices(schedule_film(on(Backend::cuda, 1), film(), 100, true)), (std::vector{0}));
}

TEST(film_schedule, with_fewer_frames_than_devices_the_others_help) {
  const FilmSchedule schedule =
      schedule_film(on(Backend::cuda, 4, {gpu(1), gpu(2)}), film(), 2, true);
  ASSERT_EQ(devices(schedule), (std::vector{0, 1}));
  ASSERT_EQ(schedule.renderers[0].helpers.size(), 1u);
  EXPECT_EQ(schedule.renderers[0].helpers[0].device, 2);
  EXPECT_TRUE(schedule.renderers[1].helpers.empty());
}

std::vector<Flame> cleaned_film(int width = 640, int height = 360) {
  std::vector<Flame> keys = film(width, height);
  keys[1].clean = 1;
  EXPECT_TRUE(keys[1].is_cleaned());
  return keys;
}

TEST(film_schedule, frames_that_are_cleaned_are_made_in_runs_one_renderer_a_device) {
  const RenderOptions two = on(Backend::cuda, 4, {gpu(1)});
  const FilmSchedule made = schedule_film(two, cleaned_film(), 101, true);
  ASSERT_EQ(devices(made), (std::vector{0, 1}));
  EXPECT_TRUE(made.renderers[0].helpers.empty());
  EXPECT_EQ(made.threads.run, 51);
  EXPECT_EQ(made.threads.seam, 4);
  // large pictures wait for others in 2 GiB: 64 of them, 21 for each of the two and those that go on
  EXPECT_EQ(schedule_film(two, cleaned_film(3840, 2160), 400, true).threads.run, 20);
  EXPECT_EQ(schedule_film(two, cleaned_film(16384, 8192), 400, true).threads.run, 4);
  // alone there is nobody to share with, and what is not cleaned has no neighbors
  EXPECT_EQ(schedule_film(on(Backend::cuda, 4), cleaned_film(), 100, true).threads.run, 0);
  EXPECT_EQ(schedule_film(two, film(), 100, true).threads.run, 0);
}

TEST(film_schedule, a_few_frames_that_are_cleaned_have_the_help_of_all) {
  const RenderOptions four = on(Backend::cuda, 4, {gpu(1), gpu(2), gpu(3)});
  const FilmSchedule one = schedule_film(four, cleaned_film(), 11, true);
  ASSERT_EQ(devices(one), (std::vector{0}));
  EXPECT_EQ(one.renderers[0].helpers.size(), 3u);
  EXPECT_EQ(one.threads.run, 0);
  const FilmSchedule pair = schedule_film(four, cleaned_film(), 12, true);
  ASSERT_EQ(devices(pair), (std::vector{0, 1}));
  EXPECT_EQ(pair.renderers[1].helpers.size(), 1u);
  EXPECT_EQ(pair.threads.run, 6);
}

TEST(film_schedule, threads_are_those_that_are_allowed) {
  const FilmSchedule four = schedule_film(on(Backend::cuda, 4), film(), 100, true);
  EXPECT_EQ(four.threads.render, 2);
  EXPECT_EQ(four.threads.encode, 4);
  EXPECT_EQ(four.threads.prepare, 2);
  const RenderOptions shared = on(Backend::cuda, 2, {{Backend::cpu, 0, 3}});
  const FilmSchedule both = schedule_film(shared, film(), 100, true);
  EXPECT_EQ(both.threads.encode, 5);
  EXPECT_EQ(both.renderers.at(1).backend, Backend::cpu);
  EXPECT_EQ(both.renderers.at(1).threads, 3);
  EXPECT_TRUE(schedule_film(on(Backend::cuda, 1), film(), 100, true).threads.sequential);
  EXPECT_FALSE(schedule_film(on(Backend::cuda, 1, {gpu(1)}), film(), 1, true).threads.render > 1);
}

TEST(film_schedule, few_large_pictures_wait_for_their_files) {
  RenderOptions options = on(Backend::cuda, 64);
  const std::vector<Flame> large = film(16384, 8192);
  EXPECT_EQ(schedule_film(options, large, 100, true).threads.encode, 4);  // of 512 MiB each
  options.bits = 16;
  EXPECT_EQ(schedule_film(options, large, 100, true).threads.encode, 1);
}

TEST(gpus_worth, each_saves_more_than_its_start_takes) {
  EXPECT_EQ(gpus_worth(0), 1);
  EXPECT_EQ(gpus_worth(0.5), 1);
  EXPECT_EQ(gpus_worth(1), 2);
  EXPECT_EQ(gpus_worth(5), 4);
  EXPECT_EQ(gpus_worth(1e9), 64);
  for (const double seconds : {0.1, 1.0, 3.0, 10.0, 100.0}) {
    const auto with = [&](int gpus) { return seconds / gpus + 0.35 * (gpus - 1); };
    const int best = gpus_worth(seconds);
    EXPECT_LE(with(best), with(best + 1)) << seconds;
    if (best > 1) {
      EXPECT_LE(with(best), with(best - 1)) << seconds;
    }
  }
}

TEST(gpus_worth, a_game_that_a_clock_ends_takes_no_longer) {
  Flame flame;
  flame.width = 10000;
  flame.height = 10000;
  flame.quality = 300;
  RenderOptions options;
  EXPECT_NEAR(rough_gpu_seconds(rough_samples(flame), options), 1, 0.5);
  options.time_limit_s = 0.1;
  EXPECT_EQ(rough_gpu_seconds(rough_samples(flame), options), 0.1);
}

/// flam3's zoom multiplies the samples, and with them what a picture takes.
TEST(gpus_worth, a_picture_that_is_zoomed_takes_longer) {
  Flame flame, zoomed;
  zoomed.zoom = 3;
  EXPECT_NEAR(rough_samples(zoomed), 64 * rough_samples(flame), 1e-6 * rough_samples(zoomed));
  Flame better = flame;
  better.quality *= 64;
  EXPECT_NEAR(rough_cost(zoomed, {}).render, rough_cost(better, {}).render, 1e-9);
}

}  // namespace
}  // namespace kiln
