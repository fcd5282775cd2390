// SPDX-License-Identifier: MIT
// Small pictures of many flames: each is that of a render, whoever makes it beside which others.
#include "engine/flock/previews.h"

#include <gtest/gtest.h>

#include <atomic>
#include <mutex>

#include "engine/base/error.h"
#include "engine/device/shared_launches.h"
#include "engine/flock/flock.h"
#include "engine/model/image.h"
#include "engine/render/renderer.h"
#include "tests/devices.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

/// Flames of all kinds, at several sizes: samples, and some by chance as they come.
std::vector<Flame> flames_of_all_kinds() {
  std::vector<Flame> flames;
  const char* const samples[] = {"conch", "sierpinski", "coral", "tides", "rosewindow", "bracken"};
  for (const char* name : samples) flames.push_back(test::sample_flame(name, 96, 10));
  for (std::uint64_t seed = 1; seed <= 18; ++seed) {
    Flame flame = random_draft(usual_flame(), seed);
    const int width = 40 + int(seed) * 7, height = 30 + int(seed * 31 % 100);
    flame.scale *= double(width) / flame.width;
    flame.width = width;
    flame.height = height;
    flame.quality = seed % 3 == 0 ? 60 : 8;
    flames.push_back(flame);
  }
  flames[7].supersample = 2;
  flames[8].palette_mode = PaletteMode::linear;
  flames[9].xforms[0].opacity = 0.4;
  flames[10].passes = 2;
  flames[11].estimator_radius = 0;
  flames[12].quality = 600;  // more than one launch of units
  Flame& deep =
      flames.emplace_back(flames[5]);  // in double: most steps go to the middle of the picture
  deep.xforms[0].coefs = {0.5, 0, 0, 0.5, deep.center_x / 2, deep.center_y / 2};
  deep.scale *= 0x1p20;
  return flames;
}

std::vector<std::string> hashes_of_renders(const std::vector<Flame>& flames) {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 2;
  std::vector<std::string> hashes;
  for (const Flame& flame : flames) hashes.push_back(pixel_hash(render(flame, options)));
  return hashes;
}

/// What came of the flames, in the order in which it came.
std::vector<std::string> hashes_of(Previews& previews, const std::vector<Flame>& flames) {
  std::vector<std::string> hashes;
  Previews::Steps steps;
  steps.count = flames.size();
  steps.flame = [&](std::size_t place) { return flames[place]; };
  steps.take = [&](std::size_t place, const Preview& preview) {
    EXPECT_EQ(place, hashes.size());
    hashes.push_back(preview.failure ? preview.failure->what() : pixel_hash(preview.image));
  };
  previews.make(steps);
  return hashes;
}

TEST(Previews, are_the_pictures_of_renders) {
  const std::vector<Flame> flames = flames_of_all_kinds();
  const std::vector<std::string> expected = hashes_of_renders(flames);
  for (RenderOptions options : test::options_of_every_device()) {
    for (const int threads : {1, 3}) {
      options.threads = threads;
      Previews previews(options);
      EXPECT_EQ(hashes_of(previews, flames), expected) << threads;
      EXPECT_EQ(hashes_of(previews, {flames[1]}), std::vector{expected[1]});
    }
  }
}

/// Seats of the CPU, which does everything for each alone; how many seats came together.
class SeatsOfCpu : public SharedLaunches {
 public:
  explicit SeatsOfCpu(std::atomic<std::size_t>& together) : together_(together) {}

 private:
  std::unique_ptr<Device> open_device() override { return open_cpu(1); }
  void run(std::span<SeatWorks* const> seats) override {
    if (seats.size() > together_) together_ = seats.size();
    SharedLaunches::run(seats);
  }
  std::atomic<std::size_t>& together_;
};

