// SPDX-License-Identifier: MIT
// Long work of the host asks now and then whether it is still wanted.
#pragma once

#include <stop_token>

#include "engine/base/error.h"

namespace kiln {

/// Throws Error (stopped) if it was asked for.
inline void check_stop(const std::stop_token& stop) {
  if (stop.stop_requested()) fail(ErrorKind::stopped, "stopped before the end");
}

}  // namespace kiln
