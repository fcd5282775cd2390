// SPDX-License-Identifier: MIT
// Which picture of a flame that is edited comes next, by arithmetic: no device plays, and the seconds are made up.
#include "engine/live/live_schedule.h"

#include <gtest/gtest.h>

#include <vector>

namespace kiln {
namespace {

using Kind = LiveWork::Kind;
using Sums = LiveSchedule::Sums;

Flame flame_of(int width, int height, double quality) {
  Flame flame;
  flame.width = width;
  flame.height = height;
  flame.quality = quality;
  flame.estimator_radius = 0;
  return flame;
}

/// A machine on which a sample a pixel and a whole picture take so long.
class Machine {
 public:
  Machine(LiveSchedule& schedule, Flame flame, double a_quality_s = 0.01, double develop_s = 0.02)
      : schedule_(schedule), flame_(flame), a_quality_s_(a_quality_s), develop_s_(develop_s) {}

  LiveSchedule::Seen seen() const { return {quality_, quality_ >= flame_.quality}; }
  LiveWork quick(double most_pixels, double budget_s, Sums sums) {
    const LiveWork work = schedule_.quick(flame_, most_pixels, budget_s, sums, seen());
    if (work.kind == Kind::whole) schedule_.developed(flame_, seen(), develop_s_, true);
    return work;
  }
  /// Does what better() wants next.
  std::optional<LiveWork> next() {
    const std::optional<LiveWork> work = schedule_.better(flame_, false, seen());
    if (!work) return work;
    if (work->kind == Kind::show) {
      quality_ = 0;
      schedule_.showed();
    }
    if (work->kind == Kind::grow) {
      const double from = quality_;
      quality_ = std::max(from, work->quality);
      schedule_.grew(seen(), (quality_ - from) * a_quality_s_);
    }
    if (work->kind == Kind::whole) schedule_.developed(flame_, seen(), develop_s_, false);
    return work;
  }
  /// Until nothing is left to do: the qualities of the whole pictures.
  std::vector<double> shown() {
    std::vector<double> qualities;
    while (const auto work = next())
      if (work->kind == Kind::whole) qualities.push_back(quality_);
    return qualities;
  }
  Flame& flame() { return flame_; }
  double quality() const { return quality_; }

