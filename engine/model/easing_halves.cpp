// SPDX-License-Identifier: MIT
#include "engine/model/easing_halves.h"

#include <algorithm>
#include <optional>

namespace kiln {
namespace {

constexpr double steepest_curve = 100;  // a curve's y in a file (track.cpp)

using Point = std::array<double, 2>;

/// The curve that an easing is; nothing for those that are none.
std::optional<std::array<double, 4>> curve_of(const Easing& easing) {
  constexpr double third = 1.0 / 3, two_thirds = 2.0 / 3;  // of x: then it is the time itself
  switch (easing.kind) {
    case EasingKind::ease_in:
      return {{third, 0, two_thirds, third}};
    case EasingKind::ease_out:
      return {{third, two_thirds, two_thirds, 1}};
    case EasingKind::ease_in_out:
      return {{third, 0, two_thirds, 1}};
    case EasingKind::curve:
      return easing.curve;
    default:
      return {};
  }
}

/// A curve cut in two: the handles of its parts, and where they meet.
struct Cut {
  Point first, arrives, middle, leaves, last;
};

/// The curve cut at s of its own parameter (de Casteljau).
Cut cut_at(const std::array<double, 4>& curve, double s) {
  const auto mix = [s](const Point& a, const Point& b) {
    return Point{a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1])};
  };
  const Point out = {curve[0], curve[1]}, in = {curve[2], curve[3]};
  const Point first = mix({0, 0}, out), between = mix(out, in), last = mix(in, {1, 1});
  const Point arrives = mix(first, between), leaves = mix(between, last);
  return {first, arrives, mix(arrives, leaves), leaves, last};
}

/// A part of a curve as one of its own: handles from (0, 0) to (1, 1). One that reaches too far to the
/// side is cut, its direction stays.
Easing curve_between(const Point& from, Point first, Point second, const Point& to) {
  for (std::size_t axis = 0; axis < 2; ++axis) {
    const double length = to[axis] - from[axis];
    first[axis] = length == 0 ? 0 : (first[axis] - from[axis]) / length;
    second[axis] = length == 0 ? 0 : (to[axis] - second[axis]) / length;
  }
  for (Point* const handle : {&first, &second}) {
    if ((*handle)[0] > 1) *handle = {1, (*handle)[1] / (*handle)[0]};
    (*handle)[0] = std::max(0.0, (*handle)[0]);
  }
  const auto within = [](double y) { return std::clamp(y, -steepest_curve, steepest_curve); };
  return {EasingKind::curve, {first[0], within(first[1]), 1 - second[0], within(1 - second[1])}};
}

}  // namespace

std::pair<Easing, Easing> halves(const Easing& easing, double t) {
  const auto curve = curve_of(easing);
  if (!curve || !(t > 0 && t < 1)) return {easing, easing};
  double low = 0, high = 1;  // of x, which never falls, to the last bits
  for (int step = 0; step < 60; ++step) {
    const double s = (low + high) / 2;
    (cut_at(*curve, s).middle[0] < t ? low : high) = s;
  }
  const Cut cut = cut_at(*curve, (low + high) / 2);
  return {curve_between({0, 0}, cut.first, cut.arrives, cut.middle),
          curve_between(cut.middle, cut.leaves, cut.last, {1, 1})};
}

}  // namespace kiln
