// SPDX-License-Identifier: MIT
// The bar and the time to go, by stages whose costs are known and a clock that the test turns.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/device/test_hooks.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/pipeline/forecast.h"
#include "engine/render/plan/progress_report.h"
#include "engine/render/renderer.h"
#include "tests/places.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

/// Plays the stages of `taken` to a clock that expects `expected`; calls see(now, left) often.
template <class See>
void play(StageClock& clock, const StageSeconds& taken, See&& see) {
  constexpr int pieces = 50;
  double now = 0, all = 0;
  for (double seconds : taken) all += seconds;
  for (std::size_t s = 0; s < stage_count; ++s) {
    for (int piece = 0; piece < pieces; ++piece) {
      clock.at(RenderStage(s), double(piece) / pieces, now);
      see(now, all - now);
      now += taken[s] / pieces;
    }
    clock.at(RenderStage(s), 1, now);
  }
}

// halo at 4K: the bar stood at 95 %, 0.2 s left, from second 3 to second 17.
TEST(stage_clock, density_estimation_that_is_most_of_the_work_gets_most_of_the_bar) {
  const StageSeconds seconds = {3, 0.5, 10, 3, 0.2, 0, 0.3};
  StageClock clock(seconds);
  play(clock, seconds, [&](double now, double left) {
    EXPECT_NEAR(clock.remaining(), left, 0.05 * left + 0.05) << "at " << now;
    EXPECT_NEAR(clock.done(), now / 17, 0.01) << "at " << now;
  });
}

TEST(stage_clock, the_bar_never_goes_back) {
  const StageSeconds expected = {1, 1, 1, 1, 1, 1, 1}, taken = {8, 0.2, 9, 0.1, 3, 0, 5};
  StageClock clock(expected);
  double last = 0;
  play(clock, taken, [&](double, double) {
    const double done = clock.done();
    EXPECT_GE(done, last);
    EXPECT_LT(done, 1);
    last = done;
  });
}

// A machine ten times as slow as expected: what is over tells it of what is to come.
TEST(stage_clock, stages_that_are_over_correct_those_to_come) {
  const StageSeconds expected = {1, 1, 1, 1, 1, 1, 1}, taken = {10, 10, 10, 10, 10, 10, 10};
  StageClock clock(expected);
  play(clock, taken, [&](double now, double left) {
    if (now > 45) {
      EXPECT_NEAR(clock.remaining(), left, 0.3 * left + 0.1) << "at " << now;
    }
  });
}

TEST(stage_clock, a_stage_that_says_nothing_passes_by_the_clock) {
  StageClock clock({0, 0, 10, 0, 0, 0, 2});
  clock.at(RenderStage::far, 0, 0);
  clock.pass(4);
  EXPECT_NEAR(clock.remaining(), 8, 0.01);
  clock.pass(30);
  EXPECT_GT(clock.remaining(), 2);
  EXPECT_LT(clock.done(), 0.95);
}

TEST(stage_clock, the_time_limit_bounds_the_game_and_not_what_follows) {
  StageClock clock({0, 0, 0, 2, 0, 0, 0});
  clock.limit(5);
  clock.at(RenderStage::iterate, 0, 0);
  clock.at(RenderStage::iterate, 1e-6, 1);  // a million seconds by its samples
  EXPECT_NEAR(clock.remaining(), 4 + 2, 0.1);
}

TEST(stage_clock, looks_at_the_noise_count_while_the_game_goes_on) {
  StageClock clock({10, 0, 0, 1, 0, 0, 0});
  clock.looks(0, 3);
  clock.at(RenderStage::iterate, 0.5, 5);
  EXPECT_NEAR(clock.remaining(), 5 + 3 + 1, 0.1);
  clock.pass(9);
  clock.looks(4, 2);  // no samples were played meanwhile
  clock.at(RenderStage::iterate, 0.5, 9);
  EXPECT_NEAR(clock.remaining(), 5 + 2 + 1, 0.1);
  clock.at(RenderStage::iterate, 1, 13);
  clock.at(RenderStage::gather, 0, 13);
  EXPECT_LT(clock.remaining(), 2);
}

