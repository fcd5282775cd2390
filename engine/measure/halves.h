// How sure a picture's light is, from two halves of its samples that know nothing of each other:
// the difference of the halves is noise alone. Light is what was counted, before any logarithm or
// gamma: a sum over samples, whose variance grows as it does.
//
// One difference says little of a pixel's variance, so the squares of all pixels nearby count, over
// their light, whose light is like its own (within a factor of 1.5, in a square of 33x33): neither
// do filaments lend their noise to the dark beside them, nor one color to another. Where there are
// fewer than 100 of them, the pixels of the whole picture that are nearest in light take their
// place. A pixel whose own halves are further apart than that is believed: where orbits stay, at
// the tip of a fern, one pixel varies as none beside it. Neighboring pixels are not independent
// where a filter spread light or an orbit stayed near: how much more the sums of blocks vary than
// independent pixels would is measured by the halves too (NoisyLight::clumping).
#pragma once

#include "engine/measure/noise.h"
#include "engine/model/saved_sums.h"

namespace kiln {

/// The mean of two halves [H, W, 3] and its variance.
NoisyLight light_of_halves(int width, int height, const std::vector<double>& first,
                           const std::vector<double>& second);

/// The same of a still's sums in halves, as light a sample, so that pictures of any numbers of
/// samples compare. Both halves have a unit.
NoisyLight light_of_sums(const SavedSums& sums);

}  // namespace kiln
