// SPDX-License-Identifier: MIT
// What cli/main.cpp has for the rest of cli/, in programs without signals.
#include "cli/says/console.h"

namespace kiln::cli {

void write_at_interrupt(const std::string&) {}

}  // namespace kiln::cli
