// Quick pictures: of a flame that moves under somebody's hand, and the small ones to choose from.
#pragma once

#include "engine/model/flame.h"
#include "engine/render/renderer.h"

namespace kiln {

/// The flame as a picture of about so many pixels, never more than it has itself, made of about so
/// many samples: its framing and its look, one bucket a pixel.
Flame reduced(const Flame& flame, double pixels, double samples);

class Sketcher {
 public:
  explicit Sketcher(const RenderOptions& options) : options_(options), renderer_(options) {}

  /// 8 bits a channel; without its pixels if there is a place for them. Throws Error.
  Image sketch(const Flame& flame, double pixels, double samples, DevicePicture* place = nullptr);

 private:
  RenderOptions options_;
  Renderer renderer_;
};

}  // namespace kiln
