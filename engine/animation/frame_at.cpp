// SPDX-License-Identifier: MIT
#include "engine/animation/frame_at.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "engine/animation/film.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/model/exact_math.h"
#include "engine/model/temporal.h"
#include "engine/program/sample_shares.h"

namespace kiln {
namespace {

/// Keeps what is not interpolated: settings of the file's first flame, and what the XML lacks.
Flame with_settings_of(const Flame& first, Flame flame) {
  flame.source = first.source;
  flame.line = first.line;
  flame.pixel_aspect = first.pixel_aspect;
  flame.filter_shape = first.filter_shape;  // flam3: of the first genome, not interpolated
  flame.filter_kernel = first.filter_kernel;
  flame.filter_radius_px = first.filter_radius_px;
  flame.filter_supersample = first.supersample;
  return flame;
}

/// The time samples of a frame between keys.
class BetweenKeys : public TimeSampleSource {
 public:
  BetweenKeys(FilmKeys::Some keys, std::vector<double> times)
      : keys_(std::move(keys)),
        pixel_aspect_(keys_->front().pixel_aspect),
        times_(std::move(times)),
        between_(*keys_),
        tracks_(*keys_) {}

  std::vector<const Flame*> bounds() override {
    std::vector<const Flame*> all = between_.between(times_);
    if (!tracks_.changes_flames()) return all;
    widened_.clear();
    for (const Flame* flame : all) tracks_.widen(widened_.emplace_back(*flame));
    for (const Flame& flame : widened_) all.push_back(&flame);
    return all;
  }
  void visit(const std::function<void(const Flame&)>& see) override {
    for (double time : times_) {
      Flame& flame = between_.at(time);
      flame.pixel_aspect = pixel_aspect_;
      if (!tracks_.changes_flames()) {
        see(flame);
      } else {  // not in that flame, of which the next blend leaves what does not move
        moved_ = flame;
        tracks_.put(time, moved_);
        see(moved_);
      }
    }
  }

