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

/// Affine maps that will be blended many times: their angles and logarithms are found once.
class AffineBlend {
 public:
  /// 1 to 4 maps. `log_type`: columns in polar form, the translation by weighted sum; else all six
  /// numbers by weighted sum. `wind_rad`, one pair a map or empty: AlignedFlame::wind_rad.
  AffineBlend(const std::vector<AffineD>& matrices, bool log_type,
              const std::vector<std::array<double, 2>>& wind_rad = {});

  /// The blend by weights, one a map.
  AffineD at(const double* weights) const;

 private:
  /// One column of all maps, unwound.
  struct Column {
    std::array<double, 4> angle_rad{}, length{}, log_length{};
    bool long_enough = true;  // to be blended by logarithm
  };
  PolarColumn blended(const Column& column, const double* weights) const;

  std::vector<AffineD> matrices_;
  bool log_type_;
  std::array<Column, 2> columns_;
};

}  // namespace kiln
