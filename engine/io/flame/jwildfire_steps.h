// SPDX-License-Identifier: MIT
// What JWildfire's flames say and kiln has as variations of its own (kernels/variations/jwildfire_steps.h): affine maps
// in space, color types, a camera with a bank and a lens, and copies of the picture. A flame that is read has them as
// terms of its xforms and as final xforms.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "engine/io/flame/attributes.h"
#include "engine/model/flame.h"

namespace kiln {

/// The affine maps of an xform in the planes beside that of x and y, and how it colors.
struct XformInSpace {
  AffineD yz_coefs, zx_coefs, yz_post, zx_post;
  std::string color_type;  // "" or UNSET: as usual
  std::array<double, 3> target = {0, 0, 0};
  double symmetry = 0;

  bool is_usual_type() const { return color_type.empty() || color_type == "UNSET"; }
  /// Whether a color that moves along the palette says it.
  bool is_plain() const;
};

/// Adds the maps of space to the terms of an xform.
void add_maps(const XformInSpace& space, Xform& xform);

/// Gives the xforms of a flame their color types, if one of them is other than plain; `xforms` and `finals` as the
/// flame has its own. Those of several layers are missing: each has a palette.
void add_color_types(const std::vector<XformInSpace>& xforms,
                     const std::vector<XformInSpace>& finals, bool are_of_several_layers,
                     Flame& flame);

/// Adds what the attributes say of copies and of a camera that kiln's own has not, as final xforms. The palette is
/// there already.
void add_camera(const DeferredAttributes& deferred, Flame& flame);

/// Whether what the attributes say of such a camera shows depth.
bool shows_depth(const DeferredAttributes& deferred);

/// Whether add_camera() knows the attribute; then it is kept.
bool keep_camera_attribute(const Attribute& a, DeferredAttributes& deferred);

}  // namespace kiln
