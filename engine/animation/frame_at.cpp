#include "engine/animation/frame_at.h"

#include <algorithm>
#include <cmath>

#include "engine/animation/interpolate.h"
#include "engine/model/exact_math.h"
#include "engine/model/temporal.h"

namespace kiln {
namespace {

/// What is not interpolated: settings of the file's first flame, and what the XML does not know.
Flame with_settings_of(const Flame& first, Flame flame) {
  flame.source = first.source;
  flame.line = first.line;
  flame.pixel_aspect = first.pixel_aspect;
  flame.filter_shape = first.filter_shape;  // flam3: of the first genome, not interpolated
  flame.filter_radius_px = first.filter_radius_px;
  flame.filter_supersample = first.supersample;
  return flame;
}

/// The moments of a frame between keys.
class BetweenKeys : public MomentSource {
 public:
  /// `keys` must outlive it.
  BetweenKeys(const std::vector<Flame>& keys, std::vector<double> times)
      : pixel_aspect_(keys.front().pixel_aspect), times_(std::move(times)), between_(keys) {}

  std::vector<const Flame*> bounds() override { return between_.between(times_); }
  void visit(const std::function<void(const Flame&)>& see) override {
    for (double time : times_) {
      Flame& flame = between_.at(time);
      flame.pixel_aspect = pixel_aspect_;
      see(flame);
    }
  }

 private:
  const double pixel_aspect_;
  const std::vector<double> times_;
  Interpolator between_;
};

}  // namespace

Frame frame_at(const std::vector<Flame>& keys, const FrameTime& frame, MotionBlur blur) {
  Frame result;
  result.flame = with_settings_of(keys.front(), interpolate(keys, frame.time));
  result.flame.missing.clear();
  for (const Flame& key : keys)
    result.flame.missing.insert(result.flame.missing.end(), key.missing.begin(), key.missing.end());
  result.number = static_cast<std::uint32_t>(frame.number);
  if (keys.size() == 1 || blur == MotionBlur::without) return result;
  const std::vector<TemporalStep> steps = temporal_steps(result.flame);
  if (steps.size() == 1 && steps[0].time_offset == 0) return result;
  std::vector<double> times;
  for (const TemporalStep& step : steps) {
    times.push_back(frame.time + step.time_offset);
    result.weights.push_back(step.weight);
  }
  result.moving = std::make_shared<BetweenKeys>(keys, std::move(times));
  return result;
}

double sample_estimate(const std::vector<Flame>& keys, double time) {
  // between two keys all of this is linear; the neighbors are enough for an estimate
  const auto after = std::upper_bound(keys.begin(), keys.end(), time,
                                      [](double t, const Flame& key) { return t < key.time; });
  const Flame& right = after == keys.end() ? keys.back() : *after;
  const Flame& left = after == keys.begin() ? keys.front() : *(after - 1);
  const double span = right.time - left.time;
  const double share = span > 0 ? std::clamp((time - left.time) / span, 0.0, 1.0) : 0;
  const auto between = [&](double a, double b) { return a + share * (b - a); };
  const double zoom = std::clamp(between(left.zoom, right.zoom), -100.0, 100.0);
  return between(left.quality, right.quality) * exact::exp2(2 * zoom) *
         between(left.width, right.width) * between(left.height, right.height);
}

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
