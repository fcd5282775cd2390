// SPDX-License-Identifier: MIT
// What the program says besides its results: warnings, errors, progress and the closing line, all
// on standard error. On a terminal progress is one line that rewrites itself; a pipe gets no
// control characters and, unless JSON was asked for, no progress. With --progress json every line
// of standard error is one JSON object.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <string>
#include <utility>

#include "engine/base/error.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

// Text on standard output and standard error that never throws: a closed terminal, a full disk or a
// pipe without reader must not take a render along. What did not reach standard output is found at
// the end (main.cpp); what did not reach standard error has nobody to be told.

inline void put(std::FILE* stream, const std::string& text) noexcept {
  std::fwrite(text.data(), 1, text.size(), stream);
}

/// Results, on standard output.
template <class... Args>
void print(fmt::format_string<Args...> format, Args&&... args) {
  put(stdout, fmt::format(format, std::forward<Args>(args)...));
}

/// Everything else, on standard error.
template <class... Args>
void say(fmt::format_string<Args...> format, Args&&... args) {
  put(stderr, fmt::format(format, std::forward<Args>(args)...));
}

enum class ProgressMode {
  automatic,
  json,
  none,
  flam3,  // in the words of flam3's programs, which scripts read, also into a pipe
};

enum ExitCode {
  exit_done = 0,
  exit_differences = 1,
  exit_usage = 2,
  exit_memory = 6,
  exit_some_failed = 7,
  exit_reader_gone = 141,  // of a stream: 128 + SIGPIPE, as shells call it
  exit_stopped = 75        // with its state saved; EX_TEMPFAIL, "try again later"
};

/// Sets the bytes that Ctrl-C writes to standard error; none by default.
void write_at_interrupt(const std::string& bytes);

class Console {
 public:
  Console(ProgressMode mode, bool quiet);

  /// Lets `warned` hear the warnings from now on, and says nothing.
  void be_silent(std::function<void(const std::string&)> warned) { warned_ = std::move(warned); }

  void warning(const std::string& message);
  /// Something to know that is as it should be.
  void note(const std::string& message);
  /// `known`: why has been said of another picture, which is enough in words.
  void error(ErrorKind kind, const std::string& message, bool known = false);
  /// Sets the picture that the following calls of progress() are about; `number` counts from 1.
  void start_picture(const std::string& file, int number, int count, const Progress& all);
  /// Reports the progress of this picture and that of all pictures, which a terminal shows. Never
  /// shows 100 %: finished_picture() does.
  void progress(const Progress& picture, const Progress& all);
  /// The file of picture `number` has its name. It may be one before that of start_picture(): files
  /// are written beside the next picture.
  void finished_picture(const std::string& file, int number);
  /// Shows the progress of an animation: one line for all frames; frame `number` is under way.
  void show_frames(const std::string& file, int number, const Progress& progress);
  /// Like finished_picture(), without a line on the terminal for each of many frames.
  void finished_frame(const std::string& file, int number);
  /// Sets the words that Ctrl-C says: what it leaves behind and how to go on.
  void at_interrupt(const std::string& text) const;
  /// The closing line.
  void summary(const std::string& text, const std::string& json);

 private:
  void print_finished(const std::string& file, int number);
  void print_line(const std::string& text);
  void show_on_terminal(const Progress& progress);
  void clear_terminal_line();

  bool json_, quiet_, terminal_, flam3_;
  std::function<void(const std::string&)> warned_;  // in place of standard error
  bool line_shown_ = false;
  std::string file_;
  int number_ = 0, count_ = 0;
};

/// One line for an error that reached main.
void print_error(const std::string& message);

}  // namespace kiln::cli
