// SPDX-License-Identifier: MIT
// A song that was heard: what there is in it to drive numbers by, as levels from 0 to 1. Levels of bands go with the
// sensation of loudness (power 0.3 of the power: Stevens), 1 where only half a per cent of the song is louder; a band
// that is nowhere within 60 dB of the loudest is 0. docs/use/music.md has the words for users.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/model/flame.h"
#include "engine/model/sound.h"
#include "engine/sound/beats.h"
#include "engine/sound/samples.h"
#include "engine/sound/spectrum.h"

namespace kiln {

class Song : public HeardSong {
 public:
  explicit Song(const SongSamples& samples, std::string sha256 = "", std::string path = "");

  double seconds() const override { return seconds_; }
  std::shared_ptr<const SoundCourse> course(const SoundDrive& drive,
                                            int beats_of_bar = 4) const override;

  const std::string& sha256() const { return sha256_; }
  /// The file that it was heard from, whole; empty: none.
  const std::string& path() const { return path_; }
  const Rhythm& rhythm() const { return rhythm_; }
  std::vector<double> bars(int beats_of_bar = 4) const { return bars_of(rhythm_, beats_of_bar); }
  /// Levels without attack and release, at band_rate.
  std::vector<double> levels(SoundPart part) const;
  std::vector<double> band_levels(double low_hz, double high_hz) const;
  /// The spectral centroid in Hz at band_rate; where it is silent, that of the moment before.
  std::vector<double> centroids() const;
  /// The loudest moments, seconds, at least `apart` from each other; the loudest first.
  std::vector<double> loudest(std::size_t count, double apart_s) const;
  /// Power of all bands at band_rate, 1 at full scale.
  std::vector<double> powers(double low_hz, double high_hz) const;

 private:
  std::shared_ptr<const SoundCourse> made(const SoundDrive& drive, int beats_of_bar) const;
  std::vector<double> moments(SoundEvent event, int beats_of_bar) const;

  double seconds_ = 0;
  std::string sha256_, path_;
  SongSpectrum spectrum_;
  Rhythm rhythm_;
  double loudest_power_ = 0;
  mutable std::mutex mutex_;
  mutable std::map<std::string, std::shared_ptr<const SoundCourse>> courses_;
};

/// Hears a file. The last few songs are kept as long as the process runs, so that nobody hears one twice. Throws Error
/// as read_samples() does.
std::shared_ptr<const Song> hear(const std::string& path);

/// The path of a film's song: from the folder of the film's file on.
std::string song_path(const Flame& flame);

/// The name of a song for the file of a film: from the folder of that file on.
std::string song_beside(const std::string& song, const std::string& film);

/// Hears the song of a film whose frames are to be made, where it needs one, and puts it into the key flame that names
/// it, with its digest. Throws Error (input) where it is not there, or another one lies there.
void hear_song(std::vector<Flame>& keys);

}  // namespace kiln
