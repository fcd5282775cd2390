// SPDX-License-Identifier: MIT
#include <windows.h>

// which needs what stands above
#include <signal.h>

#include "engine/base/platform/signals.h"

namespace kiln {
namespace {

void (*end_handler)(int) = nullptr;

/// Handles an event in a thread of its own. To return is to take it as a request; a window that is
/// closed, or a user who leaves, gives it a few seconds.
BOOL WINAPI on_console_event(DWORD event) {
  end_handler(event == CTRL_C_EVENT ? SIGINT : SIGTERM);
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) Sleep(INFINITE);
  return TRUE;
}

}  // namespace

void handle_end_signals(void (*handler)(int)) {
  end_handler = handler;
  SetConsoleCtrlHandler(on_console_event, TRUE);
  signal(SIGTERM, handler);
}

Request request_of(int signal) noexcept {
  return signal == SIGINT || signal == SIGTERM ? Request::stop : Request::none;
}

}  // namespace kiln
