// SPDX-License-Identifier: MIT
// Parts of a flame that another one may take over: its look, its palette, its camera, its xforms.
#pragma once

#include <string>
#include <vector>

#include "engine/live/live_film.h"
#include "engine/model/flame.h"

namespace kiln::cli {

struct FlameParts {
  bool look = false;     // what becomes of the sums: light, curves, blur, bloom
  bool palette = false;  // with how its colors go over into each other
  bool camera = false;   // what is seen; the picture's size stays
  bool xforms = false;   // with the final ones
  bool any() const { return look || palette || camera || xforms; }
};
/// "look", "palette", "camera", "xforms". Throws Error (usage).
FlameParts parts_named(const std::vector<std::string>& names);

void take_parts(const Flame& from, const FlameParts& parts, Flame& to);
/// Each key of a film takes them. Throws Error (usage) for xforms, whose motion would be lost.
LiveDocument with_parts(const Flame& from, const FlameParts& parts, const LiveDocument& to);

}  // namespace kiln::cli
