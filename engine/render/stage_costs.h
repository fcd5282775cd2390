// What the stages of a picture are expected to take, before any of them has begun: operations by the
// plan, at rates of one core of the machine that they were measured on (2026-11-23), times how slow
// this device is, which a small transform measures. StageClock corrects it as stages go by.
//
// What density estimation takes depends on the picture: on how many sources are lit and how wide
// they are spread. That follows from the histogram, of which some rows are looked at; before there
// is one, from samples that fall evenly.
#pragma once

#include "engine/render/prepared_frame.h"
#include "engine/render/stage_clock.h"

namespace kiln {

class Device;

/// Products that density estimation takes, a bucket, of sources up to `gathered_width` and of wider
/// ones.
struct DensityLoad {
  double near = 0, far = 0;
};

/// That of a picture whose samples fall evenly.
DensityLoad even_load(const PreparedFrame& frame);
/// That of the picture of a histogram that will be `more` times as much, by some of its rows.
DensityLoad density_load(const OutputPlan& plan, const CompiledFlame& flame, Device& device,
                         const std::uint64_t* histogram, double more);

/// Of the far part of density estimation, where it is transformed: cells of all kernels, and the
/// products a bucket from which on it is.
struct FarWork {
  double cells = 0, worth_products = 0;
};

/// Seconds of one core of that machine. `samples`: of all passes; the rest is of one.
StageSeconds stage_costs(const PreparedFrame& frame, double samples, const DensityLoad& load,
                         const FarWork& far);

/// Seconds of this device for one of those: below 1 for several cores. Takes milliseconds.
double slowness_of(Device& device);

}  // namespace kiln
