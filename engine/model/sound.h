// SPDX-License-Identifier: MIT
// Music as a film's file names it: the song, and what of it drives a track. Only what they are; a song is heard and
// analyzed by engine/sound, and hands over what a track needs as a course in time. docs/use/music.md has the words.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The things that are heard in a song; `band` has limits of its own.
enum class SoundPart { loudness, bass, low, mid, high, onset, beat, bar, centroid, silence, band };
constexpr std::string_view sound_part_words[] = {"loudness", "bass", "low", "mid",      "high",
                                                 "onset",    "beat", "bar", "centroid", "silence"};

/// The moments at which a drive takes its level.
enum class SoundEvent { none, onset, beat, bar };
constexpr std::string_view sound_event_words[] = {"none", "onset", "beat", "bar"};

/// The course from one moment to the next: falls from the level, keeps it, or goes a step on at each.
enum class SoundShape { decay, held, steps };
constexpr std::string_view sound_shape_words[] = {"decay", "held", "steps"};

/// The frequencies that a song is analyzed in, Hz.
constexpr double least_sound_hz = 20, most_sound_hz = 18000;
constexpr double most_sound_seconds = 60;  // of a delay, an attack, a release
constexpr int most_beats_of_bar = 32;

/// A number between 0 and 1 in time, or a count of steps, that a song gives.
struct SoundDrive {
  SoundPart part = SoundPart::loudness;
  double low_hz = 0, high_hz = 0;  // of a band
  SoundEvent each = SoundEvent::none;
  SoundShape shape = SoundShape::decay;
  double threshold = 0;  // level below which it is 0; above it goes from 0 to 1
  double delay_s = 0;    // later than it is heard; below 0: sooner
  std::optional<double> attack_s, release_s;  // none: the usual ones of its kind
  bool operator==(const SoundDrive&) const = default;

  /// The moments at which it takes its level: those that its part is, where none are said.
  SoundEvent moments() const {
    if (each != SoundEvent::none) return each;
    return part == SoundPart::onset  ? SoundEvent::onset
           : part == SoundPart::beat ? SoundEvent::beat
           : part == SoundPart::bar  ? SoundEvent::bar
                                     : SoundEvent::none;
  }
  double attack() const { return attack_s.value_or(moments() == SoundEvent::none ? 0.01 : 0); }
  double release() const { return release_s.value_or(moments() == SoundEvent::none ? 0.15 : 0.25); }
};

/// "bass", or "60-250" of a band: as files have it.
std::string sound_part_text(const SoundDrive& drive);
/// Takes such a word; whether it is one.
bool take_sound_part(std::string_view text, SoundDrive& drive);

/// A level that is known at even steps of time from 0 on.
struct SoundCourse {
  double rate = 1;  // values a second
  std::vector<float> values;

  /// The level at a time: between two values on the line from one to the other, 0 before the song, at its end's value
  /// after it.
  double at(double seconds) const {
    const double place = seconds * rate;
    if (!(place >= 0) || values.empty()) return 0;
    if (place >= double(values.size() - 1)) return double(values.back());
    const auto i = std::size_t(place);
    const double a = double(values[i]), b = double(values[i + 1]);
    return a + (place - double(i)) * (b - a);
  }
};

/// A song that was heard.
class HeardSong {
 public:
  virtual ~HeardSong() = default;
  virtual double seconds() const = 0;
  /// The course of a drive over the song, without its delay. Made once for each drive; several threads may ask.
  virtual std::shared_ptr<const SoundCourse> course(const SoundDrive& drive,
                                                    int beats_of_bar) const = 0;
};

/// The length of a film with a song: where the file does not say, a flame alone is as long as the song, and several
/// keys are as long as they say.
enum class SoundLength { usual, song, keys };

/// The song of a film.
struct FilmSound {
  std::string file;  // as the file of flames has it: from its own folder on
  std::string
      folder;  // that one, where it is known; else that of the flame's `source`, which may be cut
  std::string sha256;      // of the song's bytes; empty: any song of that name will do
  std::string fps = "30";  // units of the keys' time in a second of the song
  double rate = 30;        // the same
  double start_s = 0;      // of the song, at time 0
  int beats_of_bar = 4;
  SoundLength length = SoundLength::usual;
  int line = 0;
  std::shared_ptr<const HeardSong> heard;  // none: nobody has needed it yet

  double seconds_at(double time) const { return time / rate + start_s; }
  /// The time at which the heard song ends.
  double end_time() const { return (heard->seconds() - start_s) * rate; }
};

}  // namespace kiln
