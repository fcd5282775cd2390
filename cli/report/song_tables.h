// SPDX-License-Identifier: MIT
// What is heard in a song as text: a table for programs of all kinds, and the lines that a user reads.
#pragma once

#include <string>

#include "engine/api/kiln/song_tracks.h"

namespace kiln::cli {

/// A row a frame, with a head.
std::string song_csv(const SongTracks& tracks);
/// All of it; without `columns` what the lines say.
std::string song_json(const std::string& song, const SongTracks& tracks, bool columns);
std::string song_xml(const std::string& song, const SongTracks& tracks);
/// The lines on standard output.
std::string song_lines(const std::string& song, const SongTracks& tracks);

}  // namespace kiln::cli
