// SPDX-License-Identifier: MIT
#include "engine/device/cuda/gpus.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <mutex>
#include <type_traits>
#include <vector>

#include "engine/base/platform/process.h"
#include "engine/device/cuda/check.h"
#include "engine/device/cuda/device_code.h"
#include "engine/device/device.h"

namespace kiln {
namespace {

/// The numbers of the GPUs that see_cuda_devices() left; empty: all are seen.
std::vector<int> seen_devices;

/// The process that has used CUDA; 0: none yet.
std::atomic<int> cuda_process{0};

/// The primary contexts, which stay. One GPU's takes long to make: threads of the others do not wait.
std::array<CudaContext, most_gpus> contexts{};
std::array<std::mutex, most_gpus> context_mutexes;

thread_local int used_gpu = -1;

}  // namespace

void check_cuda_process() {
  if (cuda_process == 0 || cuda_process == process_id()) return;
  device_error(
      "CUDA does not work in a child of fork() when the parent has used it; start processes by "
      "spawn (Python: multiprocessing.get_context(\"spawn\")), or render on the CPU "
      "(--backend cpu)");
}

int count_gpus(std::string& reason) {
  check_cuda_process();
  if (!load_driver(reason)) return -1;
  int count = 0;
  int result = cuda().init(0);
  if (result == Driver::success) result = cuda().device_count(&count);
  if (result == Driver::success && count == 0) result = Driver::no_device;
  if (result != Driver::success) {
    reason = cuda_text(result) +
             "; is there an NVIDIA GPU, and does `nvidia-smi` see it? "
             "--backend cpu needs none";
    return -1;
  }
  cuda_process = process_id();
  return std::min(count, most_gpus);
}

int gpu_ordinal(int index) {
  if (seen_devices.empty()) return index;
  const auto at = std::find(seen_devices.begin(), seen_devices.end(), index);
  return at == seen_devices.end() ? -1 : int(at - seen_devices.begin());
}

void see_cuda_devices(const std::vector<int>& indices) {
  if (std::getenv("CUDA_VISIBLE_DEVICES") || !has_device_code()) return;
  std::string list;
  for (const int index : indices) {
    if (std::find(seen_devices.begin(), seen_devices.end(), index) != seen_devices.end()) continue;
    list += (list.empty() ? "" : ",") + std::to_string(index);
    seen_devices.push_back(index);
  }
  set_variable("CUDA_VISIBLE_DEVICES", list);
}

int context_of_gpu(int ordinal, CudaContext& context) {
  if (ordinal < 0 || ordinal >= most_gpus) return Driver::invalid_device;
  const std::lock_guard lock(context_mutexes[std::size_t(ordinal)]);
  CudaContext& kept = contexts[std::size_t(ordinal)];
  int result = Driver::success;
  if (!kept) {
    int device = 0;
    result = cuda().device(&device, ordinal);
    if (result == Driver::success) result = cuda().retain_context(&kept, device);
  }
  context = kept;
  return result;
}

int use_gpu(int ordinal) {
  CudaContext context = nullptr;
  const int result = context_of_gpu(ordinal, context);
  if (result != Driver::success) return result;
  const int set = cuda().set_context(context);
  used_gpu = set == Driver::success ? ordinal : -1;
  return set;
}

int gpu_in_use() { return used_gpu; }

int read_properties(int ordinal, GpuProperties& properties) {
  int device = 0;
  int result = cuda().device(&device, ordinal);
  const auto read = [&](auto& to, int attribute) {
    int value = 0;
    if (result == Driver::success) result = cuda().device_attribute(&value, attribute, device);
    to = std::decay_t<decltype(to)>(value);
  };
  read(properties.major, Driver::major);
  read(properties.minor, Driver::minor);
  read(properties.multiprocessors, Driver::multiprocessors);
  read(properties.l2_bytes, Driver::l2_bytes);
  read(properties.shared_block, Driver::shared_block);
  read(properties.shared_multiprocessor, Driver::shared_multiprocessor);
  read(properties.reserved_shared_block, Driver::reserved_shared_block);
  char name[256] = {};
  if (result == Driver::success) result = cuda().device_name(name, int(sizeof name) - 1, device);
  properties.name = name;
  std::size_t bytes = 0;
  if (result == Driver::success) result = cuda().device_memory(&bytes, device);
  properties.memory_bytes = bytes;
  return result;
}

bool fits_device_code(int capability) {
  const std::vector<int>& archs = device_code_archs();
  if (archs.empty()) return true;  // a driver of tests
  if (std::any_of(archs.begin(), archs.end(),
                  [&](int arch) { return arch / 10 == capability / 10 && arch <= capability; }))
    return true;
  int version = 0;  // PTX is compiled by drivers that know all of its compiler's CUDA
  return capability > archs.back() && cuda().version(&version) == Driver::success &&
         version >= ptx_cuda_version;
}

std::string too_old_gpu(const GpuProperties& properties) {
  if (properties.capability() > device_code_archs().back())
    return fmt::format(
        "{} has compute capability {}.{}, for which NVIDIA's driver has to compile kiln's code, "
        "and "
        "it is too old: this needs one that knows CUDA {}; install it or use --backend cpu",
        properties.name, properties.major, properties.minor, cuda_version_text(ptx_cuda_version));
  std::string archs;
  for (const int arch : device_code_archs())
    archs += fmt::format("{}{}.{}", archs.empty() ? "" : ", ", arch / 10, arch % 10);
  return fmt::format(
      "{} has compute capability {}.{}, and this kiln has code for {} and later; build kiln with "
      "-DKILN_CUDA_ARCHS={} or use --backend cpu",
      properties.name, properties.major, properties.minor, archs, properties.capability());
}

std::vector<DeviceInfo> list_cuda_devices() {
  std::vector<DeviceInfo> devices;
  std::string reason;
  const int count = count_gpus(reason);
  for (int i = 0; i < count; ++i) {
    GpuProperties gpu;
    if (read_properties(i, gpu) != Driver::success || !fits_device_code(gpu.capability())) continue;
    const int index = seen_devices.empty() ? i : seen_devices[std::size_t(i)];
    devices.push_back({"cuda", index, gpu.name, gpu.memory_bytes,
                       fmt::format("compute capability {}.{}", gpu.major, gpu.minor),
                       gpu.capability()});
  }
  return devices;
}

std::string cuda_problem() {
  std::string reason;
  const int count = count_gpus(reason);
  if (count < 0) return reason;
  for (int i = 0; i < count; ++i) {
    GpuProperties gpu;
    const int result = read_properties(i, gpu);
    if (result != Driver::success)
      reason = fmt::format("GPU {}: {}", i, cuda_text(result));
    else if (!fits_device_code(gpu.capability()))
      reason = too_old_gpu(gpu);
  }
  return reason;
}

bool reach_peer(int mine, int other) {
  if (mine == other) return true;
  int can = 0, my_device = 0, other_device = 0;
  const Driver& driver = cuda();
  CudaContext peer = nullptr;
  if (driver.device(&my_device, mine) != Driver::success ||
      driver.device(&other_device, other) != Driver::success ||
      driver.can_access_peer(&can, my_device, other_device) != Driver::success || !can ||
      context_of_gpu(other, peer) != Driver::success)
    return false;
  const int result = driver.enable_peer(peer, 0);  // what is on already is an error as well
  return result == Driver::success || result == Driver::peer_already_enabled;
}

}  // namespace kiln
