// SPDX-License-Identifier: MIT
#include "engine/sound/tracks.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/model/track_target.h"

namespace kiln {
namespace {

void check(const ListenOptions& options) {
  const auto within = [](double value, double low, double high) {
    return value >= low && value <= high;
  };
  if (!within(options.fps, 1e-3, 1000))
    fail(ErrorKind::usage, "fps {}: must be above 0, at most 1000", shortest(options.fps));
  if (!within(options.attack_s, 0, most_sound_seconds) ||
      !within(options.release_s, 0, most_sound_seconds))
    fail(ErrorKind::usage, "attack {} and release {}: must be 0 to {} seconds",
         shortest(options.attack_s), shortest(options.release_s), most_sound_seconds);
  if (options.beats_of_bar < 1 || options.beats_of_bar > most_beats_of_bar)
    fail(ErrorKind::usage, "a bar of {} beats: must have 1 to {}", options.beats_of_bar,
         most_beats_of_bar);
}

std::vector<float> marks_of(const std::vector<double>& moments, double fps, int frames) {
  std::vector<float> marks(std::size_t(frames), 0.0f);
  for (const double seconds : moments) {
    const int frame = std::min(frames - 1, int(seconds * fps));
    if (frame >= 0) marks[std::size_t(frame)] = 1;
  }
  return marks;
}

}  // namespace

int frame_at_moment(double seconds, double fps) { return int(std::ceil(seconds * fps - 1e-9)); }

SongTracks tracks_of(const Song& song, const ListenOptions& options) {
  check(options);
  constexpr std::size_t loud_moments = 5;
  constexpr double loud_apart_s = 2;
  SongTracks tracks;
  tracks.seconds = song.seconds();
  tracks.sha256 = song.sha256();
  tracks.fps = options.fps;
  tracks.frames = std::max(1, int(std::llround(std::min(1e8, song.seconds() * options.fps))));
  const Rhythm& rhythm = song.rhythm();
  tracks.bpm = rhythm.bpm;
  tracks.least_bpm = rhythm.least_bpm;
  tracks.most_bpm = rhythm.most_bpm;
  tracks.onsets = rhythm.onsets;
  tracks.beats = rhythm.beats;
  tracks.bars = song.bars(options.beats_of_bar);
  tracks.loudest = song.loudest(loud_moments, loud_apart_s);
  for (const SoundPart part : {SoundPart::loudness, SoundPart::bass, SoundPart::low, SoundPart::mid,
                               SoundPart::high, SoundPart::centroid, SoundPart::silence}) {
    SoundDrive drive;
    drive.part = part;
    drive.attack_s = options.attack_s;
    drive.release_s = options.release_s;
    if (part == SoundPart::silence) drive.attack_s = drive.release_s = 0;
    const auto course = song.course(drive);
    std::vector<float> column(std::size_t(tracks.frames));
    for (std::size_t i = 0; i < column.size(); ++i)
      column[i] = float(course->at(double(i) / options.fps));
    tracks.columns.emplace_back(sound_part_words[std::size_t(part)], std::move(column));
  }
  const std::vector<double> hz = song.centroids();
  std::vector<float> centroid(std::size_t(tracks.frames));
  for (std::size_t i = 0; i < centroid.size(); ++i)
    centroid[i] =
        float(hz[std::min(hz.size() - 1, std::size_t(double(i) / options.fps * band_rate))]);
  tracks.columns.emplace_back("centroid_hz", std::move(centroid));
  tracks.columns.emplace_back("onset", marks_of(tracks.onsets, options.fps, tracks.frames));
  tracks.columns.emplace_back("beat", marks_of(tracks.beats, options.fps, tracks.frames));
  tracks.columns.emplace_back("bar", marks_of(tracks.bars, options.fps, tracks.frames));
  return tracks;
}

Track keys_of_drive(const Track& driven, const Song& song, const FilmSound& sound, int begin,
                    int end) {
  const auto target = find_track_target(driven.xform, driven.name);
  const bool words = target && !target->words.empty();
  const auto course = song.course(*driven.sound, sound.beats_of_bar);
  Track track;
  track.xform = driven.xform;
  track.name = driven.name;
  for (int frame = begin; frame <= end; ++frame) {
    TrackKey key;
    key.time = frame;
    const double level = course->at(sound.seconds_at(frame) - driven.sound->delay_s);
    key.value = value_at_level(driven, level, words);
    if (target) {
      const double low = target->above ? target->low + least_above : target->low;
      for (double& value : key.value) value = std::clamp(value, low, target->high);
    }
    const std::size_t size = track.keys.size();
    // where nothing changes two keys are enough
    const bool goes_on = size >= 2 && track.keys[size - 1].value == key.value &&
                         track.keys[size - 2].value == key.value;
    if (goes_on) track.keys.pop_back();
    track.keys.push_back(std::move(key));
  }
  return track;
}

}  // namespace kiln
