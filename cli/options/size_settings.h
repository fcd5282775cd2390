// Size, framing and quality from the command line. The framing is what of the flame's plane is
// seen: sizes keep it, and the pixels per unit follow.
#pragma once

#include <optional>

#include "cli/options/command.h"
#include "cli/options/setting_values.h"
#include "engine/model/flame.h"

namespace kiln::cli {

struct SizeSettings {
  std::optional<double> quality, quality_scale, scale, pixel_aspect;
  std::optional<int> width, height, supersample;
  std::optional<Size> size, fit, fill;
  std::optional<Window> crop;

  /// `of_pictures`: with what no file of flames can hold, the shape of pixels and the window.
  void add_to(Command& command, bool of_pictures);
  /// Applies all but the window, in the order: quality, quality_scale; supersample, pixel_aspect;
  /// one of size, fit, fill, width and height; scale. Throws Error (usage) when the result leaves
  /// the limits or does not have the window.
  void apply(Flame& flame) const;
};

}  // namespace kiln::cli
