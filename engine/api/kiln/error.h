// SPDX-License-Identifier: MIT
// The one exception of kiln, of the library as of the program.
#pragma once

#include <stdexcept>
#include <string>

namespace kiln {

/// The values are the program's exit codes (docs/reference/cli.md).
enum class ErrorKind {
  usage = 2,        // wrong usage
  input = 3,        // unreadable or malformed input
  unsupported = 4,  // input needs what kiln does not have (or what --strict refuses)
  output = 5,       // output could not be written
  device = 6,       // memory, GPU or device failure
  stopped = 130,    // it was asked to stop
};

/// An error whose message says what went wrong, where, and what helps.
struct Error : std::runtime_error {
  Error(ErrorKind k, const std::string& message) : std::runtime_error(message), kind(k) {}
  ErrorKind kind;
};

}  // namespace kiln
