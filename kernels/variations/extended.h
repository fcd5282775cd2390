// SPDX-License-Identifier: MIT
// What variations beyond flam3's see and give: a third coordinate and the color, and what their
// pre_ and post_ forms do. Any struct has all three forms, from the one formula
// (docs/reference/variations.md):
//
//   v       sees the point; its result is added to the sum
//   pre_v   sees the point as the pre_ form before it left it; its result replaces the point
//   post_v  sees the sum as the post_ form before it left it; its result replaces the sum
//
// A struct says what is unusual of it with a constant:
//
//   adds_to_the_point = true   pre_v and post_v add the result: blurs, shapes, shifts
//   weighs_depth = true        z of the result is weight * z; it is `depth(in)` where the struct has
//                              that; 0 if nothing is said, and then replacing forms leave z alone
//   forms_without_depth = true pre_v and post_v leave z alone, whatever z of the result is
//   only_depth = true          x and y of the result are 0, and pre_v and post_v leave them alone
//   restarts = keeps_...       these coordinates of the sum are replaced by v, not added to
//   reads_depth = true         x or y of the result depend on z
//   makes_depth = true         z of the result may be other than 0 where z is 0; `makes_depth_by`
//                              a number: only where the parameter of that place is not 0
//   changes_color = true       color of the result is another one
//   hides_points = true        the result says whether the point is hidden (Moved::hidden)
//   only_hides_points = true   it says so where it is, and nothing where it is not
//   reads_sum = true           the formula looks at what the regular variations before it have made
//   empties(in)                a function: whether v takes back the sum before it
//
// The call operator takes an Arg and returns a Vec2, or takes an ExtendedArg and returns a Vec3, or
// a Moved with a color.
#pragma once

#include "kernels/program.h"
#include "kernels/variations/variation.h"

KILN_BEGIN

/// Ember's: what it divides by instead of 0. In double it would be 2^-52.
constexpr Real tiny = 0x1p-23f;
KILN_FN Real nonzero(Real t) { return t == 0 ? tiny : t; }

struct Vec3 {
  Real x, y, z;
};
KILN_FN Vec3 operator*(Vec3 a, Real s) { return {a.x * s, a.y * s, a.z * s}; }

/// A result with a color. `hidden`: nothing is plotted where the point goes, until a variation that
/// may hide it says otherwise; read where V::hides_points.
struct Moved {
  Real x, y, z, color;
  bool hidden = false;
};

/// The input of an extended flame's variation.
struct ExtendedArg : Arg {
  Real z, color;
  Vec3 before;           // the xform's point after its affine and pre_ forms
  Vec3 sum = {0, 0, 0};  // of the regular variations before it, where V::reads_sum; else 0

  KILN_FN ExtendedArg(Vec2 at, Real height, Real w, const Affine& m, Random& random, Real c, Vec3 b)
      : Arg{at, w, m, random}, z(height), color(c), before(b) {}
  KILN_FN Real r3() const { return r2() + z * z; }
};

template <class V>
constexpr bool adds_to_the_point = requires {
  requires V::adds_to_the_point;
};
template <class V>
constexpr bool weighs_depth = requires {
  requires V::weighs_depth;
};
template <class V>
constexpr bool only_depth = requires {
  requires V::only_depth;
};
template <class V>
constexpr bool forms_without_depth = requires {
  requires V::forms_without_depth;
};
template <class V>
constexpr bool reads_depth = requires {
  requires V::reads_depth;
};
template <class V>
constexpr bool reads_sum = requires {
  requires V::reads_sum;
};
template <class V>
constexpr bool only_hides_points = requires {
  requires V::only_hides_points;
};
template <class V>
constexpr bool hides_points = only_hides_points<V> || requires {
  requires V::hides_points;
};
template <class V>
constexpr bool changes_color = requires {
  requires V::changes_color;
};
template <class V>
constexpr i32 restarts() {
  if constexpr (requires { V::restarts; }) return V::restarts;
  return 0;
}
/// Always, never, or the place of the parameter that decides.
constexpr int makes_depth_always = -1, makes_depth_never = -2;
template <class V>
constexpr int makes_depth() {
  if constexpr (requires { V::makes_depth_by; }) return V::makes_depth_by;
  if constexpr (requires { requires V::makes_depth; }) return makes_depth_always;
  return makes_depth_never;
}

template <class V>
constexpr bool empties_sum = requires(const V& variation, const Arg& in) {
  variation.empties(in);
};
template <class V>
constexpr bool gives_depth = requires(const V& variation, const ExtendedArg& in) {
  variation.depth(in);
};

/// The point and color that a variation makes of its input.
template <class V>
KILN_FN Moved moved_by(const V& variation, const ExtendedArg& in) {
  const auto out = variation(in);
  if constexpr (requires { out.color; }) {
    return {out.x, out.y, out.z, out.color, out.hidden};
  } else if constexpr (requires { out.z; }) {
    return {out.x, out.y, out.z, in.color};
  } else if constexpr (gives_depth<V>) {
    return {out.x, out.y, variation.depth(in), in.color};
  } else if constexpr (weighs_depth<V>) {
    return {out.x, out.y, in.weight * in.z, in.color};
  } else {
    return {out.x, out.y, 0, in.color};
  }
}

/// Whether a result in the plane says nothing of z.
template <class V>
constexpr bool leaves_depth = requires(const V& variation, const Arg& in) {
  {variation(in)};
  requires !weighs_depth<V>;
  requires !gives_depth<V>;
  requires !only_depth<V>;
  requires makes_depth<V>()
  == makes_depth_never;
};

/// VariationTerm::form of a variation at a stage.
template <class V>
constexpr i32 form_at(i32 stage) {
  if (stage == stage_regular) return stage | (keeps_all & ~restarts<V>());
  const i32 depth = forms_without_depth<V> ? keeps_z | adds_no_z : 0;
  if (adds_to_the_point<V>) return stage | keeps_all | depth;
  if (only_depth<V>) return stage | keeps_x | keeps_y;
  return stage | depth | (leaves_depth<V> ? keeps_z : 0);
}

KILN_END
