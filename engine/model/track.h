// SPDX-License-Identifier: MIT
// What makes key flames a film: the easing from one key to the next, and tracks, each of which moves one
// number of the flame (or a few that belong together) by keys of its own. Only what they are and how a
// time becomes a value; which number a track moves is track_target.h, the flame at a time
// engine/animation/film.h. docs/inside/animation.md has the formulas.
//
// Everything is + - * / of doubles, without libm, so that a frame is the same flame on every machine.
#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/sound.h"

namespace kiln {

/// The pace on the way from a key to the next. `smooth` passes the keys of a track without a kink;
/// between key flames interpolation="smooth" is that.
enum class EasingKind { linear, hold, ease_in, ease_out, ease_in_out, bounce, smooth, curve };

// In their order; `curve` is written as its four numbers.
constexpr std::string_view easing_words[] = {"linear",      "hold",   "ease-in", "ease-out",
                                             "ease-in-out", "bounce", "smooth"};
/// The words that key flames may have.
constexpr std::span<const std::string_view> flame_easing_words =
    std::span(easing_words).first(std::size_t(EasingKind::smooth));

struct Easing {
  EasingKind kind = EasingKind::linear;
  /// The handles of `curve`: x1 y1 x2 y2 of a cubic from (0, 0) to (1, 1), as in CSS; each x is
  /// within 0..1, so that there is one value at a time.
  std::array<double, 4> curve = {};
  bool operator==(const Easing&) const = default;
};

/// "ease-in", "0.4 0 0.2 1" or "cubic-bezier(0.4, 0, 0.2, 1)"; nothing for anything else.
std::optional<Easing> easing_named(std::string_view text);

/// The easing as files have it: a word or four numbers.
std::string easing_text(const Easing& easing);

/// The share of the way that is gone at share `t` of the time: 0 at 0 and 1 at 1, where a key is met.
/// Beyond 0..1 linear goes on, all others stay where they are. Smooth is taken for linear: it
/// needs neighbors.
double eased(const Easing& easing, double t);

struct TrackKey {
  double time = 0;
  std::vector<double> value;  // of a word: its place among them
  Easing easing;              // to the next key
  int line = 0;               // of the file, 0 where there is none
  bool operator==(const TrackKey& other) const {
    return time == other.time && value == other.value && easing == other.easing;
  }
};

/// The course of a track before its first key and after its last.
enum class TrackEnds { hold, cycle, ping_pong };
constexpr std::string_view track_ends_words[] = {"hold", "cycle", "ping-pong"};

/// Values of a track's `xform` beside those of the standard ones, which count from 0.
constexpr int track_of_flame = -1, track_of_final = -2;

struct Track {
  int xform = track_of_flame;
  std::string name;  // as track_target.h has it: "brightness", "turn", "julian_power"
  TrackEnds ends = TrackEnds::hold;
  /// At least one, of rising times. Of a track that a song drives: its values at the levels 0 and 1, which stand in the
  /// place of times.
  std::vector<TrackKey> keys;
  std::optional<SoundDrive> sound;
  int line = 0;
  bool operator==(const Track& other) const {
    return xform == other.xform && name == other.name && ends == other.ends && keys == other.keys &&
           sound == other.sound;
  }
};

/// A time of a film that somebody has given a name.
struct FilmMarker {
  double time = 0;
  std::string name;
  bool operator==(const FilmMarker&) const = default;
};

/// The time within the keys that counts at `time`: held, begun anew, or gone back.
double time_in_track(const Track& track, double time);

/// The value of a track that a song drives, at a level of it; steps count up beyond 1.
std::vector<double> value_at_level(const Track& track, double level, bool words);

/// The value at a time: as many numbers as its keys have. `words`: nothing lies between two of them.
std::vector<double> value_at(const Track& track, double time, bool words);

}  // namespace kiln
