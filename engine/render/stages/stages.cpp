// SPDX-License-Identifier: MIT
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

/// The last stage that makes light and of which `is_in` holds.
template <class IsIn>
const PictureStage& last_of_light(const IsIn& is_in) {
  const PictureStage* last = nullptr;
  for (const PictureStage* stage : all_stages)
    if (stage->light && is_in(*stage)) last = stage;
  return *last;  // the logarithm is always in
}

}  // namespace

const PictureStage& light_stage(const Flame& flame) {
  return last_of_light(
      [&](const PictureStage& stage) { return !stage.is_wanted || stage.is_wanted(flame); });
}

const PictureStage& light_stage(const OutputPlan& plan) {
  return last_of_light(
      [&](const PictureStage& stage) { return !stage.is_in || stage.is_in(plan); });
}

void leave_out_light(Flame& flame) {
  for (const PictureStage* stage : all_stages)
    if (stage->leave_out) stage->leave_out(flame);
}

bool is_in(const PictureStage& stage, const OutputPlan& plan) {
  if (stage.light) return &stage == &light_stage(plan);
  return !stage.is_in || stage.is_in(plan);
}

}  // namespace kiln
