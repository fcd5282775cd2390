#include "cli/animation.h"

#include <algorithm>
#include <cmath>

#include "cli/flame_selection.h"
#include "engine/animation/interpolate.h"
#include "engine/animation/sequence.h"

namespace kiln::cli {
namespace {

/// As flam3-animate: all keys have the size of the first.
void give_one_size(std::vector<Flame>& keys, Talk& talk) {
  const Flame& first = keys.front();
  for (Flame& key : keys) {
    if (key.width == first.width && key.height == first.height) continue;
    talk.warning(
        fmt::format("{}: the flame is {} x {} pixels, the first one {} x {}; all frames "
                    "have the size of the first",
                    key.place(), key.width, key.height, first.width, first.height));
    key.width = first.width;
    key.height = first.height;
  }
}

std::vector<Flame> read_keys(const AnimateArguments& args, Talk& talk) {
  ReaderOptions options = args.read.options();
  options.seed = args.options.seed;
  args.settings.complete(options);
  options.warn = [&](const std::string& message) { talk.warning(message); };
  std::vector<Flame> keys = read_all_chosen(args.inputs, options, args.flame, Use::motion);
  give_one_size(keys, talk);
  for (Flame& key : keys) {
    args.settings.apply(key);
    if (args.temporal_samples) key.temporal_samples = *args.temporal_samples;
  }
  return keys;
}

/// An endless loop has neighbours on both sides of its seam too: motion blur reaches across.
void close_loop(std::vector<Flame>& keys) {
  const std::size_t count = keys.size() - 1;
  Flame before = keys[count - 1], after = keys[1 % count];
  before.time = -1;
  after.time = static_cast<double>(count) + 1;
  keys.insert(keys.begin(), std::move(before));
  keys.push_back(std::move(after));
}

/// The frames of keys that the file gives: begin, end and dtime as in flam3-animate.
Animation key_animation(const AnimateArguments& args, std::vector<Flame> keys) {
  const double first = std::trunc(keys.front().time), last = keys.back().time;
  const double begin = args.begin.value_or(first);
  const double end = args.end.value_or(std::max(begin, last - 1));
  std::vector<FrameTime> frames = frame_times(begin, end, args.dtime);
  return {std::move(keys), std::move(frames)};
}

}  // namespace

Animation make_animation(const AnimateArguments& args, Talk& talk) {
  std::vector<Flame> keys = read_keys(args, talk);
  if (!args.sequence) {
    check_keys(keys);
    if (keys.size() == 1) {
      talk.warning(fmt::format("{}: one flame alone stands still; --sequence --loop lets it turn",
                               keys.front().place()));
    }
    return key_animation(args, std::move(keys));
  }
  const Flame first = keys.front();
  SequenceOptions options = args.sequence_options;
  options.smooth = !args.steady;
  keys = args.loop ? loop_flames(keys, options) : make_sequence(keys, options);
  for (Flame& key : keys) {  // messages name the file
    key.source = first.source;
    key.line = first.line;
  }
  Animation animation = key_animation(args, std::move(keys));
  if (args.loop) close_loop(animation.keys);
  return animation;
}

}  // namespace kiln::cli
