#include "engine/animation/frame_at.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/resources.h"
#include "engine/base/text.h"
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

/// The time samples of a frame between keys.
class BetweenKeys : public TimeSampleSource {
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

namespace {

/// The last one is a step before `end`, so that a loop has no frame twice.
std::vector<FrameTime> even_frames(double begin, double end, std::size_t count) {
  std::vector<FrameTime> frames;
  for (std::size_t i = 0; i < count; ++i)
    frames.push_back({int(i), begin + (end - begin) * double(i) / double(count)});
  return frames;
}

}  // namespace

KeyFrames between_keys(std::vector<Flame> keys, const FrameSpan& span) {
  check_keys(keys);
  const double first = std::trunc(keys.front().time), last = keys.back().time;
  const double begin = span.begin.value_or(first);
  const double end = span.end.value_or(std::max(begin, last - 1));
  std::vector<FrameTime> frames =
      span.count > 0 ? even_frames(begin, last, span.count) : frame_times(begin, end, span.step);
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

namespace {

constexpr double number_max = 1e9;  // of a frame
constexpr double count_max = 1e7;   // frames of an animation

bool is_integer(double value) { return value == std::floor(value); }

/// Takes a whole number from the front of `text`.
std::optional<int> read_number(std::string_view& text) {
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

bool take(std::string_view& text, char c) {
  if (text.empty() || text.front() != c) return false;
  text.remove_prefix(1);
  return true;
}

struct Stretch {
  int first = 0, last = 0, step = 1;
};

std::optional<Stretch> parse_range(std::string_view text) {
  Stretch range;
  const auto first = read_number(text);
  if (!first) return std::nullopt;
  range.first = range.last = *first;
  if (take(text, '-')) {
    const auto last = read_number(text);
    if (!last) return std::nullopt;
    range.last = *last;
  }
  if (take(text, ':')) {
    const auto step = read_number(text);
    if (!step) return std::nullopt;
    range.step = *step;
  }
  const bool good = text.empty() && range.last >= range.first && range.step >= 1;
  return good ? std::optional(range) : std::nullopt;
}

Chunk checked(int index, int count, std::string_view text) {
  if (count < 1 || index < 1 || index > count) {
    fail(ErrorKind::usage,
         "--chunk {}: must be PART/PARTS with PART from 1 to PARTS, such as 2/4, or auto",
         printable_whole(text));
  }
  return {index, count};
}

/// The values of an array task's variables; nothing if one of them is no number.
std::optional<int> number_of(const char* value) {
  if (!value) return std::nullopt;
  std::string_view text = value;
  const auto number = read_number(text);
  return text.empty() ? number : std::nullopt;
}

Chunk chunk_of_task(int task, int first, int last, int step, std::optional<int> count) {
  const std::int64_t parts = step > 0 ? (std::int64_t(last) - first) / step + 1 : std::int64_t(0);
  const bool regular = step > 0 && task >= first && task <= last && (task - first) % step == 0 &&
                       (!count || *count == parts);
  if (!regular) {
    fail(ErrorKind::usage,
         "--chunk auto: the tasks of this array are no plain range ({} is one of {} to {}); use "
         "--array=1-N, or --chunk PART/PARTS",
         task, first, last);
  }
  return {(task - first) / step + 1, static_cast<int>(parts)};
}

}  // namespace

std::vector<FrameTime> frame_times(double begin, double end, double step) {
  if (!(step > 0) || !(end >= begin) || !(std::fabs(begin) <= number_max) ||
      !(std::fabs(end) <= number_max)) {
    fail(ErrorKind::usage,
         "no frames from time {} to {} in steps of {}: --end must not be before --begin, --dtime "
         "must be above 0",
         shortest(begin), shortest(end), shortest(step));
  }
  const double count = std::floor((end - begin) / step + 1e-9) + 1;
  if (count > count_max) {
    fail(ErrorKind::usage, "{:.0f} frames from time {} to {}: at most {:.0f} can be made at once",
         count, shortest(begin), shortest(end), count_max);
  }
  const bool by_time = is_integer(begin) && is_integer(step);
  std::vector<FrameTime> frames(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < frames.size(); ++i) {
    const double time = begin + static_cast<double>(i) * step;
    frames[i] = {by_time ? static_cast<int>(time) : static_cast<int>(i), time};
  }
  return frames;
}

std::vector<FrameTime> select_frames(const std::vector<FrameTime>& frames,
                                     std::string_view ranges) {
  std::vector<bool> wanted(frames.size());
  for (std::string_view rest = ranges;;) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::optional<Stretch> range = parse_range(rest.substr(0, comma));
    if (!range) {
      fail(ErrorKind::usage,
           "--frames \"{}\": must be numbers and ranges such as 7, 0-99 or 0-99:2, with commas "
           "between them",
           printable_whole(ranges));
    }
    if (range->first < frames.front().number || range->last > frames.back().number) {
      fail(ErrorKind::usage,
           "--frames {}: the animation has frames {} to {}; --begin and --end change that",
           printable_whole(ranges), frames.front().number, frames.back().number);
    }
    for (std::size_t i = 0; i < frames.size(); ++i) {
      const std::int64_t number = frames[i].number;
      if (number >= range->first && number <= range->last &&
          (number - range->first) % range->step == 0)
        wanted[i] = true;
    }
    if (comma == rest.size()) break;
    rest.remove_prefix(comma + 1);
  }
  std::vector<FrameTime> chosen;
  for (std::size_t i = 0; i < frames.size(); ++i) {
    if (wanted[i]) chosen.push_back(frames[i]);
  }
  if (chosen.empty()) {
    fail(ErrorKind::usage, "--frames {}: no frame has such a number; --dtime leaves it out",
         printable_whole(ranges));
  }
  return chosen;
}

Chunk parse_chunk(std::string_view text, const std::function<const char*(const char*)>& variable) {
  if (text != "auto") {
    std::string_view rest = text;
    const auto index = read_number(rest);
    const bool slash = take(rest, '/');
    const auto count = read_number(rest);
    if (!index || !slash || !count || !rest.empty()) return checked(0, 0, text);
    return checked(*index, *count, text);
  }
  if (const auto task = number_of(variable("SLURM_ARRAY_TASK_ID"))) {
    const auto first = number_of(variable("SLURM_ARRAY_TASK_MIN"));
    const auto last = number_of(variable("SLURM_ARRAY_TASK_MAX"));
    if (first && last) {
      return chunk_of_task(*task, *first, *last,
                           number_of(variable("SLURM_ARRAY_TASK_STEP")).value_or(1),
                           number_of(variable("SLURM_ARRAY_TASK_COUNT")));
    }
  }
  if (const auto task = number_of(variable("SGE_TASK_ID"))) {
    const auto first = number_of(variable("SGE_TASK_FIRST"));
    const auto last = number_of(variable("SGE_TASK_LAST"));
    if (first && last) {
      return chunk_of_task(*task, *first, *last,
                           number_of(variable("SGE_TASK_STEPSIZE")).value_or(1), std::nullopt);
    }
  }
  fail(ErrorKind::usage,
       "--chunk auto: this is no task of a Slurm or Grid Engine array (SLURM_ARRAY_TASK_ID and "
       "SLURM_ARRAY_TASK_MIN are not set); say which part, as in --chunk 2/4");
}

std::vector<FrameTime> chunk_of(const std::vector<FrameTime>& frames, const Chunk& chunk) {
  const auto border = [&](int part) {
    return static_cast<std::ptrdiff_t>(frames.size() * static_cast<std::size_t>(part) /
                                       static_cast<std::size_t>(chunk.count));
  };
  return {frames.begin() + border(chunk.index - 1), frames.begin() + border(chunk.index)};
}

namespace {

constexpr double most_flames = 1 << 16;  // what a file of flames may hold; about 1 GB in memory

constexpr int largest_time = 1000000000;  // leaves room for the neighbors

void check_time(const char* name, int time) {
  if (time < -largest_time || time > largest_time)
    fail(ErrorKind::usage, "{} {}: must be within {} and {}", name, time, -largest_time,
         largest_time);
}

/// What a flame takes in memory, about.
double bytes_of(const Flame& flame) {
  double bytes = sizeof(Flame);
  for (const Xform& xform : flame.xforms) {
    bytes += sizeof(Xform) + static_cast<double>(xform.motions.size()) * sizeof(Motion) +
             8.0 * static_cast<double>(xform.variations.size() + xform.parameters.size()) *
                 (1.0 + static_cast<double>(xform.motions.size())) +
             8.0 * static_cast<double>(xform.chaos.size());
  }
  return bytes;
}

/// The flames of a sequence are all held at once.
void check_memory(const std::vector<Flame>& keys, double flames) {
  double largest = 0;
  for (const Flame& key : keys) largest = std::max(largest, bytes_of(key));
  const double limit = 0.8 * static_cast<double>(available_memory_bytes());
  if (flames * largest <= limit) return;
  fail(ErrorKind::device,
       "{}: {} flames of up to {:.0f} kB need {:.0f} MB of memory and {:.0f} MB are available; "
       "choose fewer with --nframes or --loops",
       keys[0].source.empty() ? "keys" : keys[0].source, with_prefix(flames), largest / 1e3,
       flames * largest / 1e6, limit / 1e6);
}

void check(const std::vector<Flame>& keys, const SequenceOptions& options) {
  if (keys.empty()) fail(ErrorKind::input, "no key flames: the file has no <flame>");
  if (options.nframes < 1)
    fail(ErrorKind::usage, "nframes {}: a turn needs at least 1 frame", options.nframes);
  if (options.loops < 0)
    fail(ErrorKind::usage, "loops {}: a flame turns 0 times or more", options.loops);
  if (!(options.stagger >= 0 && options.stagger <= 1))
    fail(ErrorKind::usage, "stagger {}: must be from 0 to 1", shortest(options.stagger));
  const double flames = double(keys.size()) * (options.loops + 1.0) * options.nframes;
  if (flames > most_flames) {
    fail(ErrorKind::usage,
         "nframes {} and loops {} of {} flames make {} frames; at most {} are possible in one "
         "sequence",
         options.nframes, options.loops, keys.size(), with_prefix(flames),
         with_prefix(most_flames));
  }
  check_memory(keys, flames);
}

/// Collects flames, the first at time 0.
struct Sequence {
  const SequenceOptions& options;
  std::vector<Flame> flames;

  void add(Flame flame) {
    flame.time = double(flames.size());
    flame.name.clear();
    flame.edits.clear();
    flame.interpolation = Interpolation::linear;
    flames.push_back(std::move(flame));
  }
  void add_turns(const Flame& key) {
    for (int turn = 0; turn < options.loops; ++turn)
      for (int k = 0; k < options.nframes; ++k) add(loop_at(key, double(k) / options.nframes));
  }
  void add_transition(const Flame& from, const Flame& to) {
    add(apply_motion(from, 0));  // not aligned: nothing of the next flame shows yet
    for (int k = 1; k < options.nframes; ++k)
      add(transition_at(from, to, double(k) / options.nframes, options));
  }
};

}  // namespace

Flame loop_at(const Flame& flame, double phase) {
  AlignedFlame turned{apply_motion(flame, phase), {}, false, {}};
  rotate(turned, 360 * phase, flame.interpolation_type);
  // flam3 forgets the palette's rule here; the palettes around are the same but for transitions.
  turned.flame.palette_interpolation = PaletteInterpolation::hsv_circular;
  turned.flame.hsv_rgb_palette_blend = 0;
  turned.flame.interpolation = Interpolation::linear;
  return std::move(turned.flame);
}

Flame transition_at(const Flame& from, const Flame& to, double phase,
                    const SequenceOptions& options) {
  std::vector<AlignedFlame> ends = align({apply_motion(from, phase), apply_motion(to, phase)});
  set_references(ends[0], ends[1]);
  for (AlignedFlame& end : ends) rotate(end, 360 * phase, from.interpolation_type);
  const double share = options.smooth ? smoother(phase) : phase;
  const double share_of_from = 1 - share;
  return FlameBlend(std::move(ends)).at({share_of_from, 1 - share_of_from}, share, options.stagger);
}

std::vector<Flame> make_sequence(const std::vector<Flame>& keys, const SequenceOptions& options) {
  check(keys, options);
  Sequence sequence{options, {}};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    sequence.add_turns(keys[i]);
    if (i + 1 < keys.size()) sequence.add_transition(keys[i], keys[i + 1]);
  }
  sequence.add(loop_at(keys.back(), 0));
  return std::move(sequence.flames);
}

std::vector<Flame> loop_flames(const std::vector<Flame>& keys, const SequenceOptions& options) {
  check(keys, options);
  if (keys.size() == 1 && options.loops == 0)
    fail(ErrorKind::usage, "loops 0: one flame alone has no transitions; it needs 1 loop or more");
  Sequence sequence{options, {}};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    sequence.add_turns(keys[i]);
    if (keys.size() > 1) sequence.add_transition(keys[i], keys[(i + 1) % keys.size()]);
  }
  sequence.add(sequence.flames[0]);
  return std::move(sequence.flames);
}

