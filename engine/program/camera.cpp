#include "engine/program/camera.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {

namespace {

DepthView depth_view(const DepthCamera& camera, double half_width, double half_height) {
  const exact::SinCos pitch = exact::sincos(camera.pitch_rad), yaw = exact::sincos(camera.yaw_rad);
  DepthView view{};
  view.pitch_sin = Real(pitch.s);
  view.pitch_cos = Real(pitch.c);
  view.yaw_sin = Real(yaw.s);
  view.yaw_cos = Real(yaw.c);
  view.z = Real(camera.z);
  view.perspective = Real(camera.perspective);
  view.blur = Real(camera.blur * 0.1);
  view.blur_curve = camera.blur_curve == 0 ? 0 : Real(25 / camera.blur_curve);
  view.width_factor = Real(1 / (half_width * half_width));
  view.height_factor = Real(1 / (half_height * half_height));
  return view;
}

/// A camera that only turns about the origin is a flat one.
AffineD turned_by_yaw(const AffineD& m, double yaw_rad) {
  if (yaw_rad == 0) return m;
  const exact::SinCos yaw = exact::sincos(yaw_rad);
  return {m.a * yaw.c - m.b * yaw.s,
          m.d * yaw.c - m.e * yaw.s,
          m.a * yaw.s + m.b * yaw.c,
          m.d * yaw.s + m.e * yaw.c,
          m.c,
          m.f};
}

Tiling tiling_of(int width, int height, int most_pixels) {
  constexpr int many = 600;  // a unit has some records for each, and writes them together
  Tiling tiling{6, 6, 0, 0};
  for (;;) {
    tiling.tiles_x = (width + tiling.columns() - 1) >> tiling.x_bits;
    tiling.tile_count = tiling.tiles_x * ((height + tiling.rows() - 1) >> tiling.y_bits);
    if (tiling.tile_count <= many || 2 * tiling.pixels() > most_pixels) return tiling;
    ++(tiling.x_bits == tiling.y_bits ? tiling.x_bits : tiling.y_bits);
  }
}

}  // namespace

void compile_camera(const CompiledTimeSamples::View& view, bool tilted, const Flame& size,
                    const PlotArea& area, CompiledFlame& out) {
  const double pixels_per_unit_y = view.scale * exact::exp(view.zoom * 0.693147180559945309417);
  const double pixels_per_unit_x = pixels_per_unit_y / view.pixel_aspect;
  const double angle = view.rotate_deg * 0.0174532925199432957692;
  const exact::SinCos turn = exact::sincos(angle);
  const double sx = area.supersample * pixels_per_unit_x, sy = area.supersample * pixels_per_unit_y;
  const double cx = view.center_x, cy = view.center_y;
  AffineD m;
  m.a = sx * turn.c;
  m.b = -sx * turn.s;
  m.c = sx * (-cx * turn.c + cy * turn.s) + 0.5 * area.supersample * size.width + area.gutter;
  m.d = sy * turn.s;
  m.e = sy * turn.c;
  m.f = sy * (-cx * turn.s - cy * turn.c) + 0.5 * area.supersample * size.height + area.gutter;
  if (tilted) {
    out.views.push_back(depth_view(view.depth, 0.5 * area.width / sx, 0.5 * area.height / sy));
  } else {
    m = turned_by_yaw(m, view.depth.yaw_rad);
  }
  out.cameras.push_back(to_device(m));
  // points are at most 1e10 from the origin: their pixel coordinates shall stay finite
  for (double v : {m.a, m.b, m.d, m.e, m.c / 1e10, m.f / 1e10}) {
    if (!(std::fabs(v) < 1e26)) {
      fail(ErrorKind::input,
           "{}: the camera magnifies beyond what numbers hold; lower scale or zoom", size.place());
    }
  }
  const double pitch = 1 / std::max(sx, sy);
  const double reach = std::max(std::fabs(cx) + size.width / pixels_per_unit_x / 2,
                                std::fabs(cy) + size.height / pixels_per_unit_y / 2);
  if (out.pixel_pitch == 0 || pitch < out.pixel_pitch) out.pixel_pitch = pitch;
  // 2^-23: neighboring pixels share coordinates
  out.beyond_float = out.beyond_float || pitch < reach * 1.2e-7;
}

void plot_rows(int top, int height, CompiledFlame& flame) {
  const bool small_sums = flame.table.narrow && flame.table.opaque;
  Program& program = flame.program;
  program.top = top;
  program.height = height;
  program.tiling =
      tiling_of(program.width, height, small_sums ? most_narrow_tile_pixels : most_tile_pixels);
}

}  // namespace kiln
