// Affine maps between affine maps (flam3-pipeline.md 13.1). A weighted sum of the six numbers
// shrinks a turning map on its way (half a turn passes through 0), so interpolation_type log blends
// each column of the linear part in polar form: angle by angle, length by logarithm.
#pragma once

#include <array>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// One column of a linear part.
struct PolarColumn {
  double angle_rad = 0, length = 0;
};

/// Both columns, (a, d) and (b, e). A column of length 0 has the angle of the other.
std::array<PolarColumn, 2> polar_columns(const AffineD& matrix);

/// `angle` moved by a turn if it is more than half a turn from `before`; of two equal ways the
/// positive one.
double unwound(double angle_rad, double before_rad);

/// The angle moved by whole turns into [wind - 2 pi, wind].
double wound(double angle_rad, double wind_rad);

/// All six numbers by weighted sum.
AffineD blend_linear(const std::vector<AffineD>& matrices, const std::vector<double>& weights);

/// Columns in polar form, the translation by weighted sum. `wind_rad`, one pair a matrix or empty:
/// AlignedFlame::wind_rad.
AffineD blend_log(const std::vector<AffineD>& matrices, const std::vector<double>& weights,
                  const std::vector<std::array<double, 2>>& wind_rad);

}  // namespace kiln
