// SPDX-License-Identifier: MIT
// What a live picture says of its noise, and its pictures in another look that nothing is played for.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <thread>

#include "engine/base/resources.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/live/live_flame.h"
#include "engine/live/live_pictures.h"
#include "engine/model/image.h"
#include "engine/render/renderer.h"
#include "engine/render/still.h"
#include "tests/devices.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

using namespace std::chrono_literals;

/// A sample flame at 320 pixels: at quality 600 it has 50 units of work.
Flame sample(const std::string& name, double quality) {
  return test::sample_flame(name, 320, quality);
}

const auto never = [] { return false; };

/// The root mean square of what two pictures of 16 bits differ by, of full scale.
double distance_of(const Image& a, const Image& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.pixels16().size(); ++i) {
    if (i % 4 == 3) continue;
    const double difference = double(a.pixels16()[i]) - b.pixels16()[i];
    sum += difference * difference;
  }
  return std::sqrt(sum / (3.0 * a.width * a.height)) / 65535;
}

Image deep(const Flame& flame, RenderOptions options, std::uint64_t seed) {
  options.bits = 16;
  options.seed = seed;
  return render(flame, options);
}

/// The distance of a flame's picture from that of endless samples, of which `raw` is the flame, not
/// cleaned. One of so many times its samples stands in for it; that one's own noise, so many times less
/// than raw's, is taken out.
double distance_from_limit(const Flame& flame, const Flame& raw, const RenderOptions& options) {
  constexpr double times = 16;
  Flame more = raw;
  more.quality *= times;
  const Image limit = deep(more, options, 99);
  const auto square = [&](const Flame& of) {
    return std::pow(distance_of(deep(of, options, options.seed), limit), 2);
  };
  return std::sqrt(square(flame) - square(raw) / (times + 1));
}

/// The mean of all colors in 8 bits.
double light_of(const Image& image) {
  double sum = 0;
  for (std::size_t i = 0; i < image.pixels8().size(); ++i)
    sum += i % 4 == 3 ? 0 : image.pixels8()[i];
  return sum / (3.0 * image.width * image.height);
}

TEST(live_noise, is_the_distance_from_a_picture_of_many_more_samples) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    Flame flame = sample("conch", 150);
    flame.estimator_radius = 0;  // with one the limit would have other kernels
    ProgressiveRender picture(options);
    picture.show(flame);
    picture.grow(flame.quality, never, Halves::next);
    ASSERT_TRUE(picture.complete());
    const auto early = picture.noise();  // before there was a picture
    EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(render(flame, options)));
    const auto noise = picture.noise();
    ASSERT_TRUE(noise && early);
    EXPECT_EQ(early->of_all.rms, noise->of_all.rms);
    const double truth = distance_from_limit(flame, flame, options);
    EXPECT_NEAR(noise->of_all.rms, truth, 0.15 * truth);
    EXPECT_GT(truth, 0.002);
    EXPECT_EQ(noise->map.width, 40);
    // and measuring changed nothing
    EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(render(flame, options)));
    const auto again = picture.noise();
    ASSERT_TRUE(again);
    EXPECT_EQ(again->of_all.rms, noise->of_all.rms);
    EXPECT_EQ(again->map.levels, noise->map.levels);
  }
}

/// As the program says it, whose halves share no sample. What is left is the error, its bias too.
TEST(live_noise, of_a_cleaned_picture_has_what_cleaning_does_wrong) {
  const RenderOptions usual = test::options_of_every_device()[0];
  for (const char* name : {"conch", "halo", "whirligig"}) {
    Flame flame = test::sample_flame(name, 480, 74);  // 4 units
    flame.estimator_radius = 0;
    const Flame raw = flame;
    flame.clean = 1;
    const double truth = distance_from_limit(flame, raw, usual);
    RenderOptions options = usual;
    options.halves = true;
    Renderer renderer(options);
    RenderStatistics statistics;
    Still still{flame};
    ASSERT_TRUE(render_still(renderer, options, still, &statistics)) << name;
    EXPECT_NEAR(statistics.noise, truth, statistics.noise_error) << name;
    EXPECT_GT(statistics.noise_error, 0.15 * statistics.noise);
    EXPECT_LT(statistics.noise_error, 0.22 * statistics.noise);
    ProgressiveRender picture(usual);
    picture.show(flame);
    picture.grow(flame.quality, never, Halves::next);
    EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(render(flame, usual)));
    const auto noise = picture.noise();
    ASSERT_TRUE(noise) << name;
    EXPECT_NEAR(noise->of_all.rms, truth, noise->of_all.error) << name;
    EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(render(flame, usual)));
  }
}

