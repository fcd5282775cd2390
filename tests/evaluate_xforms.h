// SPDX-License-Identifier: MIT
// Applies the xforms of a flame to given points on a device: what the chaos game computes.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/device/device.h"
#include "engine/model/flame.h"

namespace kiln {

struct EvaluatedPoint {
  float x = 0, y = 0;      // after the xform
  bool bad = false;        // NaN or beyond 1e10
  float z = 0, color = 0;  // of extended flames
};

struct ExtendedPoint {
  float x = 0, y = 0, z = 0, color = 0;
};

/// points[f]: the inputs of xform f, equally many for each (at most 256); generators[f]: a
/// generator for each of them.
std::vector<std::vector<EvaluatedPoint>> evaluate_xforms(
    Device& device, const Flame& flame, const std::vector<std::vector<Vec2>>& points,
    const std::vector<std::vector<Random>>& generators);

/// The same with depth and color, which flames of flam3's variations leave alone.
std::vector<std::vector<EvaluatedPoint>> evaluate_xforms(
    Device& device, const Flame& flame, const std::vector<std::vector<ExtendedPoint>>& points,
    const std::vector<std::vector<Random>>& generators);

/// The same with the chaos game's generators: lane i of unit f under `seed`.
std::vector<std::vector<EvaluatedPoint>> evaluate_xforms(
    Device& device, const Flame& flame, const std::vector<std::vector<Vec2>>& points,
    std::uint64_t seed);

}  // namespace kiln
