#include "engine/device/test_hooks.h"

#include <cstdlib>

namespace kiln {

bool allocation_shall_fail() {
  static const char* const wish = std::getenv("KILN_TEST_FAIL_ALLOCATION");
  if (!wish) return false;
  static const long number = std::atol(wish);
  static std::atomic<long> count = 0;
  return ++count == number;
}

std::atomic<long> landed_columns = 0;

}  // namespace kiln