 private:
  const FilmKeys::Some keys_;
  const double pixel_aspect_;
  const std::vector<double> times_;
  Interpolator between_;
  const FilmTracks tracks_;
  std::deque<Flame> widened_;
  Flame moved_;
};

Frame frame_of(const FilmKeys::Some& shared, const FrameTime& frame, MotionBlur blur) {
  const std::vector<Flame>& keys = *shared;
  Frame result;
  const FilmTracks tracks(keys);
  result.flame = with_settings_of(keys.front(), interpolate(keys, frame.time));
  tracks.put(frame.time, result.flame);
  if (!tracks.empty()) result.flame.time = frame.time;  // also of one flame alone
  result.flame.easing = {};
  result.flame.leave_film();
  result.flame.missing.clear();
  for (const Flame& key : keys)
    result.flame.missing.insert(result.flame.missing.end(), key.missing.begin(), key.missing.end());
  result.number = static_cast<std::uint32_t>(frame.number);
  if ((keys.size() == 1 && tracks.empty()) || blur == MotionBlur::without) return result;
  const std::vector<TemporalStep> steps = temporal_steps(result.flame);
  if (steps.size() == 1 && steps[0].time_offset == 0) return result;
  std::vector<double> times;
  for (const TemporalStep& step : steps) {
    times.push_back(frame.time + step.time_offset);
    result.weights.push_back(step.weight);
  }
  result.moving = std::make_shared<BetweenKeys>(shared, std::move(times));
  return result;
}

}  // namespace

FilmKeys::FilmKeys(std::vector<Flame> flames)
    : flames_(std::make_shared<const std::vector<Flame>>(std::move(flames))) {}

FilmKeys::FilmKeys(Sequence sequence)
    : sequence_(std::make_shared<const Sequence>(std::move(sequence))),
      flames_(std::make_shared<const std::vector<Flame>>(1, made(first()))) {}

Flame FilmKeys::made(int number) const {
  Flame flame = sequence_->at(number);
  for (const auto& change : changes_) change(flame);
  return flame;
}

std::size_t FilmKeys::size() const {
  return sequence_ ? std::size_t(last() - first() + 1) : flames_->size();
}

void FilmKeys::each(const std::function<void(const Flame&)>& see) const {
  if (!sequence_)
    for (const Flame& flame : *flames_) see(flame);
  else
    for (int number = first(); number <= last(); ++number) see(made(number));
}

const std::vector<Flame>& FilmKeys::read() const {
  return sequence_ ? sequence_->keys() : *flames_;
}

FilmKeys::Some FilmKeys::around(double begin, double end) const {
  if (!sequence_ || size() == 1) return flames_;
  // the flame before a time, as interpolate() finds it: outer parts go on beyond their flames
  const auto before = [&](double time) {
    return int(std::clamp(std::ceil(time) - 1, double(first()), double(last() - 1)));
  };
  std::vector<Flame> flames = *flames_;
  std::vector<Missing>& missing = flames.front().missing;
  for (const Flame& key : read())  // a frame says what any flame of the film lacks
    missing.insert(missing.end(), key.missing.begin(), key.missing.end());
  for (int number = std::max(before(begin), first() + 1); number <= before(end) + 1; ++number)
    flames.emplace_back(made(number)).missing.clear();
  return std::make_shared<const std::vector<Flame>>(std::move(flames));
}

FilmKeys::Some FilmKeys::of_frame(const FrameTime& frame) const {
  Some keys = around(frame.time, frame.time);
  if (!sequence_ || size() == 1) return keys;
  double begin = frame.time, end = frame.time;
  for (const TemporalStep& step :
       temporal_steps(frame_at(*keys, frame, MotionBlur::without).flame)) {
    begin = std::min(begin, frame.time + step.time_offset);
    end = std::max(end, frame.time + step.time_offset);
  }
  return begin == end ? keys : around(begin, end);
}

void FilmKeys::change(std::function<void(Flame&)> how) {
  std::vector<Flame> flames = *flames_;  // of a copy of this film, too
  for (Flame& flame : flames) how(flame);
  flames_ = std::make_shared<const std::vector<Flame>>(std::move(flames));
  if (sequence_) changes_.push_back(std::move(how));
}

Flame flame_at(const FilmKeys& keys, double time) {
  return flame_at(*keys.around(time, time), time);
}

std::uint64_t bytes_of(const FilmKeys& keys) { return bytes_of(keys.read()); }

bool is_cleaned(const FilmKeys& keys) {
  if (!keys.is_sequence()) return is_cleaned(keys.read());
  // a sequence's flames are between those that it is made of, and have no tracks
  return keys.front().is_cleaned() ||
         std::any_of(keys.read().begin(), keys.read().end(),
                     [](const Flame& flame) { return flame.is_cleaned(); });
}

Frame frame_at(const std::vector<Flame>& keys, const FrameTime& frame, MotionBlur blur) {
  return frame_of({FilmKeys::Some(), &keys}, frame, blur);
}

Frame frame_at(const FilmKeys& keys, const FrameTime& frame, MotionBlur blur) {
  const bool still = blur == MotionBlur::without;
  return frame_of(still ? keys.around(frame.time, frame.time) : keys.of_frame(frame), frame, blur);
}

namespace {

/// The settings of a key flame that decide the samples of a frame.
struct KeyCost {
  double time, quality, zoom, width, height;
};

double samples_between(const std::vector<KeyCost>& keys, double time) {
  // between two keys all of this is linear; the neighbors are enough for an estimate
  const auto after = std::upper_bound(keys.begin(), keys.end(), time,
                                      [](double t, const KeyCost& key) { return t < key.time; });
  const KeyCost& right = after == keys.end() ? keys.back() : *after;
  const KeyCost& left = after == keys.begin() ? keys.front() : *(after - 1);
  const double span = right.time - left.time;
  const double share = span > 0 ? std::clamp((time - left.time) / span, 0.0, 1.0) : 0;
  const auto between = [&](double a, double b) { return a + share * (b - a); };
  const double zoom = std::clamp(between(left.zoom, right.zoom), -100.0, 100.0);
  return between(left.quality, right.quality) * exact::exp2(2 * zoom) *
         between(left.width, right.width) * between(left.height, right.height);
}

}  // namespace

std::vector<double> sample_estimates(const FilmKeys& film, const std::vector<FrameTime>& frames) {
  std::vector<double> samples;
  samples.reserve(frames.size());
  const std::vector<Flame>& keys = film.read();
  if (film.is_sequence() || FilmTracks(keys).empty()) {
    std::vector<KeyCost> costs;
    film.each([&](const Flame& key) {
      costs.push_back({key.time, key.quality, key.zoom, double(key.width), double(key.height)});
    });
    for (const FrameTime& frame : frames) samples.push_back(samples_between(costs, frame.time));
    return samples;
  }
  constexpr std::size_t looked_at = 64;
  const std::size_t step =
      std::max<std::size_t>(1, (frames.size() + looked_at - 2) / (looked_at - 1));
  const auto at = [&](std::size_t i) { return rough_samples(flame_at(keys, frames[i].time)); };
  for (std::size_t i = 0; i < frames.size();) {
    const std::size_t next = std::min(i + step, frames.size() - 1);
    const double here = samples.empty() ? at(0) : samples.back();
    if (samples.empty()) samples.push_back(here);
    if (next == i) break;
    const double there = at(next);
    for (std::size_t k = 1; k <= next - i; ++k)
      samples.push_back(here + (there - here) * double(k) / double(next - i));
    i = next;
  }
  return samples;
}

namespace {

/// The last one is a step before `end`, so that a loop has no frame twice.
std::vector<FrameTime> even_frames(double begin, double end, std::size_t count) {
  std::vector<FrameTime> frames;
  for (std::size_t i = 0; i < count; ++i)
    frames.push_back({int(i), begin + (end - begin) * double(i) / double(count)});
  return frames;
}

/// The frames of a film whose first key flame is at `first` and which is shown until `last`.
std::vector<FrameTime> frames_between(double first, double last, const FrameSpan& span) {
  const double begin = span.begin.value_or(std::trunc(first));
  if (span.count > 0) return even_frames(begin, last, span.count);
  const double before_last = last - std::min(1.0, span.step);
  return frame_times(begin, span.end.value_or(std::max(begin, before_last)), span.step);
}

}  // namespace

KeyFrames between_keys(std::vector<Flame> keys, const FrameSpan& span) {
  check_keys(keys);
  // says what is wrong before anything is rendered
  [[maybe_unused]] const FilmTracks checked{keys};
  std::vector<FrameTime> frames = frames_between(keys.front().time, shown_end(keys), span);
  return {std::move(keys), std::move(frames)};
}

KeyFrames in_sequence(std::vector<Flame> flames, const SequenceOptions& options, bool loop,
                      const FrameSpan& span, std::size_t rounds) {
  frame_alike(flames);
  for (Flame& flame : flames) {  // messages name the file
    flame.source = flames.front().source;
    flame.line = flames.front().line;
  }
  Sequence sequence(std::move(flames), options,
                    loop ? Sequence::Ending::loop : Sequence::Ending::last, rounds);
  const double end = sequence.end();
  KeyFrames animation{FilmKeys(std::move(sequence)), frames_between(0, end, span)};
  if (loop)  // the round after the last frame has the flames of the first, to the last bit
    for (FrameTime& frame : animation.frames) frame.time -= end * std::floor(frame.time / end);
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
         "no frames from time {} to {} in steps of {}: the end must not be before the begin, and "
         "the step (dtime) must be above 0",
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

std::span<const FrameTime> frames_around(std::span<const FrameTime> frames,
                                         const FrameTime& frame) {
  constexpr std::ptrdiff_t most = 2;
  const auto own = std::lower_bound(frames.begin(), frames.end(), frame.number,
                                    [](const FrameTime& one, int n) { return one.number < n; });
  return {own - std::min(own - frames.begin(), most), own + std::min(frames.end() - own, most + 1)};
}

bool is_cleaned(const std::vector<Flame>& keys) {
  return std::any_of(keys.begin(), keys.end(), [](const Flame& key) {
    return key.is_cleaned() ||
           std::any_of(key.tracks.begin(), key.tracks.end(), [](const Track& track) {
             // tracks have the attribute's name, also where a file says its alias
             return track.xform == track_of_flame && track.name == "kiln_clean";
           });
  });
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
    fail(ErrorKind::usage, "--frames {}: there is no such frame; --dtime leaves it out",
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

}  // namespace kiln
