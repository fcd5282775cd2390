// SPDX-License-Identifier: MIT
// The pictures that kiln render, merge and grade make: named before the first is rendered, then made
// one after the other.
#pragma once

#include <cstdio>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/options/checkpoint_options.h"
#include "cli/options/command.h"
#include "cli/options/output_files.h"
#include "cli/options/picture_options.h"
#include "cli/outcome.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

// kiln render for programs: a list of jobs, and a folder whose flames are rendered as they come. One
// process makes all pictures, so that only the first waits for the device to start.

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

// A picture of kiln is its own project: rendered again it takes the settings that it was made with,
// where the command line does not say otherwise.

/// The settings with which the pictures of a file are made.
struct Making {
  RenderOptions options;
  ExrForm exr;
  Credits credits;
  bool was_linear = false;  // the picture of the record
  std::string made_before;  // hash of the pixels if nothing but names may differ
  bool repeats = false;     // the settings of a record
};

/// The options, and where they are silent the record of the picture `file`; says in one line what
/// is repeated. Throws Error of kind usage where something is missing that the record only names.
Making making_of(const PictureOptions& args, const FlameFile& file, Console& console);

struct RenderArguments : PictureOptions {
  std::vector<std::string> inputs;
  std::string output, flame, strategy, rng, hdr = "none";
  double hdr_peak = usual_hdr_peak;
  bool dry_run = false, crop_marks = false, as_floats = false;
  CheckpointOptions checkpoint;
  RenderQueue queue;
  /// Adds an option that pictures have and those of animations lack: HDR, of kiln render and grade.
  void add_hdr(Command& command);
  /// Adds that of prints, of kiln render.
  void add_crop_marks(Command& command);
  /// kiln grade, kiln merge: states that are complete, and nothing is played.
  bool regrade = false;
  bool is_merge = false;  // all inputs are states of one picture
  /// The mail of the job that it is; null: it is none.
  JobMail* mail() const { return queue.memory ? queue.memory->mail : nullptr; }
};

/// One picture to make.
struct Job {
  std::string input;
  Flame flame;
  int index = 0;  // of the flame in its file
  std::string path;
  Making making;
  std::vector<std::string> states;  // the files that its sums begin with
  std::string state;                // where its sums are kept; empty: nowhere
  bool came_as_text = false;        // the input is no file

  bool is_hdr() const { return making.exr.hdr_peak > 0; }
  /// Its file may be written while it is made; that of HDR begins with how bright all of it is.
  bool may_come_in_rows() const { return takes_rows(path) && !is_hdr(); }
};

/// The pictures to make and what holds for all of them: who makes them sees no option.
struct RenderPlan {
  std::vector<Job> jobs;
  RenderOptions options;  // that jobs begin with: device, threads, ranks
  CheckpointOptions checkpoint;
  Saving saving;             // of the files; threads and form are a job's
  std::string output;        // as -o says it
  bool keeps_files = false;  // that are there: they are failures
  bool as_json = false;
  bool regrade = false;  // RenderArguments::regrade
  JobMail* mail = nullptr;

  /// The files with the sums that the picture of a job begins with.
  std::vector<std::string> beginnings(const Job& job) const;
};

/// Completes what the options say together. Throws Error (usage).
void complete_render(RenderArguments& args);
/// Reads all inputs; what cannot be read is a failure.
std::vector<Job> read_jobs(const RenderArguments& args, Console& console, Outcome& outcome);
/// Several pictures to one name, or onto an input, are wrong usage.
void check_names(const RenderArguments& args, const std::vector<Job>& jobs);
/// Makes the pictures, each while the next one is prepared and that before it is written, or many small
/// ones beside each other (still_maker.cpp). What fails is noted and said.
void render_all(RenderPlan& plan, Console& console, Outcome& outcome);
/// Makes what a plan says.
using MakeAll = void(RenderPlan&, Console&, Outcome&);
/// Complete, read, check and make: all of it but the arguments' words. Says everything but the
/// result as JSON.
Outcome make_pictures(RenderArguments& args, MakeAll& make = render_all);
/// Prints the result as JSON if it is wanted; gives the exit code.
int say_result(const RenderArguments& args, const Outcome& outcome);

}  // namespace kiln::cli
