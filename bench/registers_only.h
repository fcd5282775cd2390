// SPDX-License-Identifier: MIT
// What a machine gives to threads that only compute: how many cores it really has at this moment.
#pragma once

#include <chrono>
#include <thread>
#include <vector>

namespace kiln::bench {

/// Steps a second of arithmetic in registers, without memory or waiting; each thread does so many.
inline double registers_only(int threads, long steps) {
  const auto work = [steps] {
    double a = 1, b = 2, c = 3, d = 4;
    for (long i = 0; i < steps; ++i) {
      a = a * 1.0000001 + 1e-9, b = b * 1.0000001 + 1e-9;
      c = c * 1.0000001 + 1e-9, d = d * 1.0000001 + 1e-9;
    }
    volatile double sum = a + b + c + d;
    static_cast<void>(sum);
  };
  const auto start = std::chrono::steady_clock::now();
  {
    std::vector<std::jthread> helpers;
    for (int t = 1; t < threads; ++t) helpers.emplace_back(work);
    work();
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  return double(steps) * threads / seconds.count();
}

}  // namespace kiln::bench
