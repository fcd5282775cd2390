// kiln info: what is in a file of flames and what rendering it would take, without rendering.
#include <algorithm>
#include <cmath>
#include <memory>

#include "cli/commands.h"
#include "cli/talk.h"
#include "engine/io/printable.h"
#include "engine/io/text.h"
#include "engine/model/exact_math.h"
#include "engine/model/variations.h"
#include "engine/render/output_plan.h"

namespace kiln::cli {
namespace {

struct InfoArguments {
  std::string input;
  ReadArguments read;
  bool json = false;
};

/// Names of the variations in use, in registry order; the final xform's count too.
std::vector<std::string> used_variations(const Flame& flame) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < variations().size(); ++i) {
    const auto uses = [&](const Xform& xform) {
      return i < xform.variations.size() && xform.variations[i] != 0;
    };
    const bool in_final = flame.final_xform && uses(*flame.final_xform);
    if (in_final || std::any_of(flame.xforms.begin(), flame.xforms.end(), uses))
      names.push_back(variations()[i].name);
  }
  return names;
}

bool has_xaos(const Flame& flame) {
  return std::any_of(flame.xforms.begin(), flame.xforms.end(), [](const Xform& xform) {
    return std::any_of(xform.chaos.begin(), xform.chaos.end(),
                       [](double multiplier) { return multiplier != 1; });
  });
}

int color_count(const Palette& palette) {
  int count = 0;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    count += std::find(palette.begin(), palette.begin() + static_cast<std::ptrdiff_t>(i),
                       palette[i]) == palette.begin() + static_cast<std::ptrdiff_t>(i);
  }
  return count;
}

bool is_opaque(const Palette& palette) {
  return std::all_of(palette.begin(), palette.end(),
                     [](const Rgba& color) { return color.a == 1; });
}

/// Samples of one picture: quality counts per output pixel, and zoom multiplies it by 4^zoom.
double nominal_samples(const Flame& flame) {
  return flame.quality * flame.width * flame.height * exact::exp2(2 * flame.zoom);
}

/// Histogram (16 bytes a bucket) and filtered picture of one frame, and the planes of the FFT where
/// bloom or glare spread its light; without what a device adds for speed.
double nominal_memory_bytes(const Flame& flame) {
  const BufferGeometry buffer = plan_geometry(flame);
  constexpr double bytes_a_bucket = 2 * 16, bytes_a_pixel = 16 + 8;
  const bool spreads_light =
      flame.effects.bloom_strength() > 0 || flame.effects.glare_strength() > 0;
  const std::uint64_t effects = spreads_light ? plan_output(flame, {}).effects.bytes() : 0;
  return bytes_a_bucket * buffer.width * buffer.height +
         bytes_a_pixel * flame.width * flame.height + static_cast<double>(effects);
}

std::string flame_json(const Flame& flame, int index) {
  JsonArray names;
  for (const std::string& name : used_variations(flame)) names.add_json(json_string(name));
  JsonObject palette;
  palette.add("mode", flame.palette_mode == PaletteMode::step ? "step" : "linear")
      .add("colors", color_count(flame.palette))
      .add("opaque", is_opaque(flame.palette));
  return JsonObject()
      .add("index", index)
      .add("name", flame.name)
      .add("line", flame.line)
      .add("time", flame.time)
      .add("width", flame.width)
      .add("height", flame.height)
      .add("quality", flame.quality)
      .add("scale", flame.scale)
      .add("zoom", flame.zoom)
      .add("rotate", flame.rotate_deg)
      .add("supersample", flame.supersample)
      .add("passes", flame.passes)
      .add("temporal_samples", flame.temporal_samples)
      .add("xforms", static_cast<int>(flame.xforms.size()))
      .add("final_xform", flame.final_xform.has_value())
      .add("xaos", has_xaos(flame))
      .add_json("variations", names.text())
      .add_json("palette", palette.text())
      .add("samples", nominal_samples(flame))
      .add("memory_bytes", nominal_memory_bytes(flame))
      .text();
}

std::string flame_text(const Flame& flame, int index) {
  const std::size_t xforms = flame.xforms.size();
  std::string names;
  for (const std::string& name : used_variations(flame))
    names += (names.empty() ? "" : ", ") + name;
  return fmt::format(
      "  {} {}\n"
      "    {} x {} pixels, quality {}, supersample {}, scale {}, zoom {}\n"
      "    {} xform{}{}{}: {}\n"
      "    palette: {}, {} colours{}\n"
      "    about {} samples, {} of memory\n",
      index, flame.name.empty() ? "(no name)" : "\"" + printable(flame.name) + "\"", flame.width,
      flame.height, shortest(flame.quality), flame.supersample, shortest(flame.scale),
      shortest(flame.zoom), xforms, xforms == 1 ? "" : "s",
      flame.final_xform ? " and a final one" : "", has_xaos(flame) ? ", xaos" : "",
      names.empty() ? "no variation" : names,
      flame.palette_mode == PaletteMode::step ? "step" : "linear", color_count(flame.palette),
      is_opaque(flame.palette) ? "" : ", with alpha", with_prefix(nominal_samples(flame)),
      byte_size(static_cast<std::uint64_t>(nominal_memory_bytes(flame))));
}

int run_info(const InfoArguments& args) {
  Talk talk(ProgressMode::none, false);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { talk.warning(message); };
  const FlameFile file = read_flames(args.input, options);
  const std::size_t count = file.flames.size();
  JsonArray flames;
  std::string text =
      fmt::format("{}: {} flame{}\n", printable_whole(args.input), count, count == 1 ? "" : "s");
  for (std::size_t i = 0; i < count; ++i) {
    flames.add_json(flame_json(file.flames[i], static_cast<int>(i)));
    text += flame_text(file.flames[i], static_cast<int>(i));
  }
  if (args.json)
    text = JsonObject().add("file", args.input).add_json("flames", flames.text()).text() + "\n";
  fmt::print("{}", text);
  return exit_done;
}

}  // namespace

void add_info(Program& program) {
  Command& command =
      program.command("info", "Show what a file holds: flames, sizes, variations, cost");
  const auto args = std::make_shared<InfoArguments>();
  command.input("IN", args->input, "File of flames, or - for standard input");
  args->read.add_to(command);
  command.group("Messages");
  command.flag("--json", args->json, "One JSON object on standard output");
  command.examples({"kiln info rose.flame", "kiln info rose.png --json | jq .flames[0].samples"});
  command.runs([args] { return run_info(*args); });
}

}  // namespace kiln::cli
