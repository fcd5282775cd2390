// SPDX-License-Identifier: MIT
// Throwing errors with a formatted message.
#pragma once

#include <fmt/format.h>

#include "engine/api/kiln/error.h"

namespace kiln {

/// fail(ErrorKind::input, "{}:{}: ...", file, line): throws an Error with a formatted message.
template <class... Args>
[[noreturn]] void fail(ErrorKind kind, fmt::format_string<Args...> format, Args&&... args) {
  throw Error(kind, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace kiln

/// States what must hold by construction; a violation is a bug in kiln and is reported with the
/// expression.
#define KILN_CHECK(condition, ...)                                                       \
  do {                                                                                   \
    if (!(condition)) {                                                                  \
      throw ::kiln::Error(                                                               \
          ::kiln::ErrorKind::device,                                                     \
          fmt::format("internal error at {}:{}: {}: ", __FILE__, __LINE__, #condition) + \
              fmt::format(__VA_ARGS__));                                                 \
    }                                                                                    \
  } while (0)
