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
  thread_ = std::thread([&device, this, options, place] { work(options, place, device); });
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
  ReaderOptions options = reader_;
  options.is_edit = true;
  FlameFile file = parse_flames(xml, "edit", options);
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
  Wanted& wishes = wishes_[who];
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
  Wanted& wishes = wishes_[who];
  wishes.opened = std::move(wanted);
  wishes.opened_width = std::clamp(width, 16, most_thumbnail_width);
  wake();
}

std::uint64_t LiveFlame::picture_these(std::vector<Flame> flames, int width, int who) {
  for (const Flame& flame : flames) check_live(flame);
  const std::lock_guard lock(mutex_);
  Wanted& wishes = wishes_[who];
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
LiveFlame::Wanted* LiveFlame::in_turn(bool (Wanted::*has)() const) {
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
