// The pipeline of an animation without a renderer: how much is under way at once, and what is said
// of frames that fail.
#include "cli/frame_pipeline.h"

#include <gtest/gtest.h>

#include <atomic>

#include "engine/base/error.h"

namespace kiln::cli {
namespace {

using namespace std::chrono_literals;

/// Frames that are there already: they go through all threads, and nothing is rendered.
FrameWork kept_frames(int count) {
  FrameWork work;
  work.count = count;
  work.needs_rendering = [](int) { return false; };
  work.prepare = [](int) { return PreparedFrame{}; };
  work.encode = [](int, Image, const RenderStatistics&, double) { return EncodedFrame{}; };
  work.report = [](int, EncodedFrame) {};
  work.progress = [](int, const auto&) {};
  return work;
}

constexpr FramePipeline::Threads threads = {.prepare = 2, .encode = 2};

TEST(frame_pipeline, reports_every_frame_in_order) {
  for (bool in_turn : {false, true}) {
    std::vector<int> reported;
    FrameWork work = kept_frames(50);
    work.report = [&](int i, EncodedFrame) { reported.push_back(i); };
    EXPECT_FALSE(FramePipeline(work, {{}, {}}, {2, 2, in_turn}).run());
    ASSERT_EQ(reported.size(), 50u);
    for (int i = 0; i < 50; ++i) EXPECT_EQ(reported[std::size_t(i)], i);
  }
}

TEST(frame_pipeline, pictures_wait_for_the_report_of_earlier_ones) {
  std::atomic<int> furthest{0};
  FrameWork work = kept_frames(200);
  work.encode = [&](int i, Image, const RenderStatistics&, double) {
    for (int seen = furthest; i > seen && !furthest.compare_exchange_weak(seen, i);) {
    }
    return EncodedFrame{};
  };
  int worst = 0;
  work.report = [&](int i, EncodedFrame) {
    if (i == 0 || i == 100) std::this_thread::sleep_for(100ms);  // time enough for all the others
    worst = std::max(worst, furthest - i);
  };
  EXPECT_FALSE(FramePipeline(work, {{}}, threads).run());
  EXPECT_EQ(furthest, 199);
  EXPECT_LE(worst, 5);  // one rendered, two encoded, and what lies between
}

TEST(frame_pipeline, of_several_failures_the_earliest_is_told) {
  FrameWork work = kept_frames(20);
  std::atomic<bool> later{false};
  work.encode = [&](int i, Image, const RenderStatistics&, double) {
    if (i == 1) {
      for (int wait = 0; wait < 1000 && !later; ++wait) std::this_thread::sleep_for(1ms);
      std::this_thread::sleep_for(20ms);
    }
    if (i == 2) later = true;
    if (i == 1 || i == 2) fail(ErrorKind::output, "frame {}", i);
    return EncodedFrame{};
  };
  const auto trouble = FramePipeline(work, {{}}, threads).run();
  ASSERT_TRUE(trouble);
  EXPECT_EQ(trouble->position, 1);
  try {
    std::rethrow_exception(trouble->reason);
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), "frame 1");
  }
}

}  // namespace
}  // namespace kiln::cli
