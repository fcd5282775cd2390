#include "engine/live/live_flame.h"

#include <algorithm>
#include <future>
#include <optional>
#include <utility>

#include "engine/base/error.h"
#include "engine/device/test_hooks.h"
#include "engine/io/flame/genome_writer.h"

namespace kiln {
namespace {

void check(const Flame& flame) {
  constexpr double most_pixels = LiveFlame::most_pixels;
  const double buckets = double(flame.width) * flame.height * flame.supersample * flame.supersample;
  if (double(flame.width) * flame.height > most_pixels || buckets > 4 * most_pixels) {
    fail(ErrorKind::input,
         "{}: {} x {} pixels of {} x {} buckets are more than a live picture may have ({:.0f} "
         "million pixels); lower size or supersample",
         flame.place(), flame.width, flame.height, flame.supersample, flame.supersample,
         most_pixels / 1e6);
  }
}

}  // namespace

std::shared_ptr<FlameShelf> shelf_of(std::vector<Flame> flames, const ReaderOptions& reader) {
  KILN_CHECK(!flames.empty(), "no flames");
  const auto shelf = std::make_shared<FlameShelf>();
  for (Flame& flame : flames) {
    check(flame);
    shelf->flames.emplace_back(std::move(flame), reader);
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
          seconds_a_key_ > 0};
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

/// Something is wanted. With the mutex held.
void LiveFlame::wake() {
  wanted_.request_stop();
  wanted_ = {};
  wake_.notify_all();
}

LiveFlame::State LiveFlame::edit(const std::string& xml, std::uint64_t gesture) {
  FlameFile file = parse_flames(xml, "edit", reader_);
  if (file.flames.size() != 1)
    fail(ErrorKind::input, "edit: {} flames; an edit is one", file.flames.size());
  check(file.flames[0]);
  const std::lock_guard lock(mutex_);
  file.flames[0].index = index_;
  flames_[std::size_t(index_)].edit(std::move(file.flames[0]), gesture);
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

/// With the mutex held.
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
  if (seconds_a_key_ > 0) seeds_.clear();
  ++plays_;
  wake();
  return state_now();
}

void LiveFlame::view(const View& view) {
  const std::lock_guard lock(mutex_);
  if (view.pixels > 0) view_.pixels = std::clamp(view.pixels, 64.0 * 64, most_pixels);
  if (view.budget_s > 0) view_.budget_s = std::clamp(view.budget_s, 0.005, 1.0);
}

std::uint64_t LiveFlame::mutate(const Mutations& wanted) {
  const std::lock_guard lock(mutex_);
  mutations_ = wanted;
  mutations_.count = std::clamp(wanted.count, 1, most_mutations);
  mutations_.width = std::clamp(wanted.width, 16, most_thumbnail_width);
  mutations_.like.strength = std::clamp(wanted.like.strength, 0.0, 1.0);
  parent_ = std::make_shared<Flame>(flames_[std::size_t(index_)].flame());
  wake();
  return set_ = ++shelf_->set;
}

void LiveFlame::picture_all(std::deque<int> wanted, int width) {
  const std::lock_guard lock(mutex_);
  std::erase_if(wanted, [&](int i) { return !has(i); });
  pictured_ = std::move(wanted);
  pictured_width_ = std::clamp(width, 16, most_thumbnail_width);
  wake();
}

std::uint64_t LiveFlame::picture_these(std::vector<Flame> flames, int width) {
  for (const Flame& flame : flames) check(flame);
  const std::lock_guard lock(mutex_);
  given_.clear();
  for (Flame& flame : flames) given_.push_back(std::make_shared<Flame>(std::move(flame)));
  given_count_ = int(given_.size());
  given_width_ = std::clamp(width, 16, most_thumbnail_width);
  wake();
  return given_set_ = ++shelf_->set;
}

int LiveFlame::append(std::vector<Flame> flames, bool are_blank) {
  for (const Flame& flame : flames) check(flame);
  std::deque<FlameHistory> more;
  for (Flame& flame : flames) more.emplace_back(std::move(flame), reader_, are_blank);
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

FlameHistory::FlameHistory(Flame flame, const ReaderOptions& reader, bool is_blank)
    : reader_(reader), flame_(std::move(flame)), xml_(genome_xml(flame_)), is_blank_(is_blank) {}

void FlameHistory::edit(Flame flame, std::uint64_t gesture) {
  std::string xml = genome_xml(flame);
  if (xml == xml_) return;  // no step, and no gesture that a later edit could go on with
  const bool goes_on = gesture != 0 && gesture == gesture_ && !past_.empty() && future_.empty();
  if (goes_on && xml == past_.back()) {  // it ends where it began, and was no step
    undo();
    future_.clear();
    return;
  }
  if (!goes_on && !std::exchange(is_blank_, false)) {
    past_.push_back(xml_);
    forget_oldest();
  }
  future_.clear();
  gesture_ = gesture;
  flame_ = std::move(flame);
  xml_ = std::move(xml);
}

bool FlameHistory::undo() {
  if (past_.empty()) return false;
  future_.push_back(xml_);
  std::string xml = std::move(past_.back());
  past_.pop_back();
  take(std::move(xml));
  return true;
}

bool FlameHistory::redo() {
  if (future_.empty()) return false;
  past_.push_back(xml_);
  std::string xml = std::move(future_.back());
  future_.pop_back();
  take(std::move(xml));
  return true;
}

void FlameHistory::close() {
  flame_ = {};
  xml_.clear();
  past_.clear();
  future_.clear();
}

/// The flame of a text that was written here.
void FlameHistory::take(std::string xml) {
  Flame flame = std::move(parse_flames(xml, flame_.source, reader_).flames.at(0));
  flame.index = flame_.index;
  flame_ = std::move(flame);
  xml_ = std::move(xml);
  gesture_ = 0;
}

void FlameHistory::forget_oldest() {
  std::size_t bytes = 0;
  for (const std::string& step : past_) bytes += step.size();
  while (past_.size() > 1 && (past_.size() > most_steps || bytes > most_bytes)) {
    bytes -= past_.front().size();
    past_.pop_front();
  }
}

std::uint64_t LiveFlame::bytes_from_devices() { return downloaded_bytes(); }

}  // namespace kiln
