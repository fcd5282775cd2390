// SPDX-License-Identifier: MIT
#include <signal.h>

#include <initializer_list>

#include "engine/base/platform/signals.h"

namespace kiln {

void handle_end_signals(void (*handler)(int)) {
  for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGXCPU, SIGALRM,
                     SIGVTALRM, SIGPROF, SIGPWR, SIGIO}) {
    struct sigaction action {};
    if (sigaction(signal, nullptr, &action) == 0 && action.sa_handler == SIG_IGN)
      continue;  // nohup, background jobs
    action = {};
    action.sa_handler = handler;
    action.sa_flags = SA_RESTART;  // where a signal is but a request
    sigaction(signal, &action, nullptr);
  }
  // A closed pipe and the file size limit are errors of write(), reported like a full disk.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

Request request_of(int signal) noexcept {
  if (signal == SIGUSR1) return Request::save;
  const bool stops = signal == SIGINT || signal == SIGTERM || signal == SIGHUP || signal == SIGXCPU;
  return stops ? Request::stop : Request::none;
}

}  // namespace kiln
