// SPDX-License-Identifier: MIT
// Affine maps between key flames (interpolate.h): their columns turn and grow, as flam3 blends them.
#include <cmath>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

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
  if (turn > exact::pi + half_turn_slack) return angle_rad - exact::two_pi;
  if (turn < -(exact::pi - half_turn_slack)) return angle_rad + exact::two_pi;
  return angle_rad;
}

double wound(double angle_rad, double wind_rad) {
  while (angle_rad < wind_rad - exact::two_pi) angle_rad += exact::two_pi;
  while (angle_rad > wind_rad) angle_rad -= exact::two_pi;
  return angle_rad;
}

AffineBlend::AffineBlend(const std::vector<AffineD>& matrices, bool log_type,
                         const std::vector<std::array<double, 2>>& wind_rad)
    : matrices_(matrices), log_type_(log_type) {
  KILN_CHECK(matrices.size() <= 4, "{} maps", matrices.size());
  if (!log_type) return;
  for (std::size_t side = 0; side < columns_.size(); ++side) {
    Columns columns;
    std::vector<double> wind(matrices.size(), 0.0);
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      columns.push_back(polar_columns(matrices[k])[side]);
      if (k < wind_rad.size()) wind[k] = wind_rad[k][side];
    }
    unwind(columns, wind);
    Column& column = columns_[side];
    for (std::size_t k = 0; k < columns.size(); ++k) {
      column.angle_rad[k] = columns[k].angle_rad;
      column.length[k] = columns[k].length;
      column.log_length[k] = exact::log(columns[k].length);
      if (!(column.log_length[k] >= least_log_length)) column.long_enough = false;
    }
  }
}

PolarColumn AffineBlend::blended(const Column& column, const double* weights) const {
  PolarColumn sum;
  const std::array<double, 4>& lengths = column.long_enough ? column.log_length : column.length;
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    sum.angle_rad += weights[k] * column.angle_rad[k];
    sum.length += weights[k] * lengths[k];
  }
  if (column.long_enough) sum.length = exact::exp(sum.length);
  return sum;
}

AffineD AffineBlend::at(const double* weights) const {
  AffineD sum{0, 0, 0, 0, 0, 0};
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    const AffineD& m = matrices_[k];
    sum.a += weights[k] * m.a;
    sum.d += weights[k] * m.d;
    sum.b += weights[k] * m.b;
    sum.e += weights[k] * m.e;
    sum.c += weights[k] * m.c;
    sum.f += weights[k] * m.f;
  }
  if (!log_type_) return sum;
  const PolarColumn first = blended(columns_[0], weights), second = blended(columns_[1], weights);
  const exact::SinCos turn_1 = exact::sincos(first.angle_rad);
  const exact::SinCos turn_2 = exact::sincos(second.angle_rad);
  sum.a = first.length * turn_1.c;
  sum.d = first.length * turn_1.s;
  sum.b = second.length * turn_2.c;
  sum.e = second.length * turn_2.s;
  return sum;
}

}  // namespace kiln
