// SPDX-License-Identifier: MIT
// A window's picture where the GPU that renders it draws it: CUDA asks the driver, no library of
// OpenGL is needed.
#include <algorithm>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/gpus.h"
#include "engine/device/device_picture.h"

namespace kiln {
namespace {

class CudaWindowBuffer : public WindowBuffer {
 public:
  CudaWindowBuffer(int ordinal, unsigned buffer) : ordinal_(ordinal) {
    KILN_CUDA_CHECK(use_gpu(ordinal));
    // not behind what is rendered meanwhile, as the default stream would be
    KILN_CUDA_CHECK(cuda().make_stream(&stream_, Driver::own_pace));
    const int result = cuda().gl_buffer(&resource_, buffer, Driver::write_discard);
    if (result == Driver::success) return;
    cuda().destroy_stream(stream_);
    KILN_CUDA_CHECK(result);
  }
  ~CudaWindowBuffer() override {
    use_gpu(ordinal_);
    cuda().gl_unregister(resource_);
    cuda().destroy_stream(stream_);
  }
  void fill(const void* from, std::size_t bytes) override {
    void* to = nullptr;
    std::size_t room = 0;
    KILN_CUDA_CHECK(use_gpu(ordinal_));
    KILN_CUDA_CHECK(cuda().gl_map(1, &resource_, stream_));
    int copied = cuda().gl_pointer(&to, &room, resource_);
    if (copied == Driver::success && room >= bytes) copied = cuda().copy(to, from, bytes, stream_);
    const int unmapped = cuda().gl_unmap(1, &resource_, stream_);  // or OpenGL may not draw it
    KILN_CUDA_CHECK(copied);
    KILN_CUDA_CHECK(unmapped);
    if (room < bytes) device_error("a window's buffer is too small for its picture");
    KILN_CUDA_CHECK(cuda().wait_stream(stream_));
  }

 private:
  const int ordinal_;
  CudaStream stream_ = nullptr;
  CudaGraphics resource_ = nullptr;
};

/// Whether the driver has what windows need.
bool knows_windows() {
  const Driver& driver = cuda();
  return driver.gl_devices && driver.gl_buffer && driver.gl_unregister && driver.gl_map &&
         driver.gl_unmap && driver.gl_pointer;
}

}  // namespace

bool draws_windows(int index) {
  constexpr unsigned most = 16;
  unsigned count = 0;
  int devices[most] = {}, device = 0;
  std::string reason;
  if (count_gpus(reason) <= gpu_ordinal(index) || gpu_ordinal(index) < 0 || !knows_windows() ||
      cuda().device(&device, gpu_ordinal(index)) != Driver::success ||
      cuda().gl_devices(&count, devices, most, Driver::all_gl_devices) != Driver::success)
    return false;
  for (unsigned i = 0; i < std::min(count, most); ++i)
    if (devices[i] == device) return true;
  return false;
}

std::unique_ptr<WindowBuffer> open_window_buffer(int index, unsigned buffer) {
  return std::make_unique<CudaWindowBuffer>(gpu_ordinal(index), buffer);
}

}  // namespace kiln
