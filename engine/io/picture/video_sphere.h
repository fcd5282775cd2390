// SPDX-License-Identifier: MIT
// Films of whole spheres (docs/use/sphere.md) say so to players, which turn them with the head or the hand: the boxes
// st3d and sv3d of Spherical Video V2 behind the codec of an MP4 or MOV. ffmpeg cannot be asked for them.
#pragma once

#include <string>

namespace kiln {

/// Whether films of this name can say so.
bool can_say_sphere(const std::string& path);

/// Puts the boxes into a finished film, and moves what is behind them. Throws Error (output).
void say_sphere(int file);

}  // namespace kiln
