// SPDX-License-Identifier: MIT
#include "engine/live/flame_history.h"

#include <utility>

#include "engine/base/error.h"
#include "engine/io/flame/genome_writer.h"

namespace kiln {

FlameHistory history_of(LiveDocument document, const ReaderOptions& reader) {
  FlameHistory history(std::move(document.flame), reader);
  if (!document.film) return history;
  const double first = document.film->keys[0].time;
  history.see({std::move(document.film), first, true});
  return history;
}

std::shared_ptr<FlameShelf> shelf_of(std::vector<Flame> flames, const ReaderOptions& reader) {
  KILN_CHECK(!flames.empty(), "no flames");
  const auto shelf = std::make_shared<FlameShelf>();
  for (Flame& flame : flames) {
    check_live(flame);
    shelf->flames.emplace_back(std::move(flame), reader);
  }
  return shelf;
}

std::shared_ptr<FlameShelf> shelf_of(std::vector<LiveDocument> documents,
                                     const ReaderOptions& reader) {
  KILN_CHECK(!documents.empty(), "no flames");
  const auto shelf = std::make_shared<FlameShelf>();
  for (LiveDocument& document : documents) {
    check_live(document.flame);
    shelf->flames.push_back(history_of(std::move(document), reader));
  }
  return shelf;
}

FlameHistory::FlameHistory(Flame flame, const ReaderOptions& reader, bool is_blank)
    : reader_(reader), flame_(std::move(flame)), xml_(genome_xml(flame_)), is_blank_(is_blank) {}

void FlameHistory::edit(Flame flame, std::uint64_t gesture, bool keys) {
  FilmPlace place = place_;
  if (place.film) {
    flame.time = place.time;  // whatever the page says: the hand is there
    place.is_shown = keys || has_key(*place.film, place.time);
    if (place.is_shown && genome_xml(flame) != xml_)
      place.film = with_key(*place.film, flame, place.time);
  }
  become(std::move(flame), std::move(place), gesture);
}

/// The film's flame at a time, named as the film is.
Flame FlameHistory::flame_at(const FilmPlace& place) const {
  Flame flame = moment_of(*place.film, place.time);
  flame.index = flame_.index;
  flame.source = flame_.source;
  return flame;
}

void FlameHistory::edit(FilmPlace place, std::uint64_t gesture) {
  Flame flame = place.film ? flame_at(place) : flame_;
  become(std::move(flame), std::move(place), gesture);
}

void FlameHistory::restore(LiveDocument document, std::uint64_t gesture) {
  if (!document.film) return become(std::move(document.flame), {}, gesture);
  const std::vector<Flame>& keys = document.film->keys;
  const double time =
      place_.film ? std::clamp(place_.time, keys.front().time, keys.back().time) : keys[0].time;
  edit(FilmPlace{std::move(document.film), time, true}, gesture);
}

void FlameHistory::see(FilmPlace place) {
  flame_ = flame_at(place);
  place_ = std::move(place);
  xml_ = genome_xml(flame_);
  gesture_ = 0;
}

void FlameHistory::become(Flame flame, FilmPlace place, std::uint64_t gesture) {
  const Step before = now();
  const Step after{genome_xml(flame), std::move(place), 0};
  if (after == before) {  // no step, and no gesture that a later edit could go on with
    place_.time = after.place.time;
    return;
  }
  const bool goes_on = gesture != 0 && gesture == gesture_ && !past_.empty() && future_.empty();
  if (goes_on && after == past_.back()) {  // it ends where it began, and was no step
    undo();
    future_.clear();
    return;
  }
  if (!goes_on) {
    if (!std::exchange(is_blank_, false)) past_.push_back(before);
    forget_oldest();
    step_ = ++steps_;
  }
  future_.clear();
  gesture_ = gesture;
  flame.index = flame_.index;
  flame.pixel_aspect = flame_.pixel_aspect;  // which no text says
  flame_ = std::move(flame);
  xml_ = after.xml;
  place_ = after.place;
}

bool FlameHistory::undo() {
  if (past_.empty()) return false;
  future_.push_back(now());
  Step step = std::move(past_.back());
  past_.pop_back();
  take(std::move(step));
  return true;
}

bool FlameHistory::redo() {
  if (future_.empty()) return false;
  past_.push_back(now());
  Step step = std::move(future_.back());
  future_.pop_back();
  take(std::move(step));
  return true;
}

void FlameHistory::close() {
  flame_ = {};
  place_ = {};
  xml_.clear();
  past_.clear();
  future_.clear();
}

/// The flame of a text that was written here.
void FlameHistory::take(Step step) {
  Flame flame = std::move(parse_flames(step.xml, flame_.source, reader_).flames.at(0));
  flame.index = flame_.index;
  flame.pixel_aspect = flame_.pixel_aspect;
  flame_ = std::move(flame);
  xml_ = std::move(step.xml);
  place_ = std::move(step.place);
  step_ = step.number;
  gesture_ = 0;
}

/// A film that several steps have counts once.
void FlameHistory::forget_oldest() {
  std::size_t bytes = 0;
  const LiveFilm* before = nullptr;
  const auto size_of = [&](const Step& step) {
    const LiveFilm* const film = step.place.film.get();
    const bool is_new = film && film != std::exchange(before, film);
    return step.xml.size() + (is_new ? LiveFilm::weight * film->text.size() : 0);
  };
  std::vector<std::size_t> sizes;
  for (const Step& step : past_) bytes += sizes.emplace_back(size_of(step));
  for (std::size_t i = 0; past_.size() > 1 && (past_.size() > most_steps || bytes > most_bytes);
       ++i) {
    bytes -= sizes[i];
    past_.pop_front();
  }
}

}  // namespace kiln
