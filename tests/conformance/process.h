// SPDX-License-Identifier: MIT
/// Running another program with a time limit: the renderers under comparison are programs, not
/// libraries.
#pragma once
#include <string>
#include <vector>

namespace conformance {

/// How a program ended: its exit status (128 + signal if killed), whether time ran out, and what it
/// said.
struct Ended {
  int status = 0;
  bool timed_out = false;
  std::string output;  // standard output and standard error together
  bool ok() const { return status == 0 && !timed_out; }
};

/// Runs `command` (looked up in PATH) with `variables` ("NAME=value") added to the environment and
/// waits for it, at most `limit_seconds`. `log_path` holds the output meanwhile.
Ended run_program(const std::vector<std::string>& command,
                  const std::vector<std::string>& variables, const std::string& log_path,
                  double limit_seconds);

/// Full path of a program found in PATH, empty if it is not there.
std::string find_program(const std::string& name);

}  // namespace conformance
