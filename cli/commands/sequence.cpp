// SPDX-License-Identifier: MIT
// kiln sequence: key flames in, the flames of all frames out, as flam3-genome makes them with
// sequence=, animate=, rotate= and inter=. docs/inside/animation.md has the mathematics.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include "cli/commands/commands.h"
#include "cli/options/flame_output.h"
#include "cli/options/flame_selection.h"
#include "cli/options/sequence_words.h"
#include "cli/options/settings.h"
#include "cli/says/console.h"
#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/base/text.h"
#include "engine/sound/song.h"

namespace kiln::cli {
namespace {

struct SequenceArguments {
  std::vector<std::string> inputs;
  std::string flame;
  SequenceOptions options;
  SequenceWords words;
  std::string fps = "30";
  bool loop = false, steady = false, in_betweens = false;
  std::optional<int> begin, end, frame;
  ReadArguments read;
  Settings settings;
  FlameOutput output;
};

int whole_time(double time, const char* option) {
  constexpr double largest = 1e9;
  if (!(std::fabs(time) <= largest))
    fail(ErrorKind::usage, "the times of the flames reach {}; choose fewer with {}", shortest(time),
         option);
  return static_cast<int>(time);
}

std::vector<Flame> flames_between(const std::vector<Flame>& keys, const SequenceArguments& args) {
  check_between(keys);
  const int begin = args.begin ? *args.begin : whole_time(keys.front().time, "--begin");
  const int end = args.end ? *args.end : whole_time(film_end(keys), "--end");
  if (end < begin)
    fail(ErrorKind::usage, "--end {} is before the first time, {}; give --begin and --end in order",
         end, begin);
  return in_betweens(keys, begin, end, args.options.stagger);
}

std::vector<Flame> flames_of(const std::vector<Flame>& keys, const SequenceArguments& args) {
  SequenceOptions options = args.options;
  options.smooth = !args.steady;
  args.words.complete(args.fps, options);
  if (args.in_betweens) return flames_between(keys, args);
  if (args.frame) {
    const auto three = frame_with_neighbors(keys, *args.frame, options);
    return {three.begin(), three.end()};
  }
  return args.loop ? loop_flames(keys, options) : make_sequence(keys, options);
}

int run_sequence(SequenceArguments& args) {
  Console console(ProgressMode::none, args.output.quiet);
  args.inputs = expand_inputs(args.inputs);
  args.output.check("the sequence", args.inputs);
  ReaderOptions options = args.read.options();
  options.warn = [&](const std::string& message) { console.warning(message); };
  args.settings.complete(options);
  std::vector<Flame> keys = read_all_chosen(args.inputs, options, args.flame, Use::motion);
  for (Flame& key : keys) args.settings.apply(key);
  if (args.settings.asks_size()) frame_alike(keys);
  const bool is_film = std::any_of(keys.begin(), keys.end(), [](const Flame& key) {
    return !key.tracks.empty() || key.sound || key.easing.kind != EasingKind::linear;
  });
  if (is_film && !args.in_betweens)
    console.warning(
        "the tracks and easing of the flames are left out: they have times of their own; "
        "--in-betweens keeps what they do");
  if (args.in_betweens) hear_song(keys);
  const std::vector<Flame> flames = flames_of(keys, args);
  args.output.write("the sequence", flames);
  if (!args.output.quiet && args.output.path != "-") {
    say("{} flames, times {} to {}\n", flames.size(), shortest(flames.front().time),
        shortest(flames.back().time));
  }
  return exit_done;
}

}  // namespace

void add_sequence(Program& program) {
  Command& command = program.command(
      "sequence", "Make the flames of an animation: turns of key flames and transitions");
  const auto args = std::make_shared<SequenceArguments>();
  command.inputs("IN", args->inputs, "Key flames, in files or folders, or - for standard input");
  command.text(flame_option.names, flame_option.type, args->flame, flame_option.help);
  args->read.add_to(command);
  args->output.add_to(command);
  command.group("Turns and transitions");
  command.text("--nframes", "T", args->words.nframes,
               "Frames of one turn and of one transition, or 3s (default 100)");
  command.whole("--loops", "L", args->options.loops,
                "Turns of each flame before it becomes the next (default 1)");
  command.number("--stagger", "S", args->options.stagger,
                 "0 to 1: in transitions the xforms move one after the other (default 0)");
  command.flag("--steady", args->steady,
               "Transitions at constant speed, not starting and ending gently");
  args->words.add_to(command);
  command.text("--fps", "F", args->fps, "Frames a second, for seconds and beats (default 30)");
  command.flag("--loop", args->loop,
               "Go back to the first flame, so that the frames repeat without a seam");
  command.group("Instead of all of them");
  command.flag("--in-betweens", args->in_betweens,
               "The flame at every whole time from the first key's to the last's, without turns");
  command.whole("--begin", "T", args->begin, "First time of --in-betweens");
  command.whole("--end", "T", args->end, "Last time of --in-betweens");
  command.whole("--frame", "K", args->frame,
                "The flames of frames K - 1, K and K + 1, of a turn (IN has one flame) or of a "
                "transition (two)");
  args->settings.add_to(command, Settings::Of::flames);
  command.need("--begin", "--in-betweens");
  command.need("--end", "--in-betweens");
  command.exclude("--frame", "--in-betweens");
  command.exclude("--frame", "--loop");
  command.exclude("--in-betweens", "--loop");
  for (const char* other : {"--bpm", "--hold"}) {
    command.exclude("--in-betweens", other);
    command.exclude("--frame", other);
  }
  command.exclude("--in-betweens", "--easing");
  command.exclude("--easing", "--steady");
  command.exclude("--bpm", "--nframes");
  command.examples(
      {"kiln sequence keys.flam3 -o frames.flam3 --nframes 60",
       "kiln sequence rose.flam3 -o loop.flam3 --loop --nframes 120   # a seamless loop",
       "kiln sequence three.flam3 -o show.flam3 --loops 0 --hold 1s --easing ease-out",
       "kiln sequence two.flam3 -o way.flam3 --loops 0 --stagger 0.5  # transition only",
       "kiln sequence rose.flam3 -o loop.flam3 --loop --set palette_mode=linear",
       "kiln sequence keys.flam3 -o - --in-betweens | kiln info -"});
  command.runs([args] { return run_sequence(*args); });
}

}  // namespace kiln::cli
