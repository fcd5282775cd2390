// Where flame coordinates land in the buffer, and the tiles that the buffer is sorted by.
#pragma once

#include "engine/program/compiled_flame.h"

namespace kiln {

/// Appends the camera of a time sample; `size` is the flame that has the picture's size. `tilted`: depth is
/// seen, and the way to the picture begins with a DepthView. Throws Error of kind input where it
/// magnifies beyond what floats hold.
void compile_camera(const CompiledTimeSamples::View& view, bool tilted, const Flame& size,
                    const PlotArea& area, CompiledFlame& out);

/// From now on only these rows of the buffer are plotted: what is above and below counts as outside
/// of the picture. Their tiles are of 64 x 64 pixels, or larger where that would be more of them than
/// a device sorts well.
void plot_rows(int top, int height, CompiledFlame& flame);

}  // namespace kiln
