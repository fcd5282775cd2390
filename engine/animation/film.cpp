// SPDX-License-Identifier: MIT
#include "engine/animation/film.h"

#include <algorithm>
#include <set>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"

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

}  // namespace

FilmTracks::FilmTracks(const std::vector<Flame>& keys) {
  std::set<std::pair<int, std::string>> seen;
  for (const Flame& flame : keys) {
    for (const Track& track : flame.tracks) {
      const std::string place = place_of(flame, track);
      std::optional<TrackTarget> target = find_track_target(track.xform, track.name);
      if (!target || track.keys.empty())
        fail(ErrorKind::input, "{}: nothing of a flame has this name, or it has no key", place);
      if (!seen.emplace(track.xform, target->name).second)
        fail(ErrorKind::input, "{}: there is one already; put the keys of both into one", place);
      check_xform(keys, track, place);
      tracks_.push_back({&track, *std::move(target)});
    }
  }
}

void FilmTracks::put(double time, Flame& flame) const {
  for (const auto& [track, target] : tracks_) {
    if (!has_xform(flame, track->xform)) continue;  // of other key flames
    target.put(flame, value_at(*track, time, !target.words.empty()));
  }
}

void FilmTracks::widen(Flame& flame) const {
  for (const auto& [track, target] : tracks_)
    if (has_xform(flame, track->xform)) target.widen(flame);
}

Flame flame_at(const std::vector<Flame>& keys, double time) {
  Flame flame = interpolate(keys, time);
  FilmTracks(keys).put(time, flame);
  flame.time = time;
  flame.easing = {};
  flame.tracks.clear();
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
  if (keys.size() < 2 || keys.rbegin()[1].easing.kind != EasingKind::hold) return end;
  return end + (end - keys.rbegin()[1].time);
}

double film_end(const std::vector<Flame>& keys) {
  double end = keys.back().time;
  if (keys.size() > 1) return end;
  for (const Track& track : keys.front().tracks) end = std::max(end, track.keys.back().time);
  return end;
}

}  // namespace kiln
