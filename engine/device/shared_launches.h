// SPDX-License-Identifier: MIT
// Many small pictures on one GPU. Each has a device of its own, a seat, on a thread of its own, and asks as a
// large picture does; but what it asks for waits until all seats want an answer from the device. Then the
// work of all is done together: a launch plays the units of a hundred flames, another develops a hundred
// pictures, and what goes up and down goes in one copy each. A seat's work is done in the seat's order, with
// the arguments that it has alone, so its bits are those of the device alone.
//
// Seats that begin together stay together, as they ask the same things: whoever prepares pictures ahead
// keeps launches full. A round costs some wakes of threads, a tenth of a millisecond or so.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "engine/device/device.h"

namespace kiln {

/// Something that a seat asked for.
struct SeatWork {
  enum class Kind { upload, clear, launch, transform, warm_up, play, download };
  Kind kind;
  void* to = nullptr;          // upload, clear, download; of play: bool, whether to play again
  const void* from = nullptr;  // download
  std::size_t at = 0,
              bytes = 0;  // its data in SeatWorks::bytes; clear and download have a size alone
  int kernel = 0;         // launch
  int count = 0;          // blocks, units, lines of jobs
};

/// The arguments of a play.
struct SeatPlay {
  ChaosGame game;
  AccumulateTiles sums;
};

/// All that a seat asked for since it was last done, in its order.
struct SeatWorks {
  Device* device = nullptr;  // that does it where seats are not done together
  std::vector<SeatWork> works;
  std::vector<std::byte> bytes;

  void add(SeatWork work, const void* what, std::size_t count) {
    work.at = (bytes.size() + 15) / 16 * 16;
    work.bytes = count;
    bytes.resize(work.at + count);
    if (count > 0) std::memcpy(bytes.data() + work.at, what, count);
    works.push_back(work);
  }
  template <class Plain>
  Plain of(const SeatWork& work, std::size_t i = 0) const {
    Plain plain;
    std::memcpy(static_cast<void*>(&plain), bytes.data() + work.at + i * sizeof plain,
                sizeof plain);
    return plain;
  }
};

/// Does one thing for its seat alone, on the seat's device.
void do_alone(const SeatWorks& seat, const SeatWork& work);

class Seat;

class SharedLaunches {
 public:
  virtual ~SharedLaunches() = default;
  SharedLaunches() = default;
  SharedLaunches(const SharedLaunches&) = delete;
  SharedLaunches& operator=(const SharedLaunches&) = delete;

  /// A device for one thread at a time, which this outlives. Throws Error (device).
  std::unique_ptr<Seat> open_seat();
  /// Announces that so many seats begin a picture together: each will be inside (Seat::Inside).
  void expect(std::size_t seats);

 protected:
  /// The device of one more seat.
  virtual std::unique_ptr<Device> open_device() = 0;
  /// Does all that they ask for, each seat's in its order, and has answered when it returns.
  virtual void run(std::span<SeatWorks* const> seats);

 private:
  friend class Seat;
  struct Place {
    SeatWorks works;
    bool waits = false;
    std::exception_ptr failure;
  };
  void leave();
  void finish(Place& place, bool is_in_round);
  void round(std::unique_lock<std::mutex>& lock);

  std::mutex turn_;   // of the device
  std::mutex mutex_;  // of what follows
  std::condition_variable answered_;
  std::vector<Place*> waiting_;
  std::size_t inside_ = 0;  // seats that rounds wait for
};

/// A device whose work is done with that of others.
class Seat : public Device {
 public:
  Seat(SharedLaunches& shared, std::unique_ptr<Device> own);
  ~Seat() override;

  /// A picture that was expected: until this is gone the others wait for the seat.
  class Inside {
   public:
    explicit Inside(Seat& seat) : seat_(seat) { seat_.is_inside_ = true; }
    ~Inside() {
      seat_.forget();
      seat_.is_inside_ = false;
      seat_.shared_.leave();
    }
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;

   private:
    Seat& seat_;
  };

  std::string describe() const override { return own_->describe(); }
  void* allocate(std::size_t bytes) override { return own_->allocate(bytes); }
  void release(void* memory) override;
  void free_waiting() override;
  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;
  void clear(void* memory, std::size_t bytes) override;
  void launch(int kernel, const void* arguments, std::size_t bytes, int blocks) override;
  using Device::launch;
  void transform(const FftLines& job) override { transform({&job, 1}, 1); }
  void transform(std::span<const FftLines> jobs, i32 units) override;
  i32 picture_tile(i32 width) const override { return own_->picture_tile(width); }
  void wait() override { finish(); }
  void use() override { own_->use(); }
  std::uint64_t free_memory_bytes() const override { return own_->free_memory_bytes(); }
  int units_at_once() const override { return own_->units_at_once(); }
  void choose_game(Game game) override;
  DeviceGame& game() const override { return *game_; }

 private:
  class SeatGame;
  /// Waits until all is done that was asked for. Throws Error.
  void finish();
  /// Drops work that nobody waited for: an Error came before.
  void forget();

  SharedLaunches& shared_;
  const std::unique_ptr<Device> own_;
  const std::unique_ptr<DeviceGame> game_;
  SharedLaunches::Place place_;
  std::vector<void*> released_;  // that what was asked for still needs
  bool is_inside_ = false;
};

/// Seats of a GPU, each of which has one of `seats` shares of its free memory. Null where there is none.
std::unique_ptr<SharedLaunches> share_cuda(int index, std::uint64_t seats);

}  // namespace kiln
