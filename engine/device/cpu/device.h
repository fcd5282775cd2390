// SPDX-License-Identifier: MIT
// The CPU as a device, as its game sees it, and the kernels of this program that it plays: one set for
// each instruction set of the build (CMake: KILN_CPU_ISAS), of which the best that the machine has
// runs. All give the same bits.
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/base/platform/memory.h"
#include "engine/base/thread_pool.h"
#include "engine/device/cpu/kernels.h"
#include "engine/device/device.h"
#include "engine/device/memory_pool.h"

namespace kiln {

/// All kernels for one instruction set.
struct CpuCode {
  const char* isa;  // "v2", "v3" or "v4", the level of x86-64; "neon" of ARM64
  const CpuKernels& kernels;
  const CpuGameKernels &plain_game, &extended_game, &jwildfire_game, &formula_game, &fine_game,
      &divergent_game;
  const CpuFft& fft;
};

/// The code for each instruction set that this program was built with, in the order of KILN_CPU_ISAS.
std::span<const CpuCode> cpu_codes();

/// The highest of `codes` that `runs` accepts, or the one that `forced` names if that isn't null.
/// Throws Error (device) with the remedy when there is none.
const CpuCode& choose_cpu_code(std::span<const CpuCode> codes, bool (*runs)(std::string_view isa),
                               const char* forced);

/// choose_cpu_code of this program on this machine; the environment's KILN_ISA forces one.
const CpuCode& best_cpu_code();

// Memory of the CPU device.

struct AlignedFree {
  std::size_t mapped = 0;  // bytes from the system; 0: of the heap
  void operator()(void* memory) const;
};
using AlignedMemory = std::unique_ptr<void, AlignedFree>;

/// 64-byte aligned. Large blocks lie on huge pages where the machine has them: records and sums are
/// touched all over, and 4 KB pages would miss the TLB at every record. They come from the system and
/// go back to it: in the heap they would stay wherever something small lies behind them. Throws
/// std::bad_alloc.
AlignedMemory aligned_memory(std::size_t bytes);

class CpuDevice : public Device {
 public:
  explicit CpuDevice(int threads);
  ~CpuDevice() override;

  std::string describe() const override;
  void* allocate(std::size_t bytes) override;
  void release(void* memory) override { blocks_.give_back(memory); }
  void free_waiting() override { free_blocks(true); }
  void upload(void* to, const void* from, std::size_t bytes) override;
  void download(void* to, const void* from, std::size_t bytes) override;
  void clear(void* memory, std::size_t bytes) override;
  void launch(int kernel, const void* arguments, std::size_t, int blocks) override;
  using Device::launch;
  using Device::transform;
  void transform(const FftLines& job) override;
  void wait() override {}
  std::uint64_t free_memory_bytes() const override;
  int units_at_once() const override { return threads(); }
  void choose_game(Game game) override;
  DeviceGame& game() const override { return *game_; }

  const CpuCode& code() const { return code_; }
  int threads() const { return pool_.size(); }
  std::uint32_t* stop_asked() { return &stop_asked_; }  // not 0: what is under way may end

  /// body(first, last, scratch, worker) for pieces of [0, blocks), on all threads. `scratch` holds
  /// what any kernel needs; `kernel`: for who listens. Throws Error (stopped).
  template <class Body>
  void in_pieces(int blocks, Body&& body, int kernel = other_work) {
    const int grain = std::clamp(blocks / (pool_.size() * 16), 1, 64);
    const int pieces = (blocks + grain - 1) / grain;
    pool_.run(pieces, [&](int piece, int worker) {
      check_stop();
      body(piece * grain, std::min(blocks, (piece + 1) * grain),
           scratch_[std::size_t(worker)].get(), worker);
      tell(kernel, piece, pieces, worker);
    });
    check_stop();  // units that noticed it are not complete
  }

 private:
  void free_blocks(bool all);

  const CpuCode& code_;
  ThreadPool pool_;
  std::vector<AlignedMemory> scratch_;
  std::vector<std::pair<AlignedMemory, std::size_t>> fft_scratch_;  // one a worker, and its bytes
  std::unordered_map<void*, AlignedMemory> held_;
  MemoryPool blocks_;
  std::unique_ptr<DeviceGame> game_;
};

/// Throws Error (device) for --rng mtgp32.
std::unique_ptr<DeviceGame> make_cpu_game(CpuDevice& device, Game game);

}  // namespace kiln
