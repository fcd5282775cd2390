// SPDX-License-Identifier: MIT
// Seats of a GPU (engine/device/shared_launches.h). All work is in one stream. What seats ask for in the
// same place of their order goes into one launch, if it is of the kinds that all small pictures have; the
// rest is done one after the other in the same stream.
#include "engine/device/shared_launches.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <vector>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/kernel.h"
#include "engine/device/cuda/many.h"
#include "engine/device/cuda/memory.h"
#include "engine/device/cuda/seats.h"

KILN_DEVICE_CODE(seats)

namespace kiln {
namespace {

Kernel<const Piece*, const u32*, const char*> put_pieces(code_seats, "kiln_put_pieces", 512);
Kernel<const Piece*, char*> take_pieces(code_seats, "kiln_take_pieces", 256);

/// Buffers of one size in page-locked memory and on the GPU.
class Staging {
 public:
  ~Staging() { clear(); }
  char* host() const { return host_; }
  char* device() const { return device_; }
  /// Room for so much; what was there is gone, and nobody may need it.
  void make_room(std::size_t bytes) {
    if (bytes <= room_) return;
    clear();
    const std::size_t more = bytes + bytes / 2 + 65536;
    KILN_CUDA_CHECK(cuda().allocate_host(reinterpret_cast<void**>(&host_), more, 0));
    KILN_CUDA_CHECK(cuda().allocate(reinterpret_cast<void**>(&device_), more));
    room_ = more;
  }

 private:
  void clear() {
    if (host_) cuda().free_host(host_);
    if (device_) cuda().free(device_);
    host_ = device_ = nullptr;
    room_ = 0;
  }
  char *host_ = nullptr, *device_ = nullptr;
  std::size_t room_ = 0;
};

template <class K>
const char* const many_name = nullptr;
#define KILN_NAME(K) \
  template <>        \
  const char* const many_name<K> = "kiln_many_" #K;
KILN_KERNELS_OF_MANY(KILN_NAME)
#undef KILN_NAME
template <class K>
Kernel<Many<K>> many_kernel(code_seats, many_name<K>, u32(K::lanes));

/// A place in the orders of all seats.
class Places {
 public:
  explicit Places(std::span<SeatWorks* const> seats) : seats_(seats), next_(seats.size()) {}
  std::size_t count() const { return seats_.size(); }
  const SeatWorks& seat(std::size_t l) const { return *seats_[l]; }
  /// The seat's next work; null if none is left.
  const SeatWork* work(std::size_t l) const {
    return next_[l] < seats_[l]->works.size() ? &seats_[l]->works[next_[l]] : nullptr;
  }
  /// The work behind that; null if there is none.
  const SeatWork* behind(std::size_t l) const {
    return next_[l] + 1 < seats_[l]->works.size() ? &seats_[l]->works[next_[l] + 1] : nullptr;
  }
  void go_on(std::size_t l) { ++next_[l]; }

 private:
  const std::span<SeatWorks* const> seats_;
  std::vector<std::size_t> next_;
};

bool is_of_memory(const SeatWork& work) {
  return work.kind == SeatWork::Kind::upload || work.kind == SeatWork::Kind::clear;
}
/// Whether two may be in one launch.
bool are_alike(const SeatWork& a, const SeatWork& b) {
  return a.kind == b.kind && a.kernel == b.kernel;
}

class CudaSeats : public SharedLaunches {
 public:
  CudaSeats(std::unique_ptr<CudaMemory> first, std::uint64_t share)
      : first_(std::move(first)), share_(share) {
    streams_.main = first_->stream();
    for (CudaStream& stream : streams_.beside)
      KILN_CUDA_CHECK(cuda().make_stream(&stream, Driver::own_pace));
    KILN_CUDA_CHECK(cuda().make_event(&streams_.begin, Driver::no_timing));
    for (CudaEvent& event : streams_.end)
      KILN_CUDA_CHECK(cuda().make_event(&event, Driver::no_timing));
    KILN_CUDA_CHECK(cuda().make_event(&done_, Driver::blocking_sync | Driver::no_timing));
  }
  ~CudaSeats() override {
    use_gpu(first_->ordinal());  // another thread may have opened it
    for (const CudaEvent event : {done_, streams_.begin})
      if (event) cuda().destroy_event(event);
    for (const CudaEvent event : streams_.end)
      if (event) cuda().destroy_event(event);
    for (const CudaStream stream : streams_.beside)
      if (stream) cuda().destroy_stream(stream);
  }

