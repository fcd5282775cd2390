// SPDX-License-Identifier: MIT
#include "engine/device/cuda/kernel.h"

#include <fmt/format.h>

#include <array>
#include <mutex>

#include "engine/base/error.h"
#include "engine/device/cuda/check.h"
#include "engine/device/cuda/code_images.h"
#include "engine/device/cuda/gpus.h"
#include "engine/device/device.h"

namespace kiln {

std::string DeviceCode::image(int capability) const {
  const std::vector<CodeImage> images = code_images(begin_, end_);
  const CodeImage* const image = image_for(images, capability);
  return image ? unpacked_code(images, *image) : "";
}

CudaFunction DeviceCode::function(const char* kernel) {
  static std::array<std::mutex, most_gpus> mutexes;  // while one GPU loads code, others go on
  const std::lock_guard lock(mutexes[std::size_t(gpu_in_use())]);
  CudaModule& kept = modules_[std::size_t(gpu_in_use())];
  if (!kept) {
    CudaModule module = nullptr;
    GpuProperties gpu;
    int result = read_properties(gpu_in_use(), gpu);
    if (result == Driver::success)
      result = cuda().load_module(&module, image(gpu.capability()).c_str());
    if (result != Driver::success)
      cuda_failed(result, fmt::format("loading the code of {}", name_), __FILE__, __LINE__);
    kept = module;
  }
  CudaFunction function = nullptr;
  const int result = cuda().find_function(&function, kept, kernel);
  if (result != Driver::success)
    cuda_failed(result, fmt::format("finding {} in the code of {}", kernel, name_), __FILE__,
                __LINE__);
  return function;
}

AnyKernel*& AnyKernel::first() {
  static AnyKernel* kernel = nullptr;
  return kernel;
}

std::vector<const AnyKernel*> AnyKernel::all() {
  std::vector<const AnyKernel*> kernels;
  for (const AnyKernel* kernel = first(); kernel; kernel = kernel->next_) kernels.push_back(kernel);
  return kernels;
}

int allow_shared(CudaFunction function, int bytes) {
  return cuda().set_function(function, Driver::most_dynamic_shared, bytes);
}

void AnyKernel::launch(u32 blocks, int shared_bytes, CudaStream stream, void** arguments,
                       bool early) {
  KILN_CHECK(gpu_in_use() >= 0, "no GPU is in use");
  OnGpu& here = on_gpu_[std::size_t(gpu_in_use())];
  CudaFunction function = here.function.load(std::memory_order_acquire);
  if (!function) {
    // one handle for all threads: what is allowed below is allowed of it
    const CudaFunction found = code_.function(name_);
    function = here.function.compare_exchange_strong(function, found) ? found : function;
  }
  int result = Driver::success;
  if (shared_bytes > here.shared_bytes.load(std::memory_order_acquire)) {
    // threads launch one kernel for different flames at the same time: the most that one asked for
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (shared_bytes > here.shared_bytes.load()) {
      result = allow_shared(function, shared_bytes);
      if (result == Driver::success) here.shared_bytes.store(shared_bytes);
    }
  }
  if (result == Driver::success && early && cuda().launch_with) {
    CudaLaunch::Attribute attribute;
    attribute.id = Driver::starts_early;
    attribute.value.allowed = 1;
    CudaLaunch launch;
    launch.grid[0] = blocks;
    launch.block[0] = threads_;
    launch.shared_bytes = unsigned(shared_bytes);
    launch.stream = stream;
    launch.attributes = &attribute;
    launch.attribute_count = 1;
    result = cuda().launch_with(&launch, function, arguments, nullptr);
  } else if (result == Driver::success) {
    result = cuda().launch(function, blocks, 1, 1, threads_, 1, 1, unsigned(shared_bytes), stream,
                           arguments, nullptr);
  }
  if (result != Driver::success)
    cuda_failed(result, fmt::format("launching {}", name_), __FILE__, __LINE__);
}

}  // namespace kiln
