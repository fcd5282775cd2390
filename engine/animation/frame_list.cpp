#include "engine/animation/frame_list.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr double number_max = 1e9;  // of a frame
constexpr double count_max = 1e7;   // frames of an animation

bool is_integer(double value) { return value == std::floor(value); }

/// Takes a whole number from the front of `text`.
std::optional<int> take_number(std::string_view& text) {
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
  const auto first = take_number(text);
  if (!first) return std::nullopt;
  range.first = range.last = *first;
  if (take(text, '-')) {
    const auto last = take_number(text);
    if (!last) return std::nullopt;
    range.last = *last;
  }
  if (take(text, ':')) {
    const auto step = take_number(text);
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
  const auto number = take_number(text);
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
    const auto index = take_number(rest);
    const bool slash = take(rest, '/');
    const auto count = take_number(rest);
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
