// SPDX-License-Identifier: MIT
// A GPU's memory and its stream: what is freed waits for the next who wants as much.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstring>
#include <memory>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/base/cores.h"
#include "engine/device/cuda/check.h"
#include "engine/device/cuda/gpus.h"
#include "engine/device/cuda/peers.h"
#include "engine/device/device.h"
#include "engine/device/game.h"
#include "engine/device/memory_pool.h"
#include "engine/device/test_hooks.h"

namespace kiln {

// Large copies between a GPU and the program's memory. The driver makes them by one thread, through
// a small buffer of its own, at a tenth of what the bus has; here some threads each take a piece
// through page-locked memory while the others' pieces are under way.

class HostCopy {
 public:
  /// The least bytes for which it is worth it.
  static constexpr std::size_t least_bytes = std::size_t(16) << 20;

  HostCopy() = default;
  ~HostCopy() {
    for (const Lane& lane : lanes_) {
      cuda().free_host(lane.piece);
      cuda().destroy_stream(lane.stream);
    }
  }
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  /// Copies from the GPU `ordinal`, whose work on `from` is done. Throws Error (device).
  void download(int ordinal, void* to, const void* from, std::size_t bytes) {
    in_pieces(ordinal, bytes, [&](const Lane& lane, std::size_t at, std::size_t count) {
      int result =
          cuda().download(lane.piece, static_cast<const char*>(from) + at, count, lane.stream);
      if (result == Driver::success) result = cuda().wait_stream(lane.stream);
      std::memcpy(static_cast<char*>(to) + at, lane.piece, count);
      return result;
    });
  }
  /// Copies to the GPU `ordinal`, which has no work on `to` under way. Throws Error (device).
  void upload(int ordinal, void* to, const void* from, std::size_t bytes) {
    in_pieces(ordinal, bytes, [&](const Lane& lane, std::size_t at, std::size_t count) {
      std::memcpy(lane.piece, static_cast<const char*>(from) + at, count);
      const int result = cuda().upload(static_cast<char*>(to) + at, lane.piece, count, lane.stream);
      return result == Driver::success ? cuda().wait_stream(lane.stream) : result;
    });
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t(4) << 20;
  struct Lane {
    void* piece = nullptr;  // page-locked
    CudaStream stream = nullptr;
  };

  /// move(lane, at, count) for pieces that are all of the bytes.
  template <class Move>
  void in_pieces(int ordinal, std::size_t bytes, Move move) {
    if (lanes_.empty()) open();
    std::atomic<std::size_t> next = 0;
    std::atomic<int> failure = Driver::success;
    const auto work = [&](const Lane& lane) {
      use_gpu(ordinal);
      for (std::size_t at;
           failure == Driver::success && (at = next.fetch_add(piece_bytes)) < bytes;) {
        const int result = move(lane, at, std::min(piece_bytes, bytes - at));
        if (result != Driver::success) failure = result;
      }
    };
    {
      std::vector<std::jthread> threads;
      try {
        for (std::size_t i = 1; i < lanes_.size(); ++i) threads.emplace_back(work, lanes_[i]);
      } catch (const std::system_error&) {  // those that are there do it
      }
      work(lanes_[0]);
    }
    KILN_CUDA_CHECK(failure);
  }

  void open() {
    const unsigned lanes = std::clamp(unsigned(usable_cores()) / 2, 1u, 8u);
    for (unsigned i = 0; i < lanes; ++i) {
      Lane lane;
      KILN_CUDA_CHECK(cuda().make_stream(&lane.stream, Driver::own_pace));
      const int result = cuda().allocate_host(&lane.piece, piece_bytes, 0);
      if (result != Driver::success) {
        cuda().destroy_stream(lane.stream);
        if (!lanes_.empty()) return;  // those that are there do it
        KILN_CUDA_CHECK(result);
      }
      lanes_.push_back(lane);
    }
  }

  std::vector<Lane> lanes_;
};

class CudaMemory : public Device {
 public:
  /// `ordinal`: what CUDA calls the GPU in this process.
  explicit CudaMemory(int ordinal) : ordinal_(ordinal) {
    KILN_CUDA_CHECK(use_gpu(ordinal));
    KILN_CUDA_CHECK(read_properties(ordinal, properties_));
    KILN_CUDA_CHECK(cuda().make_stream(&stream_, 0));
    properties_.shared_block = shared_bytes_at_most(properties_.shared_block);
    properties_.shared_multiprocessor = shared_bytes_at_most(properties_.shared_multiprocessor);
  }
  /// More memory of the same GPU, with all work in the same stream; so much of it counts as free.
  CudaMemory(const CudaMemory& other, std::uint64_t share)
      : stream_(other.stream_),
        ordinal_(other.ordinal_),
        properties_(other.properties_),
        share_(share) {}
  ~CudaMemory() override {
    use_gpu(ordinal_);  // another thread may have opened it
    free_blocks(true);
    if (share_ == 0) cuda().destroy_stream(stream_);
  }

