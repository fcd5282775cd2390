// kiln convert: flames out of pictures and files of any program, into one clean .flam3 file. All or
// nothing: a file that cannot be read leaves no output.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/console.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/settings.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"

namespace kiln::cli {
namespace {

struct ConvertArguments {
  std::vector<std::string> inputs;
  std::string output, flame;
  ReadArguments read;
  bool quiet = false, no_clobber = false, force = false;
};

/// What a .flam3 file has no place for.
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
  return read_all_chosen(args.inputs, options, args.flame, Use::stills,
                         [&](const FlameFile& file) { warn_of_losses(file, console); });
}

void check_output_name(const ConvertArguments& args) {
  OutputNames names(args.force || args.no_clobber);
  names.claim_flames(args.output, "convert");
  names.keep_inputs(args.inputs);
  names.keep_input(args.read.palettes);
  check_output(args.output, args.no_clobber);
}

int run_convert(ConvertArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  if (is_standard_output(args.output)) args.output.assign(1, '-');
  args.inputs = expand_inputs(args.inputs);
  check_output_name(args);
  const std::vector<Flame> flames = read_all(args, console);
  write_flames(args.output, flames,
               args.no_clobber ? AtomicFile::Existing::keep : AtomicFile::Existing::replace);
  if (args.output == "-") return exit_done;
  console.summary(
      fmt::format("{} flame{} from {} file{}", flames.size(), flames.size() == 1 ? "" : "s",
                  args.inputs.size(), args.inputs.size() == 1 ? "" : "s"),
      "");
  print("{}\n", args.output);
  return exit_done;
}

}  // namespace

void add_convert(Program& program) {
  Command& command =
      program.command("convert", "Write the flames of pictures and files into one .flam3 file");
  const auto args = std::make_shared<ConvertArguments>();
  command.inputs("IN", args->inputs,
                 "Flames: .flam3, .flame, a picture that carries its genome (PNG, OpenEXR), a "
                 "folder of such files, or - for standard input");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Output");
  command.text("-o,--output", "OUT", args->output,
               "File of flames to write, or - (standard output)");
  command.flag("--no-clobber", args->no_clobber, "Keep a file that exists and fail");
  command.flag("--force", args->force, force_help);
  command.flag("-q,--quiet", args->quiet, "Only errors");
  command.require("-o");
  command.examples({"kiln convert rose.png -o rose.flam3         # the flame of a picture",
                    "kiln convert *.flame *.png -o all.flam3     # many into one file",
                    "kiln convert old.flame -o - | kiln info -"});
  command.runs([args] { return run_convert(*args); });
}

}  // namespace kiln::cli
