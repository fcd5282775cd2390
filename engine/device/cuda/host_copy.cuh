// Large copies between a GPU and the program's memory. The driver makes them by one thread, through
// a small buffer of its own, at a tenth of what the bus has; here some threads each take a piece
// through page-locked memory while the others' pieces are under way.
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <atomic>
#include <cstring>
#include <system_error>
#include <thread>
#include <vector>

#include "engine/device/cuda/check.cuh"

namespace kiln {

class HostCopy {
 public:
  /// From so many bytes on it is worth it.
  static constexpr std::size_t least_bytes = std::size_t(16) << 20;

  HostCopy() = default;
  ~HostCopy() {
    for (const Lane& lane : lanes_) {
      cudaFreeHost(lane.piece);
      cudaStreamDestroy(lane.stream);
    }
  }
  HostCopy(const HostCopy&) = delete;
  HostCopy& operator=(const HostCopy&) = delete;

  /// Of the GPU `ordinal`, whose work on `from` is done. Throws Error (device).
  void download(int ordinal, void* to, const void* from, std::size_t bytes) {
    in_pieces(ordinal, bytes, [&](const Lane& lane, std::size_t at, std::size_t count) {
      const cudaError_t error = lane.copy(lane.piece, static_cast<const char*>(from) + at, count);
      std::memcpy(static_cast<char*>(to) + at, lane.piece, count);
      return error;
    });
  }
  /// The same the other way; no work on `to` is under way.
  void upload(int ordinal, void* to, const void* from, std::size_t bytes) {
    in_pieces(ordinal, bytes, [&](const Lane& lane, std::size_t at, std::size_t count) {
      std::memcpy(lane.piece, static_cast<const char*>(from) + at, count);
      return lane.copy(static_cast<char*>(to) + at, lane.piece, count);
    });
  }

 private:
  static constexpr std::size_t piece_bytes = std::size_t(4) << 20;
  struct Lane {
    void* piece = nullptr;  // page-locked
    cudaStream_t stream = nullptr;

    cudaError_t copy(void* to, const void* from, std::size_t count) const {
      const cudaError_t error = cudaMemcpyAsync(to, from, count, cudaMemcpyDefault, stream);
      return error == cudaSuccess ? cudaStreamSynchronize(stream) : error;
    }
  };

  /// move(lane, at, count) for pieces that are all of the bytes.
  template <class Move>
  void in_pieces(int ordinal, std::size_t bytes, Move move) {
    if (lanes_.empty()) open();
    std::atomic<std::size_t> next = 0;
    std::atomic<cudaError_t> failure = cudaSuccess;
    const auto work = [&](const Lane& lane) {
      cudaSetDevice(ordinal);
      for (std::size_t at; failure == cudaSuccess && (at = next.fetch_add(piece_bytes)) < bytes;) {
        const cudaError_t error = move(lane, at, std::min(piece_bytes, bytes - at));
        if (error != cudaSuccess) failure = error;
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
    const unsigned lanes = std::clamp(std::thread::hardware_concurrency() / 2, 1u, 8u);
    for (unsigned i = 0; i < lanes; ++i) {
      Lane lane;
      KILN_CUDA_CHECK(cudaStreamCreateWithFlags(&lane.stream, cudaStreamNonBlocking));
      lanes_.push_back(lane);
      KILN_CUDA_CHECK(cudaHostAlloc(&lanes_.back().piece, piece_bytes, cudaHostAllocDefault));
    }
  }

  std::vector<Lane> lanes_;
};

}  // namespace kiln
