// SPDX-License-Identifier: MIT
// The samples of a song, by the program ffmpeg: it opens whatever file there is, kiln takes whole numbers of 16 bits as
// they were recorded, at the rate of the file, and mixes the channels itself. So what comes of a lossless song depends
// on its bytes alone; a lossy one is what this ffmpeg makes of it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace kiln {

struct SongSamples {
  int rate = 44100;                // a second
  std::vector<std::int16_t> mono;  // the mean of all channels

  double seconds() const { return double(mono.size()) / rate; }
};

/// Longest song, seconds.
constexpr double longest_song_s = 2 * 3600;

/// Reads the first sound of a file. Throws Error of kind input (not there, no sound in it, too long), or output where
/// ffmpeg is missing.
SongSamples read_samples(const std::string& path);

/// Reads samples of a WAV file in memory, as ffmpeg writes it into a pipe: 16 bits, any number of channels, no length
/// needed. Throws Error (input); `name` is for its message.
SongSamples samples_of_wav(const std::string& bytes, const std::string& name);

/// A WAV file of 16 bits of these samples, each in `channels` channels.
std::string wav_of(const SongSamples& samples, int channels = 1);

}  // namespace kiln
