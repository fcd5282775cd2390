#include "engine/animation/key_frames.h"

#include <algorithm>
#include <cmath>

#include "engine/animation/interpolate.h"

namespace kiln {
namespace {

/// An endless loop has neighbors on both sides of its seam too: motion blur reaches across.
void close_loop(std::vector<Flame>& keys) {
  const std::size_t count = keys.size() - 1;
  Flame before = keys[count - 1], after = keys[1 % count];
  before.time = -1;
  after.time = static_cast<double>(count) + 1;
  keys.insert(keys.begin(), std::move(before));
  keys.push_back(std::move(after));
}

}  // namespace

KeyFrames between_keys(std::vector<Flame> keys, const FrameSpan& span) {
  check_keys(keys);
  const double first = std::trunc(keys.front().time), last = keys.back().time;
  const double begin = span.begin.value_or(first);
  const double end = span.end.value_or(std::max(begin, last - 1));
  std::vector<FrameTime> frames = frame_times(begin, end, span.step);
  return {std::move(keys), std::move(frames)};
}

KeyFrames in_sequence(const std::vector<Flame>& flames, const SequenceOptions& options, bool loop,
                      const FrameSpan& span) {
  std::vector<Flame> keys = loop ? loop_flames(flames, options) : make_sequence(flames, options);
  for (Flame& key : keys) {  // messages name the file
    key.source = flames.front().source;
    key.line = flames.front().line;
  }
  KeyFrames animation = between_keys(std::move(keys), span);
  if (loop) close_loop(animation.keys);
  return animation;
}

}  // namespace kiln
