// SPDX-License-Identifier: MIT
// Where a steered game (kernels/steering.h) sends its points: a table of what a picture gains by a point of a
// cell of the plane and an xform that is applied to it.
#pragma once

#include <cstdint>

#include "engine/program/compiled_flame.h"
#include "engine/render/stages/output_plan.h"

namespace kiln {

/// Whether the game of the flame can be steered: a still without xaos, of at most most_steered_xforms xforms.
bool can_steer(const CompiledFlame& flame);

/// A table must promise so many times less noise: a steered step takes twice as long, a pilot comes before, and pictures keep
/// half to all of what their tables promise.
constexpr double least_gain_of_steering = 3;

/// Steers the game of `flame`, or leaves it plain where it cannot be, has too few samples for a pilot, or gains less. The
/// table is a function of the flame, its picture and its quality, not of seed or threads. Whether it is steered.
bool plan_steering(const OutputPlan& plan, int threads, CompiledFlame& flame,
                   double least_gain = least_gain_of_steering);

}  // namespace kiln
