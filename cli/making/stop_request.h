// SPDX-License-Identifier: MIT
// Signals while a state is kept: those that would end the program ask for the state to be written
// first, SIGUSR1 asks for it and the render goes on. A second signal to end ends at once.
#pragma once

#include <stop_token>
#include <string>
#include <thread>

namespace kiln::cli {

/// Makes signals requests, while one of these lives.
class StopRequests {
 public:
  StopRequests();
  ~StopRequests();
  StopRequests(const StopRequests&) = delete;
  StopRequests& operator=(const StopRequests&) = delete;

  /// Whether a signal asked to stop.
  bool stop() const { return signal() != 0; }
  /// The signal that asked; 0: none.
  int signal() const;
  /// Whether SIGUSR1 came since the last call.
  bool save();
  /// A token that is stopped as soon as the signal comes, whatever other threads do.
  std::stop_token token() const { return source_.get_token(); }

 private:
  std::stop_source source_;
  std::thread listener_;
};

/// Notes a signal, for its handler: true if it is a request to stop or save.
bool takes_signal(int signal) noexcept;

/// Keeps what the program was called with.
void remember_command_line(int argc, char** argv);
/// The remembered command line with --resume, quoted for a shell.
std::string command_to_resume();

}  // namespace kiln::cli
