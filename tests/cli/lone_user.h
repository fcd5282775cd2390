// SPDX-License-Identifier: MIT
// Users for limits of how many processes and threads a user may have.
#pragma once

#include <unistd.h>

namespace kiln::test {

/// A user who has no process: tests that run beside each other share none.
inline unsigned lone_user() { return 20'000 + unsigned(getpid()) % 40'000; }

}  // namespace kiln::test