Flame plain_flame(int width, double quality, double radius) {
  Flame flame = read_flames(std::string(source_dir()) + "/flames/halo.flam3", {}).flames.at(0);
  flame.scale *= width / double(flame.width);
  flame.height = width * 9 / 16;
  flame.width = width;
  flame.quality = quality;
  flame.estimator_radius = radius;
  return flame;
}

/// What the stages of a flame at 4K cost, where its samples fall evenly.
StageSeconds costs_of(const Flame& flame) {
  const PreparedFrame frame = prepare(Frame{flame, {}, {}, 0}, {});
  const FarWork far = {6.0 * frame.plan.geometry.width * frame.plan.geometry.height, 130};
  return stage_costs(frame, double(frame.compiled.sample_count),
                     even_load(frame.plan, frame.compiled), far);
}

TEST(stage_costs, density_estimation_costs_by_its_radius_and_by_what_is_lit) {
  const auto at = [](const StageSeconds& seconds, RenderStage stage) {
    return seconds[std::size_t(stage)];
  };
  const StageSeconds wide = costs_of(plain_flame(3840, 6, 20)),
                     none = costs_of(plain_flame(3840, 6, 0)),
                     bright = costs_of(plain_flame(3840, 6000, 20));
  double all = 0;
  for (double seconds : wide) all += seconds;
  EXPECT_GT(
      at(wide, RenderStage::select) + at(wide, RenderStage::far) + at(wide, RenderStage::gather),
      0.6 * all);
  EXPECT_EQ(at(none, RenderStage::far), 0);
  EXPECT_EQ(at(none, RenderStage::gather), 0);
  EXPECT_EQ(at(bright, RenderStage::far), 0);  // hardly anything is spread wide
  EXPECT_NEAR(at(bright, RenderStage::iterate), 1000 * at(wide, RenderStage::iterate),
              at(bright, RenderStage::iterate) * 0.01);
}

// Until noise is low: 4900 s to go until the first look, by the quality that would bound it.
TEST(progress_report, fewer_samples_take_less_of_what_was_expected) {
  std::vector<Progress> heard;
  RenderOptions options;
  options.on_progress = [&](const Progress& progress) { heard.push_back(progress); };
  ProgressReport report(options, 1'000'000'000);
  report.expect({1e6, 0, 0, 0, 0, 0, 0});
  report.samples(1000);
  for (int i = 0; i < 60; ++i) {
    timespec pause{0, 2'000'000};
    nanosleep(&pause, nullptr);
  }
  report.iterated(0, 100);
  ASSERT_FALSE(heard.empty());
  EXPECT_LT(heard.back().remaining_s, 2);
}

TEST(progress_report, names_what_makes_light_of_the_sums) {
  const auto name = [](double estimator, double clean) {
    Flame flame = plain_flame(320, 10, estimator);
    flame.clean = clean;
    return std::string(name_of(RenderStage::gather, prepare({flame, {}, {}, 0}, {}).plan));
  };
  EXPECT_EQ(name(0, 0), "log scale");
  EXPECT_EQ(name(9, 0), "density estimation");
  EXPECT_EQ(name(9, 0.5), "clean");
}

TEST(progress_report, an_early_stage_that_is_left_out_costs_nothing) {
  std::vector<Progress> heard;
  RenderOptions options;
  options.on_progress = [&](const Progress& progress) { heard.push_back(progress); };
  ProgressReport report(options, 1000);
  report.expect({0, 0, 1e6, 0, 0, 0, 0});
  report.iterated(1000, 100);
  report.at(RenderStage::gather, 0);  // nothing went through the FFT
  report.at(RenderStage::tone, 1);
  for (int i = 0; i < 60; ++i) {
    timespec pause{0, 2'000'000};
    nanosleep(&pause, nullptr);
  }
  report.hear(-1, 1);
  ASSERT_FALSE(heard.empty());
  EXPECT_LT(heard.back().remaining_s, 10);
}

/// Bytes that come back from the device for a picture, the fewest of some: a busy machine may take longer than a
/// tenth of a second.
std::uint64_t fewest_bytes(const Flame& flame, const RenderOptions& options) {
  Renderer renderer(options);
  std::uint64_t fewest = ~std::uint64_t(0);
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t before = downloaded_bytes();
    renderer.render(Frame{flame, {}, {}, 0});
    fewest = std::min(fewest, downloaded_bytes() - before);
  }
  return fewest;
}

