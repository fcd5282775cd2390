// SPDX-License-Identifier: MIT
#include "engine/program/camera.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

static_assert(int(Projection::sphere) == projection_sphere &&
              int(Projection::dome) == projection_dome &&
              int(Projection::stereo) == projection_stereo);

using exact::pi;

constexpr double eyes_of_focus = 1.0 / 30;  // the rule of stereo photography

bool shows_angles(const DepthCamera& camera) {
  return camera.projection == Projection::sphere || camera.projection == Projection::dome;
}

/// Pixels of a radian in the middle of a sphere or a dome.
double pixels_per_radian(const DepthCamera& camera, const Flame& size) {
  if (camera.projection == Projection::sphere) return size.width / (2 * pi);
  return std::min(size.width, size.height) / (camera.dome_deg * (pi / 180));
}

/// The factor by which a point as far from the middle as the plane's shorter edge is seen at 90 degrees.
double flat_map(double pixels_per_unit, const Flame& size) {
  return 2 * pixels_per_unit / std::min(size.width, size.height);
}

/// Pixels in the middle of a sphere or a dome, for each of the plane in focus.
double magnification(const DepthCamera& camera, double pixels_per_unit, const Flame& size) {
  const double radians_per_unit =
      camera.perspective != 0 ? std::fabs(camera.perspective) : 2 * flat_map(pixels_per_unit, size);
  return radians_per_unit * pixels_per_radian(camera, size) / pixels_per_unit;
}

/// The map from the flame to a picture of the plane.
struct PlaneScale {
  double x, y;  // buckets for a length of 1
  exact::SinCos turn;
};

DepthView depth_view(const CompiledTimeSamples::View& view, const PlaneScale& scale,
                     const Flame& size, const PlotArea& area) {
  const DepthCamera& camera = view.depth;
  const exact::SinCos pitch = exact::sincos(camera.pitch_rad), yaw = exact::sincos(camera.yaw_rad);
  const double half_width = 0.5 * area.width / scale.x, half_height = 0.5 * area.height / scale.y;
  DepthView out{};
  out.pitch_sin = Real(pitch.s);
  out.pitch_cos = Real(pitch.c);
  out.yaw_sin = Real(yaw.s);
  out.yaw_cos = Real(yaw.c);
  out.z = Real(camera.z);
  out.perspective = Real(camera.perspective);
  out.blur = Real(camera.blur * 0.1);
  out.blur_curve = camera.blur_curve == 0 ? 0 : Real(25 / camera.blur_curve);
  out.width_factor = Real(1 / (half_width * half_width));
  out.height_factor = Real(1 / (half_height * half_height));
  out.projection = i32(camera.projection);
  if (camera.projection == Projection::plane) return out;

  out.turn_sin = Real(scale.turn.s);
  out.turn_cos = Real(scale.turn.c);
  out.center_x = Real(view.center_x);
  out.center_y = Real(view.center_y);
  out.flat = Real(flat_map(scale.y / area.supersample, size));
  out.dome = Real(360 / (camera.dome_deg * pi));
  if (camera.projection == Projection::stereo) {
    if (camera.perspective == 0)
      fail(ErrorKind::input,
           "{}: two eyes see the same of a picture without perspective; for "
           "kiln_projection=\"stereo\" "
           "set cam_persp, such as 0.3",
           size.place());
    const double eyes =
        camera.eyes > 0 ? camera.eyes : eyes_of_focus / std::fabs(camera.perspective);
    out.eye = Real(eyes / 2);
    out.half_width = Real(0.25 * area.supersample * size.width / scale.x);
  }
  return out;
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

/// The map from where DepthView sees a point to the buffer.
AffineD raster_of(const CompiledTimeSamples::View& view, const PlaneScale& scale, const Flame& size,
                  const PlotArea& area) {
  // JWildfire's buckets are centered at whole numbers
  const double shift = size.dialect == Dialect::jwildfire ? 0.5 : 0;
  const double middle_x = 0.5 * area.supersample * size.width + shift;
  const double middle_y = 0.5 * area.supersample * size.height + shift;
  const exact::SinCos& turn = scale.turn;
  AffineD m;
  if (view.depth.projection == Projection::plane) {
    const double cx = view.center_x, cy = view.center_y;
    m.a = scale.x * turn.c;
    m.b = -scale.x * turn.s;
    m.c = scale.x * (-cx * turn.c + cy * turn.s) + middle_x + area.gutter;
    m.d = scale.y * turn.s;
    m.e = scale.y * turn.c;
    m.f = scale.y * (-cx * turn.s - cy * turn.c) + middle_y + area.gutter;
    return m;
  }
  m.a = scale.x;
  m.e = scale.y;
  m.c = middle_x + area.gutter;
  m.f = middle_y + area.gutter;
  if (view.depth.projection == Projection::sphere)
    m.a = m.e = 0.5 * area.supersample * size.width;
  else if (view.depth.projection == Projection::dome)
    m.a = m.e = 0.5 * area.supersample * std::min(size.width, size.height);
  return m;
}

/// The flat map `m` as a fine camera.
FineCamera fine_camera(const CompiledTimeSamples::View& view, const AffineD& m, const Flame& size,
                       const PlotArea& area) {
  const exact::SinCos yaw = exact::sincos(view.depth.yaw_rad);  // about the origin
  return {m.a,
          m.b,
          m.d,
          m.e,
          view.center_x * yaw.c - view.center_y * yaw.s,
          view.center_x * yaw.s + view.center_y * yaw.c,
          0.5 * area.supersample * size.width + area.gutter,
          0.5 * area.supersample * size.height + area.gutter};
}

PlaneScale plane_scale(const CompiledTimeSamples::View& view, const PlotArea& area) {
  const double pixels_per_unit_y = view.scale * exact::exp(view.zoom * 0.693147180559945309417);
  const double pixels_per_unit_x = pixels_per_unit_y / view.pixel_aspect;
  const double angle = view.rotate_deg * 0.0174532925199432957692;
  return {area.supersample * pixels_per_unit_x, area.supersample * pixels_per_unit_y,
          exact::sincos(angle)};
}

}  // namespace

