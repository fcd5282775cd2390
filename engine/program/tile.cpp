// SPDX-License-Identifier: MIT
#include "engine/program/tile.h"

#include <utility>

#include "engine/base/error.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// The xform before its camera is known; its post affine is none that a program leaves out.
const Xform& wrapping_xform() {
  static const Xform wrap = [] {
    Xform xform;
    xform.color_speed = 0;
    xform.variations.assign(std::size_t(variation_count()), 0.0);
    xform.parameters = default_parameters();
    const int modulus = find_variation("modulus").value();
    xform.variations[std::size_t(modulus)] = 1;
    const auto first = std::size_t(info_of(modulus).first_parameter);
    xform.parameters[first] = xform.parameters[first + 1] = 1;
    xform.post.a = 2;
    return xform;
  }();
  return wrap;
}

void add_wrap(Flame& flame) {
  if (flame.final_xform)
    flame.more_finals.push_back(wrapping_xform());
  else
    flame.final_xform = wrapping_xform();
}

AffineD inverse_of(const AffineD& m) {
  const double determinant = m.a * m.e - m.b * m.d;
  AffineD out;
  out.a = m.e / determinant;
  out.b = -m.b / determinant;
  out.d = -m.d / determinant;
  out.e = m.a / determinant;
  out.c = -(out.a * m.c + out.b * m.f);
  out.f = -(out.d * m.c + out.e * m.f);
  return out;
}

}  // namespace

bool is_tiled(const std::vector<const Flame*>& bounds) {
  bool tiled = false;
  for (const Flame* flame : bounds) tiled |= flame->tile != 0;
  if (!tiled) return false;
  for (const Flame* flame : bounds) {
    const DepthCamera& camera = flame->depth_camera;
    const bool is_flat = camera.perspective == 0 && camera.pitch_rad == 0 && camera.blur == 0 &&
                         camera.projection == Projection::plane;
    if (!is_flat)
      fail(ErrorKind::input,
           "{}: a picture that repeats is one of a plane, and this camera sees depth; leave "
           "kiln_tile (--tile) out, or cam_pitch, cam_persp, cam_dof and kiln_projection",
           flame->place());
  }
  return true;
}

std::vector<const Flame*> TiledTimeSamples::bounds() {
  bounds_.clear();
  for (const Flame* flame : source_.bounds()) bounds_.push_back(*flame);
  std::vector<const Flame*> all;
  for (Flame& flame : bounds_) {
    // all have as many final xforms as any: this one stands behind the others
    add_wrap(flame);
    all.push_back(&flame);
  }
  return all;
}

void TiledTimeSamples::visit(const std::function<void(const Flame&)>& see) {
  Flame wrapped;
  source_.visit([&](const Flame& flame) {
    wrapped = flame;
    add_wrap(wrapped);
    see(wrapped);
  });
}

void place_tile(std::size_t time_sample, const AffineD& raster_from_flame, const PlotArea& area,
                CompiledFlame& out) {
  const double half_width = 0.5 * (area.width - 2 * area.gutter),
               half_height = 0.5 * (area.height - 2 * area.gutter);
  AffineD tile = raster_from_flame;  // the picture from -1 to 1
  tile.a /= half_width;
  tile.b /= half_width;
  tile.c = (tile.c - area.gutter) / half_width - 1;
  tile.d /= half_height;
  tile.e /= half_height;
  tile.f = (tile.f - area.gutter) / half_height - 1;
  const std::size_t stride = std::size_t(out.program.xform_stride);
  XformData& wrap = out.xforms.at(time_sample * stride + stride - 1);
  wrap.coefs = to_device(tile);
  wrap.post = to_device(inverse_of(tile));
}

}  // namespace kiln