// Films on a GPU lost 15 to 18 %: of each frame rows of the histogram came back for a forecast that nobody saw.
TEST(progress_report, of_a_picture_that_is_quickly_made_no_histogram_is_read) {
  const Flame flame = test::sample_flame("conch", 64, 5);
  ASSERT_GT(flame.estimator_radius, 0);
  RenderOptions silent, told;
  silent.backend = told.backend = Backend::cpu;
  told.on_progress = [](const Progress&) {};
  EXPECT_EQ(fewest_bytes(flame, told), fewest_bytes(flame, silent));
}

}  // namespace

namespace cli {
namespace {

TEST(time_to_go, counts_pictures_behind_the_one_under_way_and_the_last_file) {
  TimeToGo time_to_go({{1, 0.5}, {2, 0.5}, {4, 0.5}});
  Progress picture;
  picture.elapsed_s = 5;
  picture.remaining_s = 5;  // ten seconds for what costs 1
  EXPECT_NEAR(time_to_go.of_all(picture, 5).remaining_s, 5 + 10 * (2 + 4 + 0.5), 1e-9);
  time_to_go.start(2);
  picture.remaining_s = 20;
  const Progress last = time_to_go.of_all(picture, 60);
  EXPECT_NEAR(last.remaining_s, 20 + 0.5 * 60 / (4 + 2), 1e-9);
  EXPECT_NEAR(last.done, 60 / (60 + last.remaining_s), 1e-9);
}

// A folder of small pictures, none of which ever spoke: "0.0 s left" from the first to the last.
TEST(time_to_go, pictures_that_say_nothing_count_by_those_behind_them) {
  TimeToGo time_to_go({{1, 0.5}, {2, 0.5}, {4, 0.5}});
  EXPECT_NEAR(time_to_go.of_all({}, 0).remaining_s, 1 + 2 + 4 + 0.5, 1e-9);
  time_to_go.start(1);
  EXPECT_NEAR(time_to_go.of_all({}, 3).remaining_s, 3 / 1.5 * (2 + 4 + 0.5), 1e-9);
}

// One frame with motion blur: of 0.35 s that it took to begin 4 s to go followed, and it took 0.7.
TEST(time_to_go, what_is_under_way_tells_its_own_time) {
  EXPECT_NEAR(time_to_go(0.35, 0.7, 10, 10), 0.7, 1e-9);
  EXPECT_NEAR(time_to_go(0.35, 0.7, 10, 30), 0.7 + 2 * 1.05, 1e-9);
  EXPECT_EQ(time_to_go(1, 0, 5, 4), 0);
}

TEST(time_to_go, the_bar_never_goes_back) {
  TimeToGo time_to_go({{1, 0}, {1, 0}});
  Progress picture;
  picture.elapsed_s = 0.9;
  picture.remaining_s = 0.1;
  const double done = time_to_go.of_all(picture, 1).done;
  time_to_go.start(1);
  picture.remaining_s = 50;
  EXPECT_GE(time_to_go.of_all(picture, 1.1).done, done);
}

}  // namespace
}  // namespace cli
}  // namespace kiln
