// SPDX-License-Identifier: MIT
// A song as tables of numbers, and as keys of a film that then needs no song.
#pragma once

#include "engine/api/kiln/song_tracks.h"
#include "engine/sound/song.h"

namespace kiln {

/// Throws Error (usage) for options that mean nothing.
SongTracks tracks_of(const Song& song, const ListenOptions& options);

/// The frame at which a moment is seen first.
int frame_at_moment(double seconds, double fps);

/// A driven track as keys, one a frame from `begin` to `end` where its value changes, which at whole frames has the very
/// values that the song gives. Words jump as the song has them.
Track keys_of_drive(const Track& driven, const Song& song, const FilmSound& sound, int begin,
                    int end);

}  // namespace kiln
