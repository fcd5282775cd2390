// SPDX-License-Identifier: MIT
// Which of many looks are alike (flock.h). Both ways compare each look with those whose mean light is near
// alone: looks as far apart as their light is are never nearer than that, so nothing is missed where a
// distance is the limit, and a thousand neighbors are enough to go on to the nearest.
//
// Most of those are far apart, and that shows in twelve numbers: the light of each color in each quarter.
// Where |a - b| is summed over all values, the larger of each two sum up to (sum a + sum b + that) / 2, so
// the distance is 2 d / (sum a + sum b + d) with d the sum of differences, and grows with d; and quarters
// differ by no more than what is in them. So who is too far in quarters is too far, and nobody looks at its
// 192 values. Of 50,000 looks both ways take seconds of a core.
#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "engine/flock/flock.h"

namespace kiln {
namespace {

double sum_of(const Look& look) {
  double sum = 0;
  for (const auto& patch : look.patches)
    for (const float value : patch) sum += value;
  return sum;
}

/// The light of a look in its quarters.
struct Quarters {
  std::array<float, 12> light{};
  double sum = 0;
};

std::vector<Quarters> quarters_of(const std::vector<Look>& looks) {
  std::vector<Quarters> all(looks.size());
  for (std::size_t i = 0; i < looks.size(); ++i) {
    all[i].sum = sum_of(looks[i]);
    for (std::size_t patch = 0; patch < 64; ++patch) {
      const std::size_t quarter = patch / 32 * 2 + patch % 8 / 4;
      for (std::size_t c = 0; c < 3; ++c)
        all[i].light[quarter * 3 + c] += looks[i].patches[patch][c];
    }
  }
  return all;
}

/// No two looks are nearer than this.
double least_distance(const Quarters& a, const Quarters& b) {
  constexpr double rounding = 1e-5;
  float apart = 0;
  for (std::size_t i = 0; i < 12; ++i) apart += std::fabs(a.light[i] - b.light[i]);
  const double all = a.sum + b.sum + double(apart);
  return all > 0 ? 2 * double(apart) / all - rounding : 0;
}

/// The order by light; equal ones stay in their order.
std::vector<std::size_t> by_light(const std::vector<Quarters>& quarters) {
  std::vector<std::size_t> order(quarters.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return quarters[a].sum < quarters[b].sum; });
  return order;
}

}  // namespace

std::vector<std::size_t> by_likeness(const std::vector<Look>& looks) {
  constexpr std::size_t most_compared = 1000;
  const std::vector<Quarters> quarters = quarters_of(looks);
  std::vector<std::size_t> left = by_light(quarters), order;
  std::size_t at = 0;  // in `left`: of the last one, which is gone
  while (!left.empty()) {
    std::size_t next = 0;
    if (!order.empty()) {
      const std::size_t begin = at > most_compared / 2 ? at - most_compared / 2 : 0;
      const std::size_t end = std::min(left.size(), begin + most_compared);
      double nearest = 2;
      for (std::size_t i = begin; i < end; ++i) {
        if (least_distance(quarters[order.back()], quarters[left[i]]) >= nearest) continue;
        const double far = distance(looks[order.back()], looks[left[i]]);
        if (far < nearest) {
          nearest = far;
          next = i;
        }
      }
    }
    order.push_back(left[next]);
    left.erase(left.begin() + std::ptrdiff_t(next));
    at = next;
  }
  return order;
}

std::vector<std::size_t> first_like(const std::vector<Look>& looks, double most_distance) {
  const std::vector<Quarters> quarters = quarters_of(looks);
  const std::vector<std::size_t> order = by_light(quarters);
  std::vector<std::size_t> first(looks.size());
  std::iota(first.begin(), first.end(), std::size_t(0));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t a = order[i];
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const std::size_t b = order[j];
      // as far apart as one within the other would be, at least
      if (quarters[b].sum - quarters[a].sum > most_distance * quarters[b].sum) break;
      if (least_distance(quarters[a], quarters[b]) > most_distance) continue;
      if (distance(looks[a], looks[b]) > most_distance) continue;
      first[std::max(a, b)] = std::min({first[std::max(a, b)], a, b});
    }
  }
  return first;
}

}  // namespace kiln
