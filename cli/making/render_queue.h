// SPDX-License-Identifier: MIT
// kiln render for programs: a list of jobs, and a folder whose flames are rendered as they come. One
// process makes all pictures, so that only the first waits for the device to start.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/options/command.h"
#include "cli/options/output_files.h"
#include "cli/says/outcome.h"
#include "engine/api/kiln/render_options.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

// The list of kiln render --jobs: lines from a file or a pipe, read as they come, and the words of
// the command line that a line means. What stands in it is not trusted: lines are bounded while they
// are read, JSON is bounded in depth before it is kept.

class JobList {
 public:
  /// Opens the list, standard input for "-". Throws Error of kind input.
  explicit JobList(const std::string& path);

  /// The next line, of which no more is kept than a job may have and a byte; false at the end. Waits
  /// for it. Throws Error of kind input where the list cannot be read any further.
  bool next(std::string& line);
  /// The number of the line that next() returned, from 1.
  int number() const { return number_; }

 private:
  const std::string name_;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_;
  std::FILE* source_;
  int number_ = 0;
};

struct RenderPlan;

/// The flames that a job brings in its line and the picture that its answer has, without a file. Whoever serves
/// others hears here how it goes, and ends it.
struct JobMail {
  std::vector<std::string> genomes;  // of "genome"
  bool wants_picture = false;        // of an "output" that is "-" or "exr:-"
  std::string picture;               // the bytes of its file; empty where none was made

  std::function<void(const std::string&)>
      warned;  // hears warnings; nothing goes to standard error then
  std::function<void(const Progress&)> on_progress;  // from the rendering thread
  std::function<void(const RenderPlan&)> check;      // may throw Error before a picture is begun
  std::stop_token stop;                              // ends the render: Error (stopped)
  std::unique_ptr<Renderer>* renderer = nullptr;     // stays for the next job, of the same devices
};

/// A line of the list as the words of `kiln render`, inputs and options; its "id" as JSON (null
/// without one) goes to `id` as soon as it is known, what has no file to `mail`. Throws Error (input, usage).
std::vector<std::string> words_of_job(const std::string& line, std::string& id, JobMail& mail);

/// The knowledge that the jobs of a queue share.
struct QueueMemory {
  std::string list;      // that is read
  bool watches = false;  // inputs come from a folder, whoever puts them there
  OutputNames pictures{true};
  JobMail* mail = nullptr;  // of the job that is being made
};

/// The source of pictures to make one after the other in one process; at most one name is given.
struct RenderQueue {
  std::string
      jobs;  // file with one JSON object a line (docs/reference/cli.md), "-": standard input
  std::string watched;            // folder
  QueueMemory* memory = nullptr;  // of the queue that this is a job of

  void add_to(Command& command);
  bool wanted() const { return !jobs.empty() || !watched.empty(); }
};

/// Renders what these words, inputs and options of `kiln render`, say; as_json: keeps the pictures
/// for Outcome::result_json(). Throws Error (usage).
using RenderWords = Outcome(std::vector<std::string> words, bool as_json, QueueMemory& memory);
/// The one of kiln render (commands/render.cpp).
RenderWords render_queued_words;

/// Renders the jobs of the list: each is answered by one JSON object on standard output, in order,
/// as soon as it is done, and none ends the others. Or renders the flames of the folder, then those
/// that are put into it or change, until a signal ends the program. The options of `command` are
/// those of every job, before its own. Gives the exit code; throws Error (usage, or input for a
/// folder that cannot be watched).
int run_render_queue(const RenderQueue& queue, const std::vector<std::string>& inputs,
                     const Command& command, bool as_json, RenderWords& render);

}  // namespace kiln::cli
