// SPDX-License-Identifier: MIT
// kiln random, kiln mutate, kiln breed: flames by chance, and the children of those that are there
// (engine/flock/flock.h).
#include "engine/flock/flock.h"

#include <algorithm>
#include <memory>

#include "cli/commands/commands.h"
#include "cli/options/flame_output.h"
#include "cli/options/flame_selection.h"
#include "cli/options/picture_options.h"
#include "cli/says/console.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/variations.h"

namespace kiln::cli {
namespace {

constexpr int most_flames = 100000;

struct FlockArguments {
  std::vector<std::string> inputs;
  std::string flame;
  FlameOutput output;
  ReadArguments read;
  Settings settings;
  RenderOptions options;
  std::uint64_t seed = 0;
  int count = 1;
  Taste taste;
  bool has_limits = false;  // of taste, from the command line
  bool take_all = false;
  // random
  std::string variations, without, xforms, like;
  std::optional<int> symmetry;
  // mutate
  double strength = 0.5;
  std::string direction = "any", keep;
  // breed
  std::string method = "any";
};

using Arguments = std::shared_ptr<FlockArguments>;

// ---- what they have in common ----

void add_common(Command& command, FlockArguments& args, const char* of_count) {
  command.group("Chance");
  command.whole("-n,--count", "N", args.count, of_count, {1, most_flames});
  command.seed("--seed", args.seed, "Same seed, same flames, on any machine (default 0)");
}

void add_taste(Command& command, FlockArguments& args) {
  Taste& taste = args.taste;
  command.group("What is kept, by a small picture of each");
  const auto share = [&](const char* name, double& value, const char* help) {
    command.value(
        name, "PERCENT",
        [name, &value, &args](const std::string& text) {
          value = percent_value(name, text, {0, 100}) / 100;
          args.has_limits = true;
        },
        help);
  };
  share("--least-light", taste.least_brightness, "Mean light of the picture (default 2%)");
  share("--most-light", taste.most_brightness, "The most of it (default 60%)");
  share("--least-used", taste.least_used, "Share of the picture that is not black (default 20%)");
  share("--most-bad", taste.most_bad, "Samples that leave the range of numbers (default 3%)");
  share("--least-new", taste.least_distance,
        "How far a picture is from those before it (default 8%; of mutants 2%, of children 20%)");
  command.whole("--least-colors", "N", taste.least_colors, "Colors that are seen (default 5)",
                {0, 216});
  command.flag("--take-all", args.take_all, "Take the first draft of each, whatever it looks like");
  command.group("Machine");
  add_settings(command, "Machine", args.options);
}

void complete(FlockArguments& args) {
  if (!args.take_all) return;
  args.taste = {0, 1, 0, 1, 0, 1e9, 0, 1, 0};
}

ReaderOptions reader_of(const FlockArguments& args, Console& console) {
  ReaderOptions options = args.read.options();
  options.warn = [&console](const std::string& message) { console.warning(message); };
  args.settings.complete(options);
  return options;
}

std::function<void(int)> progress_of(const FlockArguments& args) {
  if (args.output.quiet || args.count < 128) return {};
  return [count = args.count](int done) { say("{} of {} flames\n", done, count); };
}

int dull_ones(const std::vector<Flock::Member>& members) {
  return int(std::count_if(members.begin(), members.end(),
                           [](const Flock::Member& member) { return !member.dull_by.empty(); }));
}

/// Flames beyond limits that were asked for count as those that are left out elsewhere.
int exit_code_of(const FlockArguments& args, int dull) {
  return dull > 0 && args.has_limits && !args.take_all ? int{exit_some_failed} : int{exit_done};
}

/// "64 flames, 83 drafts (7 empty, 12 flat)".
void tell(const FlockArguments& args, const std::vector<Flock::Member>& members,
          const Flock::Reasons& reasons) {
  if (args.output.quiet || args.output.path == "-") return;
  const int dull = dull_ones(members);
  int tried = 0;
  for (const Flock::Member& member : members) tried += member.tried;
  std::string why;
  for (const auto& [reason, times] : reasons)
    why += fmt::format("{}{} {}", why.empty() ? "" : ", ", times, reason);
  say("{} flame{} of {} draft{}{}\n", members.size(), members.size() == 1 ? "" : "s", tried,
      tried == 1 ? "" : "s", why.empty() ? "" : " (" + why + ")");
  if (dull > 0)
    say("kiln: warning: {} of them would not have been kept, but nothing better came; another "
        "--seed, or other limits, may help\n",
        dull);
}

std::vector<Flame> flames_of(std::vector<Flock::Member> members) {
  std::vector<Flame> flames;
  for (Flock::Member& member : members) flames.push_back(std::move(member.flame));
  return flames;
}

std::vector<Flame> parents_of(FlockArguments& args, Console& console) {
  args.inputs = expand_inputs(args.inputs);
  args.output.check("kiln", args.inputs);
  std::vector<Flame> parents =
      read_all_chosen(args.inputs, reader_of(args, console), args.flame, Use::stills);
  for (Flame& parent : parents) args.settings.apply(parent);
  return parents;
}

// ---- random ----

std::vector<int> variations_named(const char* option, const std::string& list) {
  std::vector<int> found;
  std::vector<std::string> known;
  for (const VariationInfo& variation : variations()) known.push_back(variation.name);
  for (std::size_t begin = 0; begin <= list.size();) {
    const std::size_t end = std::min(list.find(',', begin), list.size());
    const std::string name = list.substr(begin, end - begin);
    const auto form = find_form(name);
    if (!form || form->stage != Stage::regular)
      fail(ErrorKind::usage, "{}: unknown variation \"{}\"{}; kiln variations lists them", option,
           printable_whole(name), did_you_mean(name, known));
    found.push_back(form->variation);
    begin = end + 1;
  }
  return found;
}

Wishes wishes_of(const FlockArguments& args) {
  Wishes wishes;
  if (!args.variations.empty())
    wishes.variations = variations_named("--variations", args.variations);
  if (!args.without.empty()) wishes.without = variations_named("--without", args.without);
  const auto is_left = [&](int variation) {
    return std::find(wishes.without.begin(), wishes.without.end(), variation) ==
           wishes.without.end();
  };
  if (!wishes.variations.empty() &&
      std::none_of(wishes.variations.begin(), wishes.variations.end(), is_left))
    fail(ErrorKind::usage, "--without {}: leaves none of --variations {}",
         printable_whole(args.without), printable_whole(args.variations));
  if (!args.xforms.empty()) {
    const std::size_t dash = args.xforms.find('-', 1);
    const Range range{1, 50};
    wishes.least_xforms = whole_value("--xforms", args.xforms.substr(0, dash), range);
    wishes.most_xforms = dash == std::string::npos
                             ? wishes.least_xforms
                             : whole_value("--xforms", args.xforms.substr(dash + 1), range);
    if (wishes.most_xforms < wishes.least_xforms)
      fail(ErrorKind::usage, "--xforms: {} is no range; write the smaller number first, 2-4",
           printable_whole(args.xforms));
  }
  wishes.symmetry = args.symmetry;
  if (args.settings.color.palette)
    wishes.palettes = {chosen_palette(*args.settings.color.palette,
                                      args.settings.color.hue_turns.value_or(0), args.read.palettes,
                                      args.options.max_memory_bytes)};
  else if (!args.read.palettes.empty())
    wishes.palettes = palettes_of_library(args.read.palettes);
  return wishes;
}

Flame look_for(const FlockArguments& args, Console& console) {
  ReaderOptions options = reader_of(args, console);
  options.palette = nullptr;  // it is among the wishes
  Flame flame = args.like.empty()
                    ? parse_flames(genome_xml(usual_flame()), "kiln random", options).flames.at(0)
                    : read_all_chosen({args.like}, options, "", Use::stills).at(0);
  Settings settings = args.settings;
  settings.color.palette.reset();
  settings.color.hue_turns.reset();
  settings.apply(flame);
  return flame;
}

int run_random(FlockArguments& args) {
  Console console(ProgressMode::none, args.output.quiet);
  complete(args);
  args.output.check("kiln random", {});
  const Wishes wishes = wishes_of(args);
  const Flame like = look_for(args, console);
  std::vector<FlameName> names;  // what is in the way is said before drafts are rendered
  for (int place = 0; place < args.count; ++place)
    names.push_back({name_of_random(args.seed, place), "", like.index});
  args.output.check_names("kiln random", names);
  Flock flock(args.options, args.taste);
  std::vector<Flock::Member> members =
      flock.random(like, args.seed, args.count, wishes, progress_of(args));
  tell(args, members, flock.reasons());
  const int code = exit_code_of(args, dull_ones(members));
  args.output.write("kiln random", flames_of(std::move(members)));
  return code;
}

// ---- mutate ----

Mutation mutation_of(const FlockArguments& args) {
  Mutation mutation;
  mutation.strength = args.strength;
  const auto direction = std::find(direction_names.begin(), direction_names.end(), args.direction);
  mutation.direction = Direction(direction - direction_names.begin());
  for (std::size_t begin = 0; !args.keep.empty() && begin <= args.keep.size();) {
    const std::size_t end = std::min(args.keep.find(',', begin), args.keep.size());
    const std::string word = args.keep.substr(begin, end - begin);
    if (word == "palette") {
      mutation.locks.palette = true;
    } else if (word == "camera") {
      mutation.locks.camera = true;
    } else if (word == "final") {
      mutation.locks.xforms.push_back(-1);
    } else if (!word.empty() && word.find_first_not_of("0123456789") == std::string::npos) {
      mutation.locks.xforms.push_back(whole_value("--keep", word, {0, 1e6}));
    } else {
      fail(ErrorKind::usage,
           "--keep: \"{}\" is nothing that can be kept; write palette, camera, final, or the "
           "number of an xform from 0, several with commas between them",
           printable_whole(word));
    }
    begin = end + 1;
  }
  return mutation;
}

/// Fails where no flame has an xform of that number.
void check_kept_xforms(const std::vector<int>& kept, const std::vector<Flame>& parents) {
  std::size_t most = 0;
  for (const Flame& parent : parents) most = std::max(most, parent.xforms.size());
  for (const int xform : kept)
    if (xform >= int(most))
      fail(ErrorKind::usage, "--keep {}: {} {} xforms, from 0", xform,
           parents.size() == 1 ? "the flame has" : "none of the flames has more than", most);
}

int run_mutate(FlockArguments& args) {
  Console console(ProgressMode::none, args.output.quiet);
  complete(args);
  const Mutation mutation = mutation_of(args);
  const std::vector<Flame> parents = parents_of(args, console);
  check_kept_xforms(mutation.locks.xforms, parents);
  std::vector<FlameName> names;
  for (const Flame& parent : parents)
    for (int place = 0; place < args.count; ++place)
      names.push_back({name_of_mutant(parent, place), parent.source, parent.index});
  args.output.check_names("kiln mutate", names);
  Flock flock(args.options, args.taste);
  std::vector<Flock::Member> all;
  for (const Flame& parent : parents) {
    std::vector<Flock::Member> members =
        flock.mutations(parent, mutation, args.seed, args.count, progress_of(args));
    std::move(members.begin(), members.end(), std::back_inserter(all));
  }
  tell(args, all, flock.reasons());
  const int code = exit_code_of(args, dull_ones(all));
  args.output.write("kiln mutate", flames_of(std::move(all)));
  return code;
}

// ---- breed ----

int run_breed(FlockArguments& args) {
  Console console(ProgressMode::none, args.output.quiet);
  complete(args);
  const std::vector<Flame> parents = parents_of(args, console);
  if (parents.size() < 2)
    fail(ErrorKind::usage, "breeding takes two flames or more; {} given", parents.size());
  std::vector<FlameName> names;
  for (int place = 0; place < args.count; ++place) {
    const auto [first, second] = parents_of_child(parents.size(), args.seed, place);
    const Flame& mother = parents[first];
    names.push_back({name_of_child(mother, parents[second], place), mother.source, mother.index});
  }
  args.output.check_names("kiln breed", names);
  const auto how = std::find(breeding_names.begin(), breeding_names.end(), args.method);
  Flock flock(args.options, args.taste);
  std::vector<Flock::Member> members = flock.children(
      parents, Breeding(how - breeding_names.begin()), args.seed, args.count, progress_of(args));
  tell(args, members, flock.reasons());
  const int code = exit_code_of(args, dull_ones(members));
  args.output.write("kiln breed", flames_of(std::move(members)));
  return code;
}

void add_inputs(Command& command, FlockArguments& args, const char* help) {
  command.inputs("IN", args.inputs, help);
  command.text(flame_option.names, flame_option.type, args.flame, flame_option.help);
  args.read.add_to(command);
}

}  // namespace

void add_random(Program& program) {
  Command& command = program.command("random", "Make flames by chance that are worth a look");
  const auto args = std::make_shared<FlockArguments>();
  args->output.add_to(command);
  add_common(command, *args, "How many (default 1)");
  command.text("--variations", "LIST", args->variations,
               "Only these, with commas between them: julian,spherical");
  command.text("--without", "LIST", args->without, "All but these");
  command.text("--xforms", "N or N-M", args->xforms,
               "How many xforms, without those of a symmetry");
  command.whole("--symmetry", "K", args->symmetry,
                "Kind of symmetry: 1 none, 5 five rotations, -5 mirrored too (default: by chance)",
                {-50, 50});
  command.text("--like", "FILE", args->like, "Size, quality and look of this file's first flame");
  command.reads("--like");
  command.group("Reading");
  args->read.add_to(command);
  args->settings.add_to(command, Settings::Of::flames);
  add_taste(command, *args);
  command.examples({"kiln random -n 20 -o new.flam3 --seed 7",
                    "kiln random -n 100 -o flock/ --size 1280x720",
                    "kiln random -n 20 -o roots.flam3 --variations julian,spherical --xforms 2-3",
                    "kiln random -n 1 -o - | kiln render - -o one.png"});
  command.runs([args] { return run_random(*args); });
}

void add_mutate(Program& program) {
  Command& command = program.command("mutate", "Make flames that are like one, but not quite");
  const auto args = std::make_shared<FlockArguments>();
  add_inputs(command, *args, "Flames, in files, pictures or folders, or - for standard input");
  args->output.add_to(command);
  args->count = 12;
  args->taste = taste_of_mutants();
  add_common(command, *args, "How many of each (default 12)");
  command.number("--strength", "F", args->strength, "0: nothing changes, 1: much (default 0.5)",
                 {0, 1});
  command.choice("--direction",
                 {"any", "affine", "post", "variations", "parameters", "weights", "colors",
                  "palette", "symmetry", "xforms", "lens"},
                 args->direction, "What changes (default any: all of it)");
  command.text("--keep", "LIST", args->keep,
               "What stays: palette, camera, final, or the number of an xform from 0");
  args->settings.add_to(command, Settings::Of::flames);
  add_taste(command, *args);
  command.examples({"kiln mutate rose.flam3 -o mutants.flam3",
                    "kiln mutate rose.flam3 -o near.flam3 -n 40 --strength 0.2 --keep palette,0",
                    "kiln mutate rose.flam3 -o colors.flam3 --direction palette"});
  command.runs([args] { return run_mutate(*args); });
}

void add_breed(Program& program) {
  Command& command = program.command("breed", "Make children of two flames or more");
  const auto args = std::make_shared<FlockArguments>();
  add_inputs(command, *args,
             "Flames, in files, pictures or folders: each child has two of them, in turn");
  args->output.add_to(command);
  args->count = 12;
  args->taste = taste_of_children();
  add_common(command, *args, "How many (default 12)");
  command.choice(
      "--method", {"any", "alternate", "interpolate", "unite", "graft"}, args->method,
      "alternate: each xform of the one or the other; interpolate: on the way between "
      "them; unite: the xforms of both; graft: the affines of one, the variations of the "
      "other (default any)");
  args->settings.add_to(command, Settings::Of::flames);
  add_taste(command, *args);
  command.examples({"kiln breed rose.flam3 lily.flam3 -o children.flam3",
                    "kiln breed garden/ -o new/ -n 50 --method unite --seed 3"});
  command.runs([args] { return run_breed(*args); });
}

}  // namespace kiln::cli
