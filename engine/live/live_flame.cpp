// SPDX-License-Identifier: MIT
#include "engine/live/live_flame.h"

#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include "engine/animation/frame_manifest.h"
#include "engine/base/error.h"
#include "engine/device/test_hooks.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_record.h"

namespace kiln {

std::shared_ptr<FlameShelf> shelf_of(std::vector<Flame> flames, const ReaderOptions& reader) {
  KILN_CHECK(!flames.empty(), "no flames");
  const auto shelf = std::make_shared<FlameShelf>();
  for (Flame& flame : flames) {
    check_live(flame);
    shelf->flames.emplace_back(std::move(flame), reader);
  }
  return shelf;
}

namespace {

FlameHistory history_of(LiveDocument document, const ReaderOptions& reader) {
  FlameHistory history(std::move(document.flame), reader);
  if (!document.film) return history;
  const double first = document.film->keys[0].time;
  history.see({std::move(document.film), first, true});
  return history;
}

}  // namespace

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

LiveFlame::LiveFlame(std::vector<Flame> flames, const ReaderOptions& reader,
                     const RenderOptions& options, Listener listener, DevicePicture* place)
    : LiveFlame(shelf_of(std::move(flames), reader), 0, reader, options, std::move(listener),
                place) {}

LiveFlame::LiveFlame(std::shared_ptr<FlameShelf> shelf, int index, const ReaderOptions& reader,
                     const RenderOptions& options, Listener listener, DevicePicture* place)
    : reader_(reader), listener_(std::move(listener)), shelf_(std::move(shelf)), index_(index) {
  {
    const std::lock_guard lock(mutex_);
    revision_ = ++shelf_->revision;
  }
  std::promise<std::string> device;  // or why there is none
  thread_ = std::thread([&device, this, options, place] {
    std::optional<Worker> worker;
    try {
      worker.emplace(*this, options, place);  // here: a GPU belongs to the thread that opens it
    } catch (...) {
      return device.set_exception(std::current_exception());
    }
    device.set_value(worker->device());
    worker->run();
  });
  try {
    device_ = device.get_future().get();
  } catch (...) {
    thread_.join();
    throw;
  }
}

LiveFlame::~LiveFlame() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    wake();
  }
  thread_.join();
}

LiveFlame::State LiveFlame::state_now() const {
  const FlameHistory& open = flames_[std::size_t(index_)];
  return {index_,
          revision_,
          open.xml(),
          open.flame().name,
          open.undo_steps(),
          open.redo_steps(),
          seconds_a_key_ > 0,
          open.place(),
          open.step()};
}

/// The open flame is another one than before, as somebody wanted: what they wanted before is over.
LiveFlame::State LiveFlame::changed() {
  seeds_.clear();
  fits_ = false;
  return begin_revision();
}

LiveFlame::State LiveFlame::begin_revision() {
  revision_ = ++shelf_->revision;
  if (seconds_a_key_ > 0) ++plays_;
  seconds_a_key_ = 0;
  wake();
  return state_now();
}

/// Ends the work under way, as something new is wanted. The caller holds the mutex.
void LiveFlame::wake() {
  wanted_.request_stop();
  wanted_ = {};
  wake_.notify_all();
}

LiveFlame::State LiveFlame::edit(const std::string& xml, std::uint64_t gesture, bool keys) {
  FlameFile file = parse_flames(xml, "edit", reader_);
  if (file.flames.size() != 1)
    fail(ErrorKind::input, "edit: {} flames; an edit is one", file.flames.size());
  check_live(file.flames[0]);
  const std::lock_guard lock(mutex_);
  file.flames[0].index = index_;
  flames_[std::size_t(index_)].edit(std::move(file.flames[0]), gesture, keys);
  return changed();
}

LiveFlame::State LiveFlame::edit(std::shared_ptr<const LiveFilm> film, double time,
                                 std::uint64_t gesture) {
  const std::lock_guard lock(mutex_);
  const bool is_shown = film != nullptr;
  flames_[std::size_t(index_)].edit({std::move(film), time, is_shown}, gesture);
  return changed();
}

LiveFlame::State LiveFlame::restore(LiveDocument document, std::uint64_t gesture) {
  check_live(document.flame);
  const std::lock_guard lock(mutex_);
  document.flame.index = index_;
  flames_[std::size_t(index_)].restore(std::move(document), gesture);
  return changed();
}

