// SPDX-License-Identifier: MIT
// kiln layers: what a compositor wants beside a flame's colors, as an OpenEXR file (engine/render/layers.h).
#include "engine/render/layers.h"

#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/output_files.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/api/api_impl.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/flock/flock.h"
#include "engine/io/file/output_name.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/exr_layers.h"
#include "engine/io/picture/picture_format.h"

namespace kiln::cli {
namespace {

struct LayersArguments {
  std::string input, output, flame;
  ReadArguments read;
  Settings settings;
  LayerOptions layers;
  bool colors = false, quiet = false, force = false;
};

Flame flame_of_layers(const LayersArguments& args, Console& console) {
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  args.settings.complete(options);
  std::vector<Flame> flames =
      read_all_chosen(expand_inputs({args.input}), options, args.flame, Use::stills);
  if (flames.size() != 1)
    fail(ErrorKind::usage, "{}: has {} flames, and layers are those of one; choose it with --flame",
         printable_whole(args.input), flames.size());
  args.settings.apply(flames[0]);
  return std::move(flames[0]);
}

/// The picture of each xform alone, in linear light.
std::vector<Picture> pictures_of_xforms(const Flame& flame, const LayersArguments& args) {
  RenderOptions options;
  options.linear = options.transparent = true;
  options.seed = args.layers.seed;
  options.threads = args.layers.threads;
  Session session(options);
  std::vector<Picture> pictures;
  for (const Flame& one : layers(flame)) pictures.push_back(session.render(scene_of(one), options));
  return pictures;
}

int run_layers(const LayersArguments& args) {
  Console console(ProgressMode::none, args.quiet);
  if (!format_named(args.output).linear)
    fail(ErrorKind::usage, "{}: layers are an OpenEXR file; name it {}",
         printable_whole(args.output), picture_endings(true));
  check_picture_name(args.output);
  OutputNames names(args.force);
  names.claim_picture(args.output, "the layers", "another name");
  check_output_path(args.output);
  const Flame flame = flame_of_layers(args, console);
  const std::vector<PixelLayer> made = flame_layers(flame, args.layers);
  if (flame.depth_camera == DepthCamera{})
    console.note("the camera looks straight down; Z is the flame's own z, if it has any");
  const std::vector<Picture> pictures =
      args.colors ? pictures_of_xforms(flame, args) : std::vector<Picture>();
  std::vector<ExrChannelValues> channels;
  std::vector<ExrPart> parts;
  for (const PixelLayer& layer : made) channels.push_back({layer.channel, layer.values.data()});
  for (std::size_t i = 0; i < pictures.size(); ++i)
    parts.push_back({fmt::format("xform{}", i), &pictures[i].image});
  write_exr_layers(args.output, flame.width, flame.height, channels, parts,
                   picture_texts(genome_xml(flame), ""));
  if (!is_standard_output(args.output)) print("{}\n", printable_whole(args.output));
  return exit_done;
}

}  // namespace

void add_layers(Program& program) {
  Command& command = program.command(
      "layers", "Write depth, hits and the share of each xform as layers of an OpenEXR file");
  const auto args = std::make_shared<LayersArguments>();
  command.input("IN", args->input, "A flame, in a file, a picture or a link, or -");
  command.reads("IN");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Output");
  command.text("-o,--output", "FILE.exr", args->output, "Z, hits.X, xform0.X, xform1.X, ...");
  command.require("--output");
  command.flag("--colors", args->colors,
               "Also a part for each xform with the picture of it alone, R G B A in linear light");
  command.flag("-f,--force", args->force, force_help);
  command.flag("-q,--quiet", args->quiet, quiet_help);
  command.group("Machine");
  command.seed("--seed", args->layers.seed, "That of the picture: other samples of the same flame");
  command.whole("--threads", "N", args->layers.threads, "Threads (default 0: all cores)",
                {0, 4096});
  args->settings.add_to(command);
  command.examples(
      {"kiln layers rose.flam3 -o rose_layers.exr",
       "kiln layers rose.flam3 -o rose_layers.exr --colors --width 1920 --quality 200"});
  command.runs([args] { return run_layers(*args); });
}

}  // namespace kiln::cli
