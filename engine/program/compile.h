// SPDX-License-Identifier: MIT
// From the model to what the kernels read: xforms with their non-zero variations, cumulative
// shares, integer palettes, the camera. A flame in motion is compiled at all its time samples (temporal
// samples), to one structure: an xform has the variations that it has at any time sample, with weight 0
// where it has not.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "engine/model/temporal.h"
#include "engine/program/compiled_flame.h"
#include "engine/program/symmetry.h"

namespace kiln {

/// Compiles the time samples of `source`; `weights`, one a time sample, are as in TimeSamples.
/// `also_see` gets each of them once, in the order of time; its xforms may be other ones. Throws
/// what compile() throws.
CompiledTimeSamples compile_time_samples(TimeSampleSource& source, std::vector<double> weights,
                                         const std::function<void(const Flame&)>& also_see = {},
                                         Symmetry symmetry = Symmetry::folded);
/// The one time sample of a still.
CompiledTimeSamples compile_time_samples(const Flame& flame, Symmetry symmetry = Symmetry::folded);
/// The rest. Size, quality, passes and palette mode are those of `flame`; the time samples are divided
/// evenly between the passes.
CompiledFlame complete(CompiledTimeSamples time_samples, const Flame& flame, const PlotArea& area);

/// Throws Error (input) where the flame cannot be iterated: no weight at all, a xaos row without a
/// way on.
CompiledFlame compile(const Flame& flame, const PlotArea& area,
                      Symmetry symmetry = Symmetry::folded);
/// Compiles a flame in motion. Throws the same.
CompiledFlame compile(const Flame& flame, const TimeSamples& all, const PlotArea& area);

/// Limits plotting to these rows of the buffer: what is above and below counts as outside of the
/// picture. Their tiles are of 64 x 64 pixels, or larger where that would be more of them than a
/// device sorts well.
void plot_rows(int top, int height, CompiledFlame& flame);

/// The permutations of the pool: [permutation_count][permutation_stride], from the Mersenne Twister
/// (kernels/pool.h).
std::vector<std::uint16_t> make_permutations();
/// These permutations, made once in a process.
const std::vector<std::uint16_t>& pool_permutations();

}  // namespace kiln
