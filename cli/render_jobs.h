// The pictures that kiln render, merge and grade make: named before the first is rendered, then made
// one after the other.
#pragma once

#include <string>
#include <vector>

#include "cli/console.h"
#include "cli/options/checkpoint_options.h"
#include "cli/options/picture_options.h"
#include "cli/outcome.h"
#include "cli/render_queue.h"
#include "engine/io/flame/flame_reader.h"

namespace kiln::cli {

// A picture of kiln is its own project: rendered again it takes the settings that it was made with,
// where the command line does not say otherwise.

/// How the pictures of a file are made.
struct Making {
  RenderOptions options;
  ExrPrecision precision = ExrPrecision::half_float;
  bool was_linear = false;  // the usual name is that of an OpenEXR picture
  std::string made_before;  // hash of the pixels if nothing but names may differ
};

/// The options, and where they are silent the record of the picture `file`; says in one line what
/// is repeated. Throws Error of kind usage where something is missing that the record only names.
Making making_of(const PictureOptions& args, const FlameFile& file, Console& console);

struct RenderArguments : PictureOptions {
  std::vector<std::string> inputs;
  std::string output, flame, strategy, rng;
  bool dry_run = false;
  CheckpointOptions checkpoint;
  RenderQueue queue;
  /// kiln grade, kiln merge: states that are complete, and nothing is played.
  bool regrade = false;
  bool is_merge = false;  // all inputs are states of one picture
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
};

/// What the options say together. Throws Error (usage).
void complete_render(RenderArguments& args);
/// Reads all inputs; what cannot be read is a failure.
std::vector<Job> read_jobs(const RenderArguments& args, Console& console, Outcome& outcome);
/// Several pictures to one name, or onto an input, are wrong usage.
void check_names(const RenderArguments& args, const std::vector<Job>& jobs);
/// Makes the pictures, each while the next one is prepared and that before it is written
/// (still_maker.cpp). What fails is noted and said.
void render_all(const RenderArguments& args, std::vector<Job>& jobs, Console& console,
                Outcome& outcome);
/// Complete, read, check and make: all of it but the arguments' words. Says everything but the
/// result as JSON.
using MakeAll = void(const RenderArguments&, std::vector<Job>&, Console&, Outcome&);
Outcome make_pictures(RenderArguments& args, MakeAll& make = render_all);
/// Prints the result as JSON if it is wanted; gives the exit code.
int say_result(const RenderArguments& args, const Outcome& outcome);

}  // namespace kiln::cli
