// The newest picture where it was made: packed pixels that stay in a device's memory, for a window
// that the same GPU draws. The thread that renders writes it, the one of the window reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <mutex>

#include "engine/device/device.h"

namespace kiln {

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
