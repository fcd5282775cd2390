// SPDX-License-Identifier: MIT
// The list of the stages, in their order. A new one is a folder beside this file and a word here: its
// `const PictureStage` of this name says the rest (stage.h).
#pragma once

#include "engine/render/stages/stage.h"

#define KILN_STAGES(STAGE) \
  STAGE(sphere_edges)      \
  STAGE(tile_edges)        \
  STAGE(log_scale)         \
  STAGE(antialias)         \
  STAGE(clean)             \
  STAGE(density)           \
  STAGE(filter)            \
  STAGE(effects)           \
  STAGE(vignette)          \
  STAGE(tone)              \
  STAGE(background)        \
  STAGE(curves)

namespace kiln {

#define KILN_STAGE(name) extern const PictureStage name;
namespace stages {
KILN_STAGES(KILN_STAGE)
}
#undef KILN_STAGE

#define KILN_STAGE(name) &stages::name,
inline constexpr const PictureStage* all_stages[] = {KILN_STAGES(KILN_STAGE)};
#undef KILN_STAGE

/// The stage that makes the light of a flame, by what it asks for, and of a planned picture: a plan may have
/// no density estimation though its flame has a radius.
const PictureStage& light_stage(const Flame& flame);
const PictureStage& light_stage(const OutputPlan& plan);

/// Makes a flame one whose light is the plain logarithm.
void leave_out_light(Flame& flame);

/// Whether the picture of a plan is made by the stage, among others.
bool is_in(const PictureStage& stage, const OutputPlan& plan);

}  // namespace kiln