std::vector<Flame> in_betweens(const std::vector<Flame>& keys, int begin, int end, double stagger) {
  check_keys(keys);
  check_time("begin", begin);
  check_time("end", end);
  const auto key_at = [&](int time) -> const Flame* {
    for (const Flame& key : keys)
      if (key.time == time) return &key;
    return nullptr;
  };
  if (double(end) - begin > most_flames)
    fail(ErrorKind::usage, "times {} to {}: more than {} flames", begin, end,
         with_prefix(most_flames));
  Interpolator between(keys, stagger);
  std::vector<Flame> flames;
  for (int time = begin; time <= end; ++time) {
    const Flame* key = key_at(time);
    Flame flame = key ? *key : between.at(time);
    for (Xform& xform : flame.xforms) xform.motions.clear();
    if (flame.final_xform) flame.final_xform->motions.clear();
    if (key == nullptr && key_at(time + 1) == nullptr)
      flame.interpolation_type = InterpolationType::linear;
    flame.time = time;
    flames.push_back(std::move(flame));
  }
  return flames;
}

std::array<Flame, 3> frame_with_neighbors(const std::vector<Flame>& keys, int frame,
                                          const SequenceOptions& options) {
  check(keys, options);
  check_time("frame", frame);
  if (keys.size() > 2)
    fail(ErrorKind::usage,
         "{}: a frame of a turn needs one key flame, of a transition two; there are {}",
         keys[0].source.empty() ? "keys" : keys[0].source, keys.size());
  std::array<Flame, 3> flames;
  for (int step = -1; step <= 1; ++step) {
    const double phase = double(frame) / options.nframes + double(step) / options.nframes;
    Flame flame = keys.size() == 1 ? loop_at(keys[0], phase)
                                   : transition_at(keys[0], keys[1], phase, options);
    flame.time = frame + step;
    flame.name.clear();
    flame.edits.clear();
    flame.interpolation = Interpolation::linear;
    flames[std::size_t(step + 1)] = std::move(flame);
  }
  return flames;
}

void check_between(const std::vector<Flame>& keys) { check_keys(keys); }

}  // namespace kiln
