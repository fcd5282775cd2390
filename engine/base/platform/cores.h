// SPDX-License-Identifier: MIT
// The processor as the system gives it to this process.
#pragma once

namespace kiln {

/// Cores that its threads may be on and have the time of, at least 1.
int read_usable_cores();

}  // namespace kiln
