// SPDX-License-Identifier: MIT
// What density estimation takes depends on the picture: on how many sources are lit and how wide
// they are spread. That follows from the histogram, of which some rows are looked at; before there
// is one, from samples that fall evenly.
#pragma once

#include <cstdint>

#include "engine/device/device.h"
#include "engine/program/compiled_flame.h"
#include "engine/render/stages/output_plan.h"

namespace kiln {

/// Products that density estimation takes, a bucket, of sources up to `gathered_width` and of wider
/// ones.
struct DensityLoad {
  double near = 0, far = 0;
};

/// The load of a picture whose samples fall evenly.
DensityLoad even_load(const OutputPlan& plan, const CompiledFlame& flame);
/// The load of the picture of this histogram, times `more`, estimated from some of its rows.
DensityLoad density_load(const OutputPlan& plan, const CompiledFlame& flame, Device& device,
                         const std::uint64_t* histogram, double more);

}  // namespace kiln