 private:
  LiveSchedule& schedule_;
  Flame flame_;
  double a_quality_s_, develop_s_, quality_ = 0;
};

constexpr double pixels = 160 * 90, budget_s = 0.033;

TEST(LiveSchedule, the_picture_is_shown_at_each_quarter_of_its_quality) {
  LiveSchedule schedule(1e-7, false);
  Machine machine(schedule, flame_of(160, 90, 64));
  EXPECT_EQ(machine.quick(pixels, budget_s, Sums::others).kind, Kind::sketch);
  EXPECT_EQ(machine.next()->kind, Kind::show);
  EXPECT_EQ(machine.next()->kind, Kind::grow);
  EXPECT_EQ(machine.quality(), 1);
  EXPECT_EQ(machine.next()->kind, Kind::whole);
  EXPECT_EQ(machine.shown(), (std::vector<double>{4, 16, 64}));
  EXPECT_FALSE(machine.next());
}

TEST(LiveSchedule, another_look_is_shown_of_the_samples_that_are_there) {
  constexpr double all = 640 * 360;
  LiveSchedule schedule(1e-7, false);
  Machine machine(schedule, flame_of(640, 360, 64));
  machine.quick(all, budget_s, Sums::others);
  machine.shown();
  // the whole picture where it fits the budget, else as much of it as does, and never less than a third of its width
  EXPECT_EQ(machine.quick(all, 0.02, Sums::own).kind, Kind::whole);
  const LiveWork half = machine.quick(all, 0.0066, Sums::own);
  EXPECT_EQ(half.kind, Kind::glance);
  EXPECT_EQ(half.side, 2);
  EXPECT_TRUE(half.cleans);
  const LiveWork least = machine.quick(all, 1e-6, Sums::own);
  EXPECT_EQ(least.side, 3);
  EXPECT_FALSE(least.cleans);
  // then the whole one is settled, and nothing is played
  EXPECT_EQ(machine.next()->kind, Kind::whole);
  EXPECT_FALSE(machine.next());
}

TEST(LiveSchedule, a_picture_that_is_too_small_for_a_part_of_it_is_shown_whole) {
  LiveSchedule schedule(1e-7, false);
  Machine machine(schedule, flame_of(120, 60, 16));  // hardly more than the least
  machine.quick(pixels, budget_s, Sums::others);
  machine.shown();
  EXPECT_EQ(machine.quick(pixels, 1e-6, Sums::own).kind, Kind::whole);
  LiveSchedule slow(1e-7, false);
  Machine slowly(slow, flame_of(120, 60, 16), 0.01, 0.2);  // a fog is better than that
  slowly.quick(pixels, budget_s, Sums::others);
  slowly.shown();
  EXPECT_EQ(slowly.quick(pixels, 1e-6, Sums::own).kind, Kind::sketch);
}

TEST(LiveSchedule, what_was_seen_of_lent_sums_is_not_shown_much_worse) {
  for (const bool is_lent : {false, true}) {
    LiveSchedule schedule(1e-7, false);
    Machine machine(schedule, flame_of(640, 360, 256));
    machine.quick(640 * 360, budget_s, Sums::others);
    machine.shown();
    const LiveWork work = machine.quick(640 * 360, 1e-3, is_lent ? Sums::lent : Sums::others);
    EXPECT_EQ(work.kind, is_lent ? Kind::glance : Kind::sketch);
    EXPECT_EQ(machine.next()->kind, Kind::show);
    EXPECT_EQ(machine.shown().front(), is_lent ? 64 : 1);
  }
}

TEST(LiveSchedule, what_was_seen_of_lent_sums_is_nothing_to_the_flame_after_it) {
  LiveSchedule schedule(1e-7, false);
  Machine machine(schedule, flame_of(640, 360, 256));
  machine.quick(640 * 360, budget_s, Sums::others);
  machine.shown();
  EXPECT_EQ(machine.quick(640 * 360, 1e-3, Sums::lent).kind, Kind::glance);
  EXPECT_EQ(machine.quick(640 * 360, 1e-3, Sums::others).kind, Kind::sketch);
  EXPECT_EQ(machine.next()->kind, Kind::show);
  EXPECT_EQ(machine.shown().front(), 1);
}

TEST(LiveSchedule, a_picture_larger_than_its_stage_is_shown_smaller_before) {
  LiveSchedule schedule(1e-7, false);
  Machine machine(schedule, flame_of(640, 360, 64));
  machine.quick(160 * 90, budget_s, Sums::others);
  machine.next();
  std::vector<double> qualities;
  for (auto work = machine.next(); work->kind != Kind::whole; work = machine.next()) {
    if (work->kind != Kind::glance) continue;
    EXPECT_EQ(work->side, 4);
    EXPECT_FALSE(work->cleans);
    qualities.push_back(machine.quality());
  }
  EXPECT_EQ(qualities, (std::vector<double>{0.25}));
  Machine frames(schedule, flame_of(640, 360, 64));
  frames.quick(160 * 90, budget_s, Sums::others);
  schedule.showed();
  EXPECT_EQ(schedule.better(frames.flame(), true, {})->quality, 1) << "a film's frame is not";
}

/// Who edits in the midst of a growth gets no picture of it: the game goes on first.
TEST(LiveSchedule, what_is_interrupted_grows_on) {
  LiveSchedule schedule(1e-7, false);
  const Flame flame = flame_of(160, 90, 64);
  schedule.quick(flame, pixels, budget_s, Sums::others, {});
  schedule.better(flame, false, {});
  schedule.showed();
  EXPECT_EQ(schedule.better(flame, false, {})->kind, Kind::grow);
  schedule.grew({0.5, false}, 0.1);
  schedule.interrupted();
  const auto work = schedule.better(flame, false, {0.5, false});
  EXPECT_EQ(work->kind, Kind::whole) << "sums that nobody has seen are shown as they are";
  schedule.developed(flame, {0.5, false}, 0.02, false);
  EXPECT_EQ(schedule.better(flame, false, {0.5, false})->kind, Kind::grow);
}

TEST(LiveSchedule, noise_is_measured_at_the_end_and_where_it_costs_little) {
  const Flame flame = flame_of(160, 90, 64);
  for (const bool is_slow : {false, true}) {  // the game
    LiveSchedule schedule(1e-7, true);
    Machine machine(schedule, flame, is_slow ? 1 : 0.001);
    machine.quick(pixels, budget_s, Sums::others);
    std::vector<bool> measured;
    std::vector<Halves> halves;
    while (const auto work = machine.next()) {
      if (work->kind == Kind::grow) halves.push_back(work->halves);
      if (work->kind == Kind::whole) measured.push_back(schedule.has_noise());
    }
    EXPECT_EQ(measured, (std::vector<bool>{is_slow, is_slow, is_slow, true}));
    EXPECT_EQ(halves.front(), Halves::last) << "nobody knows yet how long it takes";
    EXPECT_EQ(halves.back(), is_slow ? Halves::next : Halves::last);
    schedule.measured(false);
    EXPECT_TRUE(schedule.has_noise());
    schedule.measured(true);
    EXPECT_FALSE(schedule.has_noise());
    machine.quick(pixels, budget_s, Sums::own);
    EXPECT_FALSE(schedule.has_noise());
  }
  LiveSchedule unasked(1e-7, false);
  Machine machine(unasked, flame, 1);
  machine.quick(pixels, budget_s, Sums::others);
  while (const auto work = machine.next()) {
    EXPECT_EQ(work->halves, Halves::none);
    EXPECT_FALSE(unasked.has_noise());
  }
}

TEST(LiveSchedule, noise_says_how_many_samples_it_takes) {
  LiveSchedule schedule(1e-7, true);
  const Flame flame = flame_of(160, 90, 64);
  schedule.quick(flame, pixels, budget_s, Sums::others, {});
  const auto noise = [](double rms) {
    PictureNoise noise;
    noise.rms = rms;
    return noise;
  };
  // it falls by the root of the samples, as long as nobody knows better
  EXPECT_NEAR(schedule.clean_quality(flame, {16, noise(0.04)}, 10), 160, 1e-6);
  EXPECT_NEAR(schedule.clean_quality(flame, {256, noise(0.02)}, 160), 160 * 16, 1e-6)
      << "by their fourth root";
  // of another flame nothing is known
  schedule.quick(flame, pixels, budget_s, Sums::others, {});
  EXPECT_NEAR(schedule.clean_quality(flame, {16, noise(0.02)}, 10), 40, 1e-6);
}

}  // namespace
}  // namespace kiln
