// The one exception of kiln. Its kind is the program's exit code (docs/cli.md); only main() catches
// it.
#pragma once

#include <fmt/format.h>

#include <stdexcept>
#include <string>

namespace kiln {

enum class ErrorKind {
  usage = 2,        // wrong usage
  input = 3,        // unreadable or malformed input
  unsupported = 4,  // input needs what kiln does not have (or what --strict refuses)
  output = 5,       // output could not be written
  device = 6,       // memory, GPU or device failure
};

/// What went wrong, where, and what helps. `kind` decides the exit code.
struct Error : std::runtime_error {
  Error(ErrorKind k, const std::string& message) : std::runtime_error(message), kind(k) {}
  ErrorKind kind;
};

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
