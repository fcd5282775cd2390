#include "cli/animation.h"

#include "cli/options/flame_selection.h"
#include "engine/animation/interpolate.h"

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

}  // namespace

KeyFrames make_animation(const AnimateArguments& args, Talk& talk) {
  std::vector<Flame> keys = read_keys(args, talk);
  const FrameSpan span{args.begin, args.end, args.dtime};
  if (args.sequence) {
    SequenceOptions options = args.sequence_options;
    options.smooth = !args.steady;
    return in_sequence(keys, options, args.loop, span);
  }
  check_keys(keys);
  if (keys.size() == 1) {
    talk.warning(fmt::format("{}: one flame alone stands still; --sequence --loop lets it turn",
                             keys.front().place()));
  }
  return between_keys(std::move(keys), span);
}

}  // namespace kiln::cli
