// SPDX-License-Identifier: MIT
// The pipeline without a renderer: how much is under way at once, and what is said of pictures that
// fail.
#include "engine/pipeline/pipeline.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>

#include "engine/base/error.h"

namespace kiln {
namespace {

using namespace std::chrono_literals;

/// Pictures that only get so far as `encode` and `report`.
Steps steps_of(
    int count, std::function<void(int)> encode, std::function<void(int)> report = [](int) {}) {
  Steps steps;
  steps.count = count;
  steps.prepare = [=](int i) {
    return [=](int) {
      return [=]() -> Report {
        encode(i);
        return [=] { report(i); };
      };
    };
  };
  return steps;
}

constexpr Pipeline::Threads threads = {.prepare = 2, .encode = 2};

/// Raises `furthest` to `i`.
void note_furthest(std::atomic<int>& furthest, int i) {
  for (int seen = furthest; i > seen && !furthest.compare_exchange_weak(seen, i);) {
  }
}

TEST(pipeline, reports_every_picture_in_order) {
  for (const int renderers : {0, 1, 2}) {
    for (const bool sequential : {false, true}) {
      std::vector<int> reported;
      const Steps steps = steps_of(
          50, [](int) {}, [&](int i) { reported.push_back(i); });
      EXPECT_FALSE(Pipeline(steps, {2, 2, renderers, sequential}).run());
      ASSERT_EQ(reported.size(), 50u);
      for (int i = 0; i < 50; ++i) EXPECT_EQ(reported[std::size_t(i)], i);
    }
  }
}

TEST(pipeline, pictures_wait_for_the_report_of_earlier_ones) {
  std::atomic<int> furthest{0};
  int worst = 0;
  const Steps steps = steps_of(
      200, [&](int i) { note_furthest(furthest, i); },
      [&](int i) {
        if (i == 0 || i == 100) std::this_thread::sleep_for(100ms);  // enough for all the others
        worst = std::max(worst, furthest - i);
      });
  EXPECT_FALSE(Pipeline(steps, threads).run());
  EXPECT_EQ(furthest, 199);
  EXPECT_LE(worst, 5);  // one rendered, two encoded, and what lies between
}

TEST(pipeline, a_caller_that_renders_is_one_picture_behind_and_one_ahead) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> prepared{0};
  std::vector<std::string> said;
  Steps steps;
  steps.count = 20;
  steps.prepare = [&](int i) {
    EXPECT_NE(std::this_thread::get_id(), caller);
    prepared = i + 1;
    return [&, i](int) -> Encode {
      EXPECT_EQ(std::this_thread::get_id(), caller);
      for (int wait = 0; i + 1 < steps.count && prepared < i + 2 && wait < 5000; ++wait)
        std::this_thread::sleep_for(1ms);
      EXPECT_EQ(prepared, std::min(i + 2, steps.count));  // the next one, and no other
      said.push_back(fmt::format("render {}", i));
      if (i == 5) return {};  // nothing to encode
      return [&, i]() -> Report {
        EXPECT_NE(std::this_thread::get_id(), caller);
        std::this_thread::sleep_for(5ms);  // longer than the next one takes before
        return [&, i] { said.push_back(fmt::format("report {}", i)); };
      };
    };
  };
  EXPECT_FALSE(Pipeline(steps, {.render = 0}).run());
  ASSERT_EQ(said.size(), 39u);
  const auto place = [&](const char* what, int i) {
    return std::find(said.begin(), said.end(), fmt::format("{} {}", what, i)) - said.begin();
  };
  for (int i = 2; i < steps.count; ++i) {
    if (i - 2 == 5) continue;
    EXPECT_LT(place("report", i - 2), place("render", i));
  }
}

TEST(pipeline, what_was_rendered_before_a_failure_is_reported) {
  std::atomic<bool> failed{false};
  std::vector<int> reported;
  Steps steps;
  steps.count = 20;
  steps.prepare = [&](int i) {
    return [&, i](int) -> Encode {
      if (i == 2) {
        failed = true;
        fail(ErrorKind::device, "frame {}", i);
      }
      return [&, i]() -> Report {
        // the other one waits to be encoded while a third one fails
        for (int wait = 0; i == 0 && wait < 5000 && !failed; ++wait)
          std::this_thread::sleep_for(1ms);
        if (i == 0) std::this_thread::sleep_for(50ms);
        return [&, i] { reported.push_back(i); };
      };
    };
  };
  const auto trouble = Pipeline(steps, {.prepare = 2, .encode = 1}).run();
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->position, 2);
  EXPECT_EQ(reported, (std::vector<int>{0, 1}));
}

TEST(pipeline, a_report_that_fails_is_told_of_its_picture) {
  for (const int threads : {0, 1, 2}) {
    std::vector<int> reported;
    Steps steps;
    steps.count = 20;
    steps.prepare = [&](int i) {
      return [&, i](int) -> Encode {
        return [&, i]() -> Report {
          return [&, i] {
            if (i == 3) fail(ErrorKind::output, "frame {}", i);
            reported.push_back(i);
          };
        };
      };
    };
    const auto trouble = Pipeline(steps, {.prepare = 1, .encode = 1, .render = threads}).run();
    ASSERT_TRUE(trouble) << threads;
    EXPECT_EQ(trouble->position, 3);
    EXPECT_THROW(std::rethrow_exception(trouble->reason), Error);
    EXPECT_EQ(reported, (std::vector<int>{0, 1, 2})) << threads;
  }
}

TEST(pipeline, of_several_failures_the_earliest_is_told) {
  std::atomic<bool> later{false};
  const Steps steps = steps_of(20, [&](int i) {
    if (i == 1) {
      for (int wait = 0; wait < 1000 && !later; ++wait) std::this_thread::sleep_for(1ms);
      std::this_thread::sleep_for(20ms);
    }
    if (i == 2) later = true;
    if (i == 1 || i == 2) fail(ErrorKind::output, "frame {}", i);
  });
  const auto trouble = Pipeline(steps, threads).run();
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->position, 1);
  try {
    std::rethrow_exception(trouble->reason);
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "frame 1");
  }
}

/// Whoever does the work, and whatever of it fails: the picture that is told is the one that failed.
TEST(pipeline, a_failure_is_told_of_its_own_picture) {
  for (const Pipeline::Threads& kind :
       {Pipeline::Threads{1, 1, 1, true}, {2, 2, 1, false}, {2, 2, 2, false}, {1, 1, 0, false}}) {
    for (const std::string failing : {"prepare", "render", "encode"}) {
      const auto step = [&](const char* name, int i) {
        if (i == 3 && failing == name) fail(ErrorKind::output, "{} {}", name, i);
      };
      Steps steps;
      steps.count = 8;
      steps.prepare = [&](int i) {
        step("prepare", i);
        return [&, i](int) -> Encode {
          step("render", i);
          return [&, i]() -> Report {
            step("encode", i);
            return {};
          };
        };
      };
      const auto trouble = Pipeline(steps, kind).run();
      ASSERT_TRUE(trouble) << failing;
      EXPECT_EQ(trouble->position, 3)
          << failing << ", renderers " << kind.render << ", sequential " << kind.sequential;
    }
  }
}

}  // namespace
}  // namespace kiln
