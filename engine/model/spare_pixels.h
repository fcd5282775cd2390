// SPDX-License-Identifier: MIT
// Pixels of quick pictures that were shown and are gone, for those that follow. A picture of 1920 x 1080 in fresh
// memory is 2,000 page faults and has to be cleared first: 4 ms of the 16 that a frame has.
#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "engine/api/kiln/image.h"

namespace kiln {

/// Several threads at once may use it.
class SparePixels {
 public:
  /// The store of the whole process.
  static SparePixels& shared() {
    static SparePixels all;
    return all;
  }

  /// Gives so many bytes, whatever stands in them: in the smallest memory that has room for them, if it is no waste.
  Bytes take(std::size_t count) {
    Bytes pixels;
    {
      const std::lock_guard lock(mutex_);
      auto best = waiting_.end();
      for (auto one = waiting_.begin(); one != waiting_.end(); ++one)
        if (one->capacity() >= count && one->capacity() / most_waste <= count &&
            (best == waiting_.end() || one->capacity() < best->capacity()))
          best = one;
      if (best != waiting_.end()) {
        pixels = std::move(*best);
        waiting_.erase(best);
      }
    }
    pixels.resize(count);
    return pixels;
  }
  /// They wait for a next picture, the largest of them: pictures of a hand that drags change their size.
  void give_back(Bytes pixels) {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(pixels));
    if (waiting_.size() <= most_waiting) return;
    waiting_.erase(std::min_element(
        waiting_.begin(), waiting_.end(),
        [](const Bytes& one, const Bytes& other) { return one.capacity() < other.capacity(); }));
  }

 private:
  static constexpr std::size_t most_waiting = 3;  // one is made while others are compressed
  static constexpr std::size_t most_waste =
      16;  // a hand's pictures have a ninth of the pixels at least

  std::mutex mutex_;
  std::vector<Bytes> waiting_;
};

}  // namespace kiln
