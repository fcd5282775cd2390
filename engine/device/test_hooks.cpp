#include "engine/device/test_hooks.h"

#include <atomic>
#include <cstdlib>

namespace kiln {

bool allocation_shall_fail() {
  static const char* const wish = std::getenv("KILN_TEST_FAIL_ALLOCATION");
  if (!wish) return false;
  static const long number = std::atol(wish);
  static std::atomic<long> count = 0;
  return ++count == number;
}

}  // namespace kiln
