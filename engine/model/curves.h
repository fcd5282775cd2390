// SPDX-License-Identifier: MIT
// Curves of brightness, which Fractorium and Apophysis lay over a finished picture: one for all
// channels, then one each for red, green and blue, over values of 0..1.
//
// Fractorium's is a piecewise cubic through any number of points. Its second derivatives are a local
// estimate, not those of the natural spline: where the outline of this file's formula and a textbook
// differ, the files' authors saw this one. Apophysis' is a rational Bezier curve of four points with
// weights, evaluated at t = value: the points' x have no effect there, as in Apophysis.
//
// Between key flames the tables are mixed: a frame is the mix of what the curves of both keys make
// of it, so a flame may have several sets of curves, each with its share.
#pragma once

#include <array>
#include <vector>

namespace kiln {

enum class CurveKind { spline, bezier };

struct CurvePoint {
  double x = 0, y = 0;  // 0..1
  double weight = 1;    // of a Bezier curve
  bool operator==(const CurvePoint&) const = default;
};
/// The points of a spline, sorted by x, no x twice; empty: the identity.
using CurvePoints = std::vector<CurvePoint>;

/// The four curves of a flame.
struct ColorCurves {
  CurveKind kind = CurveKind::spline;
  std::array<CurvePoints, 4> curves;  // all channels, red, green, blue
  bool operator==(const ColorCurves&) const = default;
};

/// Curves and their share in the picture.
struct CurveShare {
  double share = 1;
  ColorCurves curves;
  bool operator==(const CurveShare&) const = default;
};
using CurveMix = std::vector<CurveShare>;  // empty: the picture stays as it is

/// The points as a spline takes them: inside 0..1, Apophysis' doubled corners moved onto the
/// diagonal, sorted by x, the first of those with the same x; empty for the identity and for fewer
/// than two points.
CurvePoints spline_points(CurvePoints points);

/// Whether four points of a Bezier curve are those that Apophysis takes for no curve.
bool is_bezier_identity(const CurvePoints& points);

/// The curves as a mix: none where all four are the identity.
CurveMix mix_of(ColorCurves curves);

/// The mix of several flames' by weights, one a flame.
CurveMix blend_curves(const std::vector<const CurveMix*>& mixes,
                      const std::vector<double>& weights);

/// Values of a curve at x = i / (count - 1), in single precision; not clamped.
std::vector<float> curve_table(CurveKind kind, const CurvePoints& curve, int count);

}  // namespace kiln
