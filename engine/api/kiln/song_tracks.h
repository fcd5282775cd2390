// SPDX-License-Identifier: MIT
// What kiln hears in a song, as numbers at the rate of a film.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace kiln {

struct SongTracks {
  double seconds = 0;  // that it lasts
  std::string sha256;  // of the file's bytes
  double fps = 30;
  int frames = 0;
  double bpm = 0, least_bpm = 0, most_bpm = 0;  // 0: no beat was found
  std::vector<double> onsets, beats, bars;      // seconds, rising
  std::vector<double> loudest;                  // the loudest moments, seconds, the loudest first
  /// "loudness", "bass", "low", "mid", "high", "centroid" and "silence" from 0 to 1; "onset", "beat" and "bar": 1 in
  /// the frame in whose time there is one; "centroid_hz". Each: [frames].
  std::vector<std::pair<std::string, std::vector<float>>> columns;
};

/// Options of listening to a song.
struct ListenOptions {
  double fps = 30;
  double attack_s = 0.01, release_s = 0.15;  // until 63 % of a rise, or of a fall, is there
  int beats_of_bar = 4;
};

}  // namespace kiln
