// SPDX-License-Identifier: MIT
#include "engine/model/curves.h"

#include <algorithm>

namespace kiln {
namespace {

bool is_at(const CurvePoint& point, double both) { return point.x == both && point.y == both; }

bool on_diagonal(const CurvePoints& points) {
  return points.front().x == 0 && points.back().x == 1 &&
         std::all_of(points.begin(), points.end(),
                     [](const CurvePoint& point) { return point.x == point.y; });
}

/// The piecewise cubic of Fractorium through points of rising x.
class Spline {
 public:
  explicit Spline(const CurvePoints& points) : points_(points), bend_(points.size(), 0.0) {
    for (std::size_t i = 1; i + 1 < points.size(); ++i)
      bend_[i] = 3 * (slope(i) - slope(i - 1)) / (width(i) + width(i - 1));
  }

  /// Values of x must not fall from call to call.
  double at(double x) {
    x = std::clamp(x, points_.front().x, points_.back().x);
    while (i_ + 2 < points_.size() && x > points_[i_ + 1].x) ++i_;
    const double u = x - points_[i_].x, w = width(i_);
    return points_[i_].y + u * (slope(i_) - w * (bend_[i_ + 1] + 2 * bend_[i_]) / 6) +
           u * u * bend_[i_] / 2 + u * u * u * (bend_[i_ + 1] - bend_[i_]) / (6 * w);
  }

 private:
  double width(std::size_t i) const { return points_[i + 1].x - points_[i].x; }
  double slope(std::size_t i) const { return (points_[i + 1].y - points_[i].y) / width(i); }

  const CurvePoints& points_;
  std::vector<double> bend_;  // second derivatives at the points, 0 at both ends
  std::size_t i_ = 0;         // the interval of the last x
};

/// Apophysis' rational Bezier curve.
double bezier(const CurvePoints& points, double t) {
  const double rest = 1 - t;
  const double bernstein[4] = {rest * rest * rest, 3 * rest * rest * t, 3 * rest * t * t,
                               t * t * t};
  double sum = 0, weights = 0;
  for (std::size_t j = 0; j < 4; ++j) {
    sum += points[j].weight * bernstein[j] * points[j].y;
    weights += points[j].weight * bernstein[j];
  }
  return weights != 0 ? sum / weights : t;
}

}  // namespace

CurvePoints spline_points(CurvePoints points) {
  for (CurvePoint& point : points)
    point = {std::clamp(point.x, 0.0, 1.0), std::clamp(point.y, 0.0, 1.0)};
  if (points.size() >= 2 && is_at(points[0], 0) && is_at(points[1], 0)) points[1] = {0.25, 0.25};
  if (points.size() >= 4 && is_at(points[2], 1) && is_at(points[3], 1)) points[3] = {0.75, 0.75};
  std::stable_sort(points.begin(), points.end(),
                   [](const CurvePoint& a, const CurvePoint& b) { return a.x < b.x; });
  points.erase(std::unique(points.begin(), points.end(),
                           [](const CurvePoint& a, const CurvePoint& b) { return a.x == b.x; }),
               points.end());
  if (points.size() < 2 || on_diagonal(points)) points.clear();
  return points;
}

bool is_bezier_identity(const CurvePoints& points) {
  return is_at(points.at(0), 0) && is_at(points.at(1), 0) && is_at(points.at(2), 1) &&
         is_at(points.at(3), 1);
}

CurveMix mix_of(ColorCurves curves) {
  const bool none = std::all_of(curves.curves.begin(), curves.curves.end(),
                                [](const CurvePoints& curve) { return curve.empty(); });
  if (none) return {};
  return {{1, std::move(curves)}};
}

CurveMix blend_curves(const std::vector<const CurveMix*>& mixes,
                      const std::vector<double>& weights) {
  CurveMix sum;
  const auto add = [&](double share, const ColorCurves& curves) {
    const auto same = std::find_if(sum.begin(), sum.end(),
                                   [&](const CurveShare& known) { return known.curves == curves; });
    if (same != sum.end()) {
      same->share += share;
    } else {
      sum.push_back({share, curves});
    }
  };
  bool any = false;
  for (std::size_t k = 0; k < mixes.size(); ++k) {
    any = any || !mixes[k]->empty();
    if (mixes[k]->empty()) add(weights[k], {});
    for (const CurveShare& part : *mixes[k]) add(weights[k] * part.share, part.curves);
  }
  if (!any) return {};
  std::erase_if(sum, [](const CurveShare& part) { return part.share == 0; });
  if (sum.size() == 1) sum[0].share = 1;  // the weights sum to 1 but for rounding
  if (sum.size() == 1 && sum[0].curves == ColorCurves{}) sum.clear();
  return sum;
}

std::vector<float> curve_table(CurveKind kind, const CurvePoints& curve, int count) {
  std::vector<float> table;
  table.reserve(std::size_t(count));
  const auto fill = [&](auto value_at) {
    for (int i = 0; i < count; ++i) table.push_back(float(value_at(double(i) / (count - 1))));
  };
  if (curve.empty()) {
    fill([](double x) { return x; });
  } else if (kind == CurveKind::bezier) {
    fill([&](double x) { return bezier(curve, x); });
  } else {
    Spline spline(curve);
    fill([&](double x) { return spline.at(x); });
  }
  return table;
}

}  // namespace kiln