/// Its halves are of different times, and what moved between them is no noise.
TEST(live_noise, of_a_frame_in_motion_is_not_said) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    const Flame flame = sample("conch", 150);
    Flame later = flame;
    later.rotate_deg += 5;
    ProgressiveRender picture(options);
    picture.show(Frame{flame, {flame, later}, {1, 1}, 0});
    picture.grow(flame.quality, never, Halves::next);
    ASSERT_TRUE(picture.complete());
    picture.picture();
    EXPECT_FALSE(picture.noise());
  }
}

TEST(live_noise, is_about_that_of_until_noise) {
  const RenderOptions usual = test::options_of_every_device()[0];
  for (const char* name : {"conch", "gauze"}) {  // an estimator, and pools that go on
    RenderOptions options = usual;
    options.until_noise = 0.012;
    Still still{sample(name, 3000)};
    RenderStatistics statistics;
    Renderer renderer(options);
    ASSERT_TRUE(render_still(renderer, options, still, &statistics)) << name;
    ASSERT_EQ(statistics.ended_by, "noise") << name;
    ProgressiveRender picture(usual);
    Flame flame = sample(name, statistics.quality);
    picture.show(flame);
    picture.grow(flame.quality, never, Halves::next);
    picture.picture();
    const auto noise = picture.noise();
    ASSERT_TRUE(noise) << name;
    EXPECT_NEAR(noise->of_all.rms, statistics.noise, 0.1 * statistics.noise) << name;
  }
}

TEST(live_noise, falls_with_the_samples_and_counts_another_look) {
  const RenderOptions options = test::options_of_every_device()[0];
  Flame flame = sample("conch", 2700);
  ProgressiveRender picture(options);
  picture.show(flame);
  double before = 1;
  for (const double quality : {75, 450, 2700}) {
    picture.grow(quality, never, Halves::next);
    picture.picture();
    const auto noise = picture.noise();
    ASSERT_TRUE(noise) << quality;
    EXPECT_LT(noise->of_all.rms, 0.85 * before) << quality;
    EXPECT_GT(noise->of_all.rms, 0.2 * before * (before < 1)) << quality;
    before = noise->of_all.rms;
  }
  flame.brightness *= 4;  // of the same samples
  ASSERT_TRUE(picture.restyle(flame));
  const auto brighter = picture.noise();
  ASSERT_TRUE(brighter);
  EXPECT_GT(brighter->of_all.rms, 1.1 * before);
}

/// Both pictures that are compared have the look of now, though one of them is there in that of before.
TEST(live_noise, of_another_look_is_that_of_a_picture_made_anew) {
  const RenderOptions options = test::options_of_every_device()[0];
  Flame flame = sample("conch", 150);
  const auto shown = [&](ProgressiveRender& picture) {
    picture.show(flame);
    picture.grow(flame.quality, never, Halves::next);
    picture.picture(nullptr, 16);
    return picture.noise().value().of_all.rms;
  };
  ProgressiveRender picture(options), fresh(options);
  const double before = shown(picture);
  flame.brightness *= 4;
  ASSERT_TRUE(picture.restyle(flame));
  const double after = picture.noise().value().of_all.rms;
  EXPECT_NE(after, before);
  EXPECT_EQ(after, shown(fresh));
}

/// When a picture will be clean follows from its own noise, not from that of the flame before.
TEST(live_noise, of_the_flame_before_tells_nothing_of_this_one) {
  const RenderOptions options = test::options_of_every_device()[0];
  Flame noisy = sample("conch", 150);
  noisy.estimator_radius = 0;
  Flame before = noisy;
  before.quality = 75;
  before.brightness /= 16;
  const auto clean_at = [&](const std::vector<Flame>& flames) {
    LivePictures pictures(options, nullptr, true);
    double quality = 0;
    for (const Flame& flame : flames) {
      pictures.quick(flame, double(flame.width) * flame.height, 0.033);
      for (bool settled = false; !settled;) settled = pictures.better(flame, never).value().settled;
      const auto noise = pictures.noise(flame);
      EXPECT_TRUE(noise);
      if (noise) quality = noise->clean_quality;
    }
    return quality;
  };
  const double alone = clean_at({noisy});
  EXPECT_GT(alone, noisy.quality);
  EXPECT_EQ(clean_at({before, noisy}), alone);
}

