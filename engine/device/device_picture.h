// SPDX-License-Identifier: MIT
// The newest picture where it was made: packed pixels that stay in a device's memory, for a window
// that the same GPU draws. The thread that renders writes it, the one of the window reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

#include "engine/device/device.h"

namespace kiln {

// A pixel buffer object of OpenGL that CUDA writes, so that what the GPU renders and shows never
// leaves it. All of it on the thread of the window, whose OpenGL context is current.

class WindowBuffer {
 public:
  virtual ~WindowBuffer() = default;
  /// Copies from the GPU's memory; returns when it is done. Throws Error (device).
  virtual void fill(const void* from, std::size_t bytes) = 0;
};

/// Whether GPU `index` draws the windows here: not in builds without CUDA or OpenGL's headers.
bool draws_windows(int index);
/// Opens a buffer that OpenGL knows by this number and that has its size. Throws Error (device).
std::unique_ptr<WindowBuffer> open_window_buffer(int index, unsigned buffer);

class DevicePicture {
 public:
  /// A copy of packed pixels [height, width, 4] in the device's memory, which may be read to the
  /// next eight bytes.
  void take(Device& device, const void* rgba, int width, int height) {
    const std::lock_guard lock(mutex_);
    const std::size_t words = (std::size_t(width) * std::size_t(height) * 4 + 7) / 8;
    if (words > rgba_.size()) {
      rgba_ = {};
      rgba_ = {device, words};
    }
    device.copy_sums(rgba_.data(), device, static_cast<const std::uint64_t*>(rgba), words);
    width_ = width;
    height_ = height;
  }
  /// body(rgba, width, height), if there is a picture; meanwhile no other comes.
  template <class Body>
  void read(Body body) {
    const std::lock_guard lock(mutex_);
    if (rgba_.size() > 0) body(rgba_.data(), width_, height_);
  }
  /// Gives its memory back, which has to be before the devices go that made pictures.
  void clear() {
    const std::lock_guard lock(mutex_);
    rgba_ = {};
  }

 private:
  std::mutex mutex_;                 // of what follows
  DeviceArray<std::uint64_t> rgba_;  // [height, width, 4] bytes, or more room
  int width_ = 0, height_ = 0;
};

}  // namespace kiln
