// SPDX-License-Identifier: MIT
// Command lines, a word a line: taken apart, every value read, nothing run.
#include "cli/commands/commands.h"
#include "tests/fuzz/fuzz.h"

namespace kiln::cli {
void write_at_interrupt(const std::string&) {}  // main.cpp has the real one
}  // namespace kiln::cli

using namespace kiln;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::uint8_t which = input.byte();
  constexpr void (*commands[])(cli::Program&) = {
      cli::add_render,  cli::add_animate,  cli::add_info,    cli::add_validate,
      cli::add_compare, cli::add_sequence, cli::add_convert, cli::add_devices};
  constexpr const char* names[] = {"render",  "animate",  "info",    "validate",
                                   "compare", "sequence", "convert", "devices"};
  cli::Program program("", "");
  commands[which % 8](program);
  std::vector<std::string> words = {names[which % 8]};
  while (!input.empty()) words.emplace_back(input.line());
  fuzz::answered([&] { program.read(words); });
  return 0;
}
