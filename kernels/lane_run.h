// SPDX-License-Identifier: MIT
// Runs of one lane: each slot of its own, with its point and generator in registers. So a thread of
// a GPU plays the chaos game, and the CPU where it is to be slow and simple
// (kernels/divergent_block_cpu.h). What the methods promise stands in kernels/pool_block.h.
#pragma once

#include "kernels/depth_view.h"
#include "kernels/pool.h"

KILN_BEGIN

/// The base of runs of one lane, whatever the device and wherever the point is.
struct LaneRun {
  int begin;  // the lane's slot

  template <class T>
  struct Lanes {
    T v;
    KILN_FN T& operator[](int) { return v; }
    KILN_FN const T& operator[](int) const { return v; }
  };
  template <class Body>
  KILN_FN void each(Body&& body) const {
    body(0);
  }
  template <class Body>
  KILN_FN void each_exact(Body&& body) const {
    body(0);
  }
  KILN_FN static void take_fields(const Point& point, Lanes<Real>& x, Lanes<Real>& y,
                                  Lanes<Real>& color, Lanes<u32>& meta) {
    x.v = point.x;
    y.v = point.y;
    color.v = point.color;
    meta.v = point.meta;
  }
  KILN_FN static constexpr bool has_copies() { return false; }  // a lane runs one xform
  KILN_FN static constexpr int copy_of(int) { return 0; }
  template <class Body>
  KILN_FN void each_copy(const XformData*, Body&&) const {}
  KILN_FN bool any_not(const Lanes<u32>& flags) const { return !flags[0]; }
};

/// The generator of a run's one lane: in registers, which an address would take it out of.
struct LaneRandoms {
  Random state;
  KILN_FN Random get(int) const { return state; }
  KILN_FN void set(int, const Random& r) { state = r; }
  KILN_FN void ensure() {}
};

/// The place where one point is seen (kernels/depth_view.h).
KILN_FN Vec2 seen_at(const DepthView& view, Real x, Real y, Real z, Random& random) {
  using One = LaneRun::Lanes<Real>;
  One seen_x{x}, seen_y{y};
  const One depth{z};
  LaneRandoms randoms{random};
  DepthLanes<One> lanes;
  lanes.see(LaneRun{0}, view, seen_x, seen_y, depth, randoms);
  random = randoms.state;
  return {seen_x.v, seen_y.v};
}

KILN_END
