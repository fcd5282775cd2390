// SPDX-License-Identifier: MIT
// kiln light: whose light lies in a place of the picture (engine/render/light_at.h).
#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/options/flame_selection.h"
#include "cli/options/option_value.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/render/light_at.h"

namespace kiln::cli {
namespace {

struct LightArguments {
  std::string input, flame;
  ReadArguments read;
  Settings settings;
  LightOptions light;
  std::optional<std::array<double, 2>> at;
  bool json = false;
};

Flame flame_of_light(const LightArguments& args) {
  ReaderOptions options = args.read.options();
  options.warn = [](const std::string& message) { say("kiln: warning: {}\n", message); };
  args.settings.complete(options);
  std::vector<Flame> flames =
      read_all_chosen(expand_inputs({args.input}), options, args.flame, Use::stills);
  if (flames.size() != 1)
    fail(ErrorKind::usage, "{}: has {} flames, and light is that of one; choose it with --flame",
         printable_whole(args.input), flames.size());
  args.settings.apply(flames[0]);
  return std::move(flames[0]);
}

std::string hex_of(const std::array<double, 3>& color) {
  std::string text = "#";
  for (const double part : color) text += fmt::format("{:02x}", int(part * 255 + 0.5));
  return text;
}

void print_shares(const std::vector<LightShare>& shares, std::size_t most) {
  for (std::size_t i = 0; i < std::min(most, shares.size()); ++i) {
    const LightShare& share = shares[i];
    std::string who = fmt::format("xform {}", share.xforms[0]);
    for (std::size_t k = 1; k < share.xforms.size(); ++k)
      who += fmt::format(" after {}", share.xforms[k]);
    print("  {:<18} {:5.1f} % of the light  {:5.1f} % of the hits  {}", who, 100 * share.light,
          100 * share.hits, hex_of(share.color));
    if (share.by_symmetry > 0)
      print("  {:.1f} % by symmetry", 100.0 * double(share.by_symmetry) / double(share.points));
    print("\n");
  }
}

int run_light(LightArguments& args) {
  args.light.x = (*args.at)[0];
  args.light.y = (*args.at)[1];
  const LightAt light = light_at(flame_of_light(args), args.light);
  if (args.json) {
    print("{}\n", light_json(light));
    return exit_done;
  }
  print("{} of {} points fall within {} pixels of {},{}\n", light.points, light.played,
        shortest(light.radius), shortest(light.x), shortest(light.y));
  if (light.points == 0) print("no light is there; try a larger --radius\n");
  print_shares(light.xforms, light.xforms.size());
  constexpr std::size_t most_ways = 8;
  if (light.ways.size() > 1) {
    print("by the last two xforms:\n");
    print_shares(light.ways, most_ways);
  } else if (light.points > 0 && light.ways.empty()) {
    print("its ways are not known: colors move the points of this flame\n");
  }
  return exit_done;
}

}  // namespace

void add_light(Program& program) {
  Command& command =
      program.command("light", "Say which xforms made the light in a place of the picture");
  const auto args = std::make_shared<LightArguments>();
  command.input("IN", args->input, "A flame, in a file, a picture or a link, or -");
  command.reads("IN");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  command.group("Place");
  command.value(
      "--at", "X,Y", [args](const std::string& text) { args->at = point_value("--at", text); },
      "Pixels of the picture, from its upper left corner");
  command.require("--at");
  command.number("--radius", "R", args->light.radius,
                 "Pixels around it (default 0: a hundredth of the shorter side)", {0, 1e6});
  command.group("Result");
  command.flag("--json", args->json, "One JSON object on standard output");
  command.group("Machine");
  command.seed("--seed", args->light.seed, "That of the picture: other samples of the same flame");
  command.whole("--threads", "N", args->light.threads, "Threads (default 0: all cores)", {0, 4096});
  args->settings.add_to(command, Settings::Of::flames);
  command.examples({"kiln light rose.flam3 --at 640,360",
                    "kiln light rose.flam3 --at 960,540 --radius 4 --width 1920 --json"});
  command.runs([args] { return run_light(*args); });
}

}  // namespace kiln::cli
