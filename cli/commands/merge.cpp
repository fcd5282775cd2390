// SPDX-License-Identifier: MIT
// kiln merge: the shards of a render become its picture, or one state.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/making/render_jobs.h"
#include "cli/options/output_files.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/state/state_file.h"
#include "engine/render/still.h"

namespace kiln::cli {
namespace {

int merge_into_state(const RenderArguments& args) {
  OutputNames names(args.force || args.no_clobber);
  names.claim(args.output, "the merged state", "-o");
  names.keep_inputs(args.inputs);
  check_output(args.output, args.no_clobber);
  if (!args.force) check_no_state_is_lost(args.output);
  const SavedSums sums = read_sums(args.inputs, args.options.max_memory_bytes);
  write_state(args.output, sums,
              args.no_clobber ? AtomicFile::Existing::keep : AtomicFile::Existing::replace);
  if (args.json) {
    print("{}\n", JsonObject()
                      .add("file", args.output)
                      .add("units", sums.done.count())
                      .add("samples", sums.done.count() * sums.shape.unit_samples)
                      .text());
  } else {
    print("{}\n", args.output);
  }
  return exit_done;
}

int run_merge(RenderArguments& args) {
  if (args.output.empty())
    fail(ErrorKind::usage, "-o is missing: the picture ({}) or the state (.kiln) to make",
         picture_endings());
  if (args.output.ends_with(".kiln")) return merge_into_state(args);
  return say_result(args, make_pictures(args));
}

}  // namespace

void add_merge(Program& program) {
  Command& command =
      program.command("merge", "Put the shards of a render together: its picture, or one state");
  const auto args = std::make_shared<RenderArguments>();
  args->regrade = args->is_merge = true;
  command.inputs("STATE", args->inputs,
                 "State files (.kiln) that hold different units of one render");
  command.group("Output");
  command.text("-o,--output", "FILE", args->output,
               "The picture (.png, .jpg, .tif, .webp, .avif, .jxl, .exr, .ppm), or a state (.kiln) "
               "that may lack units");
  args->add_machine_options(command);
  command.examples({"kiln merge rose.*-4.kiln -o rose.png",
                    "kiln merge rose.*-4.kiln -o rose.kiln    # to resume or to grade"});
  command.runs([args] { return run_merge(*args); });
}

}  // namespace kiln::cli