  /// Makes the GPU that of the calling thread, which may be another than the one that opened it.
  void come_here() const {
    if (gpu_in_use() != ordinal_) KILN_CUDA_CHECK(use_gpu(ordinal_));
  }
  void* allocate(std::size_t bytes) override {
    bytes = std::max<std::size_t>(bytes, 16);
    void* memory = pool_.take(bytes);
    if (memory) return memory;  // all work is in one stream: its former user is done with it
    come_here();
    if (allocation_shall_fail()) bytes = std::size_t(1) << 60;  // more than any GPU has
    free_blocks(false);
    int allocation = cuda().allocate(&memory, bytes);
    if (allocation == Driver::out_of_memory && pool_.waiting_bytes() > 0) {
      free_blocks(true);
      allocation = cuda().allocate(&memory, bytes);
    }
    KILN_CUDA_CHECK(allocation);
    pool_.add(memory, bytes);
    return memory;
  }
  void release(void* memory) override { pool_.give_back(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override {
    come_here();
    if (bytes >= HostCopy::least_bytes) {
      wait();
      return host_copy_.upload(ordinal_, to, from, bytes);
    }
    KILN_CUDA_CHECK(cuda().upload(to, from, bytes, stream_));
    KILN_CUDA_CHECK(cuda().wait_stream(stream_));
  }
  void download(void* to, const void* from, std::size_t bytes) override {
    note_download(bytes);
    come_here();
    if (bytes >= HostCopy::least_bytes) {
      wait();
      return host_copy_.download(ordinal_, to, from, bytes);
    }
    KILN_CUDA_CHECK(cuda().download(to, from, bytes, stream_));
    KILN_CUDA_CHECK(cuda().wait_stream(stream_));
  }
  void clear(void* memory, std::size_t bytes) override {
    come_here();
    KILN_CUDA_CHECK(cuda().fill(memory, 0, bytes, stream_));
  }
  void wait() override {
    come_here();
    KILN_CUDA_CHECK(cuda().wait_stream(stream_));
  }
  void use() override {
    check_cuda_process();
    KILN_CUDA_CHECK(use_gpu(ordinal_));
  }
  void add_sums(std::uint64_t* sums, Device& other, const std::uint64_t* others,
                std::size_t count) override {
    come_here();
    if (!reaches(other)) return Device::add_sums(sums, other, others, count);
    add_peer_sums(sums, others, count, stream_);
    wait();
  }
  void copy_sums(std::uint64_t* sums, Device& other, const std::uint64_t* others,
                 std::size_t count) override {
    come_here();
    if (!reaches(other)) return Device::copy_sums(sums, other, others, count);
    const int from = static_cast<const CudaMemory&>(other).ordinal_;
    copy_peer_sums(sums, ordinal_, others, from, count, stream_);
    wait();
  }
  std::uint64_t free_memory_bytes() const override {
    if (share_ > 0) return share_;
    come_here();
    std::size_t free = 0, total = 0;
    KILN_CUDA_CHECK(cuda().memory_info(&free, &total));
    return free + pool_.waiting_bytes();
  }
  CudaStream stream() const { return stream_; }
  const GpuProperties& properties() const { return properties_; }
  int ordinal() const { return ordinal_; }

 protected:
  CudaStream stream_ = nullptr;  // of all work

 private:
  bool reaches(const Device& other) const {
    const auto* gpu = dynamic_cast<const CudaMemory*>(&other);
    return gpu && reach_peer(ordinal_, gpu->ordinal_);
  }
  void free_blocks(bool all) {
    for (void* block : pool_.leave(all)) cuda().free(block);
  }

  const int ordinal_;
  GpuProperties properties_{};
  const std::uint64_t share_ = 0;  // 0: the stream is its own, and all that is free
  MemoryPool pool_;
  HostCopy host_copy_;
};

/// The chaos game on a GPU, played as `game` says.
std::unique_ptr<DeviceGame> make_cuda_game(CudaMemory& device, Game game);
/// Plays by permutations and by the interpreter alone: for play_together().
std::unique_ptr<DeviceGame> make_cuda_game_of_many(CudaMemory& device);

/// A device that shares the stream of another one, and is played with others of the kind.
std::unique_ptr<CudaMemory> open_cuda_seat(const CudaMemory& other, std::uint64_t share);

/// Units of one of many games.
struct UnitsTogether {
  DeviceGame* game;  // of make_cuda_game_of_many()
  ChaosGame chaos;
  AccumulateTiles sums;
  int units;
  bool warms_up, plays;
  u32* unfinished = nullptr;  // where those are counted that have to be played again
};

/// A stream, and others beside it for what need not wait for each other.
struct Streams {
  static constexpr int others = 5;
  CudaStream main = nullptr, beside[others] = {};
  CudaEvent begin = nullptr, end[others] = {};
};

/// DeviceGame::warm_up() and then play() of all of them, each unit once and perhaps not to its end: `unfinished`
/// says where; queued.
void play_together(std::vector<UnitsTogether>& all, const GpuProperties& properties,
                   const Streams& streams);

}  // namespace kiln
