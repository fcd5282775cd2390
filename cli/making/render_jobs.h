// SPDX-License-Identifier: MIT
// The pictures that kiln render, merge and grade make: named before the first is rendered, then made
// one after the other, or many small ones beside each other.
#pragma once

#include <string>
#include <vector>

#include "cli/making/render_queue.h"
#include "cli/making/repeated.h"
#include "cli/options/checkpoint_options.h"
#include "cli/options/command.h"
#include "cli/options/output_files.h"
#include "cli/options/picture_options.h"
#include "cli/says/console.h"
#include "cli/says/outcome.h"
#include "engine/io/file/output_name.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

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
/// Pictures that would replace those of other flames of the same queue are failures.
void drop_replacing(const RenderArguments& args, std::vector<Job>& jobs, Console& console,
                    Outcome& outcome);
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
