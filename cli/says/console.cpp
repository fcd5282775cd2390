// SPDX-License-Identifier: MIT
#include "cli/says/console.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "engine/base/platform/file.h"
#include "engine/base/platform/terminal.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

int whole_percent(double done) { return std::clamp(static_cast<int>(done * 100), 0, 99); }

}  // namespace

Console::Console(ProgressMode mode, bool quiet)
    : json_(mode == ProgressMode::json),
      quiet_(quiet),
      terminal_(mode == ProgressMode::automatic && !quiet && rewrites_lines(standard_error)),
      flam3_(mode == ProgressMode::flam3) {}

void Console::warning(const std::string& message) {
  if (warned_) return warned_(message);
  if (quiet_) return;
  if (json_) {
    print_line(JsonObject().add("event", "warning").add("message", message).text());
  } else {
    print_line("kiln: warning: " + printable_whole(message));
  }
}

void Console::note(const std::string& message) {
  if (warned_ || quiet_ || flam3_) return;
  print_line(json_ ? JsonObject().add("event", "note").add("message", message).text()
                   : printable_whole(message));
}

void Console::error(ErrorKind kind, const std::string& message, bool known) {
  if (warned_) return;
  if (json_) {
    print_line(JsonObject()
                   .add("event", "error")
                   .add("code", static_cast<int>(kind))
                   .add("message", message)
                   .text());
  } else if (!known) {
    print_line("kiln: " + printable_whole(message));
  }
}

void Console::start_picture(const std::string& file, int number, int count, const Progress& all) {
  file_ = file;
  number_ = number;
  count_ = count;
  if (flam3_ && count > 1) say("flame = {}/{}\n", number, count);
  if (json_ || number > 1) progress(Progress{}, all);
}

void Console::progress(const Progress& progress, const Progress& all) {
  if (terminal_) show_on_terminal(all);
  if (flam3_) {
    say("\rchaos: {:5.1f}%  ETA: {:.0f} seconds      ", 100 * std::clamp(progress.done, 0.0, 0.999),
        std::ceil(progress.remaining_s));
  }
  if (!json_) return;
  print_line(JsonObject()
                 .add("event", "progress")
                 .add("file", file_)
                 .add("picture", number_)
                 .add("pictures", count_)
                 .add("done", std::clamp(progress.done, 0.0, 0.999))
                 .add("stage", progress.stage)
                 .add("elapsed_s", progress.elapsed_s)
                 .add("remaining_s", progress.remaining_s)
                 .add("samples_per_s", progress.samples_per_s)
                 .add("all_done", std::clamp(all.done, 0.0, 0.999))
                 .add("all_remaining_s", all.remaining_s)
                 .text());
}

void Console::show_on_terminal(const Progress& progress) {
  std::string line = count_ > 1 ? fmt::format("[{}/{}] ", number_, count_) : "";
  line += fmt::format("{:3} %  {}  {}samples/s  {} left  {}", whole_percent(progress.done),
                      progress.stage, with_prefix(progress.samples_per_s) + " ",
                      clock_time(progress.remaining_s), printable_whole(file_));
  // Cut at a character, so that half a UTF-8 sequence never reaches the terminal; a line that wraps
  // could not be rewritten.
  std::string_view rest = line;
  const int width = terminal_columns(standard_error);
  std::size_t bytes = 0;
  for (int column = 1; !rest.empty() && column < (width > 0 ? width : 80); ++column) {
    const std::size_t length = std::max<std::size_t>(printable_prefix(rest), 1);
    bytes += length;
    rest.remove_prefix(length);
  }
  say("\r{}\x1b[K", line.substr(0, bytes));
  std::fflush(stderr);
  line_shown_ = true;
}

void Console::finished_picture(const std::string& file, int number) {
  if (terminal_) {
    clear_terminal_line();
    const bool is_named = is_terminal(standard_output);  // there, on the same terminal
    if (!is_named) say("100 %  {}\n", printable_whole(file));
  }
  finished_frame(file, number);
}

void Console::show_frames(const std::string& file, int number, const Progress& progress) {
  file_ = file;
  number_ = number;
  this->progress(progress, progress);
}

void Console::finished_frame(const std::string& file, int number) {
  clear_terminal_line();  // standard output may be the same terminal
  if (flam3_)
    say("\rchaos: 100.0%                    \nwriting {}...done.\n", printable_whole(file));
  if (json_) print_finished(file, number);
}

void Console::print_finished(const std::string& file, int number) {
  print_line(JsonObject()
                 .add("event", "finished")
                 .add("file", file)
                 .add("picture", number)
                 .add("pictures", count_)
                 .add("done", 1)
                 .text());
}

void Console::at_interrupt(const std::string& text) const {
  if (json_) {
    const JsonObject event = JsonObject().add("event", "interrupted").add("message", text);
    write_at_interrupt(event.text() + "\n");
  } else if (!quiet_) {
    write_at_interrupt("\nkiln: interrupted; " + text + "\n");
  }
}

void Console::summary(const std::string& text, const std::string& json) {
  if (json_) {
    print_line(json);
  } else if (!quiet_ && !flam3_) {
    print_line(text);
  }
}

void Console::print_line(const std::string& text) {
  clear_terminal_line();
  say("{}\n", text);
}

void Console::clear_terminal_line() {
  if (line_shown_) say("\r\x1b[K");
  line_shown_ = false;
}

void print_error(const std::string& message) { say("kiln: {}\n", printable_whole(message)); }

}  // namespace kiln::cli