 private:
  std::unique_ptr<Device> open_device() override {
    first_->use();
    return open_cuda_seat(*first_, share_);
  }

  void run(std::span<SeatWorks* const> seats) override {
    first_->use();
    Places places(seats);
    played_.clear();
    while (const SeatWork* next = next_of(places)) {
      if (is_of_memory(*next))
        put_memory(places);
      else
        do_alike(*next, places);
    }
    answer(places);
  }

  /// The next work: memory first, else the one that most seats want; null if all but downloads is done.
  static const SeatWork* next_of(const Places& places) {
    const SeatWork* best = nullptr;
    std::size_t most = 0;
    for (std::size_t l = 0; l < places.count(); ++l) {
      const SeatWork* const work = places.work(l);
      if (!work || work->kind == SeatWork::Kind::download) continue;
      if (is_of_memory(*work)) return work;
      std::size_t like = 0;
      for (std::size_t other = 0; other < places.count(); ++other)
        like += places.work(other) && are_alike(*places.work(other), *work);
      if (like > most) {
        most = like;
        best = work;
      }
      if (2 * like > places.count()) break;
    }
    return best;
  }

  void wait() {
    KILN_CUDA_CHECK(cuda().record_event(done_, first_->stream()));
    KILN_CUDA_CHECK(cuda().wait_event(done_));
  }

  void put_memory(Places& places) {
    std::vector<Piece> pieces;
    std::vector<u32> first = {0};
    std::vector<std::pair<const std::byte*, std::size_t>> from;
    std::size_t bytes = 0;
    for (std::size_t l = 0; l < places.count(); ++l) {
      const SeatWork* work = places.work(l);
      if (!work || !is_of_memory(*work)) continue;
      for (; work && is_of_memory(*work); places.go_on(l), work = places.work(l)) {
        const bool clears = work->kind == SeatWork::Kind::clear;
        pieces.push_back({static_cast<char*>(work->to), clears ? zeros : bytes, work->bytes});
        if (clears) continue;
        from.emplace_back(places.seat(l).bytes.data() + work->at, bytes);
        bytes += (work->bytes + 15) / 16 * 16;
      }
      first.push_back(u32(pieces.size()));
    }
    const std::size_t pieces_at = bytes, first_at = pieces_at + pieces.size() * sizeof(Piece);
    const std::size_t all = first_at + first.size() * sizeof(u32);
    wait();  // what was sent before is no more needed
    up_.make_room(all);
    std::size_t f = 0;
    for (const Piece& piece : pieces) {
      if (piece.at == zeros) continue;
      std::memcpy(up_.host() + piece.at, from[f++].first, piece.bytes);
    }
    std::memcpy(up_.host() + pieces_at, pieces.data(), pieces.size() * sizeof(Piece));
    std::memcpy(up_.host() + first_at, first.data(), first.size() * sizeof(u32));
    KILN_CUDA_CHECK(cuda().upload(up_.device(), up_.host(), all, first_->stream()));
    put_pieces(u32(first.size() - 1), 0, first_->stream(),
               reinterpret_cast<const Piece*>(up_.device() + pieces_at),
               reinterpret_cast<const u32*>(up_.device() + first_at), up_.device());
  }

  /// All that is like `work` where its seat stands.
  void do_alike(const SeatWork& like, Places& places) {
    const SeatWork work = like;
    std::vector<std::size_t> which;
    for (std::size_t l = 0; l < places.count(); ++l)
      if (places.work(l) && are_alike(*places.work(l), work)) which.push_back(l);
    if (work.kind == SeatWork::Kind::play || work.kind == SeatWork::Kind::warm_up)
      do_units(which, places);
    else if (work.kind != SeatWork::Kind::launch || !launch_one_of(work.kernel, which, places))
      for (const std::size_t l : which) do_alone(places.seat(l), *places.work(l));
    for (const std::size_t l : which) places.go_on(l);
  }

