// SPDX-License-Identifier: MIT
// Means and their errors from repeated plays. The samples of one play are not independent (a step's
// xforms share one rounding, a chain's neighbors share digits), so errors come from the spread
// between plays with different seeds.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

namespace kiln::test {

/// `cells` numbers, measured many times.
class Measured {
 public:
  explicit Measured(std::size_t cells) : sum_(cells), squares_(cells), now_(cells) {}

  /// The value of a cell in the running measurement; end() closes it.
  double& now(std::size_t cell) { return now_[cell]; }
  void end() {
    for (std::size_t i = 0; i < now_.size(); ++i) {
      sum_[i] += now_[i];
      squares_[i] += now_[i] * now_[i];
      now_[i] = 0;
    }
    ++count_;
  }

  std::size_t cells() const { return sum_.size(); }
  double mean(std::size_t i) const { return sum_[i] / count_; }
  /// Of one measurement.
  double variance(std::size_t i) const {
    return std::max(0.0, (squares_[i] - sum_[i] * sum_[i] / count_) / (count_ - 1));
  }
  /// Variance of the mean.
  double error2(std::size_t i) const { return variance(i) / count_; }
  double total_variance() const {
    double sum = 0;
    for (std::size_t i = 0; i < cells(); ++i) sum += variance(i);
    return sum;
  }

 private:
  std::vector<double> sum_, squares_, now_;
  double count_ = 0;
};

/// Deviations in units of their error, of many cells: the largest and the mean square, which is
/// about 1 when nothing is wrong.
struct Deviations {
  double largest = 0, sum = 0;
  std::size_t at = 0, cells = 0;

  void add(double difference, double error2, std::size_t cell) {
    if (error2 == 0) {  // e.g. a cell that nothing can reach: exact then
      EXPECT_EQ(difference, 0) << "cell " << cell;
      return;
    }
    const double z2 = difference * difference / error2;
    sum += z2;
    ++cells;
    if (z2 > largest * largest) {
      largest = std::sqrt(z2);
      at = cell;
    }
  }
  double mean_square() const { return sum / double(std::max<std::size_t>(cells, 1)); }
};

/// Means against what they must be.
inline Deviations deviations(const Measured& measured, const std::vector<double>& expected) {
  Deviations out;
  for (std::size_t i = 0; i < measured.cells(); ++i)
    out.add(measured.mean(i) - expected[i], measured.error2(i), i);
  return out;
}
/// Means against other measured means.
inline Deviations deviations(const Measured& a, const Measured& b) {
  Deviations out;
  for (std::size_t i = 0; i < a.cells(); ++i)
    out.add(a.mean(i) - b.mean(i), a.error2(i) + b.error2(i), i);
  return out;
}

/// Chi-square of counts that should be equal, as deviations from its mean in units of its standard
/// deviation.
inline double uniformity(const std::vector<double>& counts) {
  double total = 0, square = 0;
  for (double c : counts) total += c;
  const double expected = total / double(counts.size());
  for (double c : counts) square += (c - expected) * (c - expected) / expected;
  const double freedom = double(counts.size()) - 1;
  return (square - freedom) / std::sqrt(2 * freedom);
}

}  // namespace kiln::test
