// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string_view>

#include "engine/base/platform/terminal.h"

namespace kiln {

/// A closed standard stream's number would go to the next file that is opened, and messages into
/// it. What is written to a closed standard output still fails, as it should.
void open_standard_streams() {
  const int flags[] = {O_RDONLY, O_RDONLY, O_WRONLY};
  for (int descriptor = 0; descriptor < 3; ++descriptor) {
    const bool closed = fcntl(descriptor, F_GETFD) < 0 && errno == EBADF;
    if (closed && open("/dev/null", flags[descriptor]) != descriptor) return;
  }
}

void silence_standard_output() {
  const int nowhere = open("/dev/null", O_WRONLY);
  if (nowhere < 0) return;
  dup2(nowhere, STDOUT_FILENO);
  close(nowhere);
}

bool must_expand_patterns() { return false; }

bool is_terminal(int descriptor) { return isatty(descriptor); }

bool rewrites_lines(int descriptor) {
  const char* kind = std::getenv("TERM");
  return isatty(descriptor) && kind && std::string_view(kind) != "dumb";
}

int terminal_columns(int descriptor) {
  winsize size{};
  return ioctl(descriptor, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace kiln
