// SPDX-License-Identifier: MIT
// kiln render: reads all files, names all pictures, and only then renders them one after the other.
// Wrong usage stops before anything is written; one bad file or picture does not stop the others.
#include <cmath>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/making/render_jobs.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/pipeline/forecast.h"

namespace kiln::cli {
namespace {

Game game_option(const RenderArguments& args) {
  if (args.rng == "mtgp32") {
    if (args.strategy == "divergent")
      fail(ErrorKind::usage, "--rng mtgp32 is of --strategy permutation; leave out one of the two");
    return Game::mtgp32;
  }
  return args.strategy == "divergent" ? Game::divergent : Game::permutation;
}

/// Says what would be made and what it would take. Pictures that could not be made are failures.
void foretell_all(RenderPlan& plan, Console& console, Outcome& outcome) {
  Forecaster forecaster(plan.options, true);
  double seconds = 0;
  for (const Job& job : plan.jobs) {
    try {
      if (!is_folder_to_make(plan.output)) check_output(job.path, plan.keeps_files);
      RenderOptions options = job.making.options;
      if (job.may_come_in_rows()) options.on_rows = [](const RowsOfPicture&) {};
      forecaster.settings(options, !job.state.empty());
      const Forecast forecast = forecaster.of(job.flame);
      forecaster.check_memory(job.flame);
      seconds += forecast.seconds;
      outcome.foretell(job.path, job.flame, forecast, plan.as_json);
    } catch (const Error& error) {
      outcome.note_failure(job.path, error.kind, error.what(), console);
    }
  }
  console.summary(fmt::format("dry run: {} picture{}, about {} on {}; nothing was written",
                              outcome.done, outcome.done == 1 ? "" : "s",
                              clock_time(std::ceil(seconds)), forecaster.device()),
                  "");
}

/// One command's pictures.
Outcome render_inputs(RenderArguments& args) {
  args.options.game = game_option(args);
  args.inputs = expand_inputs(args.inputs);
  return make_pictures(args, args.dry_run ? foretell_all : render_all);
}

void add_options(Command& command, RenderArguments& args) {
  command.inputs("IN", args.inputs,
                 "Flames: .flam3, .flame, a picture that carries its genome, a folder of such "
                 "files, - for standard input; a .kiln file is resumed",
                 false);
  command.text(flame_option.names, flame_option.type, args.flame, flame_option.help);
  command.group("Output");
  command.text("-o,--output", "TEMPLATE", args.output,
               "Name of the picture, a folder, or - for standard output. Knows {stem} {name} "
               "{index} {frame} {palette} #### %05d (default {stem}.png here, {stem}_{index}.png "
               "for several "
               "flames)");
  command.flag("--dry-run", args.dry_run,
               "Render nothing: show names, sizes, samples, memory and the time it would take");
  args.settings.color.takes_several = true;
  args.add_picture_options(command);
  args.add_hdr(command);
  args.add_crop_marks(command);
  command.flag("--float", args.as_floats,
               "Linear light in floats of 32 bits, of TIFF (OpenEXR has it by --exr float)");
  args.add_machine_options(command, true);
  args.queue.add_to(command);
  command.flag("--ignore-record", args.ignore_record,
               "Take only the flame from a picture that kiln made, with the usual settings instead "
               "of those it was made with");
  add_settings(command, "stages", args.options);
  args.checkpoint.add_to(command, args.options);
  command.group("Cross-checks (slower, the same picture within noise, other pixels)");
  command.choice("--strategy", {"permutation", "divergent"}, args.strategy,
                 "divergent: every lane draws its own xform, to check the permutation method");
  command.choice("--rng", {"philox", "mtgp32"}, args.rng,
                 "mtgp32: cuRAND's Mersenne Twister, CUDA only, to check the random numbers");
}

int run_render(const Command& command, RenderArguments& args) {
  if (args.queue.wanted()) {
    return run_render_queue(args.queue, args.inputs, command, args.json, render_queued_words);
  }
  if (args.inputs.empty())
    fail(ErrorKind::usage, "IN is missing; kiln render --help shows what it stands for");
  return say_result(args, render_inputs(args));
}

}  // namespace

Outcome render_queued_words(std::vector<std::string> words, bool as_json, QueueMemory& memory) {
  RenderArguments args;
  Program program("", "");
  add_options(program.command("render", ""), args);
  words.insert(words.begin(), "render");
  if (!program.read(words)) fail(ErrorKind::usage, "a job has no \"help\"");
  if (args.inputs.empty() && (!memory.mail || memory.mail->genomes.empty()))
    fail(ErrorKind::usage, "\"in\" is missing: the flame to render");
  args.json = as_json;
  args.queue.memory = &memory;
  return render_inputs(args);
}

void add_render(Program& program) {
  Command& command = program.command(
      "render", "Render flames to PNG, JPEG, TIFF, WebP, AVIF, JPEG XL, OpenEXR or PPM files");
  const auto args = std::make_shared<RenderArguments>();
  add_options(command, *args);
  command.examples(
      {"kiln render rose.flame                           # makes rose.png in this folder",
       "kiln render rose.flame -o draft.png --quality 20 --width 480",
       "kiln render rose.flame -o glow.png --bloom 0.2 --glare 6,15",
       "kiln render rose.flame -o phone.png --fill 1080x1920 --rotate 30 --background '#102030'",
       "kiln render rose.flame -o part.png --size 1600x1200 --crop 400,300,640x480",
       "kiln render *.flame -o pictures/{stem}_{index}.png",
       "kiln render rose.flame -o good.png --until-noise 0.5",
       "kiln render rose.flame -o - | display", "kiln render rose.png -o again.png --seed 7",
       "kiln render --watch flames -o pictures           # whatever comes into the folder",
       "kiln render --jobs - < jobs.json                 # a JSON object a line, answers alike"});
  command.runs([args, &command] { return run_render(command, *args); });
}

}  // namespace kiln::cli
