// SPDX-License-Identifier: MIT
// NVIDIA's driver, found and loaded when somebody first asks for a GPU: kiln starts and works without
// it, and links nothing of CUDA. The functions used are declared here by hand, as the driver API
// documents them, so that no CUDA header is needed. A second maker's driver with the same functions
// under other names would be another list of names.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace kiln {

using CudaContext = struct CudaContextTag*;
using CudaStream = struct CudaStreamTag*;
using CudaEvent = struct CudaEventTag*;
using CudaModule = struct CudaModuleTag*;
using CudaFunction = struct CudaFunctionTag*;
using CudaGraphics = struct CudaGraphicsTag*;  // a buffer of OpenGL that CUDA knows

/// A launch as cuLaunchKernelEx takes it, with one attribute.
struct CudaLaunch {
  struct Attribute {
    int id = 0;
    char pad[4] = {};
    union {
      char all[64];
      int allowed;
    } value = {};
  };
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  unsigned shared_bytes = 0;
  CudaStream stream = nullptr;
  Attribute* attributes = nullptr;
  unsigned attribute_count = 0;
};

/// The driver's functions. All give a result code; addresses in a GPU's memory, which the driver
/// takes as 64-bit numbers, are pointers here.
struct Driver {
  // result codes
  static constexpr int success = 0, invalid_value = 1, out_of_memory = 2, deinitialized = 4,
                       no_device = 100, invalid_device = 101, no_code = 209, bad_ptx = 222,
                       peer_already_enabled = 704, not_supported = 801;
  // attributes of a device
  static constexpr int multiprocessors = 16, l2_bytes = 38, major = 75, minor = 76,
                       shared_multiprocessor = 81, shared_block = 97, reserved_shared_block = 111;
  // of a function, a stream, an event, a launch, a buffer of OpenGL; which GPUs draw
  static constexpr int most_dynamic_shared = 8;
  static constexpr unsigned own_pace = 1;  // a stream does not wait for stream 0
  static constexpr unsigned blocking_sync = 1, no_timing = 2;
  static constexpr int starts_early = 6;
  static constexpr unsigned write_discard = 2;
  static constexpr unsigned all_gl_devices = 1;

  int (*init)(unsigned flags);
  int (*version)(int*);
  int (*error_name)(int, const char**);
  int (*error_text)(int, const char**);
  int (*device_count)(int*);
  int (*device)(int* device, int ordinal);
  int (*device_name)(char*, int bytes, int device);
  int (*device_memory)(std::size_t*, int device);
  int (*device_attribute)(int*, int attribute, int device);
  int (*can_access_peer)(int* can, int device, int peer);
  int (*retain_context)(CudaContext*, int device);
  int (*set_context)(CudaContext);
  int (*enable_peer)(CudaContext peer, unsigned flags);

  int (*allocate)(void**, std::size_t);
  int (*free)(void*);
  int (*allocate_host)(void**, std::size_t, unsigned flags);
  int (*free_host)(void*);
  int (*memory_info)(std::size_t* free, std::size_t* total);
  int (*upload)(void* to, const void* from, std::size_t, CudaStream);
  int (*download)(void* to, const void* from, std::size_t, CudaStream);
  int (*copy)(void* to, const void* from, std::size_t, CudaStream);
  int (*copy_peer)(void* to, CudaContext, const void* from, CudaContext, std::size_t, CudaStream);
  int (*fill)(void*, unsigned char, std::size_t, CudaStream);

  int (*make_stream)(CudaStream*, unsigned flags);
  int (*destroy_stream)(CudaStream);
  int (*wait_stream)(CudaStream);
  int (*stream_waits)(CudaStream, CudaEvent, unsigned flags);
  int (*make_event)(CudaEvent*, unsigned flags);
  int (*destroy_event)(CudaEvent);
  int (*record_event)(CudaEvent, CudaStream);
  int (*wait_event)(CudaEvent);

  int (*load_module)(CudaModule*, const void* image);
  int (*unload_module)(CudaModule);
  int (*find_function)(CudaFunction*, CudaModule, const char* name);
  int (*set_function)(CudaFunction, int attribute, int value);
  int (*launch)(CudaFunction, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                unsigned block_y, unsigned block_z, unsigned shared_bytes, CudaStream,
                void** arguments, void** extra);
  int (*launch_with)(const CudaLaunch*, CudaFunction, void** arguments, void** extra);

  int (*gl_devices)(unsigned* count, int* devices, unsigned most, unsigned list);
  int (*gl_buffer)(CudaGraphics*, unsigned buffer, unsigned flags);
  int (*gl_unregister)(CudaGraphics);
  int (*gl_map)(unsigned count, CudaGraphics*, CudaStream);
  int (*gl_unmap)(unsigned count, CudaGraphics*, CudaStream);
  int (*gl_pointer)(void**, std::size_t* bytes, CudaGraphics);
};

/// Loads the driver's library at the first call; false, and why, if it is missing, lacks a function
/// or is too old for the code that kiln has inside. Threads may call it.
bool load_driver(std::string& reason);
/// The newest CUDA that the driver knows (13000: 13.0); 0: none is loaded.
int driver_cuda_version();
/// The driver, which load_driver() has loaded.
const Driver& cuda();

/// The driver's words for a result code.
std::string cuda_text(int result);

/// A version of CUDA as people write it: 12080 is 12.8.
std::string cuda_version_text(int version);

}  // namespace kiln
