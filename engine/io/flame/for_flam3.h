// SPDX-License-Identifier: MIT
// A flame of another program, or with what kiln alone has, as flam3 3.1.1 can say it: for flam3 itself and
// all that read its files (Fractorium, Apophysis, Chaotica).
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

struct ForFlam3 {
  Flame flame;                // of flam3's dialect
  std::vector<Missing> lost;  // what flam3 has nothing for: it is left out of the flame
};

/// Light, opacities, colors and the camera become numbers that give flam3 the picture of the flame's own
/// program, as far as flam3 has such: a filter kernel becomes the shape of its name or a Gaussian, antialiasing
/// and the glow of lone samples are left out without a word.
ForFlam3 for_flam3(const Flame& flame);

/// The flame of it. What is lost is an Error (unsupported), or if `approximate` a line to `warn`.
Flame flame_for_flam3(const Flame& flame, bool approximate,
                      const std::function<void(const std::string&)>& warn);

}  // namespace kiln
