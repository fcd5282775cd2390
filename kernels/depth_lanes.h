// The third coordinate of the points of a run. Only extended flames have one (kernels/extended_xform.h); for
// all others these are empty structs and calls that are not there, so that the loop of the chaos
// game (kernels/iterate_batch.h) stands once.
//
// Points in a pool keep their 16 bytes. Where z must go on from step to step (Program::has_z) it lies
// in an array of its own in device memory: a point is in one slot in a step, so each word has one
// reader and writer.
#pragma once

#include "kernels/program.h"

KILN_BEGIN

/// A run's lanes of one number each.
template <class Run, class T>
using LanesOf = typename Run::template Lanes<T>;

template <class Code>
constexpr bool is_extended = requires {
  requires Code::extended;
};

/// The third coordinate of a run's points, which only an extended flame's have.
template <class Run, bool Extended>
struct DepthLanes {
  KILN_FN void take(const Run&, const float*, const LanesOf<Run, i32>&) {}
  KILN_FN void put_back(const Run&, float*, const LanesOf<Run, i32>&) const {}
  KILN_FN void forget(int) {}
  template <class Randoms>
  KILN_FN void project(const Run&, const DepthView*, LanesOf<Run, Real>&, LanesOf<Run, Real>&,
                       Randoms&) const {}
  template <class Xform, class Applying, class Reals, class Randoms>
  KILN_FN void apply(const Xform& xform, const Applying& run, Reals& x, Reals& y, Reals& color,
                     Randoms& random) {
    xform.apply(run, x, y, color, random);
  }
};
template <class Run>
struct DepthLanes<Run, true> {
  LanesOf<Run, Real> z;

  /// `depths` [pool_slots]; null where they are not kept: then all points begin a step at 0.
  KILN_FN void take(const Run& run, const float* depths, const LanesOf<Run, i32>& place) {
    if (depths) {
      run.each([&](int i) KILN_INLINE { z[i] = depths[run.place_of(place, i)]; });
    } else {
      run.each([&](int i) KILN_INLINE { z[i] = 0; });
    }
  }
  KILN_FN void put_back(const Run& run, float* depths, const LanesOf<Run, i32>& place) const {
    if (!depths) return;
    run.each_exact([&](int i) KILN_INLINE { depths[run.place_of(place, i)] = z[i]; });
  }
  KILN_FN void forget(int i) { z[i] = 0; }
  /// From the flame to the plane of the picture.
  template <class Randoms>
  KILN_FN void project(const Run& run, const DepthView* view, LanesOf<Run, Real>& x,
                       LanesOf<Run, Real>& y, Randoms& random) const {
    if (!view) return;
    const DepthView seen = *view;
    if (seen.blur != 0) random.ensure();
    run.each([&](int i) KILN_INLINE {
      Random lane_random = random.get(i);
      const Vec2 place = seen_from(seen, x[i], y[i], z[i], lane_random);
      x[i] = place.x;
      y[i] = place.y;
      if (seen.blur != 0) random.set(i, lane_random);
    });
  }
  template <class Xform, class Applying, class Reals, class Randoms>
  KILN_FN void apply(const Xform& xform, const Applying& run, Reals& x, Reals& y, Reals& color,
                     Randoms& random) {
    xform.apply(run, x, y, z, color, random);
  }
};
template <class Code, class Run>
using DepthOf = DepthLanes<Run, is_extended<Code>>;

KILN_END
