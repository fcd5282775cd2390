// A still that takes long enough to be stopped on its way, and what the library says of errors.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "engine/kiln.h"
#include "tests/cli/program.h"

namespace kiln::test {

/// Some 30 units of work: enough to be stopped in their midst.
constexpr const char* many_samples = "80000";

inline Scene slow_triangle() {
  Scene scene = parse_scenes(triangle()).at(0);
  scene.set("quality", many_samples);
  return scene;
}

/// What the error says of which the kind is expected; "" without one.
template <class Body>
std::string said(ErrorKind kind, Body body) {
  try {
    body();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, kind) << error.what();
    return error.what();
  }
  return "";
}

}  // namespace kiln::test
