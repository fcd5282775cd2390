// SPDX-License-Identifier: MIT
#include "engine/animation/film.h"

#include <algorithm>
#include <set>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/model/formula.h"

namespace kiln {
namespace {

/// "film.flam3:12: track of turn of xform 2".
std::string place_of(const Flame& flame, const Track& track) {
  const std::string line = track.line > 0 ? ":" + std::to_string(track.line) : "";
  return (flame.source.empty() ? "" : flame.source + line + ": ") + "track of " +
         track_label(track);
}

void check_xform(const std::vector<Flame>& keys, const Track& track, const std::string& place) {
  std::size_t xforms = 0;
  for (const Flame& key : keys) {
    if (has_xform(key, track.xform)) return;
    xforms = std::max(xforms, key.xforms.size());
  }
  if (track.xform == track_of_final)
    fail(ErrorKind::input, "{}: no key flame has a finalxform; add one, or remove the track",
         place);
  fail(ErrorKind::input,
       "{}: the key flames have {} xforms; take one of these, or remove the track", place, xforms);
}

std::shared_ptr<const SoundCourse> course_of(const Track& track, const FilmSound* sound,
                                             const std::string& place) {
  if (!track.sound) return nullptr;
  if (sound == nullptr)
    fail(
        ErrorKind::input,
        "{}: the film has no song; add <kiln_sound file=\"song.flac\"/> to its first key flame, or "
        "remove the track",
        place);
  if (!sound->heard)
    fail(ErrorKind::input, "{}: the song {} was not heard, which this needs", place,
         printable_whole(sound->file));
  return sound->heard->course(*track.sound, sound->beats_of_bar);
}

double level_at(const Track& track, const SoundCourse& course, const FilmSound& sound,
                double time) {
  return course.at(sound.seconds_at(time) - track.sound->delay_s);
}

/// Whether the song says how long the film is.
bool is_as_long_as_song(const std::vector<Flame>& keys, const FilmSound& sound) {
  return sound.length == SoundLength::song ||
         (sound.length == SoundLength::usual && keys.size() == 1);
}

NumberLinks bound_links(const std::vector<Flame>& keys) {
  const std::vector<NumberLink> links = links_of(keys);
  if (links.empty()) return {};
  std::vector<int> formulas;
  for (const Flame& key : keys)
    for (const int formula : formulas_of(key))
      if (std::find(formulas.begin(), formulas.end(), formula) == formulas.end())
        formulas.push_back(formula);
  const FormulaNames names(formulas);
  try {
    return NumberLinks(links);
  } catch (const NumberLinkError& error) {
    const NumberLink& link = links[error.link];
    fail(ErrorKind::input, "{}:{}: kiln_link: {} is {}: {}", keys.front().source, link.line,
         link.number, printable(link.is), error.what);
  }
}

}  // namespace

const FilmSound* sound_of(const std::vector<Flame>& keys) {
  const FilmSound* found = nullptr;
  for (const Flame& key : keys) {
    if (!key.sound) continue;
    if (found != nullptr && found->file != key.sound->file)
      fail(ErrorKind::input,
           "{}:{}: kiln_sound: the film has a song already, {}; leave out one of them", key.source,
           key.sound->line, printable_whole(found->file));
    if (found == nullptr) found = &*key.sound;
  }
  return found;
}

bool needs_song(const std::vector<Flame>& keys) {
  const FilmSound* const sound = sound_of(keys);
  if (sound == nullptr) return false;
  const auto is_driven = [](const Flame& key) {
    return std::any_of(key.tracks.begin(), key.tracks.end(),
                       [](const Track& track) { return track.sound.has_value(); });
  };
  return is_as_long_as_song(keys, *sound) || std::any_of(keys.begin(), keys.end(), is_driven);
}

std::vector<NumberLink> links_of(const std::vector<Flame>& keys) {
  std::vector<NumberLink> links;
  for (const Flame& key : keys) {
    for (const NumberLink& link : key.links) {
      const auto other = std::find_if(links.begin(), links.end(), [&](const NumberLink& one) {
        return one.number == link.number;
      });
      if (other == links.end()) {
        links.push_back(link);
      } else if (other->is != link.is) {
        fail(ErrorKind::input,
             "{}:{}: kiln_link: {} is {} at another key of the film, of line {}; a film has one "
             "formula for a number: make both the same, or cut one",
             key.source, link.line, link.number, printable(other->is), other->line);
      }
    }
  }
  return links;
}

FilmTracks::FilmTracks(const std::vector<Flame>& keys)
    : sound_(sound_of(keys)), links_(bound_links(keys)) {
  std::set<std::pair<int, std::string>> seen;
  for (const Flame& flame : keys) {
    const FormulaNames names(flame);
    for (const Track& track : flame.tracks) {
      const std::string place = place_of(flame, track);
      std::optional<TrackTarget> target = find_track_target(track.xform, track.name);
      if (!target || track.keys.empty())
        fail(ErrorKind::input, "{}: nothing of a flame has this name, or it has no key", place);
      if (!seen.emplace(track.xform, target->name).second)
        fail(ErrorKind::input, "{}: there is one already; put the keys of both into one", place);
      check_xform(keys, track, place);
      if (links_.sets(track.xform, target->name))
        fail(
            ErrorKind::input,
            "{}: this number follows others by a link (<kiln_link>); cut the link, or move what it "
            "follows",
            place);
      tracks_.push_back({&track, *std::move(target), course_of(track, sound_, place)});
    }
  }
}

void FilmTracks::put(double time, Flame& flame) const {
  for (const auto& [track, target, course] : tracks_) {
    if (!has_xform(flame, track->xform)) continue;  // of other key flames
    const bool words = !target.words.empty();
    target.put(flame, course
                          ? value_at_level(*track, level_at(*track, *course, *sound_, time), words)
                          : value_at(*track, time, words));
  }
  links_.put(flame);
}

void FilmTracks::widen(Flame& flame) const {
  for (const auto& [track, target, course] : tracks_)
    if (has_xform(flame, track->xform)) target.widen(flame);
  links_.widen(flame);
}

Flame flame_at(const std::vector<Flame>& keys, double time) {
  Flame flame = interpolate(keys, time);
  FilmTracks(keys).put(time, flame);
  flame.time = time;
  flame.easing = {};
  flame.leave_film();
  return flame;
}

void frame_alike(std::vector<Flame>& flames) {
  if (flames.empty()) return;
  const Flame& first = flames.front();
  for (Flame& flame : flames) {
    if (flame.width == first.width && flame.height == first.height) continue;
    const double wider = first.width * first.pixel_aspect / (flame.width * flame.pixel_aspect),
                 higher = double(first.height) / flame.height;
    flame.scale *= std::min(wider, higher);
    flame.width = first.width;
    flame.height = first.height;
  }
}

double shown_end(const std::vector<Flame>& keys) {
  const double end = film_end(keys);
  const bool jumps = keys.size() > 1 && keys.rbegin()[1].easing.kind == EasingKind::hold;
  if (!jumps || end > keys.back().time) return end;
  return end + (end - keys.rbegin()[1].time);
}

double film_end(const std::vector<Flame>& keys) {
  const FilmSound* const sound = sound_of(keys);
  double end = keys.back().time;
  if (sound != nullptr && sound->heard && is_as_long_as_song(keys, *sound))
    return std::max(end, sound->end_time());
  if (keys.size() > 1) return end;
  for (const Track& track : keys.front().tracks)
    if (!track.sound) end = std::max(end, track.keys.back().time);
  return end;
}

}  // namespace kiln
