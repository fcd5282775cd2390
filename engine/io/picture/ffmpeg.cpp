// SPDX-License-Identifier: MIT
#include "engine/io/picture/ffmpeg.h"

#include <cerrno>
#include <system_error>
#include <thread>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/text.h"

namespace kiln {

std::string program_or_fail(const char* name, const char* option) {
  std::string program = find_program(name);
  if (program.empty()) {
    fail(ErrorKind::output,
         "{} needs the program {}, which is not in PATH: install it (Debian: apt install "
         "ffmpeg), or make frames with -o and put them together elsewhere",
         option, name);
  }
  return program;
}

std::unique_ptr<Child> started(const ChildProgram& program, const std::string& name) {
  try {
    return std::make_unique<Child>(program);
  } catch (const std::system_error& error) {
    fail(ErrorKind::output, "{} cannot be started: {}", name, error.code().message());
  }
}

void listen_to(int file, std::string& kept, std::size_t most) {
  char buffer[1024];
  for (;;) {
    const auto size = read_some(file, buffer, sizeof buffer);
    if (size <= 0) break;
    kept.append(buffer, static_cast<std::size_t>(size));
    if (kept.size() > most) kept.erase(0, kept.size() - most);
  }
  close_descriptor(file);
}

ProgramSaid said_by(const std::vector<std::string>& command) {
  constexpr std::size_t most_words = 1 << 16;
  ChildProgram program{command};
  program.is_heard = true;
  const std::unique_ptr<Child> child = started(program, command[0]);
  ProgramSaid said;
  {  // at once: whoever waits to be heard on one does not end the other
    const int errors = child->take_errors();
    const std::jthread listens([&] { listen_to(errors, said.complaints); });
    listen_to(child->take_output(), said.words, most_words);
  }
  said.ended_well = child->wait()->is_well();
  return said;
}

std::string one_line(std::string text) {
  while (!text.empty() && text.back() == '\n') text.pop_back();
  std::string line;
  for (char c : text) line += c == '\n' ? std::string("; ") : std::string(1, c);
  return printable_whole(line);
}

}  // namespace kiln
