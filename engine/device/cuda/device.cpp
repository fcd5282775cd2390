// SPDX-License-Identifier: MIT
// A CUDA GPU as a device.
#include <memory>
#include <string>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/device_code.h"
#include "engine/device/cuda/fft/launch.h"
#include "engine/device/cuda/gpus.h"
#include "engine/device/cuda/kernel.h"
#include "engine/device/cuda/memory.h"

KILN_DEVICE_CODE(plain)

namespace kiln {
namespace {

template <class K>
const char* const plain_name = nullptr;
#define KILN_NAME(K) \
  template <>        \
  const char* const plain_name<K> = "kiln_" #K;
KILN_KERNEL_LIST(KILN_NAME)
#undef KILN_NAME

/// The kernels of the list (plain.cu).
template <class K>
Kernel<K> plain_kernel(code_plain, plain_name<K>, u32(K::lanes));

class CudaDevice : public CudaMemory {
 public:
  /// `ordinal`: what CUDA calls GPU `index` in this process.
  CudaDevice(int index, int ordinal) : CudaMemory(ordinal), index_(index) {
    choose_game(Game::permutation);
  }
  CudaDevice(const CudaMemory& other, std::uint64_t share) : CudaMemory(other, share) {
    index_ = static_cast<const CudaDevice&>(other).index_;
    game_ = make_cuda_game_of_many(*this);
  }
  ~CudaDevice() override {
    use_gpu(ordinal());
    cuda().wait_stream(stream_);  // after an error kernels may still run that are unloaded here
    game_.reset();
    destroy(fft_streams_);
  }

  std::string describe() const override {
    return "cuda " + std::to_string(index_) + " (" + properties().name + ")";
  }
  void launch(int kernel, const void* arguments, std::size_t, int blocks) override {
    check_stop();
    come_here();
    launch_listed(Kernels{}, kernel, arguments, blocks);
  }
  void transform(std::span<const FftLines> jobs, i32 units) override {
    check_stop();
    use();
    launch_fft(jobs, units, fft_streams_, stream_);
  }
  i32 picture_tile(i32 width) const override { return width >= 4096 ? 4 : 0; }
  void transform(const FftLines& job) override {
    check_stop();
    use();  // programs that call the FFT may have used another GPU meanwhile
    if (job.lines > 0) launch_fft(job, stream_);
  }

  int units_at_once() const override { return properties().multiprocessors * 2; }
  void choose_game(Game game) override {
    if (game_ && game == chosen_) return;  // it keeps its kernels
    come_here();
    game_ = make_cuda_game(*this, game);
    chosen_ = game;
  }
  DeviceGame& game() const override { return *game_; }

 private:
  template <class K>
  void launch_one(const void* arguments, int blocks) {
    plain_kernel<K>(u32(blocks), int(sizeof(typename K::Shared)), stream_,
                    *static_cast<const K*>(arguments));
  }
  template <class... Ks>
  void launch_listed(KernelList<Ks...>, int number, const void* arguments, int blocks) {
    if (blocks == 0) return;
    using Launch = void (CudaDevice::*)(const void*, int);
    static constexpr Launch table[] = {&CudaDevice::launch_one<Ks>...};
    (this->*table[number])(arguments, blocks);
  }

  int index_ = 0;
  FftStreams fft_streams_;
  Game chosen_ = Game::permutation;
  std::unique_ptr<DeviceGame> game_;
};

}  // namespace

std::unique_ptr<Device> open_cuda(int index, bool required) {
  std::string reason;
  const int count = count_gpus(reason), ordinal = gpu_ordinal(index);
  if (count < 0 || ordinal < 0 || ordinal >= count) {
    if (!required) return nullptr;
    device_error(count < 0 && !has_device_code() ? reason
                 : count < 0 && index == 0
                     ? "no CUDA device: " + reason
                     : "there is no CUDA device " + std::to_string(index) + "; see `kiln devices`");
  }
  GpuProperties gpu;
  KILN_CUDA_CHECK(read_properties(ordinal, gpu));
  if (!fits_device_code(gpu.capability())) {
    if (!required) return nullptr;
    device_error("no CUDA device: " + too_old_gpu(gpu));
  }
  return std::make_unique<CudaDevice>(index, ordinal);
}

std::unique_ptr<CudaMemory> open_cuda_seat(const CudaMemory& other, std::uint64_t share) {
  return std::make_unique<CudaDevice>(other, share);
}

}  // namespace kiln
