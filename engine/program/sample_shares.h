// SPDX-License-Identifier: MIT
// How many samples a frame gets, and each of its time samples.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/program/compiled_flame.h"

namespace kiln {

/// Shares samples as flam3 does: a time sample gets them by its own quality and zoom, so where they
/// move the frame gets the mean.
/// Throws Error of kind input for none at all, and for more than sums hold.
void share_samples(const std::vector<CompiledTimeSamples::View>& views, const Flame& flame,
                   CompiledFlame& out);

/// Samples of a frame of this flame alone, about: flam3's zoom multiplies them by 4^zoom.
double rough_samples(const Flame& flame);

/// The quality, in as few digits as it takes, at which a still of one pass gets exactly so many
/// samples.
double quality_of_samples(const Flame& flame, std::uint64_t samples);

}  // namespace kiln
