// SPDX-License-Identifier: MIT
// What became of a command that renders pictures, and how it is said: the exit code, the closing
// line, and the result as JSON.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/says/console.h"
#include "engine/base/text.h"
#include "engine/model/flame.h"
#include "engine/pipeline/forecast.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

struct Failure {
  std::string item;
  ErrorKind kind;
  std::string message;
};

/// One picture that is done.
struct PictureReport {
  std::string path, input, name;
  int index = 0;  // of the flame in its file, or of the frame
  int width = 0, height = 0, bits = 8;
  std::uint64_t seed = 0;
  RenderStatistics statistics;
  std::string hash;
  double encode_s = 0, seconds = 0;
  std::string noise_counts = {};    // counted_noise(), where it was measured
  std::optional<double> time = {};  // of a frame
};

struct Outcome {
  std::vector<Failure> failures;
  std::size_t unsaved = 0;  // of them: states alone, whose pictures are made
  JsonArray pictures;       // of what note() was told, if it is wanted
  int done = 0;
  int kept = 0;              // frames that were there already
  bool reader_gone = false;  // of a pipe: nothing more is said
  std::string video;         // that was made
  bool stopped = false;      // by a signal, with its state saved
  std::uint64_t samples = 0, bad_values = 0, peak_memory_bytes = 0;
  double noise = -1, noise_error = -1;  // of the noisiest picture, if any was measured
  std::string noise_counts = {};        // of the same
  double light_lost = 0;  // the largest share that effects took out of a picture's frame
  std::set<std::string> devices;

  /// Says why this one could not be had, and counts it; `is_known`: as Console::error() has it.
  void note_failure(const std::string& item, ErrorKind kind, const std::string& message,
                    Console& console, bool is_known = false);
  /// Counts a picture; `as_json`: keeps it for result_json().
  void note(const PictureReport& picture, bool as_json);
  /// Prints what a picture would take, or keeps it for result_json().
  void foretell(const std::string& path, const Flame& flame, const Forecast& forecast,
                bool as_json);
  /// The exit code, by one rule for all commands: 0 where all is there, 7 where something is and
  /// something is not, else that of the first failure.
  int exit_code() const;
  /// The closing line. `unit` is what was made: "picture", "frame".
  void say_summary(double seconds, const char* unit, Console& console) const;
  std::string result_json() const;

 private:
  std::string summary_json(double seconds, double rate, std::uint64_t memory) const;
};

}  // namespace kiln::cli
