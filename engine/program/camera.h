// SPDX-License-Identifier: MIT
// The way from the flame to the buffer: the camera of each time sample (kernels/depth_view.h), and what
// projections do to the light.
#pragma once

#include "engine/program/compiled_flame.h"

namespace kiln {

/// Appends the camera of a time sample; `size` is the flame that has the picture's size. `tilted`: depth is
/// seen, and the way to the picture begins with a DepthView. Throws Error of kind input where it
/// magnifies beyond what floats hold, and for a stereo picture without perspective.
void compile_camera(const CompiledTimeSamples::View& view, bool tilted, const Flame& size,
                    const PlotArea& area, CompiledFlame& out);

/// The map of a flat camera from the flame to the buffer.
AffineD flat_camera(const CompiledTimeSamples::View& view, const Flame& size, const PlotArea& area);

/// Whether float coordinates show in the picture.
bool wants_doubles(const CompiledFlame& flame);

/// Samples that fall on an area of the picture's middle, for each that falls on it in the plane.
double thinning(const Flame& flame);

}  // namespace kiln
