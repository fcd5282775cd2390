// SPDX-License-Identifier: MIT
// Only the header of OpenGL that CUDA's own wants is needed, no library: CUDA asks the driver.
#include "engine/device/cuda/check.cuh"
#include "engine/device/cuda/gpus.h"
#include "engine/device/device_picture.h"
#if __has_include(<GL/gl.h>)
#include <cuda_gl_interop.h>
#endif

namespace kiln {

#if __has_include(<GL/gl.h>)
namespace {

class CudaWindowBuffer : public WindowBuffer {
 public:
  CudaWindowBuffer(int ordinal, unsigned buffer) {
    KILN_CUDA_CHECK(cudaSetDevice(ordinal));
    // not behind what is rendered meanwhile, as the default stream would be
    KILN_CUDA_CHECK(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    KILN_CUDA_CHECK(
        cudaGraphicsGLRegisterBuffer(&resource_, buffer, cudaGraphicsRegisterFlagsWriteDiscard));
  }
  ~CudaWindowBuffer() override {
    if (resource_) cudaGraphicsUnregisterResource(resource_);
    cudaStreamDestroy(stream_);
  }
  void fill(const void* from, std::size_t bytes) override {
    void* to = nullptr;
    std::size_t room = 0;
    KILN_CUDA_CHECK(cudaGraphicsMapResources(1, &resource_, stream_));
    KILN_CUDA_CHECK(cudaGraphicsResourceGetMappedPointer(&to, &room, resource_));
    if (room < bytes) device_error("a window's buffer is too small for its picture");
    KILN_CUDA_CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream_));
    KILN_CUDA_CHECK(cudaGraphicsUnmapResources(1, &resource_, stream_));
    KILN_CUDA_CHECK(cudaStreamSynchronize(stream_));
  }

 private:
  cudaStream_t stream_ = nullptr;
  cudaGraphicsResource_t resource_ = nullptr;
};

}  // namespace

bool draws_windows(int index) {
  constexpr unsigned most = 16;
  unsigned count = 0;
  int ordinals[most] = {};
  if (cudaGLGetDevices(&count, ordinals, most, cudaGLDeviceListAll) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  for (unsigned i = 0; i < count; ++i)
    if (ordinals[i] == gpu_ordinal(index)) return true;
  return false;
}

std::unique_ptr<WindowBuffer> open_window_buffer(int index, unsigned buffer) {
  return std::make_unique<CudaWindowBuffer>(gpu_ordinal(index), buffer);
}
#else
bool draws_windows(int) { return false; }
std::unique_ptr<WindowBuffer> open_window_buffer(int, unsigned) {
  device_error("this kiln was built without the headers of OpenGL");
}
#endif

}  // namespace kiln
