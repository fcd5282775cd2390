// SPDX-License-Identifier: MIT
// Files of points: PLY (binary, little endian), which Blender, Houdini, MeshLab and CloudCompare read, and CSV. Both can be
// written piece by piece; all points of a PLY have 18 bytes.
#pragma once

#include <cstdint>
#include <string>

#include "engine/model/point_columns.h"

namespace kiln {

struct PointFormat {
  const char* ending;
  /// The bytes in front; `comment`: a line that says where they are from.
  std::string (*head)(std::uint64_t count, const std::string& comment);
  /// Makes bytes of points, in place of those that are there.
  void (*pack)(const PointColumns& points, std::string& bytes);
};

/// The format that a name's ending stands for: "ply:-" and "-" are PLY. Throws Error (usage) where it is none.
const PointFormat& point_format_named(const std::string& path);

}  // namespace kiln
