// Which sums may be added: a digest of all that decides what a unit of work adds to the histogram.
// It is taken of the compiled flame, so that what changes only the look (brightness, gamma,
// background, filter, estimator, effects) is not in it, whatever attribute it came from.
#pragma once

#include "engine/model/saved_sums.h"
#include "engine/render/prepared_frame.h"

namespace kiln {

/// Of the sums that this still is played into with these options; lineages and their pools are left
/// out, the game knows them.
SumsShape sums_shape(const PreparedFrame& frame, const RenderOptions& options);

/// The game's fuse: steps that --compat flam3 hides of each chain, else 0.
std::uint32_t flam3_fuse(const RenderOptions& options);

}  // namespace kiln
