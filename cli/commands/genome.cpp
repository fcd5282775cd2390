// SPDX-License-Identifier: MIT
// kiln genome: what becomes of flames by rule, as flam3-genome makes it (engine/flock/rules.cpp). Its
// sequences are kiln sequence's, its random flames, mutations and crosses have commands of their own.
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_output.h"
#include "cli/options/flame_selection.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/flock/flock.h"

namespace kiln::cli {
namespace {

struct GenomeArguments {
  std::string what, flame;
  std::vector<std::string> inputs;
  FlameOutput output;
  ReadArguments read;
  Settings settings;
  std::optional<double> degrees, share;
  std::string axis = "left-right";
  std::optional<int> symmetry, count, only;
};

/// A result and what its history says.
struct Made {
  Flame flame;
  std::string action;
  std::vector<Parent> parents;
};

[[noreturn]] void ask_for(const GenomeArguments& args, const char* option, const char* example) {
  fail(ErrorKind::usage, "kiln genome {} needs {}, e.g. {}", args.what, option, example);
}

void add_numbered(const Flame& parent, std::vector<Flame> flames, const char* what,
                  std::vector<Made>& made) {
  for (std::size_t f = 0; f < flames.size(); ++f) {
    Flame& flame = flames[f];
    flame.name += fmt::format("{}{}-{}", flame.name.empty() ? "" : "-", what, f);
    made.push_back({std::move(flame), fmt::format("{} {}", what, f), {{parent, parent.source}}});
  }
}

void add_turned(const GenomeArguments& args, const Flame& parent, std::vector<Made>& made) {
  if (!args.degrees && !args.count)
    ask_for(args, "--degrees or -n", "--degrees 30, or -n 12 for a whole turn");
  const int count = args.count.value_or(1);
  const double step = args.degrees ? *args.degrees : 360.0 / count;
  for (int k = 0; k < count; ++k) {
    const double degrees = args.degrees ? step * (k + 1) : step * k;
    Flame flame = turned_flame(parent, degrees);
    if (count > 1) flame.name += fmt::format("{}turn-{}", flame.name.empty() ? "" : "-", k);
    made.push_back({std::move(flame), "rotate " + shortest(degrees), {{parent, parent.source}}});
  }
}

/// "rose-lily"; flames may lack a name.
std::string name_between(const Flame& from, const Flame& to) {
  if (from.name.empty() && to.name.empty()) return "between";
  return from.name + (from.name.empty() || to.name.empty() ? "" : "-") + to.name;
}

void add_between(const GenomeArguments& args, const std::vector<Flame>& parents,
                 std::vector<Made>& made) {
  if (parents.size() < 2)
    fail(ErrorKind::usage, "kiln genome interpolate goes from flame to flame; {} given",
         parents.size());
  if (!args.share && !args.count)
    ask_for(args, "--at or -n", "--at 0.5, or -n 9 for nine flames between each two");
  const int count = args.count.value_or(1);
  for (std::size_t p = 0; p + 1 < parents.size(); ++p) {
    for (int k = 0; k < count; ++k) {
      const double share = args.share ? *args.share : double(k + 1) / (count + 1);
      Flame flame = flame_between(parents[p], parents[p + 1], share);
      flame.name = fmt::format("{}-{}", name_between(parents[p], parents[p + 1]), k);
      made.push_back({std::move(flame),
                      "interpolate " + shortest(share),
                      {{parents[p], parents[p].source}, {parents[p + 1], parents[p + 1].source}}});
    }
  }
}

std::vector<Made> made_of(const GenomeArguments& args, const std::vector<Flame>& parents) {
  std::vector<Made> made;
  if (args.what == "interpolate") {
    add_between(args, parents, made);
    return made;
  }
  for (const Flame& parent : parents) {
    if (args.what == "clone") {
      made.push_back({parent, "clone", {{parent, parent.source}}});
    } else if (args.what == "rotate") {
      add_turned(args, parent, made);
    } else if (args.what == "symmetry") {
      if (!args.symmetry) ask_for(args, "--symmetry", "--symmetry 5, or -3 with mirrors");
      made.push_back({with_symmetry(parent, *args.symmetry),
                      fmt::format("symmetry {}", *args.symmetry),
                      {{parent, parent.source}}});
    } else if (args.what == "mirror") {
      made.push_back({mirrored(parent, args.axis == "up-down"),
                      "mirror " + args.axis,
                      {{parent, parent.source}}});
    } else if (args.what == "strip") {
      if (!args.count) ask_for(args, "-n", "-n 4");
      std::vector<Made> all;
      add_numbered(parent, strips(parent, *args.count), "strip", all);
      if (args.only && *args.only >= *args.count)
        fail(ErrorKind::usage, "--only {}: there are {} strips, from 0", *args.only, *args.count);
      for (std::size_t s = 0; s < all.size(); ++s)
        if (!args.only || int(s) == *args.only) made.push_back(std::move(all[s]));
    } else if (args.what == "layers") {
      add_numbered(parent, layers(parent), "layer", made);
    } else {
      add_numbered(parent, each_without(parent), "without", made);
    }
  }
  return made;
}

int run_genome(GenomeArguments& args) {
  Console console(ProgressMode::none, args.output.quiet);
  args.inputs = expand_inputs(args.inputs);
  args.output.check("kiln genome", args.inputs);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  args.settings.complete(options);
  std::vector<Flame> parents = read_all_chosen(args.inputs, options, args.flame, Use::motion);
  for (Flame& parent : parents) args.settings.apply(parent);
  std::vector<Flame> flames;
  for (Made& made : made_of(args, parents)) {
    note_edit(made.flame, made.action, made.parents);
    flames.push_back(std::move(made.flame));
  }
  if (flames.empty())
    fail(ErrorKind::usage, "kiln genome {}: no flame has two xforms; nothing to write", args.what);
  args.output.write("kiln genome", flames);
  if (args.output.path != "-")
    console.summary(fmt::format("{} flame{} from {}", flames.size(), flames.size() == 1 ? "" : "s",
                                parents.size()),
                    "");
  return exit_done;
}

}  // namespace

void add_genome(Program& program) {
  Command& command =
      program.command("genome", "Turn, blend, cut up flames, or give them a symmetry");
  const auto args = std::make_shared<GenomeArguments>();
  command.input_choice(
      "WHAT",
      {"clone", "rotate", "mirror", "interpolate", "symmetry", "strip", "layers", "without"},
      args->what,
      "clone: as they are, with settings; rotate: xforms turned; mirror: the picture in a "
      "mirror; interpolate: "
      "between two; symmetry: "
      "of a kind; strip: pieces of the picture, from the top; layers: what each "
      "xform draws; without: "
      "one xform less, each in turn");
  command.inputs("IN", args->inputs, "Flames, in files, pictures or folders, or -");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  args->output.add_to(command);
  command.group("What is made");
  command.whole("-n,--count", "N", args->count,
                "Flames of a whole turn (rotate), between two (interpolate); strips of a picture",
                {1, 100000});
  command.number("--degrees", "D", args->degrees, "Turn by so much; with -n again and again",
                 {-1e6, 1e6});
  command.number("--at", "T", args->share, "interpolate: how far, from 0 to 1", {0, 1});
  command.whole("--symmetry", "K", args->symmetry,
                "Kind: 5 five rotations, -5 mirrored too, 1 none", {-50, 50});
  command.whole("--only", "K", args->only, "strip: this one alone, from 0 (flam3: frame)",
                {0, 1e5});
  command.choice("--axis", {"left-right", "up-down"}, args->axis,
                 "mirror: what is turned over (default left-right)");
  command.exclude("--at", "--count");
  args->settings.add_to(command, Settings::Of::flames);
  command.examples({"kiln genome rotate rose.flam3 -o turned.flam3 --degrees 30",
                    "kiln genome interpolate rose.flam3 lily.flam3 -o way.flam3 -n 9",
                    "kiln genome symmetry rose.flam3 -o five.flam3 --symmetry 5",
                    "kiln genome strip poster.flam3 -o strips/ -n 8",
                    "kiln genome clone pack.flam3 -o large/ --size 3840x2160"});
  command.runs([args] { return run_genome(*args); });
}

}  // namespace kiln::cli
