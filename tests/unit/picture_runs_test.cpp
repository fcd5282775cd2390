// SPDX-License-Identifier: MIT
// Who makes which pictures, and in runs the pipeline without a renderer.
#include "engine/pipeline/picture_runs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <functional>
#include <thread>
#include <vector>

#include "engine/base/error.h"
#include "engine/pipeline/pipeline.h"

namespace kiln {
namespace {

using namespace std::chrono_literals;
using Pictures = std::vector<int>;

/// Begins all that may be begun.
Pictures begun(PictureRuns& runs) {
  Pictures all;
  while (const auto position = runs.begin()) all.push_back(*position);
  return all;
}

/// The next pictures of a renderer, at most so many; what it needs is begun before.
Pictures taken(PictureRuns& runs, int renderer, int most = 1000) {
  Pictures all;
  for (int i = 0; i < most; ++i) {
    begun(runs);
    const auto next = runs.next_of(renderer);
    if (!next) break;
    all.push_back(*next);
    runs.take(renderer);
  }
  return all;
}

TEST(picture_runs, without_runs_all_take_the_next_of_one_line) {
  PictureRuns runs(5, 2, 0, 4, 2);
  EXPECT_EQ(begun(runs), (Pictures{0, 1}));
  EXPECT_EQ(taken(runs, 1, 1), (Pictures{0}));
  EXPECT_FALSE(runs.are_all_begun());
  EXPECT_EQ(taken(runs, 0, 3), (Pictures{1, 2, 3}));
  EXPECT_EQ(taken(runs, 1), (Pictures{4}));
  EXPECT_TRUE(runs.are_all_begun());
  EXPECT_FALSE(runs.next_of(0) || runs.next_of(1) || runs.begin());
  EXPECT_TRUE(PictureRuns(0, 2, 0, 0, 1).are_all_begun());
  EXPECT_FALSE(PictureRuns(0, 2, 0, 0, 1).next_of(0));
}

TEST(picture_runs, each_renderer_has_neighbors_and_the_most_starved_is_served) {
  PictureRuns runs(8, 2, 4, 4, 2);
  EXPECT_EQ(begun(runs), (Pictures{0, 4, 1, 5}));
  runs.take(1);
  runs.take(1);
  EXPECT_EQ(begun(runs), (Pictures{6, 7}));
  EXPECT_EQ(*runs.next_of(0), 0);
  EXPECT_EQ(taken(runs, 1), (Pictures{6, 7}));  // the other's are too few to share
  EXPECT_EQ(taken(runs, 0), (Pictures{0, 1, 2, 3}));
  EXPECT_TRUE(runs.are_all_begun());
}

TEST(picture_runs, who_is_done_takes_another_run_and_then_half_of_the_longest) {
  PictureRuns runs(40, 2, 16, 4, 1);
  EXPECT_EQ(taken(runs, 1, 17),
            (Pictures{16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32}));
  EXPECT_EQ(taken(runs, 1, 7), (Pictures{33, 34, 35, 36, 37, 38, 39}));
  // of the other's 0 to 15 one is begun: fifteen are left, and it keeps eight of them
  EXPECT_EQ(taken(runs, 1), (Pictures{9, 10, 11, 12, 13, 14, 15}));
  EXPECT_EQ(taken(runs, 0), (Pictures{0, 1, 2, 3, 4, 5, 6, 7, 8}));
  EXPECT_TRUE(runs.are_all_begun());
}

/// Every picture is made once, whoever is how fast.
TEST(picture_runs, all_pictures_are_taken_once) {
  for (const int count : {1, 3, 24, 100, 101}) {
    for (const int renderers : {1, 2, 4}) {
      for (const int run : {0, 1, 5, 25, 1000}) {
        PictureRuns runs(count, renderers, run, 4, 3);
        Pictures all;
        for (int turn = 0; runs.next_of(0) || runs.next_of(1 % renderers) ||
                           runs.next_of(2 % renderers) || runs.next_of(3 % renderers);
             ++turn) {
          const Pictures some = taken(runs, turn * 7 % renderers, turn % 5);
          all.insert(all.end(), some.begin(), some.end());
        }
        std::sort(all.begin(), all.end());
        ASSERT_EQ(all.size(), std::size_t(count)) << renderers << " " << run;
        for (int i = 0; i < count; ++i) ASSERT_EQ(all[std::size_t(i)], i);
      }
    }
  }
}

/// What the renderers of a pipeline made, and what was said, in order.
struct Made {
  std::vector<Pictures> by_renderer;
  Pictures reported;
  int furthest = 0;  // ahead of what was reported
};

Made make_in_runs(
    int count, const Pipeline::Threads& threads,
    const std::function<void(int renderer)>& enter = [](int) {}) {
  Made made;
  made.by_renderer.resize(std::size_t(threads.render));
  std::atomic<int> reported{0}, furthest{0};
  Steps steps;
  steps.count = count;
  steps.enter = enter;
  steps.prepare = [&](int i) {
    return [&, i](int renderer) -> Encode {
      made.by_renderer[std::size_t(renderer)].push_back(i);
      for (int seen = furthest; i - reported > seen;)
        if (furthest.compare_exchange_weak(seen, i - reported)) break;
      std::this_thread::sleep_for(1ms);
      return [&, i]() -> Report {
        return [&, i] {
          made.reported.push_back(i);
          reported = i + 1;
        };
      };
    };
  };
  const auto trouble = Pipeline(std::move(steps), threads).run();
  EXPECT_FALSE(trouble);
  made.furthest = furthest;
  return made;
}

int seams(const Pictures& pictures) {
  int count = 0;
  for (std::size_t i = 1; i < pictures.size(); ++i) count += pictures[i] != pictures[i - 1] + 1;
  return count;
}

TEST(picture_runs, a_pipeline_reports_runs_in_order_and_holds_no_more_than_they_need) {
  const Pipeline::Threads threads = {.prepare = 3, .encode = 2, .render = 3, .run = 20, .seam = 4};
  const Made made = make_in_runs(120, threads);
  ASSERT_EQ(made.reported.size(), 120u);
  EXPECT_TRUE(std::is_sorted(made.reported.begin(), made.reported.end()));
  int all_seams = 0;
  for (const Pictures& pictures : made.by_renderer) {
    EXPECT_GE(pictures.size(), 20u);
    all_seams += seams(pictures);
  }
  EXPECT_LE(all_seams, 12);
  EXPECT_LT(made.furthest, 4 * 20);
}

/// A run more than there are renderers has room: the others go on while one is slow, and no further.
TEST(picture_runs, a_slow_picture_lets_the_others_make_another_run) {
  std::atomic<int> furthest{0}, seen{0};
  Steps steps;
  steps.count = 60;
  steps.prepare = [&](int i) {
    return [&, i](int) -> Encode {
      if (i == 0) {
        for (int turn = 0; turn < 1000 && furthest < 29; ++turn) std::this_thread::sleep_for(5ms);
        std::this_thread::sleep_for(50ms);
        seen = furthest.load();
      } else {
        furthest = std::max(furthest.load(), i);
      }
      return []() -> Report { return [] {}; };
    };
  };
  EXPECT_FALSE(
      Pipeline(steps, {.prepare = 2, .encode = 2, .render = 2, .run = 10, .seam = 4}).run());
  EXPECT_EQ(seen, 29);
}

TEST(picture_runs, pictures_wait_for_no_renderer_that_opens) {
  for (const int run : {0, 24}) {
    const Pipeline::Threads threads = {
        .prepare = 2, .encode = 2, .render = 2, .run = run, .seam = run ? 4 : 0};
    const Made made = make_in_runs(48, threads, [&](int renderer) {
      if (renderer == 0) std::this_thread::sleep_for(500ms);
    });
    EXPECT_EQ(made.reported.size(), 48u);
    // without runs the other made them all meanwhile; in runs all but those that the first keeps
    EXPECT_GE(made.by_renderer[1].size(), run > 0 ? 30u : 47u) << run;
  }
}

TEST(picture_runs, a_renderer_that_does_not_open_ends_the_others) {
  for (const int run : {0, 10}) {
    for (const int failing : {0, 1}) {
      int reported = 0;
      Steps steps;
      steps.count = 400;
      steps.enter = [&](int renderer) {
        if (renderer == failing) fail(ErrorKind::device, "renderer {}", renderer);
      };
      steps.prepare = [&](int) {
        return [&](int) -> Encode {
          std::this_thread::sleep_for(1ms);
          return [&]() -> Report { return [&] { ++reported; }; };
        };
      };
      const auto trouble =
          Pipeline(steps, {.prepare = 1, .encode = 1, .render = 2, .run = run, .seam = 4}).run();
      ASSERT_TRUE(trouble);
      EXPECT_THROW(std::rethrow_exception(trouble->reason), Error);
      EXPECT_LT(reported, 200);
    }
  }
}

}  // namespace
}  // namespace kiln
