// SPDX-License-Identifier: MIT
#include <windows.h>

// which needs what stands above
#include <fcntl.h>
#include <io.h>

#include <cstdio>
#include <initializer_list>

#include "engine/base/platform/terminal.h"

namespace kiln {
namespace {

HANDLE handle_of(int descriptor) { return reinterpret_cast<HANDLE>(_get_osfhandle(descriptor)); }

}  // namespace

void open_standard_streams() {
  for (int descriptor = 0; descriptor < 3; ++descriptor)
    if (_get_osfhandle(descriptor) < 0) _open("NUL", descriptor == 0 ? _O_RDONLY : _O_WRONLY);
  for (std::FILE* stream : {stdin, stdout, stderr}) _setmode(_fileno(stream), _O_BINARY);
  std::setvbuf(stderr, nullptr, _IONBF, 0);
  SetConsoleOutputCP(CP_UTF8);
  SetConsoleCP(CP_UTF8);
  SetErrorMode(SEM_FAILCRITICALERRORS);  // no window that asks for a disk
}

void silence_standard_output() {
  const int nowhere = _open("NUL", _O_WRONLY | _O_BINARY);
  if (nowhere < 0) return;
  _dup2(nowhere, 1);
  _close(nowhere);
}

bool must_expand_patterns() { return true; }

bool is_terminal(int descriptor) {
  DWORD mode = 0;
  return GetConsoleMode(handle_of(descriptor), &mode);  // _isatty() takes NUL for one
}

bool rewrites_lines(int descriptor) {
  DWORD mode = 0;
  return GetConsoleMode(handle_of(descriptor), &mode) &&
         SetConsoleMode(handle_of(descriptor), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

int terminal_columns(int descriptor) {
  CONSOLE_SCREEN_BUFFER_INFO info{};
  if (!GetConsoleScreenBufferInfo(handle_of(descriptor), &info)) return 0;
  return info.srWindow.Right - info.srWindow.Left + 1;
}

}  // namespace kiln
