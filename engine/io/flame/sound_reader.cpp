// SPDX-License-Identifier: MIT
#include "engine/io/flame/sound_reader.h"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr std::size_t most_name_bytes = 4096;

/// A song lies beside its film, or somewhere on this machine: a film of somebody else's must not make this one call
/// others.
std::string read_song_name(const Attribute& a) {
  const std::string_view name = a.value;
  if (name.empty()) a.reject("names no song");
  if (name.size() > most_name_bytes) a.reject("is longer than {} bytes", most_name_bytes);
  const bool is_odd = std::any_of(name.begin(), name.end(),
                                  [](char c) { return static_cast<unsigned char>(c) < 0x20; });
  if (is_odd) a.reject("has characters that no name has");
  const bool is_remote = name.find("://") != name.npos || name.starts_with("//") ||
                         name.starts_with("\\\\") || name.starts_with("/\\") ||
                         name.starts_with("\\/");
  if (is_remote) a.reject("must be a file of this machine; copy the song beside the film");
  return std::string(name);
}

std::string read_digest(const Attribute& a) {
  const bool is_hex =
      a.value.size() == 64 && std::all_of(a.value.begin(), a.value.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
      });
  if (!is_hex)
    a.reject("must be the 64 hexadecimal digits of the song's SHA-256, as kiln listen says them");
  return std::string(a.value);
}

/// "30", "29.97", "30000/1001".
double read_rate(const Attribute& a) {
  constexpr double most = 1000;
  const std::size_t slash = a.value.find('/');
  const auto over = to_real(a.value.substr(0, slash));
  const auto under =
      slash == a.value.npos ? std::optional(1.0) : to_real(a.value.substr(slash + 1));
  const double rate = over && under && *under > 0 ? *over / *under : 0;
  const bool is_plain = a.value.find_first_not_of("0123456789./") == a.value.npos;
  if (!is_plain || !(rate > 0 && rate <= most))
    a.reject("must be a rate such as 25, 29.97 or 30000/1001");
  return rate;
}

template <class Words>
std::size_t read_word(const Attribute& a, const Words& words, std::size_t first = 0) {
  const auto word = std::find(std::begin(words) + std::ptrdiff_t(first), std::end(words), a.value);
  if (word == std::end(words)) {
    std::vector<std::string> all(std::begin(words) + std::ptrdiff_t(first), std::end(words));
    a.reject("must be one of {}", joined(all, ", "));
  }
  return std::size_t(word - std::begin(words));
}

}  // namespace

FilmSound read_sound(const tinyxml2::XMLElement& element, Messages& messages) {
  static const std::string owner(sound_element);
  constexpr std::string_view lengths[] = {"", "song", "keys"};
  FilmSound sound;
  sound.line = element.GetLineNum();
  for (const Attribute& a : attributes_of(element, owner, messages)) {
    if (a.name == "file") {
      sound.file = read_song_name(a);
    } else if (a.name == "sha256") {
      sound.sha256 = read_digest(a);
    } else if (a.name == "fps") {
      sound.rate = read_rate(a);
      sound.fps = std::string(a.value);
    } else if (a.name == "start") {
      sound.start_s = read_real(a, 0, 1e6);
    } else if (a.name == "bar") {
      sound.beats_of_bar = read_integer(a, 1, most_beats_of_bar);
    } else if (a.name == "length") {
      sound.length = SoundLength(read_word(a, lengths, 1));
    } else {
      a.reject(
          "<kiln_sound> has no such attribute; it knows file, sha256, fps, start, bar and length");
    }
  }
  if (sound.file.empty())
    messages.error(sound.line, "kiln_sound: names no song; add file=\"song.flac\"");
  return sound;
}

bool take_drive(const Attribute& a, SoundDrive& drive) {
  if (a.name == "sound") {
    if (!take_sound_part(a.value, drive)) {
      const std::vector<std::string> words(std::begin(sound_part_words),
                                           std::end(sound_part_words));
      a.reject("must be one of {}, or a band in Hz such as 60-250, from {} to {}{}",
               joined(words, ", "), least_sound_hz, most_sound_hz, did_you_mean(a.value, words));
    }
  } else if (a.name == "each") {
    drive.each = SoundEvent(read_word(a, sound_event_words, 1));
  } else if (a.name == "shape") {
    drive.shape = SoundShape(read_word(a, sound_shape_words));
  } else if (a.name == "threshold") {
    drive.threshold = read_real(a, 0, 0.999);
  } else if (a.name == "delay") {
    drive.delay_s = read_real(a, -most_sound_seconds, most_sound_seconds);
  } else if (a.name == "attack") {
    drive.attack_s = read_real(a, 0, most_sound_seconds);
  } else if (a.name == "release") {
    drive.release_s = read_real(a, 0, most_sound_seconds);
  } else {
    return false;
  }
  return true;
}

void check_drive(const SoundDrive& drive, const std::string& owner, int line,
                 const Messages& messages) {
  if (drive.shape != SoundShape::decay && drive.moments() == SoundEvent::none)
    messages.error(line, "{}: shape=\"{}\" is of moments; add each=\"beat\", \"bar\" or \"onset\"",
                   owner, sound_shape_words[std::size_t(drive.shape)]);
}

std::string drive_attributes(const SoundDrive& drive) {
  std::string text = fmt::format(" sound=\"{}\"", sound_part_text(drive));
  if (drive.each != SoundEvent::none)
    text += fmt::format(" each=\"{}\"", sound_event_words[std::size_t(drive.each)]);
  if (drive.shape != SoundShape::decay)
    text += fmt::format(" shape=\"{}\"", sound_shape_words[std::size_t(drive.shape)]);
  const auto add = [&](const char* name, double value) {
    text += fmt::format(" {}=\"{}\"", name, shortest(value));
  };
  if (drive.threshold != 0) add("threshold", drive.threshold);
  if (drive.delay_s != 0) add("delay", drive.delay_s);
  if (drive.attack_s) add("attack", *drive.attack_s);
  if (drive.release_s) add("release", *drive.release_s);
  return text;
}

}  // namespace kiln
