// SPDX-License-Identifier: MIT
// Device memory that is given back waits here for the next frame, which asks for the same sizes:
// fresh memory costs page faults on a CPU and synchronization on a GPU. What nobody asked for
// during a few hundred allocations goes back to the system.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace kiln {

/// Keeps count of blocks; allocating and freeing them is the owner's business.
class MemoryPool {
 public:
  /// A waiting block of at least `bytes`, and not much more; null if there is none.
  void* take(std::size_t bytes) {
    ++clock_;
    const auto at = waiting_.lower_bound(bytes);
    if (at == waiting_.end() || at->first > bytes + bytes / 8 + small) return nullptr;
    void* const memory = at->second.memory;
    waiting_bytes_ -= at->first;
    used_[memory] = at->first;
    waiting_.erase(at);
    return memory;
  }
  /// A block that the owner allocated.
  void add(void* memory, std::size_t bytes) { used_[memory] = bytes; }
  /// The block's user is done with it.
  void give_back(void* memory) {
    const auto at = used_.find(memory);
    waiting_bytes_ += at->second;
    waiting_.emplace(at->second, Waiting{memory, clock_});
    used_.erase(at);
  }
  /// Blocks that waited for long, or all of them: the owner frees them.
  std::vector<void*> leave(bool all) {
    std::vector<void*> blocks;
    for (auto at = waiting_.begin(); at != waiting_.end();) {
      if (!all && clock_ - at->second.since < patience) {
        ++at;
        continue;
      }
      blocks.push_back(at->second.memory);
      waiting_bytes_ -= at->first;
      at = waiting_.erase(at);
    }
    return blocks;
  }
  std::size_t waiting_bytes() const { return waiting_bytes_; }

 private:
  static constexpr std::size_t small = 256;
  static constexpr std::uint64_t patience = 300;  // allocations; a frame makes about 30
  struct Waiting {
    void* memory;
    std::uint64_t since;
  };
  std::multimap<std::size_t, Waiting> waiting_;  // by size
  std::unordered_map<void*, std::size_t> used_;  // size
  std::size_t waiting_bytes_ = 0;
  std::uint64_t clock_ = 0;
};

}  // namespace kiln
