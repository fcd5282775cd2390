// SPDX-License-Identifier: MIT
#include "engine/device/test_hooks.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>
#include <string_view>

#include "engine/api/kiln/error.h"
#include "engine/base/platform/user_files.h"

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

namespace {

int at_most(int most, const char* variable) {
  const char* const wish = std::getenv(variable);
  return wish ? std::min(most, std::atoi(wish)) : most;
}

std::atomic<bool> is_lost = false, is_amid = false;
std::atomic<std::uint64_t> downloaded = 0;

[[noreturn]] void fail_game() {
  throw Error(ErrorKind::device, "the device failed in the chaos game (KILN_TEST_FAIL_GAME)");
}

}  // namespace

int tiles_at_most(int most) { return at_most(most, "KILN_TEST_MOST_TILES"); }
int band_buckets_at_most(int most) { return at_most(most, "KILN_TEST_BAND_BUCKETS"); }
int tiles_at_once(int most) { return at_most(most, "KILN_TEST_TILES_AT_ONCE"); }
std::size_t shared_bytes_at_most(std::size_t bytes) {
  return std::size_t(at_most(int(bytes), "KILN_TEST_SHARED_BYTES"));
}

std::string fake_cuda_driver() { return trusted_variable("KILN_TEST_CUDA_DRIVER"); }

bool helper_shall_be_lost(int device, int portion) {
  const char* const wish = std::getenv("KILN_TEST_LOSE_HELPER");
  return wish && wish == std::to_string(device) + ":" + std::to_string(portion);
}

void let_game_fail() {
  static std::atomic<long> count = 0;
  const char* const wish = std::getenv("KILN_TEST_FAIL_GAME");
  if (!wish) count = 0;
  if (!wish || ++count != std::atol(wish)) return;
  is_lost = std::string_view(wish).ends_with(",lost");
  is_amid = std::string_view(wish).ends_with(",amid");
  if (!is_amid) fail_game();
}

void let_launch_fail() {
  if (is_amid.exchange(false)) fail_game();
}

void note_download(std::size_t bytes) {
  downloaded += bytes;
  if (is_lost) throw Error(ErrorKind::device, "the device is lost (KILN_TEST_FAIL_GAME)");
}

std::uint64_t downloaded_bytes() { return downloaded; }

}  // namespace kiln
