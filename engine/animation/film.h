// SPDX-License-Identifier: MIT
// A film: key flames, whose first ones may carry tracks (engine/model/track.h). Between key flames
// everything is as interpolate() finds it, which knows the easing of each segment; then every track puts
// its value in the place of what is there.
//
// The tracks of all key flames are those of the film, wherever they stand: a list of flames is a film,
// and all that passes flames on passes the film on. What a page changes is Flame::time, Flame::easing
// and Flame::tracks; find_track_target() says what can be moved and reads what a flame has there
// (a new key), value_at() draws a curve, flame_at() is the picture under the hand.
//
// Links between numbers (engine/model/number_link.h) are the film's in the same way, and come after the tracks: a track
// may move what others follow.
//
// A song that drives tracks is one of the key flames' (Flame::sound), heard before (engine/sound/song.h).
#pragma once

#include <memory>
#include <vector>

#include "engine/model/flame.h"
#include "engine/model/track_target.h"

namespace kiln {

/// The links of a film: those of all its key flames, as its tracks are. Throws Error (input) where a number has two
/// different ones.
std::vector<NumberLink> links_of(const std::vector<Flame>& keys);

/// The tracks and links of a film, ready to be played. The key flames must outlive it.
class FilmTracks {
 public:
  /// Throws Error (input) where two tracks move the same, one moves what no key flame has or what follows others by a
  /// link, or a song drives one and there is none, or nobody has heard it.
  explicit FilmTracks(const std::vector<Flame>& keys);

  bool empty() const { return tracks_.empty(); }
  /// Whether a flame may be another one after put(): by tracks, or by links.
  bool changes_flames() const { return !tracks_.empty() || !links_.empty(); }
  /// Puts the values at `time` into the flame, which interpolate() gave for that time; then what the film's links say
  /// follows.
  void put(double time, Flame& flame) const;
  /// Gives a flame of the film what any value of the tracks can need of its program.
  void widen(Flame& flame) const;

 private:
  struct Bound {
    const Track* track;
    TrackTarget target;
    std::shared_ptr<const SoundCourse> course;  // of a song's drive
  };
  const FilmSound* sound_ = nullptr;
  std::vector<Bound> tracks_;
  NumberLinks links_;
};

/// The flame at `time`, as a frame shows it. Throws what interpolate() and FilmTracks throw.
Flame flame_at(const std::vector<Flame>& keys, double time);

/// Gives all flames the size of the first, each with its own picture in the middle, as large as there is room
/// for it. (Key flames of flam3's films get the size alone, as flam3 has it.)
void frame_alike(std::vector<Flame>& flames);

/// The song of a film; null: it has none. Throws Error (input) where its key flames name two.
const FilmSound* sound_of(const std::vector<Flame>& keys);
/// Whether a film cannot be played without its song, which drives tracks or says how long it is.
bool needs_song(const std::vector<Flame>& keys);

/// The time of the film's last key: of the key flames; of one flame alone, of its tracks; or of its song's end, where
/// that says how long it is.
double film_end(const std::vector<Flame>& keys);
/// The end of a film that nobody cuts: film_end(), but a last key to which it jumps stays as long as the one before.
double shown_end(const std::vector<Flame>& keys);

}  // namespace kiln
