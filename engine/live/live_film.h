// SPDX-License-Identifier: MIT
// The film that a live flame is a moment of: key flames that never change, and what a hand makes of
// them. A change gives another film, so that a step of undo keeps the one before for nothing.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/io/flame/flame_reader.h"
#include "engine/model/flame.h"

namespace kiln {

inline constexpr double most_live_pixels = 1 << 25;  // of a flame
/// Throws Error (input) for a flame that is too large to be live.
void check_live(const Flame& flame);

struct LiveFilm {
  static constexpr std::size_t most_keys = 1000;
  static constexpr std::size_t weight = 10;  // bytes of memory for one of the text
  std::string text;                          // as a file has it
  std::vector<Flame> keys;                   // of rising times
};

/// All keys get the size of the first one, the picture's part of the plane stays. Throws Error (input)
/// where nothing can be between them.
std::shared_ptr<const LiveFilm> live_film(std::vector<Flame> keys);
/// The film of a text with <flame> elements; throws the same.
std::shared_ptr<const LiveFilm> live_film(const std::string& text, const ReaderOptions& reader);

/// A document that is opened: a flame, or the key flames of a film.
struct LiveDocument {
  Flame flame;                           // of a film its first key
  std::shared_ptr<const LiveFilm> film;  // null: it is of none
};

/// Flames as files have them, in their order: those of one file are a film if their times rise or one
/// of them has tracks. Where no film can be made of them they stay flames, and `warn` hears why.
std::vector<LiveDocument> documents_of(std::vector<Flame> flames,
                                       const std::function<void(const std::string&)>& warn);

/// The flame under the hand. A key at its time and, beyond the first and the last, these as they are: what
/// goes on there are the tracks, each as it says.
Flame moment_of(const LiveFilm& film, double time);
/// The film itself, or if frames from `from` to `to` reach beyond its keys one that stands still there.
std::shared_ptr<const LiveFilm> held_film(std::shared_ptr<const LiveFilm> film, double from,
                                          double to);

/// held_film() for somebody who asks again and again: a film is copied once.
class HeldFilm {
 public:
  std::shared_ptr<const LiveFilm> of(std::shared_ptr<const LiveFilm> film, double from, double to);

 private:
  std::shared_ptr<const LiveFilm> film_, held_;  // the last one that was copied, and its copy
};

/// The frames of a film, one at least.
int frames_of(const LiveFilm& film);

/// The film in which `flame` is what is seen at `time`: a key there is replaced, between keys one
/// comes. A number that has a track gets a key of the track instead, and where nothing else has changed
/// no key flame comes.
std::shared_ptr<const LiveFilm> with_key(const LiveFilm& film, Flame flame, double time);
/// The film with a key of what is seen at `time`, by which nothing moves otherwise than before.
std::shared_ptr<const LiveFilm> with_key(const LiveFilm& film, double time);
/// Whether the film has a key at this time.
bool has_key(const LiveFilm& film, double time);

/// The film with a key of this track at `time`, of what is seen there; the track comes where there is
/// none. Throws Error (usage) where nothing of a flame has that name.
std::shared_ptr<const LiveFilm> with_track_key(const LiveFilm& film, int xform,
                                               const std::string& name, double time);

/// A seamless loop of one flame: every xform that is animated turns once in so many frames.
std::shared_ptr<const LiveFilm> loop_film(Flame flame, double frames);

}  // namespace kiln
