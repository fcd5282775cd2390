// SPDX-License-Identifier: MIT
// Kernels by their names. The .cu files become device code that lies in the program, for each GPU an
// image (code_images.h); a kernel of them has a C name, extern "C", and the host keeps a
// Kernel for it, with the types of its arguments. Code is loaded when a kernel of it is first
// launched on a GPU, and what is found stays in the Kernel: later launches look nothing up.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "engine/device/cuda/driver.h"
#include "engine/device/cuda/gpus.h"
#include "kernels/platform.h"

namespace kiln {

/// The device code of one .cu file.
class DeviceCode {
 public:
  constexpr DeviceCode(const char* name, const char* begin, const char* end)
      : name_(name), begin_(begin), end_(end) {}
  DeviceCode(const DeviceCode&) = delete;
  DeviceCode& operator=(const DeviceCode&) = delete;

  const char* name() const { return name_; }
  const char* begin() const { return begin_; }
  const char* end() const { return end_; }
  /// The code that drivers of GPUs of a compute capability (90) take; empty: there is none for them.
  std::string image(int capability) const;
  /// A function of it for the GPU of the calling thread. Throws Error (device).
  CudaFunction function(const char* kernel);

 private:
  const char* const name_;
  const char *const begin_, *const end_;
  std::array<CudaModule, most_gpus> modules_{};  // by GPU; they stay
};

/// Declares the code of the .cu file of that name as code_NAME.
#define KILN_DEVICE_CODE(NAME)                                                \
  extern "C" const char kiln_code_##NAME##_begin[], kiln_code_##NAME##_end[]; \
  namespace kiln {                                                            \
  inline constinit DeviceCode code_##NAME(#NAME, kiln_code_##NAME##_begin,    \
                                          kiln_code_##NAME##_end);            \
  }

/// The part of a Kernel that does not know the types of its arguments.
class AnyKernel {
 public:
  /// `threads`: that its blocks have.
  /// `argument_bytes`: of all arguments together, as a kernel's parameters lie.
  AnyKernel(DeviceCode& code, const char* name, u32 threads, std::size_t argument_bytes)
      : code_(code), name_(name), threads_(threads), argument_bytes_(argument_bytes) {
    next_ = first();
    first() = this;
  }
  AnyKernel(const AnyKernel&) = delete;
  AnyKernel& operator=(const AnyKernel&) = delete;

  const DeviceCode& code() const { return code_; }
  const char* name() const { return name_; }
  u32 threads() const { return threads_; }
  std::size_t argument_bytes() const { return argument_bytes_; }

  /// All kernels that the program may ask for, for tests.
  static std::vector<const AnyKernel*> all();

 protected:
  /// Throws Error (device). `early`: it may start before the last launch has drained.
  void launch(u32 blocks, int shared_bytes, CudaStream stream, void** arguments, bool early);

 private:
  static AnyKernel*& first();

  DeviceCode& code_;
  const char* const name_;
  const u32 threads_;
  const std::size_t argument_bytes_;
  AnyKernel* next_ = nullptr;
  struct OnGpu {
    std::atomic<CudaFunction> function{nullptr};
    std::atomic<int> shared_bytes{0};  // dynamic ones, that its blocks were allowed
  };
  std::array<OnGpu, most_gpus> on_gpu_;
};

template <class... Arguments>
class Kernel : public AnyKernel {
 public:
  Kernel(DeviceCode& code, const char* name, u32 threads)
      : AnyKernel(code, name, threads, bytes_of_all()) {}

  /// Queues a launch on the GPU of the calling thread. Throws Error (device).
  void operator()(u32 blocks, int shared_bytes, CudaStream stream, const Arguments&... arguments) {
    start(blocks, shared_bytes, stream, false, arguments...);
  }
  /// The same; it may start before the last launch of the stream has drained.
  void start_early(u32 blocks, int shared_bytes, CudaStream stream, const Arguments&... arguments) {
    start(blocks, shared_bytes, stream, true, arguments...);
  }

 private:
  static constexpr std::size_t bytes_of_all() {
    std::size_t bytes = 0;
    const auto add = [&](std::size_t size, std::size_t alignment) {
      bytes = (bytes + alignment - 1) / alignment * alignment + size;
    };
    (add(sizeof(Arguments), alignof(Arguments)), ...);
    return bytes;
  }
  void start(u32 blocks, int shared_bytes, CudaStream stream, bool early,
             const Arguments&... arguments) {
    void* all[] = {const_cast<void*>(static_cast<const void*>(&arguments))...};
    launch(blocks, shared_bytes, stream, all, early);
  }
};

/// Lets blocks of a function have so much dynamic shared memory; the result is the driver's.
int allow_shared(CudaFunction function, int bytes);

}  // namespace kiln
