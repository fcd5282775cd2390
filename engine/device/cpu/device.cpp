// SPDX-License-Identifier: MIT
// The CPU as a device: memory is memory, a launch is a parallel loop over blocks.
#include "engine/device/cpu/device.h"

#include <cstring>
#include <new>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/platform/memory.h"
#include "engine/base/resources.h"
#include "engine/device/test_hooks.h"

namespace kiln {
namespace {

// when none of such a size waits, the picture's size has changed, and what waits is for another
constexpr std::size_t large_block = std::size_t(64) << 20;
constexpr std::size_t heap_alignment = 64;

/// The most scratch memory that any kernel asks of a worker.
std::size_t scratch_bytes(const CpuCode& code) {
  return std::max({code.kernels.scratch_bytes, code.plain_game.scratch_bytes,
                   code.extended_game.scratch_bytes, code.jwildfire_game.scratch_bytes,
                   code.formula_game.scratch_bytes, code.fine_game.scratch_bytes,
                   code.divergent_game.scratch_bytes});
}

}  // namespace

void AlignedFree::operator()(void* memory) const {
  if (mapped > 0)
    unmap_memory(memory, mapped);
  else
    ::operator delete(memory, std::align_val_t(heap_alignment));
}

AlignedMemory aligned_memory(std::size_t bytes) {
  if (allocation_shall_fail()) throw std::bad_alloc();
  const std::size_t alignment = bytes >= huge_page ? 4096 : heap_alignment;
  const std::size_t size =
      (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  if (size < huge_page)
    return AlignedMemory(::operator new(size, std::align_val_t(heap_alignment)));
  void* const memory = map_memory(size);
  if (!memory) throw std::bad_alloc();
  return {memory, AlignedFree{size}};
}

CpuDevice::CpuDevice(int threads)
    : code_(best_cpu_code()), pool_(threads > 0 ? threads : usable_cores()) {
  for (int worker = 0; worker < pool_.size(); ++worker)
    scratch_.push_back(aligned_memory(scratch_bytes(code_)));
  choose_game(Game::permutation);
}
CpuDevice::~CpuDevice() { free_blocks(true); }

std::string CpuDevice::describe() const {
  return fmt::format("cpu ({}, {} thread{})", code_.kernels.name, pool_.size(),
                     pool_.size() == 1 ? "" : "s");
}

void* CpuDevice::allocate(std::size_t bytes) {
  void* memory = blocks_.take(bytes);
  if (memory) return memory;
  free_blocks(bytes >= large_block);
  AlignedMemory fresh = aligned_memory(bytes);
  memory = fresh.get();
  held_.emplace(memory, std::move(fresh));
  blocks_.add(memory, bytes);
  return memory;
}
void CpuDevice::free_blocks(bool all) {
  for (void* block : blocks_.leave(all)) held_.erase(block);
}

void CpuDevice::upload(void* to, const void* from, std::size_t bytes) {
  if (bytes) std::memcpy(to, from, bytes);
}
void CpuDevice::download(void* to, const void* from, std::size_t bytes) {
  note_download(bytes);
  upload(to, from, bytes);
}
void CpuDevice::clear(void* memory, std::size_t bytes) {
  constexpr std::size_t piece = std::size_t(1)
                                << 20;  // by all threads: the first touch places the pages
  pool_.run(int((bytes + piece - 1) / piece), [&](int i, int) {
    const std::size_t begin = std::size_t(i) * piece;
    std::memset(static_cast<char*>(memory) + begin, 0, std::min(piece, bytes - begin));
  });
}

void CpuDevice::launch(int kernel, const void* arguments, std::size_t, int blocks) {
  in_pieces(
      blocks,
      [&](int first, int last, void* scratch, int) {
        code_.kernels.run(kernel, arguments, first, last, scratch);
      },
      kernel);
}

void CpuDevice::transform(const FftLines& job) {
  const CpuFft& fft = code_.fft;
  const std::size_t bytes = fft.scratch_bytes(&job);
  fft_scratch_.resize(std::size_t(pool_.size()));
  for (auto& [memory, held] : fft_scratch_) {
    if (held >= bytes) continue;
    memory.reset();
    memory = aligned_memory(bytes);
    held = bytes;
  }
  const int blocks = fft.blocks(&job), grain = std::clamp(blocks / (pool_.size() * 16), 1, 8);
  const int pieces = (blocks + grain - 1) / grain;
  pool_.run(pieces, [&](int piece, int worker) {
    check_stop();
    fft.run(&job, piece * grain, std::min(blocks, (piece + 1) * grain),
            fft_scratch_[std::size_t(worker)].first.get());
    tell(transforming, piece, pieces, worker);
  });
}

std::uint64_t CpuDevice::free_memory_bytes() const {
  const std::uint64_t more = available_memory_bytes();  // the largest number: nobody knows
  return more + std::min<std::uint64_t>(blocks_.waiting_bytes(), ~more);
}

void CpuDevice::choose_game(Game game) { game_ = make_cpu_game(*this, game); }

void device_error(const std::string& message) { throw Error(ErrorKind::device, message); }

void check_threads(int threads) {
  constexpr int most = 4096;  // as in the command line
  if (threads < 0 || threads > most)
    fail(ErrorKind::usage, "{} threads: it takes 1 to {}, or 0 for all cores", threads, most);
}

std::unique_ptr<Device> open_cpu(int threads) {
  check_threads(threads);
  try {
    return std::make_unique<CpuDevice>(threads);
  } catch (const std::bad_alloc&) {
    fail(ErrorKind::device,
         "there is no memory for {} threads, each of which takes a stack and tables; give fewer "
         "with --threads",
         threads > 0 ? threads : usable_cores());
  }
}

std::unique_ptr<Device> open_device(const RenderOptions& options) {
  if (options.backend != Backend::cpu) {
    if (auto cuda = open_cuda(options.device, options.backend == Backend::cuda)) return cuda;
  }
  return open_cpu(options.threads);
}

std::vector<DeviceInfo> list_devices() {
  std::vector<DeviceInfo> devices;
  const int threads = usable_cores();
  devices.push_back({"cpu", 0, best_cpu_code().kernels.name, machine_memory_bytes(),
                     fmt::format("{} thread{}", threads, threads == 1 ? "" : "s")});
  for (DeviceInfo& cuda : list_cuda_devices()) devices.push_back(std::move(cuda));
  return devices;
}

}  // namespace kiln
