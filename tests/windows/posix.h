// SPDX-License-Identifier: MIT
// What tests take of POSIX that MinGW-w64 lacks: read before each of them (tests/CMakeLists.txt).
#pragma once

#define _USE_MATH_DEFINES  // M_PI

#include <direct.h>
#include <stdlib.h>

#include <cstddef>
#include <cstring>
#include <random>
#include <string>

inline int setenv(const char* name, const char* value, int) { return _putenv_s(name, value); }
inline int unsetenv(const char* name) { return _putenv_s(name, ""); }

/// A folder in place of XXXXXX at the end of its name; null: it cannot be made.
inline char* mkdtemp(char* name) {
  char* const six = name + std::strlen(name) - 6;
  for (int attempt = 0; attempt < 1000; ++attempt) {
    const std::string digits = std::to_string(1000000 + std::random_device()() % 1000000);
    std::memcpy(six, digits.c_str() + 1, 6);
    if (_mkdir(name) == 0) return name;
  }
  return nullptr;
}

/// How much is allocated is not known: a test of it sees nothing grow.
inline auto mallinfo2() {
  struct {
    std::size_t uordblks = 0, hblkhd = 0;
  } nothing;
  return nothing;
}
