// Which of many looks are alike (flock.h). Both ways compare each look with those whose mean light is near
// alone: looks as far apart as their light is are never nearer than that, so nothing is missed where a
// distance is the limit, and a thousand neighbors are enough to go on to the nearest.
#include <algorithm>
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

/// By their light; equal ones in their order.
std::vector<std::size_t> by_light(const std::vector<double>& sums) {
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sums[a] < sums[b]; });
  return order;
}

std::vector<double> sums_of(const std::vector<Look>& looks) {
  std::vector<double> sums;
  for (const Look& look : looks) sums.push_back(sum_of(look));
  return sums;
}

}  // namespace

std::vector<std::size_t> by_likeness(const std::vector<Look>& looks) {
  constexpr std::size_t most_compared = 1000;
  std::vector<std::size_t> left = by_light(sums_of(looks)), order;
  std::size_t at = 0;  // in `left`: of the last one, which is gone
  while (!left.empty()) {
    std::size_t next = 0;
    if (!order.empty()) {
      const std::size_t begin = at > most_compared / 2 ? at - most_compared / 2 : 0;
      const std::size_t end = std::min(left.size(), begin + most_compared);
      double nearest = 2;
      for (std::size_t i = begin; i < end; ++i) {
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
  const std::vector<double> sums = sums_of(looks);
  const std::vector<std::size_t> order = by_light(sums);
  std::vector<std::size_t> first(looks.size());
  std::iota(first.begin(), first.end(), std::size_t(0));
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t a = order[i];
    for (std::size_t j = i + 1; j < order.size(); ++j) {
      const std::size_t b = order[j];
      // as far apart as one within the other would be, at least
      if (sums[b] - sums[a] > most_distance * sums[b]) break;
      if (distance(looks[a], looks[b]) > most_distance) continue;
      first[std::max(a, b)] = std::min({first[std::max(a, b)], a, b});
    }
  }
  return first;
}

}  // namespace kiln
