#include "engine/animation/blend_affine.h"

#include <cmath>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double pi = 0x1.921fb54442d18p+1;
constexpr double two_pi = 0x1.921fb54442d18p+2;
constexpr double half_turn_slack = 1e-10;  // flam3: what still counts as exactly half a turn
constexpr double least_log_length = -10;   // flam3: shorter columns are blended without logarithm

using Columns = std::vector<PolarColumn>;  // one column, of all matrices

/// Moves the angles by whole turns so that each follows the one before the way it should turn.
void unwind(Columns& columns, const std::vector<double>& wind_rad) {
  for (std::size_t k = 1; k < columns.size(); ++k) {
    PolarColumn &before = columns[k - 1], &here = columns[k];
    if (wind_rad[k] > 0) {
      before.angle_rad = wound(before.angle_rad, wind_rad[k]);
      here.angle_rad = wound(here.angle_rad, wind_rad[k]);
    } else {
      here.angle_rad = unwound(here.angle_rad, before.angle_rad);
    }
  }
}

PolarColumn blend(const Columns& columns, const std::vector<double>& weights) {
  PolarColumn linear, logarithmic;
  bool all_long_enough = true;
  for (std::size_t k = 0; k < columns.size(); ++k) {
    const PolarColumn& column = columns[k];
    const double log_length = exact::log(column.length);
    if (!(log_length >= least_log_length)) all_long_enough = false;
    linear.angle_rad += weights[k] * column.angle_rad;
    linear.length += weights[k] * column.length;
    if (all_long_enough) logarithmic.length += weights[k] * log_length;
  }
  return {linear.angle_rad, all_long_enough ? exact::exp(logarithmic.length) : linear.length};
}

}  // namespace

std::array<PolarColumn, 2> polar_columns(const AffineD& m) {
  PolarColumn first{exact::atan2(m.d, m.a), std::sqrt(m.a * m.a + m.d * m.d)};
  PolarColumn second{exact::atan2(m.e, m.b), std::sqrt(m.b * m.b + m.e * m.e)};
  if (first.length == 0 && second.length != 0) first.angle_rad = second.angle_rad;
  if (second.length == 0 && first.length != 0) second.angle_rad = first.angle_rad;
  return {first, second};
}

double unwound(double angle_rad, double before_rad) {
  const double turn = angle_rad - before_rad;
  if (turn > pi + half_turn_slack) return angle_rad - two_pi;
  if (turn < -(pi - half_turn_slack)) return angle_rad + two_pi;
  return angle_rad;
}

double wound(double angle_rad, double wind_rad) {
  while (angle_rad < wind_rad - two_pi) angle_rad += two_pi;
  while (angle_rad > wind_rad) angle_rad -= two_pi;
  return angle_rad;
}

AffineD blend_linear(const std::vector<AffineD>& matrices, const std::vector<double>& weights) {
  AffineD sum{0, 0, 0, 0, 0, 0};
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    const double weight = weights[k];
    sum.a += weight * matrices[k].a;
    sum.d += weight * matrices[k].d;
    sum.b += weight * matrices[k].b;
    sum.e += weight * matrices[k].e;
    sum.c += weight * matrices[k].c;
    sum.f += weight * matrices[k].f;
  }
  return sum;
}

AffineD blend_log(const std::vector<AffineD>& matrices, const std::vector<double>& weights,
                  const std::vector<std::array<double, 2>>& wind_rad) {
  std::array<PolarColumn, 2> blended;
  for (std::size_t side = 0; side < blended.size(); ++side) {
    Columns columns;
    std::vector<double> wind(matrices.size(), 0.0);
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      columns.push_back(polar_columns(matrices[k])[side]);
      if (k < wind_rad.size()) wind[k] = wind_rad[k][side];
    }
    unwind(columns, wind);
    blended[side] = blend(columns, weights);
  }
  AffineD result = blend_linear(matrices, weights);  // for the translation
  const auto [first, second] = blended;
  const exact::SinCos turn_1 = exact::sincos(first.angle_rad);
  const exact::SinCos turn_2 = exact::sincos(second.angle_rad);
  result.a = first.length * turn_1.c;
  result.d = first.length * turn_1.s;
  result.b = second.length * turn_2.c;
  result.e = second.length * turn_2.s;
  return result;
}

}  // namespace kiln
