// A pixel buffer object of OpenGL that CUDA writes, so that what the GPU renders and shows never
// leaves it. All of it on the thread of the window, whose OpenGL context is current.
#pragma once

#include <cstddef>
#include <memory>

namespace kiln {

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

}  // namespace kiln
