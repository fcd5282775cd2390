// SPDX-License-Identifier: MIT
// From a Flame to a picture. renderer.cpp reads top to bottom as the algorithm; docs/inside/algorithm.md
// explains it.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/model/frame.h"
#include "engine/render/work.h"

namespace kiln {

class Device;

/// Renders frame after frame on one device, and keeps it: its memory, permutations and compiled
/// kernels serve all frames. One thread at a time.
class Renderer {
 public:
  /// Opens the device. Throws Error (device), and what check_options throws.
  explicit Renderer(const RenderOptions& options);
  /// Uses a device that is open, whatever the options say of devices.
  Renderer(const RenderOptions& options, std::unique_ptr<Device> device);
  ~Renderer();

  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  /// Changes the options on the same device. Throws what check_options throws, and Error (usage)
  /// for another backend, device or number of threads.
  void change(const RenderOptions& options);
  /// "cpu (x86-64-v3, 2 threads)" or "cuda 0 (NVIDIA H200)"
  std::string device() const;

  /// A frame made ready for these options; refused at once where it cannot fit.
  PreparedFrame prepare(const Frame& still) const;
  /// Throws Error (device) where it cannot.
  void check_fits(const Frame& still) const;
  /// The picture that the work asks for; none where it asks for no picture, another rank gets it,
  /// the game was stopped, or its sums are a shard that they do not complete: the checkpoint has
  /// what there is. Throws Error; another frame may be rendered after it. Same frame, seed and
  /// format give the same pixels on every device.
  std::optional<Image> make(const RenderWork& work, RenderStatistics* statistics = nullptr);
  /// The picture of a frame, ready or not, and of a film's with those around it; without rows where another
  /// rank gets it. What later windows need stays meanwhile.
  Image render(const Frame& frame, RenderStatistics* statistics = nullptr);
  Image render(const PreparedFrame& frame, RenderStatistics* statistics = nullptr);
  Image render(const FilmWindow& window, RenderStatistics* statistics = nullptr);

  /// Sums of a frame's picture that stay, for works that add to them and make pictures of them; none are there
  /// yet. Where its light needs PreparedFrame::clumps, they are measured before. The frame outlives the sums, and they
  /// are gone before the renderer is, before another frame is prepared and before a work with sums of its own: a
  /// device has one game at a time. Throws Error (device) where they do not fit.
  std::unique_ptr<PictureSums> begin(PreparedFrame& frame);
  /// PreparedFrame::clumps of the frame of sums that are being played: their game waits meanwhile.
  double measure_clumps(PictureSums& sums);
  /// The device and those that help it.
  std::string devices() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Renders one still: a Renderer for one picture.
Image render(const Flame& flame, const RenderOptions& options,
             RenderStatistics* statistics = nullptr);

}  // namespace kiln
