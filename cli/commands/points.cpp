// SPDX-License-Identifier: MIT
// kiln points: the points of a flame, for programs that show clouds of them (engine/render/points.h).
#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/option_value.h"
#include "cli/options/output_files.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/base/platform/terminal.h"
#include "engine/base/text.h"
#include "engine/io/file/atomic_file.h"
#include "engine/io/file/output_name.h"
#include "engine/io/points_file.h"
#include "engine/render/density_volume.h"

namespace kiln::cli {
namespace {

struct PointsArguments {
  std::string input, output, flame;
  ReadArguments read;
  Settings settings;
  PointOptions points;
  bool quiet = false, force = false;
};

/// "1000000", "1e6", "2.5e7".
std::uint64_t count_value(const std::string& text) {
  constexpr double most = 1e11;
  const std::optional<double> count = to_real(text);
  if (!count || !(*count >= 1 && *count <= most) || *count != std::floor(*count))
    fail(ErrorKind::usage, "--count {}: it takes a whole number from 1 to 1e11, such as 1e6",
         printable(text));
  return std::uint64_t(*count);
}

Flame only_flame(const PointsArguments& args, Console& console) {
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  args.settings.complete(options);
  std::vector<Flame> flames =
      read_all_chosen(expand_inputs({args.input}), options, args.flame, Use::stills);
  if (flames.size() != 1)
    fail(ErrorKind::usage, "{}: has {} flames, and points are those of one; choose it with --flame",
         printable_whole(args.input), flames.size());
  args.settings.apply(flames[0]);
  return std::move(flames[0]);
}

int run_points(PointsArguments& args, const Command& command) {
  Console console(ProgressMode::none, args.quiet);
  const bool is_volume = is_volume_name(args.output);
  if (!is_volume) point_format_named(args.output);
  if (is_volume && !command.given("--count")) args.points.count = usual_points_of_volume;
  if (!is_volume && command.given("--cells"))
    fail(ErrorKind::usage, "--cells: of a volume alone; name it .nrrd or .npy");
  check_output_path(args.output);
  OutputNames names(args.force);
  names.claim(args.output, "the points", "a name of its own");
  if (is_standard_output(args.output) && ending_of(args.output) != ".csv" &&
      is_terminal(standard_output))
    fail(ErrorKind::usage,
         "-o {}: standard output is a terminal, which shows no PLY; name a file, or csv:-",
         args.output);
  const Flame flame = only_flame(args, console);
  const auto start = std::chrono::steady_clock::now();
  write_points(flame, args.output, args.points);
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  const double count = double(args.points.count);
  console.summary(
      fmt::format("{}: {} points in {:.1f} s, {} a second", printable_whole(args.output),
                  with_prefix(count), seconds, with_prefix(count / std::max(seconds, 1e-9))),
      JsonObject()
          .add("output", args.output)
          .add("points", args.points.count)
          .add("seconds", seconds)
          .text());
  return exit_done;
}

}  // namespace

void add_points(Program& program) {
  Command& command = program.command(
      "points", "Write the points of a flame, for Blender, Houdini, MeshLab or numpy");
  const auto args = std::make_shared<PointsArguments>();
  command.input("IN", args->input, "A flame, in a file, a picture or a link, or -");
  command.reads("IN");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Points");
  command.value(
      "--count", "N", [args](const std::string& text) { args->points.count = count_value(text); },
      "How many: 1e6 (default) to 1e11; a PLY has 18 bytes for each. Of a volume 1e8, to 4e9");
  command.seed("--seed", args->points.seed,
               "Other points of the same flame; the same seed and count give the same bytes");
  command.flag("--inside", args->points.inside,
               "Only points that fall into the picture: flames may have some that are far away");
  command.whole("--cells", "N", args->points.cells,
                "Cells of a volume's longest side (default 256)", {2, most_volume_cells});
  command.whole("--threads", "N", args->points.threads, "CPU threads (default: all cores)",
                {1, 4096});
  command.group("Output");
  command.text(
      "-o,--output", "FILE", args->output,
      "FILE.ply (binary) or FILE.csv; - is a PLY to standard output, csv:- a CSV. FILE.nrrd or "
      "FILE.npy: how many points fall into each cell of a box");
  command.require("--output");
  command.flag("-f,--force", args->force, force_help);
  command.flag("-q,--quiet", args->quiet, quiet_help);
  args->settings.add_to(command, Settings::Of::flames);
  command.examples({"kiln points rose.flam3 -o rose.ply",
                    "kiln points rose.flam3 -o rose.ply --count 5e7 --inside",
                    "kiln points rose.flam3 -o csv:- --count 1000 | head",
                    "kiln points rose.flam3 -o rose.nrrd --cells 512   # a volume, for ParaView",
                    "kiln points rose.flam3 -o - --count 1e9 | zstd > rose.ply.zst"});
  command.runs([args, &command] { return run_points(*args, command); });
}

}  // namespace kiln::cli