/// What cleaning blurs is counted, whatever radius the estimator would have.
TEST(live_noise, counts_grain_alone_where_the_estimator_blurs) {
  const RenderOptions options = test::options_of_every_device()[0];
  for (const auto& [radius, clean] : {std::pair{0, 0}, {0, 1}, {9, 0}, {9, 1}}) {
    Flame flame = sample("conch", 150);
    flame.estimator_radius = radius;
    flame.clean = clean;
    LivePictures pictures(options, nullptr, true);
    pictures.quick(flame, double(flame.width) * flame.height, 0.033);
    for (bool settled = false; !settled;) settled = pictures.better(flame, never).value().settled;
    const auto noise = pictures.noise(flame);
    ASSERT_TRUE(noise) << radius << clean;
    EXPECT_EQ(noise->is_grain, radius > 0 && clean == 0) << radius << clean;
  }
}

TEST(live_noise, of_a_picture_without_halves_is_not_said) {
  const RenderOptions options = test::options_of_every_device()[0];
  Flame one_unit = sample("conch", 10), passes = sample("conch", 600);
  passes.passes = 2;
  for (const Flame& flame : {one_unit, passes}) {
    ProgressiveRender picture(options);
    picture.show(flame);
    picture.grow(1e9, never, Halves::next);
    ASSERT_TRUE(picture.complete());
    picture.picture();
    EXPECT_FALSE(picture.noise());
  }
}

/// Hears of noise.
struct Heard {
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<LiveNoise> noises;
  LivePicture last;
  std::vector<std::string> errors;
  LiveFlame live;

  Heard(const Flame& flame, const RenderOptions& options, bool listens = true)
      : live({flame}, {}, options, listener(listens)) {}
  LiveFlame::Listener listener(bool listens) {
    LiveFlame::Listener listener;
    const auto note = [this](auto work) {
      const std::lock_guard lock(mutex);
      work();
      changed.notify_all();
    };
    listener.picture = [=, this](LivePicture picture) { note([&] { last = std::move(picture); }); };
    listener.thumbnail = [](LiveThumbnail) {};
    listener.error = [=, this](std::uint64_t, const std::string& text) {
      note([&] { errors.push_back(text); });
    };
    listener.changed = [] {};
    if (listens)
      listener.noise = [=, this](LiveNoise noise) {
        note([&] { noises.push_back(std::move(noise)); });
      };
    return listener;
  }
  template <class Condition>
  bool wait(Condition condition) {
    std::unique_lock lock(mutex);
    return changed.wait_for(lock, 60s, condition);
  }
};

TEST(live_noise, is_heard_of_once_the_picture_is_finished_and_after_another_look) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    Flame flame = sample("conch", 300);
    Heard heard(flame, options);
    const auto of = [&](std::uint64_t revision) {
      return heard.wait([&] {
        return !heard.noises.empty() && heard.noises.back().revision == revision &&
               heard.noises.back().noise.quality == flame.quality;
      });
    };
    ASSERT_TRUE(of(heard.live.state().revision));
    EXPECT_TRUE(heard.last.settled);
    const LivePictures::Noise first = heard.noises.back().noise;
    EXPECT_GE(first.clean_quality, first.quality);
    flame.brightness *= 4;
    const std::uint64_t revision = heard.live.edit(genome_xml(flame), 0).revision;
    ASSERT_TRUE(of(revision));
    EXPECT_GT(heard.noises.back().noise.of_all.rms, first.of_all.rms);
    EXPECT_EQ(pixel_hash(heard.last.image), pixel_hash(render(flame, options)));
    EXPECT_TRUE(heard.errors.empty());
  }
}

TEST(live_noise, edits_end_what_was_begun_and_the_picture_is_the_render) {
  const RenderOptions options = test::options_of_every_device()[0];
  Flame flame = sample("conch", 300);
  Heard heard(flame, options);
  std::uint64_t revision = 0;
  for (int i = 0; i < 60; ++i) {  // some come while pictures are developed or measured
    flame.gamma = 3 + 0.01 * i;
    if (i % 20 == 0) flame.xforms[0].coefs.c += 0.001;
    revision = heard.live.edit(genome_xml(flame), 1).revision;
    std::this_thread::sleep_for(std::chrono::milliseconds(130 + 7 * (i % 10)));
  }
  ASSERT_TRUE(heard.wait([&] { return heard.last.settled && heard.last.revision == revision; }));
  EXPECT_EQ(pixel_hash(heard.last.image), pixel_hash(render(flame, options)));
  for (const std::string& error : heard.errors) ADD_FAILURE() << error;
}

// ---- looks at a picture that is there ----

