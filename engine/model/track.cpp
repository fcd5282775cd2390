// SPDX-License-Identifier: MIT
#include "engine/model/track.h"

#include <algorithm>
#include <cmath>

#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr double steepest = 100;  // a curve's y; beyond that it is a slip of the pen

/// One coordinate of the cubic at `s`, from 0 to 1.
double cubic(double first, double second, double s) {
  const double rest = 1 - s;
  return 3 * rest * rest * s * first + 3 * rest * s * s * second + s * s * s;
}

/// y where the cubic's x, which never falls, is t; by halving, to the last bits.
double on_curve(const std::array<double, 4>& curve, double t) {
  double low = 0, high = 1;
  for (int step = 0; step < 60; ++step) {
    const double middle = (low + high) / 2;
    (cubic(curve[0], curve[2], middle) < t ? low : high) = middle;
  }
  return cubic(curve[1], curve[3], (low + high) / 2);
}

/// A ball that falls onto the next key and springs back three times, each time less high (R. Penner).
double bounced(double t) {
  constexpr double width = 2.75, height = width * width;
  const auto arc = [](double x, double top) { return height * x * x + top; };
  if (t < 1 / width) return arc(t, 0);
  if (t < 2 / width) return arc(t - 1.5 / width, 0.75);
  if (t < 2.5 / width) return arc(t - 2.25 / width, 0.9375);
  return arc(t - 2.625 / width, 0.984375);
}

/// Numbers with blanks or commas between them; nothing for anything else.
std::optional<std::vector<double>> numbers_in(std::string_view text) {
  std::vector<double> numbers;
  constexpr std::string_view between = " \t\r\n,";
  while (true) {
    const std::size_t start = text.find_first_not_of(between);
    if (start == text.npos) return numbers;
    text.remove_prefix(start);
    const std::string_view word = text.substr(0, text.find_first_of(between));
    const auto number = to_real(word);
    if (!number || !std::isfinite(*number) || numbers.size() == 4) return {};
    numbers.push_back(*number);
    text.remove_prefix(word.size());
  }
}

/// The key before or after a track's end as its loop has it, whose value is not that of a key.
struct Neighbor {
  double time;
  const std::vector<double>* value;
  const std::vector<double>* from = nullptr;  // a round that begins elsewhere goes on from there
  const std::vector<double>* to = nullptr;
  double at(std::size_t n) const {
    return from == nullptr ? (*value)[n] : (*value)[n] + ((*to)[n] - (*from)[n]);
  }
};

/// The speed of number n at key `i`, which it passes without a kink: as from the key before to the
/// one after. At an end that is held or turned back at it rests.
double slope_at(const Track& track, std::size_t i, std::size_t n) {
  const std::vector<TrackKey>& keys = track.keys;
  const std::size_t last = keys.size() - 1;
  if ((i == 0 || i == last) && track.ends != TrackEnds::cycle) return 0;
  const double round = keys[last].time - keys[0].time;
  Neighbor before{0, nullptr}, after{0, nullptr};
  if (i > 0) {
    before = {keys[i - 1].time, &keys[i - 1].value};
  } else {
    before = {keys[last - 1].time - round, &keys[last - 1].value, &keys[last].value,
              &keys[0].value};
  }
  if (i < last) {
    after = {keys[i + 1].time, &keys[i + 1].value};
  } else {
    after = {keys[1].time + round, &keys[1].value, &keys[0].value, &keys[last].value};
  }
  return (after.at(n) - before.at(n)) / (after.time - before.time);
}

/// Hermite's cubic from key i to the next.
double smooth_value(const Track& track, std::size_t i, std::size_t n, double t) {
  const TrackKey &from = track.keys[i], &to = track.keys[i + 1];
  const double length = to.time - from.time, t2 = t * t, t3 = t2 * t;
  return (2 * t3 - 3 * t2 + 1) * from.value[n] + (3 * t2 - 2 * t3) * to.value[n] +
         (t3 - 2 * t2 + t) * length * slope_at(track, i, n) +
         (t3 - t2) * length * slope_at(track, i + 1, n);
}

}  // namespace

