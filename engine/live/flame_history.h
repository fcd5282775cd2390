// SPDX-License-Identifier: MIT
// A flame with undo and redo. States are kept as XML, which is a tenth of what the flame takes in
// memory, and is what pages and files have anyway. The flame may be a moment of a film: then a state
// is both of them, and the time.
#pragma once

#include <cmath>
#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/animation/frame_at.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/live/live_film.h"
#include "engine/model/flame.h"

namespace kiln {

/// The time of a film that the flame belongs to.
struct FilmPlace {
  std::shared_ptr<const LiveFilm> film;  // null: none
  double time = 0;
  bool is_shown = false;  // the flame is what the film has at that time
  /// The frame of `kiln animate` that is there.
  FrameTime frame() const { return {int(std::max(0.0, std::floor(time))), time}; }
  bool operator==(const FilmPlace&) const = default;
};

class FlameHistory {
 public:
  static constexpr std::size_t most_steps = 200;
  static constexpr std::size_t most_bytes = 16 << 20;  // of all steps

  /// `is_blank`: the first edit takes its place, and is no step.
  FlameHistory(Flame flame, const ReaderOptions& reader, bool is_blank = false);

  const Flame& flame() const { return flame_; }
  /// The flame as XML, as kiln writes it.
  const std::string& xml() const { return xml_; }
  int undo_steps() const { return int(past_.size()); }
  int redo_steps() const { return int(future_.size()); }
  const FilmPlace& place() const { return place_; }
  /// The step that made the flame what it is: undo and redo come back to its number, no other has it.
  std::uint64_t step() const { return step_; }
  /// The text of its file: the film's, or the flame as XML.
  const std::string& document() const { return place_.film ? place_.film->text : xml_; }

  /// Makes the flame this one. Edits in a row of one `gesture`, unless that is 0, are one step; one
  /// that changes nothing is none. In a film it becomes the key at its time, if there is one
  /// already or `keys` says so.
  void edit(Flame flame, std::uint64_t gesture, bool keys = true);
  /// Another film, or another time of it.
  void edit(FilmPlace place, std::uint64_t gesture);
  /// Goes back to what was there once: a flame of no film, or a film, which is seen where the hand is.
  void restore(LiveDocument document, std::uint64_t gesture);
  /// Another time of the film, which is no step.
  void scrub(double time) { see({place_.film, time, true}); }
  /// A film that was there before the flame was opened: no step either.
  void see(FilmPlace place);
  /// undo() and redo() return false where there is no step.
  bool undo();
  bool redo();
  /// Closes it: its place stays, and nothing of it.
  void close();
  bool is_closed() const { return xml_.empty(); }

 private:
  struct Step {
    std::string xml;
    FilmPlace place;
    std::uint64_t number = 0;
    bool operator==(const Step& other) const {
      const bool same =
          place.film == other.place.film ||
          (place.film && other.place.film && place.film->text == other.place.film->text);
      return same && xml == other.xml;
    }
  };
  Flame flame_at(const FilmPlace& place) const;
  void become(Flame flame, FilmPlace place, std::uint64_t gesture);
  Step now() const { return {xml_, place_, step_}; }
  void take(Step step);
  void forget_oldest();

  ReaderOptions reader_;
  Flame flame_;
  std::string xml_;
  FilmPlace place_;
  std::deque<Step> past_;
  std::vector<Step> future_;   // the next one last
  std::uint64_t gesture_ = 0;  // of the last edit
  std::uint64_t step_ = 0, steps_ = 0;
  bool is_blank_;
};

/// A flame, or a film, which is seen at its first key.
FlameHistory history_of(LiveDocument document, const ReaderOptions& reader);

/// The opened flames. Several live flames may share them, each at a flame that no other is at. One
/// that is closed leaves its place empty: the others are known by theirs.
struct FlameShelf {
  static constexpr std::size_t most_flames = 2000;

  std::mutex mutex;  // of what follows, and of the live flames that share it
  std::deque<FlameHistory> flames;
  std::uint64_t revision = 0, set = 0;  // the newest of all live flames
};

/// `flames`: not empty. Throws Error (input) for one that is too large.
std::shared_ptr<FlameShelf> shelf_of(std::vector<Flame> flames, const ReaderOptions& reader);
/// Films are seen at their first key.
std::shared_ptr<FlameShelf> shelf_of(std::vector<LiveDocument> documents,
                                     const ReaderOptions& reader);

}  // namespace kiln
