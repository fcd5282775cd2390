// SPDX-License-Identifier: MIT
// What engine/device/cuda/driver.h declares by hand is what CUDA's own header says; compiled where
// there is that header (a build with nvcc).
#include <cuda.h>
#include <cudaGL.h>
#include <gtest/gtest.h>

#include <cstddef>

#include "engine/device/cuda/driver.h"

namespace kiln::test {
namespace {

template <class Ours, class Theirs>
struct Alike {
  static constexpr bool value = false;
};
template <class... Ours, class... Theirs>
struct Alike<int (*)(Ours...), CUresult (*)(Theirs...)> {
  static constexpr bool value = [] {
    if constexpr (sizeof...(Ours) == sizeof...(Theirs))
      return ((sizeof(Ours) == sizeof(Theirs)) && ...);
    else
      return false;
  }();
};
#define KILN_ALIKE(member, function) \
  static_assert(Alike<decltype(Driver::member), decltype(&function)>::value)

KILN_ALIKE(init, cuInit);
KILN_ALIKE(version, cuDriverGetVersion);
KILN_ALIKE(error_name, cuGetErrorName);
KILN_ALIKE(error_text, cuGetErrorString);
KILN_ALIKE(device_count, cuDeviceGetCount);
KILN_ALIKE(device, cuDeviceGet);
KILN_ALIKE(device_name, cuDeviceGetName);
KILN_ALIKE(device_memory, cuDeviceTotalMem);
KILN_ALIKE(device_attribute, cuDeviceGetAttribute);
KILN_ALIKE(can_access_peer, cuDeviceCanAccessPeer);
KILN_ALIKE(retain_context, cuDevicePrimaryCtxRetain);
KILN_ALIKE(set_context, cuCtxSetCurrent);
KILN_ALIKE(enable_peer, cuCtxEnablePeerAccess);
KILN_ALIKE(allocate, cuMemAlloc);
KILN_ALIKE(free, cuMemFree);
KILN_ALIKE(allocate_host, cuMemHostAlloc);
KILN_ALIKE(free_host, cuMemFreeHost);
KILN_ALIKE(memory_info, cuMemGetInfo);
KILN_ALIKE(upload, cuMemcpyHtoDAsync);
KILN_ALIKE(download, cuMemcpyDtoHAsync);
KILN_ALIKE(copy, cuMemcpyDtoDAsync);
KILN_ALIKE(copy_peer, cuMemcpyPeerAsync);
KILN_ALIKE(fill, cuMemsetD8Async);
KILN_ALIKE(make_stream, cuStreamCreate);
KILN_ALIKE(destroy_stream, cuStreamDestroy);
KILN_ALIKE(wait_stream, cuStreamSynchronize);
KILN_ALIKE(stream_waits, cuStreamWaitEvent);
KILN_ALIKE(make_event, cuEventCreate);
KILN_ALIKE(destroy_event, cuEventDestroy);
KILN_ALIKE(record_event, cuEventRecord);
KILN_ALIKE(wait_event, cuEventSynchronize);
KILN_ALIKE(load_module, cuModuleLoadData);
KILN_ALIKE(unload_module, cuModuleUnload);
KILN_ALIKE(find_function, cuModuleGetFunction);
KILN_ALIKE(set_function, cuFuncSetAttribute);
KILN_ALIKE(launch, cuLaunchKernel);
KILN_ALIKE(launch_with, cuLaunchKernelEx);
KILN_ALIKE(gl_devices, cuGLGetDevices);
KILN_ALIKE(gl_buffer, cuGraphicsGLRegisterBuffer);
KILN_ALIKE(gl_unregister, cuGraphicsUnregisterResource);
KILN_ALIKE(gl_map, cuGraphicsMapResources);
KILN_ALIKE(gl_unmap, cuGraphicsUnmapResources);
KILN_ALIKE(gl_pointer, cuGraphicsResourceGetMappedPointer);

static_assert(Driver::success == CUDA_SUCCESS && Driver::invalid_value == CUDA_ERROR_INVALID_VALUE);
static_assert(Driver::out_of_memory == CUDA_ERROR_OUT_OF_MEMORY);
static_assert(Driver::no_device == CUDA_ERROR_NO_DEVICE);
static_assert(Driver::invalid_device == CUDA_ERROR_INVALID_DEVICE);
static_assert(Driver::no_code == CUDA_ERROR_NO_BINARY_FOR_GPU);
static_assert(Driver::peer_already_enabled == CUDA_ERROR_PEER_ACCESS_ALREADY_ENABLED);
static_assert(Driver::multiprocessors == CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
static_assert(Driver::l2_bytes == CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE);
static_assert(Driver::major == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR);
static_assert(Driver::minor == CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
static_assert(Driver::shared_multiprocessor ==
              CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR);
static_assert(Driver::shared_block == CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN);
static_assert(Driver::reserved_shared_block ==
              CU_DEVICE_ATTRIBUTE_RESERVED_SHARED_MEMORY_PER_BLOCK);
static_assert(Driver::most_dynamic_shared == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES);
static_assert(Driver::own_pace == CU_STREAM_NON_BLOCKING);
static_assert(Driver::blocking_sync == CU_EVENT_BLOCKING_SYNC);
static_assert(Driver::no_timing == CU_EVENT_DISABLE_TIMING);
static_assert(Driver::starts_early == CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION);
static_assert(Driver::write_discard == CU_GRAPHICS_REGISTER_FLAGS_WRITE_DISCARD);
static_assert(Driver::all_gl_devices == CU_GL_DEVICE_LIST_ALL);

static_assert(sizeof(CudaLaunch) == sizeof(CUlaunchConfig));
static_assert(offsetof(CudaLaunch, block) == offsetof(CUlaunchConfig, blockDimX));
static_assert(offsetof(CudaLaunch, shared_bytes) == offsetof(CUlaunchConfig, sharedMemBytes));
static_assert(offsetof(CudaLaunch, stream) == offsetof(CUlaunchConfig, hStream));
static_assert(offsetof(CudaLaunch, attributes) == offsetof(CUlaunchConfig, attrs));
static_assert(offsetof(CudaLaunch, attribute_count) == offsetof(CUlaunchConfig, numAttrs));
static_assert(sizeof(CudaLaunch::Attribute) == sizeof(CUlaunchAttribute));
static_assert(offsetof(CudaLaunch::Attribute, value) == offsetof(CUlaunchAttribute, value));

TEST(Driver, IsDeclaredAsDocumented) {}  // the compiler has looked

}  // namespace
}  // namespace kiln::test
