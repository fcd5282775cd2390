// SPDX-License-Identifier: MIT
// Apart from the live flame: tests/fuzz puts another in its place.
#include "engine/live/live_worker.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <new>

#include "engine/animation/frame_at.h"
#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/io/flame/genome_writer.h"

namespace kiln {
namespace {

constexpr double pause_s = 0.12;          // without an edit: the flame stands still
constexpr double frame_s = 1.0 / 60;      // of what is played
constexpr double thumbnail_quality = 40;  // samples a pixel

std::chrono::duration<double> seconds(double value) { return std::chrono::duration<double>(value); }

/// All flames as keys of a loop, at times 0, 1, 2 ..., in the size of the open one.
std::vector<Flame> keys_of_loop(std::vector<Flame> keys, int open) {
  std::rotate(keys.begin(), keys.begin() + open, keys.end());
  if (keys.size() > 1) keys.push_back(keys.front());
  const int width = keys[0].width, height = keys[0].height;
  for (std::size_t k = 0; k < keys.size(); ++k) {
    keys[k].time = double(k);
    keys[k].scale *= double(width) / keys[k].width;
    keys[k].width = width;
    keys[k].height = height;
  }
  return keys;
}

/// The flame after so many turns from key to key.
Flame loop_flame(const std::vector<Flame>& keys, double keys_passed) {
  if (keys.size() == 1) {
    Flame turned = loop_at(keys[0], keys_passed - std::floor(keys_passed));
    follow_links(turned);
    return turned;
  }
  const double length = double(keys.size() - 1);
  return interpolate(keys, keys_passed - length * std::floor(keys_passed / length));
}

}  // namespace

void LiveFlame::work(const RenderOptions& options, DevicePicture* place,
                     std::promise<std::string>& device) {
  std::optional<Worker> worker;
  try {
    worker.emplace(*this, options, place);  // here: a GPU belongs to the thread that opens it
  } catch (...) {
    return device.set_exception(std::current_exception());
  }
  device.set_value(worker->device());
  worker->run();
}

void LiveFlame::Worker::run() {
  for (;;) {
    const Work work = next();
    if (work.kind == Kind::end) return;
    try {
      run(work);
    } catch (const std::bad_alloc&) {
      fail_with(work, "out of memory; a smaller picture needs less");
    } catch (const std::exception& error) {
      fail_with(work, error.what());
    }
  }
}

void LiveFlame::Worker::fail_with(const Work& work, const std::string& message) {
  if (work.kind == Kind::paint || work.kind == Kind::improve) finished_ = true;
  if (work.kind == Kind::play) live_.play(0);
  live_.listener_.error(work.revision, message);
}

/// Waits until there is something to do.
LiveFlame::Worker::Work LiveFlame::Worker::next() {
  std::unique_lock lock(live_.mutex_);
  for (;;) {
    if (live_.ending_) return {};
    if (!live_.seeds_.empty()) return about(Kind::randomize);
    if (live_.fits_) return about(Kind::fit);
    if (plays_ != live_.plays_) begin_play();
    if (live_.seconds_a_key_ > 0) {
      if (Clock::now() >= next_frame_) return about(Kind::play);
      live_.wake_.wait_until(lock, next_frame_);
      continue;
    }
    if (painted_ != live_.revision_) return about(Kind::paint);
    if (Wanted* const one = live_.in_turn(&Wanted::has_given)) return about(Kind::given, one);
    if (Wanted* const one = live_.in_turn(&Wanted::has_mutation))
      return about(Kind::thumbnail, one);
    for (auto& [who, wishes] : live_.wishes_)  // closed, perhaps meanwhile
      std::erase_if(wishes.opened, [&](int index) { return !live_.has(index); });
    if (Wanted* const one = live_.in_turn(&Wanted::has_opened)) return about(Kind::opened, one);
    if (pictures_.has_noise()) return about(Kind::measure);
    const double still_s = seconds_since(painted_at_);
    if (!finished_ && still_s >= pause_s) return about(Kind::improve);
    if (finished_) {
      live_.wake_.wait(lock);
    } else {
      live_.wake_.wait_for(lock, seconds(pause_s - still_s));
    }
  }
}

/// The work of a kind on the open flame. The caller holds the live flame's mutex.
LiveFlame::Worker::Work LiveFlame::Worker::about(Kind kind, Wanted* wishes) {
  Work work;
  work.kind = kind;
  work.revision = live_.revision_;
  work.plays = live_.plays_;
  work.index = live_.index_;
  work.view = live_.view_;
  work.newest_set = live_.set_;
  work.seconds_a_key = live_.seconds_a_key_;
  work.overtaken = live_.wanted_.get_token();
  if (kind == Kind::randomize) {
    work.seed = live_.seeds_.front();
    live_.seeds_.erase(live_.seeds_.begin());
  }
  if (kind == Kind::fit) live_.fits_ = false;
  if (wishes) {
    work.who = live_.served_;
    take_wish(work, *wishes);
  }
  if (kind == Kind::opened)
    work.flame = std::make_shared<Flame>(live_.flames_[std::size_t(work.index)].flame());
  if (wishes) return work;
  if (kind == Kind::improve || kind == Kind::measure) {
    work.flame = flame_;
    work.place = film_;
  } else {
    work.flame = std::make_shared<Flame>(live_.flames_[std::size_t(live_.index_)].flame());
    work.place = live_.flames_[std::size_t(live_.index_)].place();
  }
  return work;
}

/// The next one of these is this work's.
void LiveFlame::Worker::take_wish(Work& work, Wanted& wishes) {
  if (work.kind == Kind::thumbnail) {
    work.set = wishes.set;
    work.index = wishes.made++;
    work.mutations = wishes.mutations;
    work.looks = wishes.looks;
    work.flame = wishes.parent;
    if (wishes.made == wishes.mutations.count) wishes.parent = nullptr;
  } else if (work.kind == Kind::given) {
    work.set = wishes.given_set;
    work.index = wishes.given_count - int(wishes.given.size());
    work.mutations.width = wishes.given_width;
    work.flame = wishes.given.front();
    wishes.given.pop_front();
  } else {
    work.index = wishes.opened.front();
    work.mutations.width = wishes.opened_width;
    wishes.opened.pop_front();
  }
}

bool LiveFlame::Worker::overtaken(const Work& work) const {
  const std::lock_guard lock(live_.mutex_);
  return live_.ending_ || live_.revision_ != work.revision || live_.set_ != work.newest_set ||
         live_.plays_ != plays_ || !live_.seeds_.empty() || live_.fits_ ||
         std::any_of(live_.wishes_.begin(), live_.wishes_.end(), [](const auto& one) {
           return one.second.has_given() || one.second.has_opened();
         });
}

/// Whether who asked for a set of small pictures is better served by something else now. What others
/// ask for is made by turns, and leaves each its own drafts.
bool LiveFlame::Worker::is_unwanted(const Work& work) const {
  const std::lock_guard lock(live_.mutex_);
  const auto asked = live_.wishes_.find(work.who);
  return live_.ending_ || live_.revision_ != work.revision || live_.plays_ != plays_ ||
         !live_.seeds_.empty() || live_.fits_ || asked == live_.wishes_.end() ||
         asked->second.set != work.set;
}

void LiveFlame::Worker::run(const Work& work) {
  switch (work.kind) {
    case Kind::end:
      return;
    case Kind::randomize:
      return randomize(work);
    case Kind::fit:
      return fit(work);
    case Kind::play:
      return play(work);
    case Kind::paint:
      return paint(work);
    case Kind::thumbnail:
      return make_thumbnail(work);
    case Kind::given:
    case Kind::opened:
      return picture_one(work);
    case Kind::improve:
      return improve(work);
    case Kind::measure:
      return measure(work);
  }
}

void LiveFlame::Worker::randomize(const Work& work) {
  take(work, random_flame(*work.flame, work.seed, pictures_.renderer()));
}

/// Moves the camera to the light; it stays where nothing shines.
void LiveFlame::Worker::fit(const Work& work) {
  Flame flame = *work.flame;
  if (fit_by_light(flame, pictures_.renderer())) take(work, std::move(flame));
}

/// Puts a flame in place of the open one, as a step, unless that has changed meanwhile.
void LiveFlame::Worker::take(const Work& work, Flame flame) {
  {
    const std::lock_guard lock(live_.mutex_);
    const bool played = live_.plays_ != work.plays && live_.seconds_a_key_ > 0;
    if (live_.revision_ != work.revision || played) return;  // something else was wanted meanwhile
    live_.flames_[std::size_t(live_.index_)].edit(std::move(flame), 0);
    live_.begin_revision();
  }
  live_.listener_.changed();
}

/// Begins to play, or ends it: then the open flame is shown again. The caller holds the mutex.
void LiveFlame::Worker::begin_play() {
  plays_ = live_.plays_;
  painted_ = 0;
  keys_.clear();
  playing_.reset();
  if (live_.seconds_a_key_ <= 0) return;
  play_start_ = next_frame_ = Clock::now();
  playing_ = live_.playing_;
  played_ = live_.flames_[std::size_t(live_.index_)].place().film;
  if (playing_) return;
  int first = 0;  // the open one among those that are there
  for (int i = 0; i < int(live_.flames_.size()); ++i) {
    if (i == live_.index_) first = int(keys_.size());
    if (live_.plays_alone_ ? i == live_.index_ : live_.has(i))
      keys_.push_back(live_.flames_[std::size_t(i)].flame());
  }
  keys_ = keys_of_loop(std::move(keys_), first);
}

/// Plays whole frames, as they are in the file: some are left out if not all can be made in time.
void LiveFlame::Worker::play_film(const Work& work) {
  const auto& [from, begin, end, rate] = *playing_;
  const double frames = std::max(1.0, end - begin);
  const double passed = from - begin + std::floor(seconds_since(play_start_) * rate);
  const double time = begin + passed - frames * std::floor(passed / frames);
  next_frame_ = Clock::now() +
                std::chrono::duration_cast<Clock::duration>(seconds(std::max(frame_s, 0.5 / rate)));
  const auto flame = std::make_shared<Flame>(moment_of(*played_, time));
  Work frame = work;
  frame.place = {played_, time, true};
  show(frame, pictures_.sketch(*flame, work.view.pixels, work.view.budget_s), flame);
}

void LiveFlame::Worker::play(const Work& work) {
  if (playing_) return play_film(work);
  next_frame_ = Clock::now() + std::chrono::duration_cast<Clock::duration>(seconds(frame_s));
  const auto flame =
      std::make_shared<Flame>(loop_flame(keys_, seconds_since(play_start_) / work.seconds_a_key));
  show(work, pictures_.sketch(*flame, work.view.pixels, work.view.budget_s), flame);
}

void LiveFlame::Worker::paint(const Work& work) {
  painted_ = work.revision;
  flame_ = work.flame;
  Work shown = work;
  if (FilmPlace& place = shown.place; place.film)
    place.film = held_.of(place.film, place.time, place.time);
  film_ = shown.place;
  finished_ = false;
  LivePictures::Picture preview = pictures_.quick(*work.flame, work.view.pixels, work.view.budget_s,
                                                  work.place.film && work.place.is_shown);
  painted_at_ = Clock::now();
  show(shown, std::move(preview), work.flame);
}

/// The film's frame with its motion blur and its grain; empty if the flame is no frame that is shown.
std::function<Frame()> LiveFlame::Worker::frame_of(const Work& work) {
  const FilmPlace& place = work.place;
  if (!place.film || !place.is_shown) return {};
  return [place] { return frame_at(place.film->keys, place.frame()); };
}

void LiveFlame::Worker::improve(const Work& work) {
  auto preview = pictures_.better(
      *work.flame, [&] { return overtaken(work); }, work.overtaken, frame_of(work));
  if (!preview) {
    // who ended it may want nothing any more: a page that has left, a wall of pictures that are there
    finished_ = !work.overtaken.stop_requested() && !overtaken(work);
    return;
  }
  finished_ = preview->settled;
  show(work, std::move(*preview), work.flame);
}

/// Measures the noise; a failure is no fault of the picture and is not reported.
void LiveFlame::Worker::measure(const Work& work) {
  try {
    if (auto noise = pictures_.noise(*work.flame, work.overtaken))
      live_.listener_.noise({work.revision, *std::move(noise)});
  } catch (const Error&) {
  } catch (const std::bad_alloc&) {
  }
}

Flame LiveFlame::Worker::draft(const Work& work, std::uint64_t seed) {
  const Mutations& wanted = work.mutations;
  if (wanted.random) return random_flame(*work.flame, seed, pictures_.renderer());
  if (wanted.mate) return bred(*work.flame, *wanted.mate, wanted.breeding, seed);
  return mutated(*work.flame, wanted.like, seed);
}

/// The flame of a set at this place: one with something to see that is not like those before it, if
/// a few drafts have that. Where the parent is dull already its children may be, too.
Flame LiveFlame::Worker::flame_at(const Work& work) {
  constexpr std::uint64_t most_drafts = 5;
  const Mutations& wanted = work.mutations;
  const Taste taste = wanted.mate ? taste_of_children() : taste_of_mutants();
  PreviewRenderer& renderer = pictures_.renderer();
  const int place = work.index;
  std::vector<Look>& looks = *work.looks;
  if (place == 0 && wanted.parent_first) return *work.flame;
  const std::uint64_t seed =
      (wanted.seed ? wanted.seed : work.set * most_mutations) + std::uint64_t(place);
  if (wanted.random || (!wanted.mate && wanted.like.strength == 0)) return draft(work, seed);
  if (looks.empty()) looks.push_back(look(*work.flame, renderer));
  for (std::uint64_t attempt = 1;; ++attempt) {
    Flame flame = draft(work, seed * most_drafts + attempt);
    Look seen = look(flame, renderer);
    if (!dull(seen, taste).empty() && !wanted.like.locks.camera && dull(looks[0], taste).empty() &&
        frame_by_light(flame, renderer))
      seen = expose(flame, renderer);
    const bool is_new = std::all_of(looks.begin(), looks.end(), [&](const Look& other) {
      return distance(seen, other) >= taste.least_distance * wanted.like.strength;
    });
    const bool is_seen = dull(seen, taste).empty() || !dull(looks[0], taste).empty();
    if ((!is_new || !is_seen) && attempt < most_drafts && !is_unwanted(work)) continue;
    looks.push_back(seen);
    return flame;
  }
}

void LiveFlame::Worker::make_thumbnail(const Work& work) {
  LiveThumbnail thumbnail{work.who, work.set, work.index, "", {}};
  const Flame flame = flame_at(work);
  thumbnail.xml = genome_xml(flame);
  thumbnail.image = small_picture(flame, work.mutations.width);
  live_.listener_.thumbnail(std::move(thumbnail));
}

Image LiveFlame::Worker::small_picture(const Flame& flame, int width) {
  const double pixels = double(width) * width * flame.height / flame.width;
  return pictures_.renderer().sketch(flame, pixels, thumbnail_quality * pixels);
}

/// Sends a small picture; a flame that fails has none, and says why when it is opened.
void LiveFlame::Worker::picture_one(const Work& work) {
  try {
    LiveThumbnail thumbnail{work.who, work.set, work.index, "", {}};
    if (work.kind == Kind::opened) thumbnail.xml = genome_xml(*work.flame);
    thumbnail.image = small_picture(*work.flame, work.mutations.width);
    live_.listener_.thumbnail(std::move(thumbnail));
  } catch (const Error&) {
  }
}

void LiveFlame::Worker::show(const Work& work, LivePictures::Picture preview,
                             std::shared_ptr<const Flame> flame) const {
  LivePicture picture;
  picture.flame = std::move(flame);
  picture.revision = work.revision;
  picture.index = work.index;
  picture.image = std::move(preview.image);
  picture.quality = preview.quality;
  picture.settled = preview.settled;
  picture.seconds = preview.seconds;
  picture.place = work.place;
  if (preview.settled) picture.statistics = pictures_.statistics();
  live_.listener_.picture(std::move(picture));
}

}  // namespace kiln