void LiveFlame::restore_other(int index, LiveDocument document) {
  check_live(document.flame);
  const std::lock_guard lock(mutex_);
  if (!has(index)) fail(ErrorKind::usage, "there is no flame {}", index);
  KILN_CHECK(index != index_, "the open flame is restored as another one");
  document.flame.index = index;
  flames_[std::size_t(index)].restore(std::move(document), 0);
}

LiveFlame::State LiveFlame::scrub(double time) {
  const std::lock_guard lock(mutex_);
  FlameHistory& open = flames_[std::size_t(index_)];
  if (!open.place().film) fail(ErrorKind::usage, "scrub: the flame is of no film");
  open.scrub(time);
  return changed();
}

LiveFlame::State LiveFlame::undo() {
  const std::lock_guard lock(mutex_);
  return flames_[std::size_t(index_)].undo() ? changed() : state_now();
}

LiveFlame::State LiveFlame::redo() {
  const std::lock_guard lock(mutex_);
  return flames_[std::size_t(index_)].redo() ? changed() : state_now();
}

/// Whether flame `index` is there and open. The caller holds the mutex.
bool LiveFlame::has(int index) const {
  return index >= 0 && index < int(flames_.size()) && !flames_[std::size_t(index)].is_closed();
}

LiveFlame::State LiveFlame::select(int index) {
  const std::lock_guard lock(mutex_);
  if (!has(index))
    fail(ErrorKind::usage, "there is no flame {}; there are {}", index, flames_.size());
  if (index == index_) return state_now();
  index_ = index;
  return changed();
}

void LiveFlame::randomize(std::uint64_t seed) {
  constexpr std::size_t most = 4;  // the wishes of somebody who leans on the key
  const std::lock_guard lock(mutex_);
  if (seeds_.size() < most) seeds_.push_back(seed);
  wake();
}

void LiveFlame::fit() {
  const std::lock_guard lock(mutex_);
  fits_ = true;
  wake_.notify_all();
}

LiveFlame::State LiveFlame::play(double seconds_a_key, bool alone) {
  const std::lock_guard lock(mutex_);
  seconds_a_key_ = std::max(0.0, seconds_a_key);
  plays_alone_ = alone;
  playing_.reset();
  if (seconds_a_key_ > 0) seeds_.clear();
  ++plays_;
  wake();
  return state_now();
}

LiveFlame::State LiveFlame::play(const Playing& wanted) {
  const std::lock_guard lock(mutex_);
  if (!flames_[std::size_t(index_)].place().film)
    fail(ErrorKind::usage, "play: the flame is of no film");
  seeds_.clear();
  seconds_a_key_ = 1;
  playing_ = wanted;
  ++plays_;
  wake();
  return state_now();
}

void LiveFlame::view(const View& view) {
  const std::lock_guard lock(mutex_);
  if (view.pixels > 0) view_.pixels = std::clamp(view.pixels, 64.0 * 64, most_pixels);
  if (view.budget_s > 0) view_.budget_s = std::clamp(view.budget_s, 0.005, 1.0);
}

std::uint64_t LiveFlame::mutate(const Mutations& wanted, int who) {
  const std::lock_guard lock(mutex_);
  Wishes& wishes = wishes_[who];
  wishes.mutations = wanted;
  wishes.mutations.count = std::clamp(wanted.count, 1, most_mutations);
  wishes.mutations.width = std::clamp(wanted.width, 16, most_thumbnail_width);
  wishes.mutations.like.strength = std::clamp(wanted.like.strength, 0.0, 1.0);
  wishes.parent = std::make_shared<Flame>(flames_[std::size_t(index_)].flame());
  wishes.looks = std::make_shared<std::vector<Look>>();
  wishes.made = 0;
  wake();
  return wishes.set = set_ = ++shelf_->set;
}

void LiveFlame::picture_all(std::deque<int> wanted, int width, int who) {
  const std::lock_guard lock(mutex_);
  Wishes& wishes = wishes_[who];
  wishes.opened = std::move(wanted);
  wishes.opened_width = std::clamp(width, 16, most_thumbnail_width);
  wake();
}

std::uint64_t LiveFlame::picture_these(std::vector<Flame> flames, int width, int who) {
  for (const Flame& flame : flames) check_live(flame);
  const std::lock_guard lock(mutex_);
  Wishes& wishes = wishes_[who];
  wishes.given.clear();
  for (Flame& flame : flames) wishes.given.push_back(std::make_shared<Flame>(std::move(flame)));
  wishes.given_count = int(wishes.given.size());
  wishes.given_width = std::clamp(width, 16, most_thumbnail_width);
  wake();
  return wishes.given_set = ++shelf_->set;
}

