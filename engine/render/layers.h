// SPDX-License-Identifier: MIT
// What a compositor wants beside the colors of a flame: how far away its points are, how many fall into a pixel, and whose
// they are. The points come from the game of engine/render/points.h and are summed in whole numbers, so the layers are the
// same with any number of threads.
#pragma once

#include <cstdint>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// One number a pixel.
struct PixelLayer {
  std::string channel;        // "Z", "hits.X", "xform0.X"
  std::vector<float> values;  // [height][width]
};

struct LayerOptions {
  std::uint64_t seed = 0;
  int threads = 0;  // 0: all cores
  std::stop_token stop = {};
};

constexpr float nothing_there = 1e10f;  // depth of a pixel without points, as Blender has it

/// Z: the mean distance of a pixel's points. hits.X: how many they are. xform0.X, xform1.X, ...: the share of each xform,
/// all of those that symmetry adds as symmetry.X; together they are 1 in every pixel, in those without points as their
/// surroundings. The flame's quality says how many points are played. Throws Error (usage; input as play_points()).
std::vector<PixelLayer> flame_layers(const Flame& flame, const LayerOptions& options);

}  // namespace kiln
