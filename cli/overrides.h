// Options of the command line that change what the file says.
#pragma once

#include <optional>
#include <string>

#include "engine/model/flame.h"

namespace kiln::cli {

struct Overrides {
  std::optional<double> quality, quality_scale, scale, pixel_aspect;
  std::optional<int> width, height, supersample;
  std::optional<std::string> bloom, glare;  // as on the command line: "0.2,3%"
};

/// Applies them in the order: quality, quality_scale; width and height; scale; the rest. The
/// framing is kept: the pixels per unit follow the width (or the height, where it alone is given),
/// as they do in flam3 with `ss`, which is `scale`. Throws Error of kind usage when the result
/// leaves the limits.
void apply(const Overrides& overrides, Flame& flame);

}  // namespace kiln::cli
