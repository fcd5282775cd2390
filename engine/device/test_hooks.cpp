#include "engine/device/test_hooks.h"

#include <atomic>
#include <cstdlib>
#include <string>

namespace kiln {

bool allocation_shall_fail() {
  static const char* const wish = std::getenv("KILN_TEST_FAIL_ALLOCATION");
  if (!wish) return false;
  static const long number = std::atol(wish);
  static std::atomic<long> count = 0;
  return ++count == number;
}

bool rank_shall_fail(int rank) {
  static const char* const wish = std::getenv("KILN_TEST_LOSE_RANK");
  return wish && wish == std::to_string(rank);
}

bool helper_shall_be_lost(int device, int portion) {
  static const char* const wish = std::getenv("KILN_TEST_LOSE_HELPER");
  return wish && wish == std::to_string(device) + ":" + std::to_string(portion);
}

}  // namespace kiln
