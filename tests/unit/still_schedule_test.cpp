// SPDX-License-Identifier: MIT
// What comes next of a still whose sums are kept, by arithmetic: no device plays, and the seconds are made up.
#include "engine/render/schedule/still_schedule.h"

#include <gtest/gtest.h>

namespace kiln {
namespace {

using After = StillSchedule::After;
using End = StillSchedule::End;
using Kind = StillSchedule::Kind;
using Request = Checkpoint::Request;

constexpr std::uint64_t pixels = 1 << 16;  // the first probe after 2 units

/// A still of 10 whole units and a partial one.
StillSchedule still(double noise = 0, double time_limit_s = 0, UnitSet shard = UnitSet({0, 10})) {
  return {{shard, 10, 11, noise, time_limit_s}, ProbeSchedule(noise, pixels, false)};
}

UnitSet units(std::initializer_list<UnitRange> ranges) {
  UnitSet set;
  for (const UnitRange& range : ranges) set.add(range);
  return set;
}

void expect_play(const StillSchedule::Work& work, std::uint64_t first, std::uint64_t end) {
  EXPECT_EQ(work.kind, Kind::play);
  EXPECT_EQ(work.units, (UnitRange{first, end}));
}

TEST(still_schedule, plays_what_is_missing_and_finishes) {
  StillSchedule schedule = still();
  expect_play(schedule.next({}), 0, 10);
  expect_play(schedule.next(units({{0, 3}, {5, 7}})), 3, 5);
  expect_play(schedule.next(units({{0, 7}})), 7, 10);
  EXPECT_EQ(schedule.next(units({{0, 10}})).kind, Kind::finish);
  EXPECT_EQ(schedule.end(), End::quality);
  EXPECT_TRUE(schedule.is_complete(units({{0, 10}})));
  EXPECT_FALSE(schedule.is_complete(units({{0, 9}})));
  EXPECT_FALSE(schedule.is_open());
}

TEST(still_schedule, plays_no_unit_of_another_shard) {
  StillSchedule schedule = still(0, 0, units({{2, 4}, {6, 8}}));
  expect_play(schedule.next(units({{0, 1}})), 2, 4);
  expect_play(schedule.next(units({{0, 1}, {2, 4}})), 6, 8);
  EXPECT_EQ(schedule.units_of_run(units({{2, 4}}), 0), 2u);
  const UnitSet mine = units({{2, 4}, {6, 8}});
  EXPECT_EQ(schedule.next(mine).kind, Kind::finish);
  EXPECT_FALSE(schedule.is_complete(mine));
}

TEST(still_schedule, measures_at_a_probe_and_plays_on_to_the_next) {
  StillSchedule schedule = still(0.01);
  const std::uint64_t first = first_probe(pixels, 0);
  expect_play(schedule.next({}), 0, first);
  const UnitSet done = units({{0, first}});
  EXPECT_EQ(schedule.next(done).kind, Kind::measure);
  schedule.judge(done, {0.02, 0});  // four times the samples, but not the whole way
  EXPECT_EQ(schedule.end(), End::quality);
  const auto work = schedule.next(done);
  expect_play(work, first, next_probe(first, {0.02, 0}, 0.01));
  const UnitSet more = units({{0, work.units.end}});
  EXPECT_EQ(schedule.next(more).kind, Kind::measure);
  schedule.judge(more, {0.009, 0.0005});
  EXPECT_EQ(schedule.next(more).kind, Kind::finish);
  EXPECT_EQ(schedule.end(), End::noise);
  EXPECT_TRUE(schedule.is_complete(more));
  EXPECT_TRUE(schedule.is_open());
}

TEST(still_schedule, goes_on_to_the_probe_that_a_state_has) {
  StillSchedule schedule = still(0.01);
  schedule.next_probe(6);
  expect_play(schedule.next(units({{0, 3}})), 3, 6);
  EXPECT_EQ(schedule.next(units({{0, 6}})).kind, Kind::measure);
  EXPECT_EQ(schedule.next_probe(), 6u);  // as long as nobody has judged
}

TEST(still_schedule, units_with_a_gap_are_no_picture_that_is_measured) {
  StillSchedule schedule = still(0.01);
  schedule.next_probe(4);
  expect_play(schedule.next(units({{0, 2}, {6, 8}})), 2, 4);
  const UnitSet gap = units({{0, 4}, {6, 8}});
  const auto work = schedule.next(gap);
  expect_play(work, 4, 6);
  EXPECT_GT(schedule.next_probe(), 4u);
}

TEST(still_schedule, ends_by_its_time_once_there_is_a_picture) {
  StillSchedule schedule = still(0, 5);
  EXPECT_EQ(schedule.launched(units({{0, 2}}), 4.9, Request::go_on, false), After::go_on);
  EXPECT_EQ(schedule.launched(units({{1, 2}}), 9, Request::go_on, false), After::go_on);
  EXPECT_EQ(schedule.launched(units({{0, 2}, {3, 4}}), 9, Request::go_on, false), After::go_on);
  EXPECT_EQ(schedule.launched(units({{0, 10}}), 9, Request::go_on, false), After::go_on);
  EXPECT_EQ(schedule.end(), End::quality);
  EXPECT_EQ(schedule.launched(units({{0, 3}}), 5, Request::go_on, false), After::finish);
  EXPECT_EQ(schedule.end(), End::time);
  EXPECT_EQ(schedule.next(units({{0, 3}})).kind, Kind::finish);
  EXPECT_TRUE(schedule.is_open());
}

TEST(still_schedule, never_ends_by_a_time_that_nobody_limits) {
  StillSchedule schedule = still();
  EXPECT_EQ(schedule.launched(units({{0, 2}}), 1e9, Request::go_on, false), After::go_on);
}

TEST(still_schedule, a_save_waits_for_the_one_before) {
  StillSchedule schedule = still();
  const UnitSet done = units({{0, 2}});
  EXPECT_EQ(schedule.launched(done, 1, Request::save, true), After::go_on);
  EXPECT_EQ(schedule.launched(done, 1, Request::go_on, true), After::go_on);
  EXPECT_EQ(schedule.launched(done, 1, Request::go_on, false), After::save);
  EXPECT_EQ(schedule.launched(done, 1, Request::go_on, false), After::go_on);
}

TEST(still_schedule, who_stops_it_is_heard_before_its_time) {
  StillSchedule schedule = still(0, 1);
  EXPECT_EQ(schedule.launched(units({{0, 2}}), 9, Request::stop, false), After::stop);
  EXPECT_EQ(schedule.end(), End::quality);
}

TEST(still_schedule, its_last_picture_is_measured_once) {
  StillSchedule schedule = still();
  EXPECT_TRUE(schedule.wants_last_measure(units({{0, 10}})));
  EXPECT_FALSE(schedule.wants_last_measure(units({{0, 1}})));          // of one unit are no halves
  EXPECT_FALSE(schedule.wants_last_measure(units({{0, 4}, {6, 8}})));  // no picture
  schedule.judge(units({{0, 10}}), {0.5, 0});
  EXPECT_FALSE(schedule.wants_last_measure(units({{0, 10}})));
  EXPECT_TRUE(schedule.wants_last_measure(units({{0, 8}})));
}

TEST(still_schedule, says_what_is_to_be_played_as_far_as_one_knows) {
  StillSchedule schedule = still();
  EXPECT_EQ(schedule.units_of_run({}, 0), 10u);
  EXPECT_EQ(schedule.units_of_run(units({{0, 10}}), 10), 1u);  // the partial one, perhaps
  EXPECT_EQ(schedule.probes_to_come(), 1);
  StillSchedule noisy = still(0.01);
  schedule.next({});
  noisy.next_probe(4);
  const UnitSet done = units({{0, 4}});
  noisy.judge(done, {0.0125, 0});
  EXPECT_EQ(noisy.units_of_run(done, 1), std::uint64_t(noisy.next_probe()) - 1);
  noisy.judge(done, {0.1, 0});
  EXPECT_EQ(noisy.units_of_run(done, 0), 11u);  // never more than the picture has
}

}  // namespace
}  // namespace kiln
