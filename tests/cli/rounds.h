// SPDX-License-Identifier: MIT
// How often a test tries something: KILN_TEST_ROUNDS, if somebody asks for it.
#pragma once

#include <algorithm>
#include <cstdlib>

namespace kiln::test {

inline int rounds(int usual) {
  const char* asked = std::getenv("KILN_TEST_ROUNDS");
  return asked ? std::max(1, std::atoi(asked)) : usual;
}

}  // namespace kiln::test
