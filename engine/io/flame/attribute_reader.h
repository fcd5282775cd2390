// Reads the attributes of <flame> itself, which engine/model/flame_attributes.h lists, and checks what
// needs several of them. flam3-format.md section 2.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/flame.h"

namespace kiln {

/// Bytes that are kept of who made a flame and where more of it is.
inline constexpr std::size_t max_credit_bytes = 1024;

/// What <flame> says beyond the model: it is carried out once the children are read.
struct DeferredAttributes {
  std::optional<int> library_palette;  // replaces whatever the children say
  int solo_xform = -1;                 // from 0; the others become invisible
  std::optional<double> angle_rad;     // Apophysis: in place of rotate
  bool density_estimation = false;     // Apophysis: estimator_radius counts
  double scale_factor = 1;             // JWildfire: cam_zoom
};

/// Puts one attribute into the flame. What kiln does not have goes into Flame::missing, what nobody
/// knows is reported.
void take_flame_attribute(const Attribute& attribute, Flame& flame, DeferredAttributes& deferred);

/// Throws Error for a flame that cannot be rendered: nothing to iterate, sizes and radii that
/// contradict each other.
void check_flame(const Flame& flame, const Messages& messages);

/// The part of it that looks at attributes alone.
void check_attributes(const Flame& flame, const Messages& messages);

}  // namespace kiln