AffineD flat_camera(const CompiledTimeSamples::View& view, const Flame& size,
                    const PlotArea& area) {
  return turned_by_yaw(raster_of(view, plane_scale(view, area), size, area), view.depth.yaw_rad);
}

void compile_camera(const CompiledTimeSamples::View& view, bool tilted, const Flame& size,
                    const PlotArea& area, CompiledFlame& out) {
  const double pixels_per_unit_y = view.scale * exact::exp(view.zoom * 0.693147180559945309417);
  const double pixels_per_unit_x = pixels_per_unit_y / view.pixel_aspect;
  const PlaneScale scale = plane_scale(view, area);
  AffineD m = raster_of(view, scale, size, area);
  if (tilted)
    out.views.push_back(depth_view(view, scale, size, area));
  else
    m = turned_by_yaw(m, view.depth.yaw_rad);
  out.cameras.push_back(to_device(m));
  out.fine_cameras.push_back(fine_camera(view, m, size, area));
  // points are at most 1e10 from the origin: their pixel coordinates shall stay finite
  for (double v : {m.a, m.b, m.d, m.e, m.c / 1e10, m.f / 1e10}) {
    if (!(std::fabs(v) < 1e26)) {
      fail(ErrorKind::input,
           "{}: the camera magnifies beyond what numbers hold; lower scale or zoom", size.place());
    }
  }
  double pitch = 1 / std::max(scale.x, scale.y);
  double there = std::max(std::fabs(view.center_x) + size.width / pixels_per_unit_x / 2,
                          std::fabs(view.center_y) + size.height / pixels_per_unit_y / 2);
  if (shows_angles(view.depth)) {
    pitch /= magnification(view.depth, pixels_per_unit_y, size);
    there = std::max(std::fabs(view.center_x), std::fabs(view.center_y));
  }
  if (out.pixel_pitch == 0 || pitch < out.pixel_pitch) out.pixel_pitch = pitch;
  // A point is rounded where it is, in the picture, and where an xform takes it on its way there: what
  // affine maps add to it is as large as what is rounded, however near to the origin it ends.
  const double reach = std::max(there, view.farthest);
  if (!(reach > 0)) return;
  const double side = std::max(area.width, area.height);
  out.pitch_in_reach = std::min(out.pitch_in_reach, pitch / reach);
  out.side_in_reach = std::min(out.side_in_reach, side * pitch / reach);
  // between two steps 48 bits, within one the 53 of doubles
  out.beyond_fine = out.beyond_fine || pitch < std::max(there * 0x1p-47, reach * 0x1p-52);
}

bool wants_doubles(const CompiledFlame& flame) {
  constexpr double from = 1e-6;  // rounding adds up over some steps: there an eighth of a pixel
  return flame.pitch_in_reach < from;
}

Resolution resolution_of(const CompiledFlame& flame) {
  if (flame.program.fine) return flame.beyond_fine ? Resolution::blocks : Resolution::whole;
  constexpr double step = 0x1p-23;  // between neighboring floats: pixels share coordinates
  if (flame.side_in_reach < step) return Resolution::black;
  if (flame.pitch_in_reach < step) return Resolution::blocks;
  return wants_doubles(flame) ? Resolution::soft : Resolution::whole;
}

std::string resolution_warning(const CompiledFlame& flame) {
  const char* const coordinates = flame.program.fine ? "double" : "float";
  const char* const more =
      flame.program.fine ? "" : " (docs/use/deep-zoom.md: which flames go deeper)";
  switch (resolution_of(flame)) {
    case Resolution::whole:
      return "";
    case Resolution::soft:
      return fmt::format(
          "pixels are {:.2g} apart, hardly more than {} coordinates resolve here: expect a soft "
          "picture{}",
          flame.pixel_pitch, coordinates, more);
    case Resolution::blocks:
      return fmt::format(
          "pixels are {:.2g} apart, finer than {} coordinates resolve here: expect blocks{}",
          flame.pixel_pitch, coordinates, more);
    case Resolution::black:
      return fmt::format(
          "the whole picture lies between two neighboring {} coordinates: expect black{}",
          coordinates, more);
  }
  return "";
}

double thinning(const Flame& flame) {
  const DepthCamera& camera = flame.depth_camera;
  if (camera.projection == Projection::plane) return 1;
  if (camera.projection == Projection::stereo) return 0.5;  // an eye has half of the samples
  const double larger = magnification(camera, flame.scale * exact::pow(2.0, flame.zoom), flame);
  return 1 / (larger * larger);
}

}  // namespace kiln
