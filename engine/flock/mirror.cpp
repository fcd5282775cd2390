// SPDX-License-Identifier: MIT
// The flame whose picture is turned from left to right, or upside down (flock.h).
#include "engine/flock/flock.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// A final transform that leaves points and colors as they are.
Xform still_lens() {
  Xform lens;
  lens.variations.assign(std::size_t(variation_count()), 0);
  lens.variations[std::size_t(*find_variation("linear"))] = 1;
  lens.parameters = default_parameters();
  lens.color_speed = 0;
  return lens;
}

/// Turns over what a map gives: x for a mirror from left to right.
void turn_over(AffineD& map, bool top_to_bottom) {
  for (double* one :
       top_to_bottom ? std::array{&map.d, &map.e, &map.f} : std::array{&map.a, &map.b, &map.c})
    *one = -*one;
}

}  // namespace

Flame mirrored(const Flame& flame, bool top_to_bottom) {
  Flame made = flame;
  if (!made.final_xform) made.final_xform = still_lens();
  Xform* lens = made.more_finals.empty() ? &*made.final_xform : &made.more_finals.back();
  // what works behind its post affine, or not on all points, would be left as it is
  if (!lens->staged.empty() || lens->opacity != 1 || !lens->motions.empty())
    lens = &made.more_finals.emplace_back(still_lens());
  turn_over(lens->post, top_to_bottom);
  (top_to_bottom ? made.center_y : made.center_x) *= -1;
  made.rotate_deg *= -1;
  made.depth_camera.yaw_rad *= -1;
  return made;
}

}  // namespace kiln
