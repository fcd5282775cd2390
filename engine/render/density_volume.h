// SPDX-License-Identifier: MIT
// The points of a flame counted in the cells of a box, for programs that show clouds as volumes: ParaView, 3D Slicer,
// numpy. A function of the flame, the seed, the count and the number of cells alone.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/api/kiln/points.h"
#include "engine/model/flame.h"

namespace kiln {

constexpr int most_volume_cells = 1024;                          // along a side
constexpr std::uint64_t most_points_of_volume = 4'000'000'000u;  // so that no count passes 32 bits
constexpr std::uint64_t usual_points_of_volume = 100'000'000;

struct DensityVolume {
  std::array<int, 3> cells;           // along x, y, z; a flame in a plane has one along z
  std::array<double, 3> low;          // the corner of the box, in the flame's units
  double side;                        // of a cell, which is a cube
  std::vector<std::uint32_t> counts;  // [z][y][x]
  std::uint64_t beyond;               // points that fell out of the box
};

/// Counts options.count points. The box holds, along each side, what is between the fiftieth parts that are farthest
/// out of a million points, and a quarter more at each end; its longest side has options.cells cells. Throws Error:
/// usage for numbers that nobody has, and what play_points() throws.
DensityVolume density_of(const Flame& flame, const PointOptions& options);

/// Whether a name's ending asks for a volume: .nrrd or .npy.
bool is_volume_name(const std::string& path);
/// The bytes of the file in front of the counts. Throws Error (usage) for another ending.
std::string head_of_volume(const std::string& path, const DensityVolume& volume,
                           const std::string& comment);

}  // namespace kiln
