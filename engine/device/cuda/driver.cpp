// SPDX-License-Identifier: MIT
#include "engine/device/cuda/driver.h"

#include <fmt/format.h>

#include <mutex>

#include "engine/base/platform/process.h"
#include "engine/device/cuda/device_code.h"
#include "engine/device/test_hooks.h"

namespace kiln {
namespace {

#if defined(_WIN32)
constexpr const char* driver_library = "nvcuda.dll";
#else
constexpr const char* driver_library = "libcuda.so.1";
#endif

/// The functions by the names that libraries export, which differ from the documented ones where a
/// function has changed since.
struct Entry {
  const char* name;
  void* at;     // the place of its pointer
  bool wanted;  // kiln does without the others
};

template <class Function>
Entry entry(const char* name, Function& function, bool wanted = true) {
  return {name, static_cast<void*>(&function), wanted};
}

std::string find_functions(void* library, Driver& d) {
  const Entry entries[] = {
      entry("cuInit", d.init),
      entry("cuDriverGetVersion", d.version),
      entry("cuGetErrorName", d.error_name),
      entry("cuGetErrorString", d.error_text),
      entry("cuDeviceGetCount", d.device_count),
      entry("cuDeviceGet", d.device),
      entry("cuDeviceGetName", d.device_name),
      entry("cuDeviceTotalMem_v2", d.device_memory),
      entry("cuDeviceGetAttribute", d.device_attribute),
      entry("cuDeviceCanAccessPeer", d.can_access_peer),
      entry("cuDevicePrimaryCtxRetain", d.retain_context),
      entry("cuCtxSetCurrent", d.set_context),
      entry("cuCtxEnablePeerAccess", d.enable_peer),
      entry("cuMemAlloc_v2", d.allocate),
      entry("cuMemFree_v2", d.free),
      entry("cuMemHostAlloc", d.allocate_host),
      entry("cuMemFreeHost", d.free_host),
      entry("cuMemGetInfo_v2", d.memory_info),
      entry("cuMemcpyHtoDAsync_v2", d.upload),
      entry("cuMemcpyDtoHAsync_v2", d.download),
      entry("cuMemcpyDtoDAsync_v2", d.copy),
      entry("cuMemcpyPeerAsync", d.copy_peer),
      entry("cuMemsetD8Async", d.fill),
      entry("cuStreamCreate", d.make_stream),
      entry("cuStreamDestroy_v2", d.destroy_stream),
      entry("cuStreamSynchronize", d.wait_stream),
      entry("cuStreamWaitEvent", d.stream_waits),
      entry("cuEventCreate", d.make_event),
      entry("cuEventDestroy_v2", d.destroy_event),
      entry("cuEventRecord", d.record_event),
      entry("cuEventSynchronize", d.wait_event),
      entry("cuModuleLoadData", d.load_module),
      entry("cuModuleUnload", d.unload_module),
      entry("cuModuleGetFunction", d.find_function),
      entry("cuFuncSetAttribute", d.set_function),
      entry("cuLaunchKernel", d.launch),
      entry("cuLaunchKernelEx", d.launch_with, false),
      entry("cuGLGetDevices_v2", d.gl_devices, false),
      entry("cuGraphicsGLRegisterBuffer", d.gl_buffer, false),
      entry("cuGraphicsUnregisterResource", d.gl_unregister, false),
      entry("cuGraphicsMapResources", d.gl_map, false),
      entry("cuGraphicsUnmapResources", d.gl_unmap, false),
      entry("cuGraphicsResourceGetMappedPointer_v2", d.gl_pointer, false),
  };
  for (const Entry& one : entries) {
    void* const symbol = symbol_of(library, one.name);
    if (!symbol && one.wanted)
      return fmt::format("{} has no {}, it is too old", driver_library, one.name);
    *static_cast<void**>(one.at) = symbol;
  }
  return {};
}

Driver functions;

/// Loads the driver; gives why there is none, empty: there is one.
std::string load() {
  const std::string fake = fake_cuda_driver();
  if (fake.empty() && !has_device_code())
    return "this kiln was built without CUDA; take --backend cpu, or a kiln that is built with it "
           "(docs/use/gpu.md)";
  std::string reason;
  void* const library = open_library(fake.empty() ? driver_library : fake, reason);
  if (!library) {
    if (reason.find(driver_library) == std::string::npos)
      reason = std::string(driver_library) + ": " + reason;
    return fmt::format("NVIDIA's driver was not found ({}); install it or use --backend cpu",
                       reason);
  }
  reason = find_functions(library, functions);
  int version = 0;
  if (reason.empty() && functions.version(&version) == Driver::success &&
      version < least_cuda_version) {
    reason = fmt::format("it knows CUDA {}", cuda_version_text(version));
  }
  if (reason.empty()) return {};
  return fmt::format(
      "NVIDIA's driver is too old: {}, and this kiln needs a driver that knows CUDA {} (see "
      "`nvidia-smi`); install a newer one or use --backend cpu",
      reason, cuda_version_text(least_cuda_version));
}

}  // namespace

bool load_driver(std::string& reason) {
  static std::once_flag once;
  static std::string problem;
  std::call_once(once, [] { problem = load(); });
  reason = problem;
  return problem.empty();
}

const Driver& cuda() { return functions; }

int driver_cuda_version() {
  int version = 0;
  return functions.version && functions.version(&version) == Driver::success ? version : 0;
}

std::string cuda_text(int result) {
  const char* text = nullptr;
  if (functions.error_text && functions.error_text(result, &text) == Driver::success && text)
    return text;
  return fmt::format("CUDA's error {}", result);
}

std::string cuda_version_text(int version) {
  return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

}  // namespace kiln
