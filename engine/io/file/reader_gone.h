// SPDX-License-Identifier: MIT
// The end of a stream whose reader has had enough (head, a player that is closed): no fault of anybody, so the program ends
// with an exit code of its own (docs/reference/cli.md) and says nothing.
#pragma once

#include <string>

#include "engine/api/kiln/error.h"

namespace kiln {

struct ReaderGone : Error {
  explicit ReaderGone(const std::string& message) : Error(ErrorKind::output, message) {}
};

}  // namespace kiln
