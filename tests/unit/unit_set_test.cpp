// SPDX-License-Identifier: MIT
// The ledger of done units, against a plain list of yes and no.
#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "engine/model/saved_sums.h"

namespace kiln {
namespace {

constexpr std::uint64_t all = 40;

UnitSet from(const std::vector<bool>& units) {
  UnitSet set;
  for (std::uint64_t u = 0; u < all; ++u)
    if (units[u]) set.add({u, u + 1});
  return set;
}

TEST(unit_set, is_what_a_plain_list_is) {
  std::mt19937 random(1);
  const auto below = [&](unsigned limit) { return std::uint64_t(random() % limit); };
  for (int round = 0; round < 300; ++round) {
    std::vector<bool> plain(all, false), other(all, false);
    UnitSet set;
    for (int i = 0; i < 6; ++i) {
      const std::uint64_t first = below(all), end = first + below(unsigned(all - first) + 1);
      set.add({first, end});
      for (std::uint64_t u = first; u < end; ++u) plain[u] = true;
      other[below(all)] = true;
    }
    ASSERT_EQ(set, from(plain));
    ASSERT_EQ(set.count(), std::uint64_t(std::count(plain.begin(), plain.end(), true)));
    const std::uint64_t first = below(all), end = first + below(unsigned(all - first) + 1);
    std::vector<bool> missing(all, false);
    bool contained = true;
    for (std::uint64_t u = first; u < end; ++u) {
      missing[u] = !plain[u];
      contained = contained && plain[u];
    }
    ASSERT_EQ(set.missing_of({first, end}), from(missing));
    ASSERT_EQ(set.contains({first, end}), contained);
    bool shared = false;
    for (std::uint64_t u = 0; u < all; ++u) shared = shared || (plain[u] && other[u]);
    ASSERT_EQ(set.shared_with(from(other)).has_value(), shared);
    for (std::size_t i = 1; i < set.ranges().size(); ++i)
      ASSERT_GT(set.ranges()[i].first, set.ranges()[i - 1].end) << "neighbors are one range";
  }
}

TEST(unit_set, says_which) {
  UnitSet set;
  set.add({0, 40});
  set.add({64, 65});
  EXPECT_EQ(in_words(set), "0-39, 64");
  EXPECT_EQ(set.end(), 65u);
  for (std::uint64_t u = 100; u < 200; u += 2) set.add({u, u + 1});
  EXPECT_EQ(in_words(set), "0-39, 64, 100, 102, 104, 106, 108, 110 and others");
}

}  // namespace
}  // namespace kiln
