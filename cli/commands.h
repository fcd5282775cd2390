// The commands. Each function adds one to the program, with its options and help; when the command
// line chooses it, `run` becomes what it does and gives back the exit code. docs/cli.md describes
// them for users.
#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>

#include "engine/io/flame_reader.h"

namespace kiln::cli {

using Run = std::function<int()>;

enum ExitCode {
  exit_done = 0,
  exit_differences = 1,
  exit_usage = 2,
  exit_memory = 6,
  exit_some_failed = 7
};

void add_render(CLI::App& program, Run& run);
void add_animate(CLI::App& program, Run& run);
void add_info(CLI::App& program, Run& run);
void add_validate(CLI::App& program, Run& run);
void add_variations(CLI::App& program, Run& run);
void add_devices(CLI::App& program, Run& run);
void add_compare(CLI::App& program, Run& run);
void add_sequence(CLI::App& program, Run& run);

/// The options that every command has that reads flames.
struct ReadArguments {
  std::string palettes, max_input;
  bool strict = false;

  void add_to(CLI::App& command);
  /// Throws Error of kind usage.
  ReaderOptions options() const;
};

/// Puts `text` and examples, one "command   # what it does" a line, below the options of the help.
std::string examples(std::initializer_list<const char*> lines);

/// A size option such as 64M in bytes. Throws Error of kind usage with the option's name.
std::uint64_t size_option(const char* option, const std::string& text);

}  // namespace kiln::cli
