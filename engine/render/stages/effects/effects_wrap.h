// SPDX-License-Identifier: MIT
// Bloom, glare and a point spread function of a picture that repeats (engine/program/tile.h): what leaves it on one side
// comes in on the other. The kernel becomes the sum of its copies, a picture apart, which repeats itself: the transform is as
// for any picture, each tap between two pixels is there, and each has the light that comes from all copies of the other.
//
// Costs the taps of the kernel on the host, once a plan: 50 ms at 1920x1080.
#pragma once

#include "engine/render/stages/effects/effects_plan.h"

namespace kiln {

/// Makes the kernel one of a picture that repeats. Throws Error (usage) where that is too large for a transform.
void wrap_effects(EffectsPlan& plan);

}  // namespace kiln
