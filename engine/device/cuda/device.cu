// SPDX-License-Identifier: MIT
// A CUDA GPU as a device.
#include <cuda_runtime.h>

#include <memory>
#include <string>

#include "engine/device/cuda/block.cuh"
#include "engine/device/cuda/check.cuh"
#include "engine/device/cuda/fft/launch.h"
#include "engine/device/cuda/gpus.h"
#include "engine/device/cuda/memory.cuh"

namespace kiln {
namespace {

template <class Kernel>
__global__ void __launch_bounds__(Kernel::lanes) run_plain(const Kernel kernel) {
  extern __shared__ __align__(16) char memory[];
  CudaBlock block{int(blockIdx.x)};
  kernel(block, *reinterpret_cast<typename Kernel::Shared*>(memory));
}

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
    cudaStreamSynchronize(stream_);  // after an error kernels may still run that are unloaded here
    game_.reset();
    destroy(fft_streams_);
  }

  std::string describe() const override {
    return "cuda " + std::to_string(index_) + " (" + properties().name + ")";
  }
  void launch(int kernel, const void* arguments, std::size_t, int blocks) override {
    check_stop();
    launch_listed(Kernels{}, kernel, arguments, blocks);
  }
  void transform(std::span<const FftLines> jobs, i32 units) override {
    check_stop();
    KILN_CUDA_CHECK(launch_fft(jobs, units, fft_streams_, stream_));
  }
  i32 picture_tile(i32 width) const override { return width >= 4096 ? 4 : 0; }
  void transform(const FftLines& job) override {
    check_stop();
    if (job.lines > 0) KILN_CUDA_CHECK(launch_fft(job, stream_));
  }

  int units_at_once() const override { return properties().multiProcessorCount * 2; }
  void choose_game(Game game) override {
    if (game_ && game == chosen_) return;  // it keeps its kernels
    game_ = make_cuda_game(*this, game);
    chosen_ = game;
  }
  DeviceGame& game() const override { return *game_; }

 private:
  template <class Kernel>
  void launch_one(const void* arguments, int blocks) {
    const Kernel& kernel = *static_cast<const Kernel*>(arguments);
    if constexpr (sizeof(typename Kernel::Shared) > 48 * 1024) {
      KILN_CUDA_CHECK(cudaFuncSetAttribute(run_plain<Kernel>,
                                           cudaFuncAttributeMaxDynamicSharedMemorySize,
                                           int(sizeof(typename Kernel::Shared))));
    }
    run_plain<<<u32(blocks), Kernel::lanes, sizeof(typename Kernel::Shared), stream_>>>(kernel);
    KILN_CUDA_CHECK(cudaGetLastError());
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
  int count = 0;
  const cudaError_t error = count_gpus(count);
  const int ordinal = gpu_ordinal(index);
  if (error != cudaSuccess || ordinal < 0 || ordinal >= count) {
    if (!required) return nullptr;
    device_error(error != cudaSuccess && index == 0
                     ? std::string("no CUDA device: ") + cudaGetErrorString(error) +
                           "; install NVIDIA's driver or use --backend cpu"
                     : "there is no CUDA device " + std::to_string(index) + "; see `kiln devices`");
  }
  return std::make_unique<CudaDevice>(index, ordinal);
}

std::unique_ptr<CudaMemory> open_cuda_seat(const CudaMemory& other, std::uint64_t share) {
  return std::make_unique<CudaDevice>(other, share);
}

}  // namespace kiln