void LiveFlame::forget(int who) {
  const std::lock_guard lock(mutex_);
  wishes_.erase(who);
}

/// The next one who has such wishes, after the one that was served last; null: nobody. The caller
/// holds the mutex.
LiveFlame::Wishes* LiveFlame::in_turn(bool (Wishes::*has)() const) {
  auto one = wishes_.upper_bound(served_);
  for (std::size_t i = 0; i < wishes_.size(); ++i, ++one) {
    if (one == wishes_.end()) one = wishes_.begin();
    if (!(one->second.*has)()) continue;
    served_ = one->first;
    return &one->second;
  }
  return nullptr;
}

int LiveFlame::append(std::vector<Flame> flames, bool are_blank) {
  for (const Flame& flame : flames) check_live(flame);
  std::deque<FlameHistory> more;
  for (Flame& flame : flames) more.emplace_back(std::move(flame), reader_, are_blank);
  return append(std::move(more));
}

int LiveFlame::append(std::vector<LiveDocument> documents) {
  for (const LiveDocument& document : documents) check_live(document.flame);
  std::deque<FlameHistory> more;
  for (LiveDocument& document : documents) more.push_back(history_of(std::move(document), reader_));
  return append(std::move(more));
}

int LiveFlame::append(std::shared_ptr<const LiveFilm> film) {
  return append(std::vector{LiveDocument{film->keys[0], film}});
}

int LiveFlame::append(std::deque<FlameHistory> more) {
  const std::lock_guard lock(mutex_);
  const std::size_t first = flames_.size();
  const auto open =
      std::size_t(std::count_if(flames_.begin(), flames_.end(),
                                [](const FlameHistory& flame) { return !flame.is_closed(); }));
  if (open + more.size() > FlameShelf::most_flames) {
    fail(ErrorKind::usage, "{} flames beside {} are more than may be open ({})", more.size(), open,
         FlameShelf::most_flames);
  }
  for (FlameHistory& one : more) flames_.push_back(std::move(one));
  return int(first);
}

void LiveFlame::close(int index) {
  const std::lock_guard lock(mutex_);
  if (!has(index)) fail(ErrorKind::usage, "there is no flame {}", index);
  KILN_CHECK(index != index_, "the open flame is closed");
  flames_[std::size_t(index)].close();
}

LiveFlame::State LiveFlame::state() const {
  const std::lock_guard lock(mutex_);
  return state_now();
}

Flame LiveFlame::flame() const {
  const std::lock_guard lock(mutex_);
  return flames_[std::size_t(index_)].flame();
}

std::vector<std::string> LiveFlame::names() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> names;
  for (const FlameHistory& flame : flames_) names.push_back(flame.flame().name);
  return names;
}

std::string LiveFlame::xml_of(int index) const {
  const std::lock_guard lock(mutex_);
  return has(index) ? flames_[std::size_t(index)].xml() : "";
}

std::shared_ptr<const LiveFilm> LiveFlame::film_of(int index) const {
  const std::lock_guard lock(mutex_);
  return has(index) ? flames_[std::size_t(index)].place().film : nullptr;
}

LiveDocument LiveFlame::document_of(int index) const {
  const std::lock_guard lock(mutex_);
  if (!has(index)) fail(ErrorKind::usage, "there is no flame {}", index);
  const FlameHistory& one = flames_[std::size_t(index)];
  return {one.flame(), one.place().film};
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

bool is_cleaned_alone(const LivePicture& made) {
  return made.place.film && made.place.is_shown && is_cleaned(made.place.film->keys);
}

FileTexts texts_of(const LivePicture& made, const RenderOptions& options, const std::string& hash) {
  const std::string record = render_record(*made.flame, options, made.statistics, hash);
  const FilmPlace& place = made.place;
  if (!place.film || !place.is_shown) return picture_texts(genome_xml(*made.flame), record);
  const std::vector<Flame>& keys = place.film->keys;
  const std::string film = animation_digest(keys, options),
                    digest = frame_digest(film, place.frame());
  const Flame middle = frame_at(keys, place.frame(), MotionBlur::without).flame;
  return picture_texts(genome_xml(middle), frame_record(record, place.frame(), digest, film));
}

std::uint64_t LiveFlame::bytes_from_devices() { return downloaded_bytes(); }

}  // namespace kiln
