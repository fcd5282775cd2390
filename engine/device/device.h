// SPDX-License-Identifier: MIT
// A device holds memory and runs kernels: the CPU (threads) or a CUDA GPU. Only the files of this
// folder know which.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "engine/api/kiln/device_info.h"
#include "engine/api/kiln/render_options.h"
#include "engine/device/game.h"
#include "kernels/fft.h"
#include "kernels/kernels.h"

namespace kiln {

/// Every device that can render here, the CPU first.
std::vector<DeviceInfo> list_devices();

class Device {
 public:
  virtual ~Device() = default;
  virtual std::string describe() const = 0;

  virtual void* allocate(std::size_t bytes) = 0;
  virtual void release(void* memory) = 0;
  /// Released memory that waits for more of its size goes back to the system: no more will come.
  virtual void free_waiting() {}
  virtual void upload(void* to, const void* from, std::size_t bytes) = 0;
  virtual void download(void* to, const void* from, std::size_t bytes) = 0;
  virtual void clear(void* memory, std::size_t bytes) = 0;
  /// Runs a kernel of the list; returns when it is done (CPU) or queued (CUDA); later calls see its
  /// results.
  virtual void launch(int kernel, const void* arguments, std::size_t argument_bytes,
                      int blocks) = 0;
  /// Transforms lines (kernels/fft.h); queued like a launch. engine/fft/ makes the jobs.
  virtual void transform(const FftLines& job) = 0;
  /// Several jobs in turn, each with what the last one wrote. Their lines fall into `units` equal
  /// parts, and a part touches nothing but what the same part of the other jobs does: a device may
  /// take part after part through all jobs, while it is in cache.
  virtual void transform(std::span<const FftLines> jobs, [[maybe_unused]] i32 units) {
    for (const FftLines& job : jobs) transform(job);
  }
  /// The number of pixels of a picture's row that a convolution keeps together between rows and
  /// columns, a power of two; 0: rows stay whole. `width`: of the padded picture.
  virtual i32 picture_tile([[maybe_unused]] i32 width) const { return 0; }
  virtual void wait() = 0;
  /// Makes it the device of the calling thread: for whoever takes over one that another thread
  /// opened or used.
  virtual void use() {}
  /// sums [count] += others [count], which lie in the memory of `other`, or = them. Both devices
  /// have done what was queued before; returns when it is done.
  virtual void add_sums(std::uint64_t* sums, Device& other, const std::uint64_t* others,
                        std::size_t count);
  virtual void copy_sums(std::uint64_t* sums, Device& other, const std::uint64_t* others,
                         std::size_t count);
  virtual std::uint64_t free_memory_bytes() const = 0;

  /// The number of units of the chaos game that it works on at once: fewer leave parts of it idle.
  virtual int units_at_once() const = 0;
  /// Sets how games are played, permutation at first; between games. Throws Error (device) if the
  /// device cannot.
  virtual void choose_game(Game game) = 0;
  virtual DeviceGame& game() const = 0;

  template <class Kernel>
  void launch(const Kernel& kernel, int blocks) {
    launch(kernel_id<Kernel>, &kernel, sizeof kernel, blocks);
  }

  /// Makes work end with Error (stopped) soon after this token asks for it; results that it wrote
  /// then mean nothing.
  void watch(const std::stop_token& token);
  /// Throws Error (stopped) if it was asked for.
  void check_stop() const;
  /// Called with the kernel's number, or one of these, and the share of its launch done, 0..1.
  using Listener = std::function<void(int kernel, double done)>;
  static constexpr int transforming = -1, playing = -2, other_work = -3;
  /// Sets a listener that the launching thread calls while a launch goes on, after each piece that
  /// it did itself. What the listener throws ends the launch. A GPU, whose launches are short, does
  /// not call it.
  void hear(Listener listener) { listener_ = std::move(listener); }

 protected:
  /// Reports piece `piece` of `pieces` by worker `worker`, of which 0 is the thread that launches.
  void tell(int kernel, int piece, int pieces, int worker) const {
    if (worker == 0 && listener_) listener_(kernel, double(piece + 1) / pieces);
  }
  /// A flag, not 0 when the stop was asked for; several threads use it as an atomic number.
  std::uint32_t stop_asked_ = 0;

 private:
  std::optional<std::stop_callback<std::function<void()>>> watching_;
  Listener listener_;
};

/// Throws Error (usage) for more threads than 4096, or less than 0 (all cores).
void check_threads(int threads);

/// Opens the device that the options ask for. Throws Error (device) with the remedy when it is not
/// there, and Error (usage) for a number of threads that nobody has.
std::unique_ptr<Device> open_device(const RenderOptions& options);

/// Throws Error (device); for the CUDA files, which include no formatting library.
[[noreturn]] void device_error(const std::string& message);

std::unique_ptr<Device> open_cpu(int threads);
/// Opens GPU `index`; null if there is no driver or GPU and `required` is false.
std::unique_ptr<Device> open_cuda(int index, bool required);
/// Throws Error (device) in a child of fork() whose parent has used CUDA, as all of CUDA does.
std::vector<DeviceInfo> list_cuda_devices();
/// Says why there is no GPU that can be used, or not all can, with the remedy; empty: nothing is wrong.
std::string cuda_problem();
/// Leaves the process only these GPUs, by their numbers: the driver takes 0.1 to 0.2 s for each
/// that it sees. A program calls it at its start, before anything else of CUDA; numbers stay what
/// they were. Does nothing where CUDA_VISIBLE_DEVICES has chosen already.
void see_cuda_devices(const std::vector<int>& indices);

/// An owned array in a device's memory.
template <class T>
class DeviceArray {
 public:
  DeviceArray() = default;
  DeviceArray(Device& device, std::size_t count)
      : device_(&device),
        data_(static_cast<T*>(device.allocate(count * sizeof(T)))),
        count_(count) {}
  DeviceArray(Device& device, const std::vector<T>& values) : DeviceArray(device, values.size()) {
    device.upload(data_, values.data(), values.size() * sizeof(T));
  }
  DeviceArray(DeviceArray&& other) noexcept { *this = std::move(other); }
  DeviceArray& operator=(DeviceArray&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(data_, other.data_);
    std::swap(count_, other.count_);
    return *this;
  }
  ~DeviceArray() {
    if (data_) device_->release(data_);
  }

  T* data() const { return data_; }
  std::size_t size() const { return count_; }
  void clear() { device_->clear(data_, count_ * sizeof(T)); }
  std::vector<T> download() const {
    std::vector<T> values(count_);
    device_->download(values.data(), data_, count_ * sizeof(T));
    return values;
  }

 private:
  Device* device_ = nullptr;
  T* data_ = nullptr;
  std::size_t count_ = 0;
};

}  // namespace kiln