TEST(glance, is_the_picture_smaller_and_nothing_is_played) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    for (const char* name : {"conch", "tides"}) {
      Flame flame = sample(name, 400);
      flame.supersample = name[0] == 't' ? 2 : 1;
      ProgressiveRender picture(options);
      picture.show(flame);
      picture.grow(200, never);
      const double quality = picture.quality();
      const Image whole = picture.picture();
      for (const int side : {2, 3}) {
        flame.brightness *= 1.5;
        ASSERT_TRUE(picture.restyle(flame));
        const Image glance = picture.glance(flame, side);
        ASSERT_EQ(glance.width, flame.width / side);
        ASSERT_EQ(glance.height, flame.height / side);
        EXPECT_EQ(picture.quality(), quality);
        // as a render of its size with as many samples, which another game makes
        Flame small = flame;
        small.width /= side;
        small.height /= side;
        small.scale /= side;
        small.supersample = 1;
        small.quality = quality * side * side;
        const Image expected = render(small, options);
        double difference = 0;
        for (std::size_t i = 0; i < expected.pixels8().size(); ++i)
          difference += std::abs(double(glance.pixels8()[i]) - expected.pixels8()[i]);
        difference /= 3.0 * glance.width * glance.height;
        EXPECT_LT(difference, 0.05 * light_of(expected)) << name << " " << side;
        EXPECT_NEAR(light_of(glance), light_of(expected), 0.01 * light_of(expected)) << name;
      }
      EXPECT_GT(light_of(whole), 1);
      picture.grow(1e9, never);
      EXPECT_EQ(pixel_hash(picture.picture()), pixel_hash(render(flame, options))) << name;
    }
  }
}

TEST(glance, is_cleaned_where_it_may_take_that_long) {
  for (const RenderOptions& options : test::options_of_every_device()) {
    Flame flame = sample("conch", 4), small = flame;
    flame.clean = 1;
    small.width /= 2;
    small.height /= 2;
    small.scale /= 2;
    small.quality = 1000;
    const Image finished = render(small, options);
    ProgressiveRender picture(options);
    picture.show(flame);
    picture.grow(1e9, never);
    const auto error = [&](bool cleans) {
      const Image glance = picture.glance(flame, 2, nullptr, cleans);
      double sum = 0;
      for (std::size_t i = 0; i < finished.pixels8().size(); ++i)
        sum += std::pow(double(glance.pixels8()[i]) - finished.pixels8()[i], 2);
      return std::sqrt(sum);
    };
    EXPECT_LT(error(true), 0.9 * error(false));
  }
}

TEST(glance, serves_a_look_that_reaches_further_than_the_sums) {
  const RenderOptions options = test::options_of_every_device()[0];
  Flame flame = sample("conch", 100);
  ProgressiveRender picture(options);
  picture.show(flame);
  picture.grow(1e9, never);
  Flame wider = flame;
  wider.estimator_radius += 6;
  EXPECT_FALSE(picture.restyle(wider));
  EXPECT_TRUE(picture.lends(wider));
  EXPECT_EQ(picture.glance(wider, 2).width, 160);
  wider.xforms[0].coefs.c += 0.01;
  EXPECT_FALSE(picture.lends(wider)) << "another flame";
}

/// Of a settled flame of 1280 x 720 each look is made of its samples, whatever it takes.
TEST(glance, every_look_edit_of_a_settled_picture_shows_all_its_samples) {
  const RenderOptions options = test::options_of_every_device()[0];
  Flame flame = sample("conch", 30);
  flame.scale *= 4;
  flame.width *= 4;
  flame.height *= 4;
  LivePictures pictures(options, nullptr);
  const double pixels = double(flame.width) * flame.height;
  pictures.quick(flame, pixels, 0.033);
  for (bool settled = false; !settled;) settled = pictures.better(flame, never).value().settled;
  for (const double brightness : {4.0, 8.0, 2.0}) {
    flame.brightness = brightness;
    const LivePictures::Picture look = pictures.quick(flame, pixels, 0.033);
    EXPECT_EQ(look.quality, flame.quality);
    EXPECT_GE(look.image.width, flame.width / 3);
  }
  flame.estimator_radius += 5;  // the sums have no such margin: they are lent
  const LivePictures::Picture lent = pictures.quick(flame, pixels, 0.033);
  EXPECT_EQ(lent.quality, flame.quality);
  const LivePictures::Picture next = pictures.better(flame, never).value();
  EXPECT_GE(next.quality, flame.quality / 4) << "a fog after a clear picture";
}

}  // namespace
}  // namespace kiln
