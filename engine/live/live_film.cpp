// SPDX-License-Identifier: MIT
#include "engine/live/live_film.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <utility>

#include "engine/animation/film.h"
#include "engine/animation/frame_at.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/easing_halves.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/formula.h"
#include "engine/sound/song.h"

namespace kiln {
namespace {

auto place_of(auto& keys, double time) {
  return std::lower_bound(keys.begin(), keys.end(), time,
                          [](const auto& key, double t) { return key.time < t; });
}

/// The easing of a new key at `time`, between this key and the next: each has its part of the way.
template <class Key>
Easing split_way(Key& before, double time, const Key& after) {
  const auto [first, second] =
      halves(before.easing, (time - before.time) / (after.time - before.time));
  before.easing = first;
  return second;
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
    if (found != track.keys.begin())
      key.easing = found == track.keys.end() ? std::prev(found)->easing
                                             : split_way(*std::prev(found), inside, *found);
    track.keys.insert(found, key);
  }
}

/// Gives the track a key where the flame has another value than the track.
void follow(Track& track, const Flame& flame, double time) {
  const FormulaNames names(flame);
  const auto target = find_track_target(track.xform, track.name);
  if (!target || track.sound || !has_xform(flame, track.xform)) return;
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

/// The key that is seen at this time as it is; null: it lies between two.
const Flame* key_at(const std::vector<Flame>& keys, double time) {
  const auto next = place_of(keys, time);
  if (next == keys.end()) return &keys.back();
  return next == keys.begin() || next->time == time ? &*next : nullptr;
}

/// Whether two maps are apart by no more than the digits that a page leaves out.
bool is_near(const AffineD& one, const AffineD& other) {
  const double a[] = {one.a, one.b, one.c, one.d, one.e, one.f};
  const double b[] = {other.a, other.b, other.c, other.d, other.e, other.f};
  double most = 1e-3, apart = 0;
  for (int i = 0; i < 6; ++i) {
    most = std::max(most, std::abs(a[i]));
    apart = std::max(apart, std::abs(a[i] - b[i]));
  }
  return apart <= 1e-7 * most;
}

/// Copies what the track moves from `like` to `flame`.
void make_alike(const Track& track, const Flame& like, Flame& flame) {
  const FormulaNames names(like);
  const auto target = find_track_target(track.xform, track.name);
  if (!target || !has_xform(like, track.xform) || !has_xform(flame, track.xform)) return;
  if (track.name == "hue") {  // the palette has turned along already
    flame.hue = like.hue;
    return;
  }
  target->put(flame, target->get(like));
  if (track.xform == track_of_flame) return;
  const auto xform_of = [&](auto& one) -> auto& {
    return track.xform == track_of_final ? *one.final_xform : one.xforms[std::size_t(track.xform)];
  };
  Xform& xform = xform_of(flame);
  const Xform& before = xform_of(like);
  if (is_near(xform.coefs, before.coefs)) xform.coefs = before.coefs;
  if (is_near(xform.post, before.post)) xform.post = before.post;
}

/// Whether a link sets what a track of this name moves.
bool is_linked(const Flame& flame, int xform, std::string_view name) {
  const FormulaNames names(flame);
  return std::any_of(flame.links.begin(), flame.links.end(), [&](const NumberLink& link) {
    const auto place = number_place(link.number);
    return place && place->xform == xform && place->name == name;
  });
}

/// Keeps of a film's links those whose numbers this flame has. Its keys may have fewer xforms than others, and a file
/// with links to those that a flame has not got could not be opened any more.
std::vector<NumberLink> links_within(std::vector<NumberLink> links, const Flame& flame) {
  const FormulaNames names(flame);
  std::erase_if(links, [&](const NumberLink& link) {
    try {
      NumberLinks({link}).check(flame);
      return false;
    } catch (const NumberLinkError&) {
      return true;
    }
  });
  return links;
}

/// The film's links once a flame at one time has these in place of those that were its own.
std::vector<NumberLink> links_with(std::vector<NumberLink> links,
                                   const std::vector<NumberLink>& before,
                                   const std::vector<NumberLink>& now) {
  std::erase_if(links, [&](const NumberLink& link) {
    return std::find(before.begin(), before.end(), link) != before.end() ||
           std::any_of(now.begin(), now.end(),
                       [&](const NumberLink& one) { return one.number == link.number; });
  });
  links.insert(links.begin(), now.begin(), now.end());
  return links;
}

/// Whether all that has changed at a time is moved by tracks, if there are some, or by links.
bool is_of_tracks(const LiveFilm& film, Flame flame, double time, bool has_other_links) {
  const Flame before = moment_of(film, time);
  bool has_tracks = has_other_links;
  for (const Flame& key : film.keys) {
    for (const Track& track : key.tracks) {
      has_tracks = true;
      make_alike(track, before, flame);
    }
  }
  follow_links(flame);
  flame.time = time;
  flame.easing = {};
  flame.leave_film();
  return has_tracks && genome_xml(flame) == genome_xml(before);
}

/// A key flame at a time, which another may have had: then that one's way and tracks stay.
void put_key(std::vector<Flame>& keys, Flame flame, double time) {
  const auto found = place_of(keys, time);
  flame.time = time;
  flame.leave_film();
  if (found != keys.end() && found->time == time) {
    flame.easing = found->easing;
    flame.interpolation = found->interpolation;
    flame.tracks = found->tracks;
    flame.sound = found->sound;
    flame.markers = found->markers;
    if (flame.name == keys[0].name) flame.name = found->name;  // else it is a name for this one
    *found = std::move(flame);
    return;
  }
  flame.easing = {};
  flame.interpolation = Interpolation::linear;
  if (found != keys.begin()) {
    Flame& before = *std::prev(found);
    flame.interpolation = before.interpolation;
    flame.easing = found == keys.end() ? before.easing : split_way(before, time, *found);
  }
  const auto placed = keys.insert(found, std::move(flame));
  if (placed == keys.begin()) {
    std::swap(placed->tracks, std::next(placed)->tracks);
    std::swap(placed->sound, std::next(placed)->sound);
    std::swap(placed->markers, std::next(placed)->markers);
  }
}

std::shared_ptr<const LiveFilm> film_of(std::vector<Flame> keys) {
  const auto film = std::make_shared<LiveFilm>();
  for (const Flame& key : keys) film->text += genome_xml(key);
  film->text = "<flames>\n" + film->text + "</flames>\n";
  film->keys = std::move(keys);
  return film;
}

/// Whether frames from `from` to `to` lie beyond keys, of which there are two or more. Behind a last key
/// to which the film jumps it stands still by itself.
bool reaches_beyond(const LiveFilm& film, double from, double to) {
  const std::vector<Flame>& keys = film.keys;
  if (keys.size() < 2) return false;
  const bool stands_still = keys.rbegin()[1].easing.kind == EasingKind::hold;
  return from < keys.front().time || (to > keys.back().time && !stands_still);
}

/// Whether these flames of one file were made to be played.
bool is_film(const std::vector<Flame>& flames) {
  bool rises = flames.size() > 1, has_tracks = false;
  for (std::size_t k = 0; k < flames.size(); ++k) {
    rises &= k == 0 || flames[k - 1].time < flames[k].time;
    has_tracks |= !flames[k].tracks.empty() || flames[k].sound || !flames[k].markers.empty();
  }
  return rises || has_tracks;
}

/// An easing that swings beyond its keys comes to numbers that no flame may have: a file with such a key could not be
/// opened any more.
void check_ranges(const Flame& key) {
  for (const FlameAttribute& row : flame_attributes()) {
    if (row.has(FlameAttribute::own_reader) || row.has(FlameAttribute::only_written)) continue;
    const AttributeRange& range = row.range;
    const auto check = [&](double number) {
      const bool is_low =
          range.above ? number <= range.low : std::isfinite(range.high) && number < range.low;
      if (is_low || number > range.high)
        fail(ErrorKind::input,
             "the key at {:.4g} would have {}=\"{:.4g}\", which no flame may have; set it there, "
             "or make the "
             "key at another time",
             key.time, row.name, number);
    };
    row.with_member([&](auto get) { each_number(get(key), check); });
  }
  const double radius = key.estimator_radius;  // a link or a way to another key may set the others
  if (radius > 0 && !(key.estimator_curve > 0 && key.estimator_minimum <= radius))
    fail(ErrorKind::input,
         "the key at {:.4g} would have estimator_radius=\"{:.4g}\" with a minimum of {:.4g} and a "
         "curve of {:.4g}: the curve must be above 0, the minimum not above the radius",
         key.time, radius, key.estimator_minimum, key.estimator_curve);
  const FormulaNames names(key);
  for (const Track& track : key.tracks) {
    const auto target = find_track_target(track.xform, track.name);
    if (!target) continue;
    for (const TrackKey& one : track.keys)
      for (const double number : one.value)
        if (number > target->high || number < target->low ||
            (target->above && number == target->low))
          fail(ErrorKind::input,
               "the key of {} at {:.4g} would be {:.4g}, which no track may have; set it there "
               "first",
               track.name, one.time, number);
  }
}

}  // namespace

std::shared_ptr<const LiveFilm> live_film(std::vector<Flame> keys) {
  if (keys.size() > LiveFilm::most_keys)
    fail(ErrorKind::input, "film: {} keys are more than {}", keys.size(), LiveFilm::most_keys);
  hear_song(keys);
  check_between(keys);
  for (std::size_t k = 0; k < keys.size(); ++k) {
    check_live(keys[k]);
    check_ranges(keys[k]);
    keys[k].index = int(k);
  }
  frame_alike(keys);
  const FilmTracks are_whole(keys);
  for (Flame& key : keys)
    if (!key.links.empty()) key.links = links_within(std::move(key.links), key);
  return film_of(std::move(keys));
}

namespace {

/// Makes pixels square: what is edited here is kept, saved and rendered as a text, which says no other shape.
void make_square(std::vector<Flame>& flames, const std::function<void(const std::string&)>& warn) {
  for (Flame& flame : flames) {
    const double aspect = std::exchange(flame.pixel_aspect, 1.0);
    if (aspect != 1)
      warn(
          fmt::format("{}: its pixels are square here; kiln render --pixel-aspect {} has their "
                      "shape",
                      printable_whole(flame.source), shortest(aspect)));
  }
}

}  // namespace

std::vector<LiveDocument> documents_of(std::vector<Flame> flames,
                                       const std::function<void(const std::string&)>& warn) {
  std::vector<LiveDocument> documents;
  for (std::size_t first = 0, end = 0; first < flames.size(); first = end) {
    const auto goes_on = [&] {
      return end < flames.size() && flames[end].source == flames[first].source &&
             flames[end].index > flames[end - 1].index;
    };
    for (end = first + 1; goes_on();) ++end;
    const auto begin = flames.begin() + std::ptrdiff_t(first);
    std::vector<Flame> own(begin, begin + std::ptrdiff_t(end - first));
    make_square(own, warn);
    for (Flame& flame : own) {  // a page's film is of no folder
      if (!flame.sound) continue;
      std::error_code error;
      const auto whole = std::filesystem::weakly_canonical(song_path(flame), error);
      if (!error) flame.sound->file = whole.string();
      flame.sound->folder.clear();
    }
    std::shared_ptr<const LiveFilm> film;
    try {
      if (is_film(own)) film = live_film(own);
    } catch (const Error& error) {
      warn(fmt::format("{}: opened as {} flames, as no film can be made of them: {}",
                       printable_whole(own[0].source), own.size(), error.what()));
    }
    if (film) {
      documents.push_back({film->keys[0], film});
    } else {
      for (const Flame& flame : own) documents.push_back({flame, nullptr});
    }
  }
  return documents;
}

Flame moment_of(const LiveFilm& film, double time) {
  const Flame* const key = key_at(film.keys, time);
  Flame flame = key ? *key : interpolate(film.keys, time);
  FilmTracks(film.keys).put(time, flame);
  flame.links = links_within(links_of(film.keys), flame);
  flame.name = film.keys[0].name;
  flame.time = time;
  flame.easing = {};
  flame.leave_film();
  return flame;
}

std::shared_ptr<const LiveFilm> HeldFilm::of(std::shared_ptr<const LiveFilm> film, double from,
                                             double to) {
  if (!reaches_beyond(*film, from, to)) return film;
  if (film != film_) held_ = held_film(film, from, to);
  film_ = std::move(film);
  return held_;
}

/// Puts copies of the first and the last key far away, to which nothing moves on the way.
std::shared_ptr<const LiveFilm> held_film(std::shared_ptr<const LiveFilm> film, double from,
                                          double to) {
  constexpr double far = 4e6;
  if (!reaches_beyond(*film, from, to)) return film;
  std::vector<Flame> keys = film->keys;
  // without a neighbor beyond it neither the first nor the last way is smooth
  keys.front().interpolation = keys.rbegin()[1].interpolation = Interpolation::linear;
  Flame before = keys.front(), after = keys.back();
  for (Flame* const copy : {&before, &after}) {
    copy->leave_film();
    copy->interpolation = Interpolation::linear;
  }
  before.time -= far;
  after.time += far;
  before.easing = keys.back().easing = {EasingKind::hold, {}};
  keys.back().interpolation = Interpolation::linear;
  keys.insert(keys.begin(), std::move(before));
  keys.push_back(std::move(after));
  return film_of(std::move(keys));
}

int frames_of(const LiveFilm& film) {
  const double frames = shown_end(film.keys) - film.keys[0].time;
  return int(std::clamp(frames, 1.0, 2e9));
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
  const std::vector<NumberLink> links = links_of(keys);
  const bool has_links = !links.empty() || !flame.links.empty();
  const std::vector<NumberLink> before =
      has_links ? moment_of(film, time).links : std::vector<NumberLink>();
  if (std::is_permutation(before.begin(), before.end(), flame.links.begin(), flame.links.end())) {
    if (!is_of_tracks(film, flame, time, false)) put_key(keys, std::move(flame), time);
    return live_film(std::move(keys));
  }
  const std::vector<NumberLink> links_now = links_with(links, before, flame.links);
  for (Flame& key : keys) {  // they are the whole film's
    key.links = links_within(links_now, key);
    follow_links(key);
  }
  LiveFilm linked;
  linked.keys = keys;
  if (!is_of_tracks(linked, flame, time, true)) put_key(keys, std::move(flame), time);
  return live_film(std::move(keys));
}

std::shared_ptr<const LiveFilm> with_key(const LiveFilm& film, double time) {
  std::vector<Flame> keys = film.keys;
  put_key(keys, moment_of(film, time), time);
  return live_film(std::move(keys));
}

std::shared_ptr<const LiveFilm> with_track_key(const LiveFilm& film, int xform,
                                               const std::string& name, double time) {
  const Flame flame = moment_of(film, time);
  const FormulaNames names(flame);
  const std::optional<TrackTarget> target = find_track_target(xform, name);
  if (!target || !has_xform(flame, xform))
    fail(ErrorKind::usage, "nothing of a flame that can be animated has the name \"{}\"",
         printable_whole(name));
  std::vector<Flame> keys = film.keys;
  for (Flame& key : keys) {
    for (Track& track : key.tracks) {
      if (track.xform != xform || track.name != target->name) continue;
      if (track.sound)
        fail(ErrorKind::usage,
             "the film's song moves {} already; remove its track from the file to give it keys",
             track_label(track));
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
  flame.leave_film();
  for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
    const std::optional<TrackTarget> turn = find_track_target(int(i), "turn");
    if (flame.xforms[i].animate == 0 || !turn || is_linked(flame, int(i), turn->name)) continue;
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
