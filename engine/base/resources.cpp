// SPDX-License-Identifier: MIT
#include "engine/base/resources.h"

#include <mutex>

#include "engine/base/platform/memory.h"

namespace kiln {
namespace {

/// A number that files of the system say. Reading them takes a tenth of a millisecond or more, and small
/// pictures, of which there are hundreds a second, ask several times each: it is kept for a moment in which
/// nobody can fill much memory.
class KeptNumber {
 public:
  template <class Read>
  std::uint64_t number(const Read& read) {
    constexpr double moment_s = 0.02;
    const std::lock_guard lock(mutex_);
    if (!is_known_ || seconds_since(since_) > moment_s) {
      number_ = read();
      is_known_ = true;
      since_ = Clock::now();
    }
    return number_;
  }

 private:
  std::mutex mutex_;
  bool is_known_ = false;
  std::uint64_t number_ = 0;
  Clock::time_point since_;
};

}  // namespace

std::uint64_t available_memory_bytes() {
  static KeptNumber kept;
  return kept.number(read_available_memory);
}

std::uint64_t peak_memory_bytes() {
  static KeptNumber kept;
  return kept.number(read_peak_memory);
}

}  // namespace kiln
