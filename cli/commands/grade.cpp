// SPDX-License-Identifier: MIT
// kiln grade: another look of a state file. The sums are there, so nothing is iterated but the last,
// partial unit of the picture, some two million samples at most.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/making/render_jobs.h"

namespace kiln::cli {

void add_grade(Program& program) {
  Command& command =
      program.command("grade", "Give the picture of a state file another look, without iterating");
  const auto args = std::make_shared<RenderArguments>();
  args->regrade = true;
  command.inputs("STATE", args->inputs, "State files (.kiln) of complete renders");
  command.group("Output");
  command.text("-o,--output", "TEMPLATE", args->output,
               "Name of the picture, a folder, or - for standard output (default {stem}.png here)");
  args->add_picture_options(command);
  args->add_hdr(command);
  args->add_machine_options(command);
  command.examples(
      {"kiln grade rose.kiln -o bright.png --brightness 8 --gamma 3",
       "kiln grade rose.kiln -o linear.exr                # linear light for a compositor",
       "kiln grade rose.kiln -o part.png --crop 400,300,640x480 --bits 16",
       "kiln grade rose.kiln -o soft.png --set filter_shape=mitchell --set estimator_radius=5"});
  command.runs([args] { return say_result(*args, make_pictures(*args)); });
}

}  // namespace kiln::cli
