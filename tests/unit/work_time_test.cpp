// SPDX-License-Identifier: MIT
// What a picture and a film will take, by rates that are known.
#include <gtest/gtest.h>

#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/video_writer.h"
#include "engine/pipeline/forecast.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

Rates known_rates() {
  Rates rates;
  rates.prepare_s = 0.5;
  rates.seconds_a_sample = 1e-8;
  rates.seconds_a_bucket = 1e-7;
  rates.seconds_a_pixel = 2e-7;
  return rates;
}

TEST(work_time, sums_preparation_game_stages_and_file) {
  const Work work{1e9, 4e6, 1e6};
  EXPECT_NEAR(seconds_of(work, known_rates(), 0), 0.5 + 10 + 0.4 + 0.2, 1e-9);
  Work stripes = work;
  stripes.stripes = 3;
  EXPECT_NEAR(seconds_of(stripes, known_rates(), 0), 0.5 + 30 + 0.4 + 0.2, 1e-9);
}

TEST(work_time, the_time_limit_bounds_the_game) {
  EXPECT_NEAR(seconds_of({1e15, 4e6, 1e6}, known_rates(), 5), 0.5 + 5 + 0.4 + 0.2, 1e-9);
  EXPECT_NEAR(seconds_of({1e8, 4e6, 1e6}, known_rates(), 5), 0.5 + 1 + 0.4 + 0.2, 1e-9);
}

// --quality 1e8 had no answer after a minute: the small picture had that quality too.
TEST(work_time, the_small_picture_has_a_bounded_number_of_samples) {
  for (double quality : {1.0, 300.0, 1e4, 1e8}) {
    const double all = quality * 1280 * 720;
    const Shrink shrink = shrink_to(1e6, all, 1280);
    EXPECT_LE(all * shrink.side * shrink.side * shrink.quality, 1.001e6) << quality;
    EXPECT_LE(shrink.side, 1);
    EXPECT_GE(shrink.side * 1280, 47.9) << quality;
  }
  EXPECT_EQ(shrink_to(1e6, 1e5, 320).side, 1);
  EXPECT_EQ(shrink_to(1e6, 1e5, 320).quality, 1);
}

TEST(work_time, noise_falls_by_the_root_of_the_samples) {
  constexpr double pixels = 1e6;
  Rates rates;
  rates.noise = 0.02;
  rates.noise_samples_a_pixel = 100;
  int looks = 0;
  const double samples = samples_until(0.005, rates, pixels, 1e15, looks);
  EXPECT_NEAR(samples / pixels, 1600, 0.08 * 1600);  // looks are at certain numbers
  EXPECT_GE(samples / pixels, 1600);
  EXPECT_GT(looks, 1);
  EXPECT_LT(looks, 8);
  EXPECT_EQ(samples_until(0.005, rates, pixels, 1e8, looks), 1e8);
  rates.noise_fall = 0.4;  // cleaned
  EXPECT_NEAR(samples_until(0.005, rates, pixels, 1e15, looks) / pixels, 3200, 0.1 * 3200);
}

/// Nothing of these numbers is measured: which power it is, and what follows from it and the rates.
TEST(work_time, the_forecast_of_a_cleaned_picture_has_the_noise_of_cleaned_ones) {
  const auto fall = [](const char* attributes) {
    RenderOptions options;
    options.backend = Backend::cpu;
    options.threads = 2;
    options.until_noise = 0.002;
    Flame flame = parse_flames(test::triangle(attributes), "a.flame", {}).flames.at(0);
    flame.width = 640;  // enough samples for halves
    flame.height = 480;
    flame.scale = 400;
    Forecaster forecaster(options, true);
    const Forecast forecast = forecaster.of(flame);
    const Rates& rates = forecaster.rates();
    int looks = 0;
    EXPECT_GT(rates.noise_samples_a_pixel, 0) << attributes;
    EXPECT_EQ(forecast.samples,
              samples_until(options.until_noise, rates, forecast.pixels, 4e12, looks))
        << attributes;
    return rates.noise_fall;
  };
  EXPECT_EQ(fall("kiln_clean=\"1\""), 0.4);
  EXPECT_EQ(fall(""), 0.5);
}

