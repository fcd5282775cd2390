// SPDX-License-Identifier: MIT
// arc4random for programs that are carried (KILN_STATIC): the static libstdc++ of Debian 12 calls it
// for std::random_device, and glibc has it since 2.36. With this one they run from glibc 2.34 on.
#include <sys/random.h>

#include <cstdlib>

extern "C" unsigned arc4random() noexcept {
  unsigned value = 0;
  if (getrandom(&value, sizeof value, 0) != ssize_t(sizeof value)) std::abort();  // never so short
  return value;
}
