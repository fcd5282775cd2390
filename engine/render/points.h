// SPDX-License-Identifier: MIT
// The points of a flame: the chaos game, played by the CPU, without sums and pixels. They are a function of
// the flame, the seed and their count, whatever the number of threads is.
//
// Up to 32 pools (kernels/pool.h), each with an equal share, settle once and then play on; pieces of 65536
// points of each follow one another. So memory is the same for a thousand points and for 10^11, and points
// that stand near each other in a file are as good a sample as any others.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "engine/api/kiln/points.h"
#include "engine/model/flame.h"
#include "engine/model/point_columns.h"
#include "engine/program/compiled_flame.h"

namespace kiln {

/// Makes bytes of points, in place of those that are there; several threads call it at once.
using PackPoints = std::function<void(const PointColumns& points, std::string& bytes)>;
/// Gets what was packed, in order, one call at a time, from a thread that is not the caller's.
using TakePoints = std::function<void(const std::string& bytes, std::uint64_t points)>;

constexpr std::uint64_t most_points_of_all = 100'000'000'000;

/// Throws Error: usage for a count that nobody has; input where no point of millions is seen; what `pack` and `take`
/// throw.
void play_points(const Flame& flame, const PointOptions& options, const PackPoints& pack,
                 const TakePoints& take);

/// Points are seen there in the picture, and so far away. Those out of focus stay where they would be in it.
class PointCamera {
 public:
  explicit PointCamera(const CompiledFlame& compiled);
  struct Place {
    float x, y;      // pixels
    float distance;  // behind the plane in focus; with perspective from the eye
  };
  Place place(const float* point) const;
  bool is_inside(const Place& at) const {
    return at.x >= 0 && at.y >= 0 && at.x < width_ && at.y < height_;
  }

 private:
  const Affine raster_;
  const float width_, height_;
  bool has_view_ = false;
  DepthView view_{};
};

/// The flame as points are played of it, its picture being of its own size. Depth goes on from step to step where
/// something makes it, though the flame's own picture may not show it.
CompiledFlame compile_for_points(const Flame& flame);

/// Marks the xforms that the flame's symmetry has added, which carry light and do not color it; none, where all look so.
std::vector<char> xforms_of_symmetry(const Flame& flame);

}  // namespace kiln
