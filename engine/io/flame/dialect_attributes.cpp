#include "engine/io/flame/dialect_attributes.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace kiln {
namespace {

/// Degrees from Apophysis' angle, which turns the other way.
double rotate_from_angle(double angle_rad) { return -180 / std::numbers::pi * angle_rad; }

}  // namespace

void set_usual_values(Flame& flame) {
  if (flame.dialect != Dialect::flam3) flame.time = 0;  // flam3: that of the flame before
  if (flame.dialect == Dialect::fractorium) {
    flame.width = 1920;
    flame.height = 1080;
    flame.quality = 30;
    flame.temporal_samples = 100;
    flame.temporal_filter_exp = 1;
    flame.highlight_power = 1;
    flame.palette_mode = PaletteMode::linear;
    flame.interpolation = Interpolation::smooth;
    flame.palette_interpolation = PaletteInterpolation::hsv;
  } else if (flame.dialect == Dialect::apophysis) {
    flame.gamma_threshold = 0;
  }
}

bool take_dialect_attribute(const Attribute& a, const Flame& flame, FlameOrders& orders) {
  const bool apophysis = flame.dialect == Dialect::apophysis;
  if (apophysis && a.name == "angle") {
    orders.angle_rad = read_real(a, -1e9, 1e9);
  } else if (apophysis && a.name == "enable_de") {
    orders.density_estimation = read_real(a) != 0;
  } else if (flame.dialect == Dialect::jwildfire && a.name == "cam_zoom") {
    orders.scale_factor = read_positive(a);
  } else {
    return false;
  }
  return true;
}

void finish_attributes(const FlameOrders& orders, Flame& flame) {
  if (orders.angle_rad) flame.rotate_deg = rotate_from_angle(*orders.angle_rad);
  flame.scale *= orders.scale_factor;
  if (flame.dialect == Dialect::apophysis && !orders.density_estimation) flame.estimator_radius = 0;
  if (flame.dialect == Dialect::fractorium) flame.zoom = std::max(flame.zoom, 0.0);
}

// Opacity is the share of the points that are recorded in these, so no more than all of them.
void finish_xform(Dialect dialect, Xform& xform) {
  if (dialect == Dialect::apophysis || dialect == Dialect::jwildfire)
    xform.opacity = std::min(xform.opacity, 1.0);
}

}  // namespace kiln
