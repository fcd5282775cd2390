// SPDX-License-Identifier: MIT
// Work that goes on in its order: pipelines, small pictures and pieces of PNG files have one each.
#include "engine/base/ordered_work.h"

#include <gtest/gtest.h>

#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace kiln {
namespace {

TEST(ordered_work, goes_on_in_its_order) {
  OrderedWork<std::string> work(0, 3, 3);
  EXPECT_FALSE(work.is_next_done());
  EXPECT_EQ(work.begin(), 0u);
  EXPECT_EQ(work.begin(), 1u);
  work.finish(1, "second");
  EXPECT_FALSE(work.is_next_done());
  work.finish(0, "first");
  EXPECT_TRUE(work.is_next_done());
  EXPECT_EQ(work.take(), "first");
  work.pass();
  EXPECT_EQ(work.next(), 1u);
  EXPECT_EQ(work.take(), "second");
  work.pass();
  EXPECT_FALSE(work.is_next_done());
  EXPECT_EQ(work.to_begin(), 1u);
}

TEST(ordered_work, no_more_is_begun_than_has_room) {
  OrderedWork<int> work(0, 5, 2);
  EXPECT_TRUE(work.may_begin());
  work.begin();
  work.begin();
  EXPECT_FALSE(work.may_begin());
  work.finish(1, 10);
  EXPECT_FALSE(work.may_begin()) << "the first has its place";
  work.finish(0, 20);
  EXPECT_EQ(work.take(), 20);
  EXPECT_FALSE(work.may_begin()) << "it is still being handed on";
  work.pass();
  EXPECT_TRUE(work.may_begin());
}

TEST(ordered_work, what_is_handed_on_is_not_done_twice) {
  OrderedWork<int> work(0, 2, 2);
  work.begin();
  work.finish(0, 1);
  work.take();
  EXPECT_FALSE(work.is_next_done());
}

TEST(ordered_work, numbers_may_begin_anywhere_and_places_are_used_again) {
  OrderedWork<std::vector<int>> work(7, 9, 1);
  EXPECT_EQ(work.begin(), 7u);
  std::vector<int>& first = work.result(7);
  first.assign(100, 1);
  work.finish(7);
  EXPECT_EQ(&work.take(), &first);
  work.pass();
  EXPECT_EQ(work.begin(), 8u);
  EXPECT_EQ(&work.result(8), &first);
  EXPECT_EQ(work.to_begin(), 0u);
  EXPECT_FALSE(work.may_begin());
}

TEST(ordered_work, one_may_be_begun_where_nothing_is_ahead) {
  OrderedWork<int, int> work(0, 2, 0);
  EXPECT_TRUE(work.may_begin());
  EXPECT_FALSE((OrderedWork<int, int>(0, 0, 3).may_begin()));
}

/// Whoever ends when: all come, each once, in their order, with what was done of them.
TEST(ordered_work, any_order_of_ends) {
  for (std::uint32_t seed = 0; seed < 50; ++seed) {
    std::mt19937 random(seed);
    const int count = 1 + int(random() % 40), ahead = 1 + int(random() % 8);
    OrderedWork<std::unique_ptr<int>, int> work(0, count, ahead);
    std::vector<int> under_way, came;
    while (int(came.size()) < count) {
      switch (random() % 3) {
        case 0:
          if (work.may_begin()) under_way.push_back(work.begin());
          break;
        case 1:
          if (!under_way.empty()) {
            std::swap(under_way.back(), under_way[random() % under_way.size()]);
            work.finish(under_way.back(), std::make_unique<int>(under_way.back() * 3));
            under_way.pop_back();
          }
          break;
        default:
          if (work.is_next_done()) {
            came.push_back(*std::exchange(work.take(), nullptr));
            EXPECT_EQ(came.back(), work.next() * 3);
            work.pass();
          }
      }
      ASSERT_LE(int(under_way.size()), ahead);
    }
    for (int i = 0; i < count; ++i) ASSERT_EQ(came[std::size_t(i)], i * 3);
    EXPECT_EQ(work.to_begin(), 0);
  }
}

}  // namespace
}  // namespace kiln
