// The commands. Each function adds one to the program, with its options, its help and what it does.
// docs/cli.md describes them for users.
#pragma once

#include <string>

#include "cli/options/command.h"
#include "engine/io/flame/flame_reader.h"

namespace kiln::cli {

enum ExitCode {
  exit_done = 0,
  exit_differences = 1,
  exit_usage = 2,
  exit_memory = 6,
  exit_some_failed = 7,
  exit_stopped = 75  // with its state saved; EX_TEMPFAIL, "try again later"
};

void add_render(Program& program);
void add_animate(Program& program);
void add_info(Program& program);
void add_validate(Program& program);
void add_variations(Program& program);
void add_devices(Program& program);
void add_compare(Program& program);
void add_check(Program& program);
void add_sequence(Program& program);
void add_convert(Program& program);
void add_warm(Program& program);
void add_completion(Program& program);
void add_man(Program& program);
void add_merge(Program& program);
void add_grade(Program& program);
void add_view(Program& program);

/// All that is known of all variations, as kiln variations --json writes it.
std::string variations_json();

/// What is written to standard error when Ctrl-C comes; nothing by default.
void write_at_interrupt(const std::string& bytes);

/// The options that every command has that reads flames.
struct ReadArguments {
  std::string palettes, dialect = "auto", meaning = "auto";
  std::uint64_t max_input_bytes = 0;  // 0: the reader's own limit
  bool strict = false, approximate = false;

  void add_to(Command& command);
  ReaderOptions options() const;
};

}  // namespace kiln::cli
