// SPDX-License-Identifier: MIT
// The programs ffmpeg and ffprobe: found, started, heard. What they are told is video_command.h's.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/base/platform/process.h"

namespace kiln {

/// The path of the program. Throws Error (output) with what to install, for which `option` asks.
std::string program_or_fail(const char* name, const char* option);

/// Starts a program. Throws Error (output).
std::unique_ptr<Child> started(const ChildProgram& program, const std::string& name);

/// Reads until the end, closes the file, and keeps the last `most` bytes.
void listen_to(int file, std::string& kept, std::size_t most = 2000);

struct ProgramSaid {
  std::string words, complaints;
  bool ended_well = false;
};

/// Runs a program that says something and ends.
ProgramSaid said_by(const std::vector<std::string>& command);

/// The last lines of what ffmpeg said, as one.
std::string one_line(std::string text);

}  // namespace kiln