  /// Units that begin are played at once, in the same launch.
  void do_units(const std::vector<std::size_t>& which, Places& places) {
    std::vector<UnitsTogether> all;
    std::vector<bool*> again;
    for (const std::size_t l : which) {
      const SeatWorks& seat = places.seat(l);
      const SeatWork* work = places.work(l);
      UnitsTogether units{&seat.device->game(), {}, {}, work->count, false, false};
      if (work->kind == SeatWork::Kind::warm_up) {
        units.warms_up = true;
        units.chaos = seat.of<ChaosGame>(*work);
        const SeatWork* const next = places.behind(l);
        if (next && next->kind == SeatWork::Kind::play && next->count == work->count) {
          places.go_on(l);
          work = next;
        }
      }
      bool* again_of_unit = nullptr;
      if (work->kind == SeatWork::Kind::play) {
        const SeatPlay play = seat.of<SeatPlay>(*work);
        units.plays = true;
        units.chaos = play.game;
        units.sums = play.sums;
        again_of_unit = static_cast<bool*>(work->to);
      }
      all.push_back(units);
      again.push_back(again_of_unit);
    }
    play_together(all, first_->properties(), streams_);
    for (std::size_t i = 0; i < all.size(); ++i)
      if (again[i]) played_.push_back({all[i].unfinished, again[i]});
  }

  /// Launches a kernel that has one for many; false: there is none.
  bool launch_one_of(int kernel, const std::vector<std::size_t>& which, const Places& places) {
#define KILN_LAUNCH(K) \
  if (kernel == kernel_id<K>) return launch_kernel<K>(which, places);
    KILN_KERNELS_OF_MANY(KILN_LAUNCH)
#undef KILN_LAUNCH
    return false;
  }
  template <class K>
  bool launch_kernel(const std::vector<std::size_t>& which, const Places& places) {
    static_assert(sizeof(typename K::Shared) <= 48 * 1024);
    const auto each = [&](const auto& add) {
      for (const std::size_t l : which)
        add(places.seat(l).template of<K>(*places.work(l)), places.work(l)->count);
    };
    launch_many<K>(each, [&](const Many<K>& many, u32 blocks) {
      many_kernel<K>(blocks, int(sizeof(typename K::Shared)), first_->stream(), many);
    });
    return true;
  }

  /// Sends seats what they wait for: their downloads, and whether what was played is at its end.
  void answer(Places& places) {
    std::vector<Piece> pieces;
    std::vector<void*> to;
    std::size_t bytes = 0;
    const auto ask = [&](void* place, const void* from, std::size_t count) {
      pieces.push_back({static_cast<char*>(const_cast<void*>(from)), bytes, count});
      to.push_back(place);
      bytes += (count + 15) / 16 * 16;
    };
    std::vector<u32> unfinished(played_.size());
    for (std::size_t i = 0; i < played_.size(); ++i)
      ask(&unfinished[i], played_[i].unfinished, sizeof(u32));
    for (std::size_t l = 0; l < places.count(); ++l)
      for (const SeatWork* work; (work = places.work(l)); places.go_on(l))
        ask(work->to, work->from, work->bytes);
    wait();
    if (pieces.empty()) return;
    const std::size_t pieces_at = bytes, piece_bytes = pieces.size() * sizeof(Piece);
    down_.make_room(bytes + piece_bytes);
    std::memcpy(down_.host() + pieces_at, pieces.data(), piece_bytes);
    KILN_CUDA_CHECK(cuda().upload(down_.device() + pieces_at, down_.host() + pieces_at, piece_bytes,
                                  first_->stream()));
    take_pieces(u32(pieces.size()), 0, first_->stream(),
                reinterpret_cast<const Piece*>(down_.device() + pieces_at), down_.device());
    KILN_CUDA_CHECK(cuda().download(down_.host(), down_.device(), bytes, first_->stream()));
    wait();
    for (std::size_t p = 0; p < pieces.size(); ++p)
      std::memcpy(to[p], down_.host() + pieces[p].at, pieces[p].bytes);
    for (std::size_t i = 0; i < played_.size(); ++i) *played_[i].again = unfinished[i] > 0;
  }

  struct Played {
    const u32* unfinished;
    bool* again;
  };

  const std::unique_ptr<CudaMemory> first_;  // whose stream it is
  const std::uint64_t share_;
  CudaEvent done_ = nullptr;
  Streams streams_;
  Staging up_, down_;
  std::vector<Played> played_;
};

}  // namespace

std::unique_ptr<SharedLaunches> share_cuda(int index, std::uint64_t seats) {
  std::unique_ptr<Device> device = open_cuda(index, false);
  if (!device) return nullptr;
  const std::uint64_t share = device->free_memory_bytes() / seats;
  auto* const memory = static_cast<CudaMemory*>(device.release());
  return std::make_unique<CudaSeats>(std::unique_ptr<CudaMemory>(memory), share);
}

}  // namespace kiln
