// SPDX-License-Identifier: MIT
#include "engine/device/shared_launches.h"

#include <type_traits>
#include <utility>

#include "engine/base/error.h"

namespace kiln {

void do_alone(const SeatWorks& seat, const SeatWork& work) {
  Device& device = *seat.device;
  const std::byte* const what = seat.bytes.data() + work.at;
  switch (work.kind) {
    case SeatWork::Kind::upload:
      return device.upload(work.to, what, work.bytes);
    case SeatWork::Kind::clear:
      return device.clear(work.to, work.bytes);
    case SeatWork::Kind::launch:
      return device.launch(work.kernel, what, work.bytes, work.count);
    case SeatWork::Kind::transform: {
      std::vector<FftLines> jobs;
      for (std::size_t i = 0; i < work.bytes / sizeof(FftLines); ++i)
        jobs.push_back(seat.of<FftLines>(work, i));
      return device.transform(std::span<const FftLines>(jobs), work.count);
    }
    case SeatWork::Kind::warm_up:
      return device.game().warm_up(seat.of<ChaosGame>(work), work.count);
    case SeatWork::Kind::play: {
      const SeatPlay play = seat.of<SeatPlay>(work);
      return device.game().play(play.game, play.sums, work.count);
    }
    case SeatWork::Kind::download:
      return device.download(work.to, work.from, work.bytes);
  }
}

void SharedLaunches::run(std::span<SeatWorks* const> seats) {
  for (const SeatWorks* seat : seats)
    for (const SeatWork& work : seat->works) do_alone(*seat, work);
}

void SharedLaunches::expect(std::size_t seats) {
  const std::lock_guard lock(mutex_);
  inside_ += seats;
}

void SharedLaunches::leave() {
  std::unique_lock lock(mutex_);
  --inside_;
  if (!waiting_.empty() && waiting_.size() == inside_) round(lock);
}

/// All seats that are inside wait: their work is done by the last one.
void SharedLaunches::round(std::unique_lock<std::mutex>& lock) {
  const std::vector<Place*> places = std::exchange(waiting_, {});
  lock.unlock();
  std::exception_ptr failure;
  try {
    std::vector<SeatWorks*> works;
    for (Place* place : places) works.push_back(&place->works);
    const std::lock_guard turn(turn_);
    run(works);
  } catch (...) {
    failure = std::current_exception();
  }
  lock.lock();
  for (Place* place : places) {
    place->failure = failure;
    place->waits = false;
  }
  answered_.notify_all();
}

void SharedLaunches::finish(Place& place, bool is_in_round) {
  if (!is_in_round) {
    SeatWorks* const alone = &place.works;
    const std::lock_guard turn(turn_);
    return run({&alone, 1});
  }
  std::unique_lock lock(mutex_);
  place.waits = true;
  waiting_.push_back(&place);
  if (waiting_.size() == inside_) round(lock);
  answered_.wait(lock, [&] { return !place.waits; });
  if (place.failure) std::rethrow_exception(std::exchange(place.failure, nullptr));
}

/// The game of a seat: what it plays waits like all else.
class Seat::SeatGame : public DeviceGame {
 public:
  explicit SeatGame(Seat& seat) : seat_(seat) {}
  bool can_sort(const CompiledFlame& flame) const override { return game().can_sort(flame); }
  GamePlan plan(const CompiledFlame& flame, std::uint64_t unit_count,
                std::uint64_t max_memory_bytes) override {
    return game().plan(flame, unit_count, max_memory_bytes);
  }
  void begin(const GamePlan& plan, const CompiledFlame& flame) override {
    game().begin(plan, flame);
  }
  void warm_up(const ChaosGame& game, int units) override {
    seat_.check_stop();
    SeatWorks& works = seat_.place_.works;
    SeatWork* const last = works.works.empty() ? nullptr : &works.works.back();
    if (game.goes_on && last && last->kind == SeatWork::Kind::warm_up && last->count == units) {
      auto begun = works.of<ChaosGame>(*last);  // to where the first steps of the same pools end
      begun.hidden_until = game.hidden_until;
      std::memcpy(works.bytes.data() + last->at, &begun, sizeof begun);
      return;
    }
    SeatWork work{SeatWork::Kind::warm_up};
    work.count = units;
    works.add(work, &game, sizeof game);
  }
  void play(const ChaosGame& game, const AccumulateTiles& sums, int units) override {
    const SeatPlay play{game, sums};
    for (bool again = true; again;) {
      seat_.check_stop();
      again = false;
      SeatWork work{SeatWork::Kind::play};
      work.to = &again;
      work.count = units;
      seat_.place_.works.add(work, &play, sizeof play);
      seat_.finish();
    }
  }
  void end() override { game().end(); }

 private:
  DeviceGame& game() const { return seat_.own_->game(); }
  Seat& seat_;
};

std::unique_ptr<Seat> SharedLaunches::open_seat() {
  const std::lock_guard turn(turn_);
  return std::make_unique<Seat>(*this, open_device());
}

Seat::Seat(SharedLaunches& shared, std::unique_ptr<Device> own)
    : shared_(shared), own_(std::move(own)), game_(std::make_unique<SeatGame>(*this)) {
  place_.works.device = own_.get();
}
Seat::~Seat() { forget(); }

void Seat::forget() {
  place_.works.works.clear();
  place_.works.bytes.clear();
  for (void* memory : released_) own_->release(memory);
  released_.clear();
}

void Seat::finish() {
  if (place_.works.works.empty()) return;
  struct Done {
    Seat& seat;
    ~Done() { seat.forget(); }
  } done{*this};
  check_stop();
  shared_.finish(place_, is_inside_);
}

void Seat::release(void* memory) {
  if (place_.works.works.empty())
    own_->release(memory);
  else
    released_.push_back(memory);
}
void Seat::free_waiting() {
  finish();
  own_->free_waiting();
}
void Seat::upload(void* to, const void* from, std::size_t bytes) {
  SeatWork work{SeatWork::Kind::upload};
  work.to = to;
  if (bytes > 0) place_.works.add(work, from, bytes);
}
void Seat::download(void* to, const void* from, std::size_t bytes) {
  SeatWork work{SeatWork::Kind::download};
  work.to = to;
  work.from = from;
  work.bytes = bytes;
  if (bytes > 0) place_.works.works.push_back(work);
  finish();
}
void Seat::clear(void* memory, std::size_t bytes) {
  SeatWork work{SeatWork::Kind::clear};
  work.to = memory;
  work.bytes = bytes;
  if (bytes > 0) place_.works.works.push_back(work);
}
void Seat::launch(int kernel, const void* arguments, std::size_t bytes, int blocks) {
  check_stop();
  SeatWork work{SeatWork::Kind::launch};
  work.kernel = kernel;
  work.count = blocks;
  if (blocks > 0) place_.works.add(work, arguments, bytes);
}
void Seat::transform(std::span<const FftLines> jobs, i32 units) {
  static_assert(std::is_trivially_copyable_v<FftLines>);
  SeatWork work{SeatWork::Kind::transform};
  work.count = units;
  if (!jobs.empty()) place_.works.add(work, jobs.data(), jobs.size_bytes());
}
void Seat::choose_game(Game game) {
  if (game != Game::permutation)
    fail(ErrorKind::usage, "small pictures beside each other are played by permutations alone");
}

}  // namespace kiln
