// SPDX-License-Identifier: MIT
// What cleaning has to know of the game before, in one number.
#pragma once

#include <cstdint>

#include "engine/render/plan/picture_buffers.h"

namespace kiln {

// How much hits come in clumps: the variance of a bucket's hits, 1 where each is by itself. Orbits
// that come back to the same bucket hit it several times or not at all, and hits of little visibility
// count for little. It belongs to the flame and its camera and not to the number of samples, so it is
// measured by two small units of the same game, played before the picture. Each of them shows all time
// samples of a frame in motion: with a half of them each, what moved would be clumps. So sums in halves
// are needed nowhere: a state, a shard's or that of a picture without cleaning, is cleaned as well.

/// The sums of MeasureClumps; those of a picture are the sum of its stripes'.
struct ClumpSums {
  std::uint64_t squares = 0, hits = 0;

  ClumpSums& operator+=(const ClumpSums& more);
  double factor() const;
};

/// Measures the rows of the picture that a frame or a stripe of it has. No game may be on the
/// device now; the buffers' histogram and light are used up.
ClumpSums measure_clumps(Device& device, const PreparedFrame& frame, const RenderOptions& options,
                         const std::uint16_t* permutations, PictureBuffers& buffers);

}  // namespace kiln
