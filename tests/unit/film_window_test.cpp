// SPDX-License-Identifier: MIT
// The frames of a film that are cleaned together: each is made ready once for the windows that have it.
#include "engine/pipeline/film_window.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/render/plan/prepared_frame.h"
#include "tests/sample_flame.h"

namespace kiln {
namespace {

class film_window : public testing::Test {
 protected:
  film_window() {
    Flame flame = test::sample_flame("conch", 16, 1);
    flame.clean = 1;
    film.keys = std::vector{flame};
    for (int i = 0; i < 40; ++i) film.frames.push_back({i, double(i)});
  }
  PreparedFrame prepare_counted(const Frame& frame) {
    ++prepared;
    RenderOptions options;
    options.backend = Backend::cpu;
    return prepare(frame, options);
  }
  FilmWindows windows() {
    return FilmWindows(film, [this](const Frame& frame) { return prepare_counted(frame); });
  }

  KeyFrames film;
  std::atomic<int> prepared{0};
};

TEST_F(film_window, a_frame_is_ready_once_for_windows_that_follow_each_other) {
  FilmWindows all = windows();
  FilmWindow before;
  for (int i = 0; i < 40; ++i) {
    FilmWindow window = all.of(film.frames[std::size_t(i)]);
    ASSERT_EQ(window.frames.size(), std::size_t(1 + std::min(2, i) + std::min(2, 39 - i)));
    if (i > 0) {
      EXPECT_EQ(window.frames[window.own - 1], before.frames[before.own]);
    }
    before = std::move(window);
  }
  EXPECT_EQ(prepared, 40);
}

/// Two renderers with runs of their own: neither makes the other's frames go.
TEST_F(film_window, runs_beside_each_other_share_nothing_but_their_ends) {
  FilmWindows all = windows();
  FilmWindow first, second;
  for (std::size_t i = 0; i < 20; ++i) {
    first = all.of(film.frames[i]);
    second = all.of(film.frames[20 + i]);
  }
  EXPECT_EQ(prepared, 40 + 4);  // 20 and 21 were gone when the first came to them, and so 18 and 19
  first = second = {};
  all.of(film.frames[39]);
  EXPECT_EQ(prepared, 44 + 3);  // nobody has them any more
}

TEST_F(film_window, what_fails_fails_for_all_and_can_be_asked_again) {
  std::atomic<int> tries{0};
  FilmWindows all(film, [&](const Frame& frame) {
    if (++tries == 1) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
      fail(ErrorKind::input, "once");
    }
    return prepare_counted(frame);
  });
  int failed = 0;
  {
    std::vector<std::jthread> threads;
    std::atomic<int> all_failed{0};
    for (int i = 0; i < 2; ++i)
      threads.emplace_back([&] {
        try {
          all.of(film.frames[0]);
        } catch (const Error&) {
          ++all_failed;
        }
      });
    threads.clear();
    failed = all_failed;
  }
  EXPECT_GE(failed, 1);
  EXPECT_EQ(all.of(film.frames[0]).frames.size(), 3u);
}

}  // namespace
}  // namespace kiln