std::optional<Easing> easing_named(std::string_view text) {
  const auto word = std::find(std::begin(easing_words), std::end(easing_words), text);
  if (word != std::end(easing_words))
    return Easing{EasingKind(word - std::begin(easing_words)), {}};
  constexpr std::string_view css = "cubic-bezier(";
  if (text.starts_with(css) && text.ends_with(')'))
    text = text.substr(css.size(), text.size() - css.size() - 1);
  const auto numbers = numbers_in(text);
  if (!numbers || numbers->size() != 4) return {};
  Easing easing{EasingKind::curve, {}};
  std::copy(numbers->begin(), numbers->end(), easing.curve.begin());
  const auto& [x1, y1, x2, y2] = easing.curve;
  const bool is_curve = x1 >= 0 && x1 <= 1 && x2 >= 0 && x2 <= 1 && std::fabs(y1) <= steepest &&
                        std::fabs(y2) <= steepest;
  return is_curve ? std::optional(easing) : std::nullopt;
}

std::string easing_text(const Easing& easing) {
  if (easing.kind != EasingKind::curve) return std::string(easing_words[std::size_t(easing.kind)]);
  std::string text;
  for (const double number : easing.curve) text += (text.empty() ? "" : " ") + shortest(number);
  return text;
}

double eased(const Easing& easing, double t) {
  if (easing.kind == EasingKind::linear || easing.kind == EasingKind::smooth) return t;
  if (t <= 0) return 0;
  if (t >= 1) return 1;
  switch (easing.kind) {
    case EasingKind::hold:
      return 0;
    case EasingKind::ease_in:
      return t * t;
    case EasingKind::ease_out:
      return t * (2 - t);
    case EasingKind::ease_in_out:
      return t * t * (3 - 2 * t);
    case EasingKind::bounce:
      return bounced(t);
    default:
      return on_curve(easing.curve, t);
  }
}

double time_in_track(const Track& track, double time) {
  const double first = track.keys.front().time, length = track.keys.back().time - first;
  if (track.ends == TrackEnds::hold || length <= 0)
    return std::clamp(time, first, track.keys.back().time);
  const double round = track.ends == TrackEnds::cycle ? length : 2 * length;
  double into = time - first;
  into -= round * std::floor(into / round);
  if (!(into >= 0 && into < round))
    into = 0;  // rounding: the end of a round is the next one's start
  return first + (into > length ? round - into : into);
}

std::vector<double> value_at(const Track& track, double time, bool words) {
  const std::vector<TrackKey>& keys = track.keys;
  const double within = time_in_track(track, time);
  const auto next = std::upper_bound(keys.begin(), keys.end(), within,
                                     [](double t, const TrackKey& key) { return t < key.time; });
  if (next == keys.begin()) return keys.front().value;
  const std::size_t i = std::size_t(next - keys.begin()) - 1;
  const TrackKey& key = keys[i];
  if (next == keys.end() || within == key.time || words) return key.value;
  const double t = (within - key.time) / (next->time - key.time), share = eased(key.easing, t);
  std::vector<double> value = key.value;
  for (std::size_t n = 0; n < value.size(); ++n) {
    value[n] = key.easing.kind == EasingKind::smooth
                   ? smooth_value(track, i, n, t)
                   : value[n] + share * (next->value[n] - value[n]);
  }
  return value;
}

std::vector<double> value_at_level(const Track& track, double level, bool words) {
  if (words || track.sound->shape != SoundShape::steps) return value_at(track, level, words);
  const TrackKey &from = track.keys.front(), &to = track.keys.back();
  const double whole = std::floor(level), steps = whole + eased(from.easing, level - whole);
  std::vector<double> value = from.value;
  for (std::size_t n = 0; n < value.size(); ++n) value[n] += steps * (to.value[n] - from.value[n]);
  return value;
}

}  // namespace kiln