// "about 0:01" for eight seconds: start, motion blur and video were missing.
TEST(work_time, a_film_takes_its_slowest_step_or_all_cores) {
  FrameSeconds frame;
  frame.render = 0.1;
  frame.render_cpu = 0.2;
  EXPECT_NEAR(film_seconds(frame, 100, 2, false), 10, 0.2);
  frame.prepare = 0.5;  // a thousand moments
  EXPECT_NEAR(film_seconds(frame, 100, 2, false), 50, 1);
  EXPECT_NEAR(film_seconds(frame, 100, 2, true), 60, 1);
  frame.video = 0.9;
  frame.video_cores = 1.6;
  EXPECT_NEAR(film_seconds(frame, 100, 2, false), 80, 2);  // 1.6 s of two cores
  EXPECT_NEAR(film_seconds(frame, 100, 2, true), 60, 2);   // ffmpeg on 1.6 of them
  EXPECT_NEAR(film_seconds(frame, 100, 1, false), 160, 2);
  frame.file = 0.6;
  EXPECT_NEAR(film_seconds(frame, 100, 2, false), 110, 2);  // 2.2 s of two cores
  EXPECT_NEAR(film_seconds(frame, 100, 32, false), 56, 3);
  EXPECT_EQ(film_seconds(frame, 0, 2, false), 0);
}

TEST(work_time, a_picture_begins_with_the_program) {
  Rates rates;
  rates.prepare_s = 0.001;
  const double without = seconds_of({1e6, 1e4, 1e4}, rates, 0);
  rates.begin_s = 0.02;
  EXPECT_DOUBLE_EQ(seconds_of({1e6, 1e4, 1e4}, rates, 0), without + 0.02);
}

VideoWork work_of(const char* path, double hdr_peak = 0) {
  VideoSettings video;
  video.path = path;
  video.hdr_peak = hdr_peak;
  return video_work(video);
}

TEST(work_time, a_video_costs_by_its_codec) {
  EXPECT_GT(work_of("a.webm").pixel_s, 3 * work_of("a.mp4").pixel_s);
  for (const char* name :
       {"a.mp4", "a.m4v", "a.mkv", "a.mov", "a.webm", "a.avi", "a.gif", "a.webp", "a.apng"})
    EXPECT_GT(work_of(name).pixel_s, 0) << name;
  EXPECT_GT(work_of("a.mp4", 1000).pixel_s, 2 * work_of("a.mp4").pixel_s);
  EXPECT_EQ(work_of("").pixel_s, 0);
}

// A GIF has one palette, which is known behind the last frame: only then frames are written.
TEST(work_time, a_film_is_finished_after_its_last_frame) {
  const double pixels = 1e5;
  const VideoWork gif = work_of("a.gif"), h264 = work_of("a.mp4");
  EXPECT_NEAR(gif.tail_s(200, pixels), 2 * gif.tail_s(100, pixels), 1e-9);
  EXPECT_GT(gif.tail_s(100, pixels), 0.3 * 100 * pixels * gif.pixel_s / gif.cores);
  EXPECT_EQ(h264.tail_s(200, pixels), h264.tail_s(100, pixels));
  EXPECT_NEAR(h264.tail_s(10, pixels), 10 * pixels * h264.pixel_s / h264.cores, 1e-9);
  FrameSeconds frame;
  frame.render = frame.render_cpu = 0.1;
  const double without = film_seconds(frame, 100, 2, false);
  frame.video = 0.1;
  frame.video_tail = 8;
  EXPECT_NEAR(film_seconds(frame, 100, 2, false), without + 8, 0.5);
}

}  // namespace
}  // namespace kiln
