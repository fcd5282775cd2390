// SPDX-License-Identifier: MIT
// write(2) until every byte is written.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>

namespace kiln {

/// Whether all of them were; errno says why not.
inline bool write_all(int file, const char* from, std::size_t bytes) {
  while (bytes > 0) {
    const auto n = write(file, from, std::min(bytes, std::size_t(1) << 30));
    if (n < 0 && errno == EINTR) continue;
    if (n == 0) errno = ENOSPC;
    if (n <= 0) return false;
    from += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

}  // namespace kiln
