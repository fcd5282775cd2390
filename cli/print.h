// Text on standard output and standard error that never throws: a closed terminal, a full disk or a
// pipe without reader must not take a render along. What did not reach standard output is found at
// the end (main.cpp); what did not reach standard error has nobody to be told.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>

namespace kiln::cli {

inline void put(std::FILE* stream, const std::string& text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stream);
}

/// Results, on standard output.
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  put(stdout, fmt::format(format, std::forward<Args>(args)...));
}

/// Everything else, on standard error.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  put(stderr, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace kiln::cli
