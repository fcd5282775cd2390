// SPDX-License-Identifier: MIT
// kiln convert: flames out of pictures and files of any program, with other settings if wanted, into one
// clean .flam3 file or a file each. All or nothing: a file that cannot be read leaves no output.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_output.h"
#include "cli/options/flame_selection.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/base/text.h"
#include "engine/io/flame/for_flam3.h"

namespace kiln::cli {
namespace {

struct ConvertArguments {
  std::vector<std::string> inputs;
  std::string flame, program = "kiln";
  ReadArguments read;
  Settings settings;
  FlameOutput output;
};

/// Warns of settings that a .flam3 file has no place for.
void warn_of_losses(const FlameFile& file, Console& console) {
  if (!file.record || file.record->pixel_aspect == 1) return;
  console.warning(
      fmt::format("{}: a flame does not say the shape of its pixels; render it with "
                  "--pixel-aspect {}",
                  printable_whole(file.name), shortest(file.record->pixel_aspect)));
}

std::vector<Flame> read_all(const ConvertArguments& args, Console& console) {
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  args.settings.complete(options);
  std::vector<Flame> flames =
      read_all_chosen(args.inputs, options, args.flame, Use::stills,
                      [&](const FlameFile& file) { warn_of_losses(file, console); });
  for (Flame& flame : flames) args.settings.apply(flame);
  return flames;
}

int run_convert(ConvertArguments& args) {
  Console console(ProgressMode::none, args.output.quiet);
  args.inputs = expand_inputs(args.inputs);
  args.output.check("convert", args.inputs);
  std::vector<Flame> flames = read_all(args, console);
  if (args.program == "flam3")
    for (Flame& flame : flames)
      flame = flame_for_flam3(flame, args.read.approximate,
                              [&](const std::string& lost) { console.warning(lost); });
  args.output.write("convert", flames);
  if (args.output.path != "-")
    console.summary(
        fmt::format("{} flame{} from {} file{}", flames.size(), flames.size() == 1 ? "" : "s",
                    args.inputs.size(), args.inputs.size() == 1 ? "" : "s"),
        "");
  return exit_done;
}

}  // namespace

void add_convert(Program& program) {
  Command& command =
      program.command("convert", "Write the flames of pictures and files, with other settings");
  const auto args = std::make_shared<ConvertArguments>();
  command.inputs(
      "IN", args->inputs,
      "Flames: .flam3, .flame, a picture that carries its genome (PNG, JPEG, TIFF, OpenEXR), a "
      "folder of such files, or - for standard input");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  args->output.add_to(command);
  command.choice("--for", {"kiln", "flam3"}, args->program,
                 "Who is to read it (default kiln). flam3: also all programs that read its files; "
                 "light, opacities and colors of other programs become flam3's, and a flame that "
                 "needs more is refused, or written without with --approximate");
  args->settings.add_to(command, Settings::Of::flames);
  command.examples(
      {"kiln convert rose.png -o rose.flam3         # the flame of a picture",
       "kiln convert *.flame *.png -o all.flam3     # many into one file",
       "kiln convert pack.flam3 -o single/          # a file for each",
       "kiln convert pack.flam3 -o dark.flam3 --brightness 2 --size 1920x1080",
       "kiln convert jw.flame -o jw.flam3 --for flam3   # of JWildfire, for flam3 and Fractorium",
       "kiln convert old.flame -o - | kiln info -"});
  command.runs([args] { return run_convert(*args); });
}

}  // namespace kiln::cli