TEST(Previews, are_the_same_from_seats) {
  const std::vector<Flame> flames = flames_of_all_kinds();
  const std::vector<std::string> expected = hashes_of_renders(flames);
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 1;
  std::atomic<std::size_t> together = 0;
  for (const int groups : {1, 2}) {
    const auto open = [&] { return std::make_unique<SeatsOfCpu>(together); };
    Previews previews(options, open, groups, 5, 2);
    EXPECT_EQ(hashes_of(previews, flames), expected) << groups;
    EXPECT_EQ(hashes_of(previews, {flames[2], flames[1]}), (std::vector{expected[2], expected[1]}));
  }
  EXPECT_EQ(together, 5u);
}

/// In their order whatever they take, and one that cannot be made leaves the others alone.
TEST(Previews, of_a_flame_that_fails_it_is_said_why) {
  std::vector<Flame> flames(12, test::sample_flame("sierpinski", 32, 5));
  for (Xform& xform : flames[4].xforms) xform.weight = 0;
  const std::string expected = hashes_of_renders({flames[0]})[0];
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 3;
  std::atomic<std::size_t> together = 0;
  Previews whole(options);
  Previews seats(
      options, [&] { return std::make_unique<SeatsOfCpu>(together); }, 1, 4, 2);
  for (Previews* previews : {&whole, &seats}) {
    const std::vector<std::string> hashes = hashes_of(*previews, flames);
    ASSERT_EQ(hashes.size(), flames.size());
    for (std::size_t i = 0; i < hashes.size(); ++i) {
      if (i == 4)
        EXPECT_NE(hashes[i].find("no xform has a weight above 0"), std::string::npos) << hashes[i];
      else
        EXPECT_EQ(hashes[i], expected) << i;
    }
  }
}

TEST(Previews, end_when_they_are_asked_to) {
  const Flame flame = test::sample_flame("conch", 64, 20);
  std::atomic<std::size_t> together = 0;
  for (const bool in_seats : {false, true}) {
    std::stop_source stop;
    RenderOptions options;
    options.backend = Backend::cpu;
    options.threads = 2;
    options.stop = stop.get_token();
    const auto open = [&] { return std::make_unique<SeatsOfCpu>(together); };
    Previews previews = in_seats ? Previews(options, open, 2, 3, 2) : Previews(options);
    std::atomic<std::size_t> begun = 0;
    std::size_t taken = 0;
    Previews::Steps steps;
    steps.count = 100000;
    steps.flame = [&](std::size_t) {
      ++begun;
      return flame;
    };
    steps.take = [&](std::size_t, const Preview&) {
      if (++taken == 10) stop.request_stop();
    };
    try {
      previews.make(steps);
      ADD_FAILURE();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::stopped);
    }
    EXPECT_GE(taken, 10u);
    EXPECT_LT(begun, 200u);  // no more are begun than are needed soon
  }
}

/// Who takes is not overrun.
TEST(Previews, wait_for_who_takes_them) {
  const Flame flame = test::sample_flame("sierpinski", 16, 1);
  RenderOptions options;
  options.backend = Backend::cpu;
  options.threads = 2;
  Previews previews(options);
  std::atomic<std::size_t> begun = 0;
  Previews::Steps steps;
  steps.count = 60;
  steps.flame = [&](std::size_t) {
    ++begun;
    return flame;
  };
  steps.take = [&](std::size_t place, const Preview&) { EXPECT_LE(begun, place + 1 + 4 * 2); };
  previews.make(steps);
  EXPECT_EQ(begun, 60u);
  steps.take = [](std::size_t place, const Preview&) {
    if (place == 3) fail(ErrorKind::output, "enough");
  };
  EXPECT_THROW(previews.make(steps), Error);
  steps.take = [](std::size_t, const Preview&) {};
  steps.see = [](std::size_t place, Preview&) {
    if (place == 3) fail(ErrorKind::output, "enough");
  };
  EXPECT_THROW(previews.make(steps), Error);
}

}  // namespace
}  // namespace kiln
