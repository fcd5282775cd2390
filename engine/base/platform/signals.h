// What the system tells the program from outside: to end, to stop with its state saved, to save it.
#pragma once

namespace kiln {

/// From now on `handler` is called with the number of a signal that ends the program, and may do only what a signal's
/// handler may; those that whoever started it wants ignored are. Where a reader has gone, or a file grows beyond its limit,
/// write() fails, as it does on a full disk.
void handle_end_signals(void (*handler)(int signal));

enum class Request { none, stop, save };
/// What a signal asks for where a state is kept.
Request request_of(int signal) noexcept;

}  // namespace kiln
