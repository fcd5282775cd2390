// From a Flame to a picture. renderer.cpp reads top to bottom as the algorithm; docs/algorithm.md
// explains it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/model/frame.h"
#include "engine/render/accumulate/checkpoint.h"

namespace kiln {

/// Throws Error (usage) for options that contradict each other, whatever the frame.
void check_options(const RenderOptions& options);

/// A frame whose work on the host is done (engine/render/plan/prepared_frame.h).
struct PreparedFrame;
class Device;
class DevicePicture;

/// A frame of a film that is cleaned, with those around it whose counts join its own, in the order of
/// time. The same frame is the same object in each of its windows: so it is played once.
struct FilmWindow {
  std::vector<std::shared_ptr<const PreparedFrame>> frames;
  std::size_t own = 0;
};

/// Renders frame after frame on one device, and keeps it: its memory, permutations and compiled
/// kernels serve all frames. One thread at a time.
class Renderer {
 public:
  /// Opens the device. Throws Error (device), and what check_options throws.
  explicit Renderer(const RenderOptions& options);
  /// On a device that is open, whatever the options say of it.
  Renderer(const RenderOptions& options, std::unique_ptr<Device> device);
  ~Renderer();

  /// Other pictures on the same device. Throws what check_options throws, and Error (usage) for
  /// another backend, device or number of threads.
  void change(const RenderOptions& options);
  /// "cpu (x86-64-v3, 2 threads)" or "cuda 0 (NVIDIA H200)"
  std::string device() const;
  /// Pixels of 8 bits stay there from now on, and images are without; null: they come back. Not
  /// of pictures that are made in stripes.
  void render_into(DevicePicture* place);
  Renderer(Renderer&&) noexcept;
  Renderer& operator=(Renderer&&) noexcept;

  /// A frame made ready for these options; refused at once where it cannot fit.
  PreparedFrame prepare(const Frame& still) const;
  /// Throws Error (device) where it cannot.
  void check_fits(const Frame& still) const;
  /// Throws Error; another frame may be rendered after it. Same frame, seed and format give the
  /// same pixels on every device. Without rows where another rank gets the picture.
  Image render(const Frame& frame, RenderStatistics* statistics = nullptr);
  /// The same for a frame that prepare() got ready with these options, perhaps on another thread.
  Image render(const PreparedFrame& frame, RenderStatistics* statistics = nullptr);
  /// The same for a frame of a film, by its window; what later windows need of it stays meanwhile.
  Image render(const FilmWindow& window, RenderStatistics* statistics = nullptr);
  /// The same for a still whose sums are kept. Nothing where it was stopped, or is a shard of the
  /// picture that the sums do not complete: then `checkpoint` has what there is.
  std::optional<Image> render(const PreparedFrame& frame, Checkpoint& checkpoint,
                              RenderStatistics* statistics = nullptr);

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

/// Renders one still: a Renderer for one picture.
Image render(const Flame& flame, const RenderOptions& options,
             RenderStatistics* statistics = nullptr);

// What does not go together in a render: one table, each row with its reason and what to do instead.
// Whatever else forbids a combination has it from here; docs/devices.md lists the rows for users.

/// Throws Error (usage) for a frame that cannot be rendered with these options. `checkpoint`: null where
/// nobody keeps its sums. check_options() (renderer.h) knows what no frame at all can have.
void check_together(const PreparedFrame& frame, const RenderOptions& options,
                    const Checkpoint* checkpoint);

}  // namespace kiln
