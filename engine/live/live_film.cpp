#include "engine/live/live_film.h"

#include <algorithm>
#include <cmath>

#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/genome_writer.h"

namespace kiln {
namespace {

auto place_of(auto& keys, double time) {
  return std::lower_bound(keys.begin(), keys.end(), time,
                          [](const auto& key, double t) { return key.time < t; });
}

/// A key at a time, which another may have had.
void set_key(Track& track, double time, std::vector<double> value) {
  const double inside =
      track.keys.empty() || track.ends == TrackEnds::hold ? time : time_in_track(track, time);
  const auto found = place_of(track.keys, inside);
  if (found != track.keys.end() && found->time == inside) {
    found->value = std::move(value);
  } else {
    TrackKey key;
    key.time = inside;
    key.value = std::move(value);
    if (found != track.keys.begin()) key.easing = std::prev(found)->easing;
    track.keys.insert(found, key);
  }
}

/// Where the flame has another value than the track, the track gets a key.
void follow(Track& track, const Flame& flame, double time) {
  const auto target = find_track_target(track.xform, track.name);
  if (!target || !has_xform(flame, track.xform)) return;
  std::vector<double> value = target->get(flame);
  const std::vector<double> before = value_at(track, time, !target->words.empty());
  value.resize(std::min(value.size(), std::max(target->least, before.size())));
  const auto is_near = [](double a, double b) {
    return std::abs(a - b) <= 1e-6 * std::max({1.0, std::abs(a), std::abs(b)});
  };
  if (std::equal(value.begin(), value.end(), before.begin(), before.end(), is_near)) return;
  if (track.name.ends_with("turn"))  // the nearest of those that look so
    value[0] += 360 * std::floor((before[0] - value[0]) / 360 + 0.5);
  set_key(track, time, std::move(value));
}

}  // namespace

std::shared_ptr<const LiveFilm> live_film(std::vector<Flame> keys) {
  if (keys.size() > LiveFilm::most_keys)
    fail(ErrorKind::input, "film: {} keys are more than {}", keys.size(), LiveFilm::most_keys);
  check_between(keys);
  const int width = keys[0].width, height = keys[0].height;
  const auto film = std::make_shared<LiveFilm>();
  for (std::size_t k = 0; k < keys.size(); ++k) {
    Flame& key = keys[k];
    check_live(key);
    key.scale *= double(width) / key.width;
    key.width = width;
    key.height = height;
    key.index = int(k);
    film->text += genome_xml(key);
  }
  const FilmTracks are_whole(keys);
  film->text = "<flames>\n" + film->text + "</flames>\n";
  film->keys = std::move(keys);
  return film;
}

std::shared_ptr<const LiveFilm> live_film(const std::string& text, const ReaderOptions& reader) {
  return live_film(parse_flames(text, "film", reader).flames);
}

bool has_key(const LiveFilm& film, double time) {
  const auto found = place_of(film.keys, time);
  return found != film.keys.end() && found->time == time;
}

std::shared_ptr<const LiveFilm> with_key(const LiveFilm& film, Flame flame, double time) {
  std::vector<Flame> keys = film.keys;
  for (Flame& key : keys)
    for (Track& track : key.tracks) follow(track, flame, time);
  const auto found = place_of(keys, time);
  const bool is_there = found != keys.end() && found->time == time;
  flame.time = time;
  flame.tracks.clear();
  if (is_there) {
    flame.easing = found->easing;
    flame.tracks = found->tracks;
    *found = std::move(flame);
  } else {
    flame.easing = found == keys.begin() ? Easing{} : std::prev(found)->easing;
    const auto placed = keys.insert(found, std::move(flame));
    if (placed == keys.begin()) std::swap(placed->tracks, std::next(placed)->tracks);
  }
  return live_film(std::move(keys));
}

std::shared_ptr<const LiveFilm> with_track_key(const LiveFilm& film, int xform,
                                               const std::string& name, double time) {
  const std::optional<TrackTarget> target = find_track_target(xform, name);
  const Flame flame = flame_at(film.keys, time);
  if (!target || !has_xform(flame, xform))
    fail(ErrorKind::usage, "nothing of a flame that can be animated has the name \"{}\"",
         printable_whole(name));
  std::vector<Flame> keys = film.keys;
  for (Flame& key : keys) {
    for (Track& track : key.tracks) {
      if (track.xform != xform || track.name != target->name) continue;
      set_key(track, time, value_at(track, time, !target->words.empty()));
      return live_film(std::move(keys));
    }
  }
  Track track;
  track.xform = xform;
  track.name = target->name;
  set_key(track, time, target->get(flame));
  keys[0].tracks.push_back(std::move(track));
  return live_film(std::move(keys));
}

std::shared_ptr<const LiveFilm> loop_film(Flame flame, double frames) {
  flame.time = 0;
  flame.easing = {};
  flame.tracks.clear();
  for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
    const std::optional<TrackTarget> turn = find_track_target(int(i), "turn");
    if (flame.xforms[i].animate == 0 || !turn) continue;
    const double now = turn->get(flame)[0];
    Track track;
    track.xform = int(i);
    track.name = turn->name;
    track.ends = TrackEnds::cycle;
    track.keys.resize(2);
    track.keys[0].value = {now};
    track.keys[1].time = frames;
    track.keys[1].value = {now + 360};
    flame.tracks.push_back(track);
  }
  if (flame.tracks.empty())
    fail(ErrorKind::input, "loop: no xform is animated; give one animate=\"1\"");
  return live_film(std::vector<Flame>{std::move(flame)});
}

void check_live(const Flame& flame) {
  constexpr double most_pixels = most_live_pixels;
  const double buckets = double(flame.width) * flame.height * flame.supersample * flame.supersample;
  if (double(flame.width) * flame.height > most_pixels || buckets > 4 * most_pixels) {
    fail(ErrorKind::input,
         "{}: {} x {} pixels of {} x {} buckets are more than a live picture may have ({:.0f} "
         "million pixels); lower size or supersample",
         flame.place(), flame.width, flame.height, flame.supersample, flame.supersample,
         most_pixels / 1e6);
  }
}

}  // namespace kiln
