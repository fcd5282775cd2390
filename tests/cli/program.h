// SPDX-License-Identifier: MIT
// Runs the real program, as a user would, and keeps what it said.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "tests/cli/scratch.h"
#include "tests/places.h"

namespace kiln::test {

constexpr unsigned most_seconds = 300;  // a program that takes longer hangs

struct Outcome {
  int code = -1;  // exit code; 1000 + signal when a signal ended it
  std::string out, err;
};

struct Start {
  std::string folder = ".";       // the program's working folder
  std::string input;              // what standard input gives
  std::string out_path;           // standard output goes there instead
  std::function<void()> prepare;  // runs in the child before the program
};

/// Starts the program and returns its process id; output goes to files in `logs`. SIGALRM ends it
/// if it hangs.
inline pid_t start_program(const std::vector<std::string>& arguments, const ScratchFolder& logs,
                           const Start& start = {}) {
  write_file(logs / "in", start.input);
  const std::string out = start.out_path.empty() ? logs / "out" : start.out_path;
  const pid_t child = fork();
  if (child != 0) return child;
  std::vector<char*> argv = {const_cast<char*>(program_path())};
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  dup2(open((logs / "in").c_str(), O_RDONLY), 0);
  dup2(open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 1);
  dup2(open((logs / "err").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600), 2);
  for (int stop : {SIGINT, SIGTERM, SIGHUP})
    signal(stop, SIG_DFL);  // a background job passes them on ignored
  signal(SIGALRM, SIG_DFL);
  alarm(most_seconds);
  if (start.prepare) start.prepare();
  if (chdir(start.folder.c_str()) == 0) execv(program_path(), argv.data());
  _exit(127);
}

/// Whether the program still runs; its exit code is left for wait_for.
inline bool is_running(pid_t child) {
  siginfo_t ended{};
  return waitid(P_PID, id_t(child), &ended, WEXITED | WNOHANG | WNOWAIT) == 0 && ended.si_pid == 0;
}

inline int wait_for(pid_t child) {
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
    ADD_FAILURE() << "the program hung: SIGALRM ended it after its time (" << most_seconds
                  << " s, unless the test gave it less)";
  return WIFEXITED(status) ? WEXITSTATUS(status) : 1000 + WTERMSIG(status);
}

inline Outcome run_program(const std::vector<std::string>& arguments, const Start& start = {}) {
  const ScratchFolder logs;
  const int code = wait_for(start_program(arguments, logs, start));
  return {code, read_file(logs / "out"), read_file(logs / "err")};
}

/// Whether another user (64321) can reach the program: a checkout may lie in a private folder.
inline bool others_can_run_it() {
  const pid_t child = fork();
  if (child == 0) _exit(setuid(64321) == 0 && access(program_path(), X_OK) == 0 ? 0 : 1);
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0;
}

/// A small flame: three contractions to the corners of a triangle.
inline std::string triangle(const std::string& attributes = "", const std::string& children = "") {
  return "<flame size=\"32 24\" center=\"0.5 0.5\" scale=\"20\" quality=\"5\" "
         "estimator_radius=\"0\" " +
         attributes + ">" +
         "<xform weight=\"1\" color=\"0\" linear=\"1\" coefs=\"0.5 0 0 0.5 0 0\"/>"
         "<xform weight=\"1\" color=\"0.5\" linear=\"1\" coefs=\"0.5 0 0 0.5 0.5 0\"/>"
         "<xform weight=\"1\" color=\"1\" linear=\"1\" coefs=\"0.5 0 0 0.5 0.25 0.5\"/>"
         "<color index=\"0\" rgb=\"255 128 0\"/><color index=\"255\" rgb=\"0 128 255\"/>" +
         children + "</flame>\n";
}

/// Whether a program of this name is in PATH.
inline bool has_program(const std::string& name) {
  return std::system(("command -v " + name + " >/dev/null 2>&1").c_str()) == 0;
}

/// Two key flames, 10 time units apart, of which the second has its first map turned and the
/// palette's ends swapped; `more` are attributes of both.
inline std::string two_keys(const std::string& more = "") {
  const auto key = [&](const char* time, const char* turned, const char* from, const char* to) {
    return std::string("<flame time=\"") + time +
           "\" size=\"32 24\" center=\"0.5 0.5\" scale=\"20\" quality=\"20\" "
           "estimator_radius=\"0\" temporal_samples=\"1\" " +
           more + "><xform weight=\"1\" color=\"0\" linear=\"1\" coefs=\"" + turned +
           "\"/>"
           "<xform weight=\"1\" color=\"0.5\" linear=\"1\" coefs=\"0.5 0 0 0.5 0.5 0\"/>"
           "<xform weight=\"1\" color=\"1\" linear=\"1\" coefs=\"0.5 0 0 0.5 0.25 0.5\"/>"
           "<color index=\"0\" rgb=\"" +
           from + "\"/><color index=\"255\" rgb=\"" + to + "\"/></flame>\n";
  };
  return "<flames>" + key("0", "0.5 0 0 0.5 0 0", "255 128 0", "0 128 255") +
         key("10", "0 0.5 -0.5 0 0.5 0", "0 128 255", "255 128 0") + "</flames>";
}

}  // namespace kiln::test
