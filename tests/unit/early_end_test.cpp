// SPDX-License-Identifier: MIT
// Stills of the library that end before their quality, when they are good enough or out of time: the
// program's files to the last byte, and stopped as soon as any other.
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <thread>

#include "engine/api/kiln.h"
#include "engine/api/kiln_c.h"
#include "tests/cli/program.h"
#include "tests/devices.h"

namespace kiln {
namespace {

using namespace test;
using Clock = std::chrono::steady_clock;

Scene triangle_of(double quality = 0) {
  Scene scene = parse_scenes(triangle()).at(0);
  scene.set_width(320);
  if (quality > 0) scene.set_quality(quality);
  return scene;
}

std::string file_of_program(std::vector<std::string> options) {
  const ScratchFolder folder;
  write_file(folder / "a.flame", triangle());
  options.insert(options.begin(), {"render", "a.flame", "-o", "a.png", "--width", "320", "-q"});
  const Outcome outcome = run_program(options, {folder.path(), "", {}, {}});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  return read_file(folder / "a.png");
}

constexpr double some_noise = 0.03 / 100;

TEST(EarlyEnd, IsThatOfTheProgram) {
  const std::string expected = file_of_program({"--until-noise", "0.03"});
  for (RenderOptions options : options_of_every_device()) {
    Session session(options);
    options.until_noise = some_noise;
    const Picture good = session.render(triangle_of(), options);
    EXPECT_TRUE(encode(good) == expected);
    const RenderStatistics& said = good.statistics;
    EXPECT_EQ(said.ended_by, "noise");
    EXPECT_LE(said.noise + said.noise_error, some_noise);
    EXPECT_GT(said.noise + said.noise_error, 0.9 * some_noise);
    const Picture plain = session.render(triangle_of(said.quality));
    EXPECT_EQ(plain.hash, good.hash);
    EXPECT_EQ(plain.statistics.samples, said.samples);
    EXPECT_EQ(plain.statistics.quality, said.quality);
    EXPECT_EQ(plain.statistics.noise, -1);
    EXPECT_EQ(plain.statistics.ended_by, "");
  }
}

TEST(EarlyEnd, ComesWithTheMostQuality) {
  RenderOptions options = options_of_every_device().front();
  options.until_noise = some_noise / 3;
  options.most_quality = 300;
  const Picture most = render(triangle_of(), options);
  EXPECT_TRUE(encode(most) == file_of_program({"--until-noise", "0.01", "--quality", "300"}));
  EXPECT_EQ(most.statistics.ended_by, "");
  EXPECT_EQ(most.statistics.quality, 300);
  EXPECT_GT(most.statistics.noise, some_noise / 3);
}

TEST(EarlyEnd, ComesWithTheTime) {
  for (RenderOptions options : options_of_every_device()) {
    Session session(options);
    options.time_limit_s = 0.3;
    options.halves = true;
    const Picture limited = session.render(triangle_of(1e6), options);
    EXPECT_EQ(limited.statistics.ended_by, "time");
    EXPECT_LT(limited.statistics.quality, 1e6);
    EXPECT_GT(limited.statistics.noise, 0);
    EXPECT_EQ(session.render(triangle_of(limited.statistics.quality)).hash, limited.hash);
    const Scene again = parse_scenes(limited.genome).at(0);
    EXPECT_EQ(again.quality(), limited.statistics.quality);
  }
}

/// A wide estimator asks how bright little light is, which the quality decides that it came to.
TEST(EarlyEnd, OfAWideEstimatorIsThePictureOfItsQuality) {
  for (RenderOptions options : options_of_every_device()) {
    Session session(options);
    const auto wide = [](double quality) {
      Scene scene = triangle_of(quality);
      scene.set("estimator_radius", "20");
      return scene;
    };
    options.time_limit_s = 0.1;
    const Picture limited = session.render(wide(1e6), options);
    EXPECT_EQ(session.render(wide(limited.statistics.quality)).hash, limited.hash);
    options.time_limit_s = 0;
    options.halves = true;
    EXPECT_EQ(session.render(wide(100), options).hash, session.render(wide(100)).hash);
    options.until_noise = 10 * some_noise;
    const Picture good = session.render(wide(0), options);
    EXPECT_EQ(session.render(wide(good.statistics.quality)).hash, good.hash);
  }
}

/// With an odd number of units the first half has one more: looks are even, ends need not be.
TEST(EarlyEnd, OfOddUnitsHasTheNoiseOfOdd) {
  RenderOptions options = options_of_every_device().front();
  options.halves = true;
  const auto noise_of_units = [&](double units) {
    const double quality = (units + 0.01) * 2048 * 1024 / (320 * 240);
    return render(triangle_of(quality), options).statistics.noise;
  };
  EXPECT_NEAR(noise_of_units(15) / noise_of_units(16), std::sqrt(16.0 / 15), 0.05);
}

TEST(EarlyEnd, OfAStateIsGoneOnWith) {
  for (RenderOptions options : options_of_every_device()) {
    const ScratchFolder folder;
    const StateFile state{folder / "a.kiln"};
    Session session(options);
    options.until_noise = 3 * some_noise;
    const Picture good = session.render(triangle_of(), options, state);
    const Scene kept = load_scenes(state.path).at(0);
    EXPECT_EQ(kept.quality(), good.statistics.quality);
    EXPECT_EQ(session.grade(kept, options, state.path).hash, good.hash);
    options.until_noise = some_noise;
    const Picture better = session.render(triangle_of(), options, state);
    EXPECT_EQ(better.statistics.earlier_samples, good.statistics.samples);
    EXPECT_EQ(better.hash, session.render(triangle_of(better.statistics.quality)).hash);
  }
}

TEST(EarlyEnd, IsOfStillsAlone) {
  const auto refused = [](const RenderOptions& options, auto body) {
    try {
      body(options);
    } catch (const Error& error) {
      return error.kind == ErrorKind::usage;
    }
    return false;
  };
  const auto still = [](const RenderOptions& options) { render(triangle_of(1), options); };
  const auto frame = [](const RenderOptions& options) {
    Session().render(Animation(parse_scenes(two_keys())), 0, options);
  };
  const auto live = [](const RenderOptions& options) { LiveScene({triangle_of(1)}, options); };
  RenderOptions wrong;
  for (const double noise : {-0.1, 1.1}) {
    wrong.until_noise = noise;
    EXPECT_TRUE(refused(wrong, still)) << noise;
  }
  wrong = {};
  wrong.time_limit_s = -1;
  EXPECT_TRUE(refused(wrong, still));
  wrong = {};
  wrong.most_quality = -1;
  EXPECT_TRUE(refused(wrong, still));
  RenderOptions early[3];
  early[0].until_noise = 0.01;
  early[1].time_limit_s = 1;
  early[2].halves = true;
  for (const RenderOptions& options : early) {
    EXPECT_TRUE(refused(options, frame));
    EXPECT_TRUE(refused(options, live));
    EXPECT_FALSE(refused(options, still));
  }
}

/// Looks at a large picture take longer than a tenth of a second together, and none may be waited for.
TEST(EarlyEnd, IsStoppedWithinATenthOfASecond) {
  Scene wide = load_scenes(source_dir() + std::string("/flames/halo.flam3")).at(0);
  wide.set_width(1280);
  for (RenderOptions options : options_of_every_device()) {
    Session session(options);
    options.until_noise = 1e-7;
    double longest = 0;
    for (const int after_ms : {50, 300, 550, 800}) {
      double fastest = 1e9;  // a busy machine takes threads away for longer than the limit
      for (int i = 0; i < 3 && fastest > 0.1; ++i) {
        std::stop_source source;
        options.stop = source.get_token();
        Clock::time_point asked;
        std::jthread asks([&] {
          std::this_thread::sleep_for(std::chrono::milliseconds(after_ms));
          asked = Clock::now();
          source.request_stop();
        });
        EXPECT_THROW(session.render(wide, options), Error);
        const Clock::time_point ended = Clock::now();
        asks.join();
        fastest = std::min(fastest, std::chrono::duration<double>(ended - asked).count());
      }
      longest = std::max(longest, fastest);
    }
    EXPECT_LT(longest, 0.1) << session.device();
    testing::Test::RecordProperty("longest_s", std::to_string(longest));
  }
}

TEST(EarlyEnd, IsTheSameInC) {
  kiln_scenes* scenes = nullptr;
  ASSERT_EQ(kiln_parse(triangle_of().xml().c_str(), 0, nullptr, nullptr, &scenes), KILN_OK);
  kiln_options options = kiln_usual_options();
  options.backend = KILN_CPU;
  options.until_noise = some_noise;
  kiln_session* session = nullptr;
  kiln_picture* picture = nullptr;
  ASSERT_EQ(kiln_open(&options, &session), KILN_OK) << kiln_message();
  ASSERT_EQ(kiln_render(session, scenes, 0, nullptr, &picture), KILN_OK) << kiln_message();
  const kiln_statistics said = kiln_get_statistics(picture);
  EXPECT_STREQ(said.ended_by, "noise");
  EXPECT_LE(said.noise + said.noise_error, some_noise);
  EXPECT_EQ(kiln_hash(picture), render(triangle_of(said.quality)).hash);
  kiln_free_picture(picture);
  options.until_noise = 0;
  options.time_limit_s = 0.1;
  ASSERT_EQ(kiln_set(scenes, 0, "quality", "1e6"), KILN_OK);
  ASSERT_EQ(kiln_render(session, scenes, 0, &options, &picture), KILN_OK) << kiln_message();
  EXPECT_STREQ(kiln_get_statistics(picture).ended_by, "time");
  kiln_free_picture(picture);
  kiln_close(session);
  kiln_free_scenes(scenes);
}

}  // namespace
}  // namespace kiln
