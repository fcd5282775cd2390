// SPDX-License-Identifier: MIT
// A still that takes long enough to be stopped on its way, what the library says of errors, and
// children of fork().
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <string>

#include "engine/api/kiln.h"
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

/// The exit status of a child of fork() that runs `body` and says with it whether all was well.
template <class Body>
int status_of_child(Body body) {
  const pid_t child = fork();
  if (child == 0) {
    alarm(60);
    _exit(body() ? 0 : 1);
  }
  int status = -1;
  waitpid(child, &status, 0);
  return status;
}

}  // namespace kiln::test
