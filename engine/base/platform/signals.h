// SPDX-License-Identifier: MIT
// What the system tells the program from outside: to end, to stop with its state saved, to save it.
#pragma once

namespace kiln {

/// Calls `handler` from now on with the number of each signal that ends the program; it may do only what a signal's
/// handler may. Signals that whoever started the program wants ignored stay so. Where a reader has gone, or a file
/// grows beyond its limit, write() fails, as it does on a full disk.
void handle_end_signals(void (*handler)(int signal));

/// Ends the program in a handler, with the exit code of the signal; says the words on standard error first.
[[noreturn]] void end_at_signal(int signal, const char* words);

enum class Request { none, stop, save };
/// The request that a signal makes where a state is kept.
Request request_of(int signal) noexcept;

}  // namespace kiln
