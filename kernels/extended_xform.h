// SPDX-License-Identifier: MIT
// An xform of an extended flame: one with variations that flam3 does not have, with pre_ and post_
// forms, with depth or with variations that color directly. It does what kernels/xform.h does for
// flam3's 99, and more: points have a z, terms have a form (kernels/variations/extended.h), in the
// order of Ember's transform: affine, pre_ forms one after the other, the sum of the regular ones,
// post_ forms one after the other, post affine, color. Flames of the 99 alone never come here, so
// that they keep their registers and their speed.
//
// The form is data and works on the result, outside of the dispatch: a variation is compiled once
// for its three forms.
#pragma once

#include "kernels/hidden_points.h"
#include "kernels/variations/extended.h"
#include "kernels/xform.h"

KILN_BEGIN

/// Three coordinates of a run's lanes.
template <class Reals>
struct Places {
  Reals x, y, z;
};

/// The coordinates that an xform's terms work on: the point, the sum of its regular variations, the
/// next variation's input and its output; and the color as variations change it.
template <class Reals>
struct ExtendedLanes {
  Places<Reals> point, sum, from, out;
  Reals direct;
  Reals mark;  // what is added to the color: kernels/hidden_points.h; of lists that hide points
};

template <class Run, class Reals>
KILN_FN void copy(const Run& run, const Places<Reals>& from, Places<Reals>& to) {
  run.each([&](int i) KILN_INLINE {
    to.x[i] = from.x[i];
    to.y[i] = from.y[i];
    to.z[i] = from.z[i];
  });
}

/// A result takes the place of what is there, coordinate by coordinate, or is added to it.
template <class Run, class Reals>
KILN_FN void put(const Run& run, i32 form, const Places<Reals>& out, Places<Reals>& there) {
  const bool with_x = form & keeps_x, with_y = form & keeps_y, with_z = form & keeps_z;
  const bool without_depth = form & adds_no_z;
  run.each([&](int i) KILN_INLINE {
    there.x[i] = (with_x ? there.x[i] : Real(0)) + out.x[i];
    there.y[i] = (with_y ? there.y[i] : Real(0)) + out.y[i];
    there.z[i] = (with_z ? there.z[i] : Real(0)) + (without_depth ? Real(0) : out.z[i]);
  });
}

/// Applies one variation to lanes.from. `summed`: a regular one, whose result joins others.
template <class V, class Run, class Reals, class Randoms>
KILN_FN void run_variation(const Run& run, const V& variation, Real weight, const Affine& coefs,
                           [[maybe_unused]] bool summed, ExtendedLanes<Reals>& lanes,
                           Randoms& random) {
  run.each([&](int i) KILN_INLINE {
    Random lane_random = random.get(i);
    ExtendedArg in(Vec2{lanes.from.x[i], lanes.from.y[i]}, lanes.from.z[i], weight, coefs,
                   lane_random, lanes.direct[i],
                   Vec3{lanes.point.x[i], lanes.point.y[i], lanes.point.z[i]});
    if constexpr (reads_sum<V>) {
      if (summed) in.sum = {lanes.sum.x[i], lanes.sum.y[i], lanes.sum.z[i]};
    }
    const Moved moved = moved_by(variation, in);
    if constexpr (empties_sum<V>) {
      const bool empties = summed && variation.empties(in);
      lanes.sum.x[i] = empties ? Real(0) : lanes.sum.x[i];
      lanes.sum.y[i] = empties ? Real(0) : lanes.sum.y[i];
      lanes.sum.z[i] = empties ? Real(0) : lanes.sum.z[i];
    }
    lanes.out.x[i] = moved.x;
    lanes.out.y[i] = moved.y;
    lanes.out.z[i] = moved.z;
    if constexpr (changes_color<V>) lanes.direct[i] = moved.color;
    if constexpr (hides_points<V>) {
      const Real otherwise = only_hides_points<V> ? lanes.mark[i] : mark_of_shown;
      lanes.mark[i] = moved.hidden ? mark_of_hidden : otherwise;
    }
    if constexpr (draws_random<V>) random.set(i, lane_random);
  });
}

/// The last word on an xform's color: `share` of what its variations made of it. NaN becomes 0.
template <class Run, class Reals>
KILN_FN void mix_color(const Run& run, Real share, const Reals& direct, Reals& color) {
  run.each([&](int i) KILN_INLINE {
    const Real mixed = fma(share, direct[i] - color[i], color[i]);
    color[i] = is_nan(mixed) ? Real(0) : mixed;
  });
}

/// One term; `call(run_it)` finds its variation and calls run_it(variation).
template <class Run, class Reals, class Randoms, class Call>
KILN_FN void apply_term(const Run& run, i32 form, Real weight, const Affine& coefs,
                        ExtendedLanes<Reals>& lanes, Reals& color, Randoms& random, Call&& call) {
  const i32 stage = form & stage_mask;
  if (stage == stage_color) return mix_color(run, weight, lanes.direct, color);
  if (stage == stage_post) {
    copy(run, lanes.sum, lanes.from);
  } else {
    copy(run, lanes.point, lanes.from);
  }
  call([&](const auto& variation) KILN_INLINE {
    run_variation(run, variation, weight, coefs, stage == stage_regular, lanes, random);
  });
  if (stage == stage_pre) {
    put(run, form, lanes.out, lanes.point);
  } else {
    put(run, form, lanes.out, lanes.sum);
  }
}

/// The point after the affine, and an empty sum. `Hides`: of a flame whose variations may hide points.
template <bool Hides = false, class Run, class Reals>
KILN_FN void begin_terms(const Run& run, const Affine& coefs, const Reals& x, const Reals& y,
                         const Reals& z, const Reals& color, ExtendedLanes<Reals>& lanes) {
  run.each([&](int i) KILN_INLINE {
    lanes.point.x[i] = x[i];
    lanes.point.y[i] = y[i];
    lanes.point.z[i] = z[i];
    lanes.sum.x[i] = lanes.sum.y[i] = lanes.sum.z[i] = 0;
    lanes.direct[i] = color[i];
    if constexpr (Hides) lanes.mark[i] = 0;
  });
  transform(run, coefs, lanes.point.x, lanes.point.y);
}

template <class Run, class Reals>
KILN_FN void end_terms(const Run& run, const ExtendedLanes<Reals>& lanes, Reals& x, Reals& y,
                       Reals& z) {
  run.each([&](int i) KILN_INLINE {
    x[i] = lanes.sum.x[i];
    y[i] = lanes.sum.y[i];
    z[i] = lanes.sum.z[i];
  });
}

/// The terms from `first` to before `last`, of variations of the list, whose first one has the
/// number `Begin`.
template <class List, int Begin, class Run, class Reals, class Randoms>
KILN_OUTLINE void apply_terms(const Program& program, int first, int last, const Affine& coefs,
                              const Run& run, ExtendedLanes<Reals>& __restrict lanes,
                              Reals& __restrict color, Randoms& __restrict random) {
  for (int t = first; t < last; ++t) {
    const VariationTerm term = program.terms[t];
    if (term.weight == 0) continue;  // of other time samples
    apply_term(run, term.form, term.weight, coefs, lanes, color, random,
               [&](auto&& run_it) KILN_INLINE {
                 dispatch<List>(term.variation - Begin, [&](auto type) KILN_INLINE {
                   run_it(load_parameters<typename decltype(type)::type>(program, term));
                 });
               });
  }
}

/// Two lists, one after the other, whose code is compiled apart.
template <class First, class Second>
struct ListsApart {};

/// apply_terms() of a list, or of two apart, by stretches of terms of the same one.
template <class... Vs, class Run, class Reals, class Randoms>
KILN_FN void apply_terms_of(VariationList<Vs...>, const Program& program, int first, int last,
                            const Affine& coefs, const Run& run, ExtendedLanes<Reals>& lanes,
                            Reals& color, Randoms& random) {
  apply_terms<VariationList<Vs...>, 0>(program, first, last, coefs, run, lanes, color, random);
}
template <class First, class Second, class Run, class Reals, class Randoms>
KILN_FN void apply_terms_of(ListsApart<First, Second>, const Program& program, int first, int last,
                            const Affine& coefs, const Run& run, ExtendedLanes<Reals>& lanes,
                            Reals& color, Randoms& random) {
  const auto is_of_second = [&](int t) { return program.terms[t].variation >= First::size; };
  for (int t = first; t < last;) {
    const bool second = is_of_second(t);
    const int begin = t++;
    while (t < last && is_of_second(t) == second) ++t;
    if (second)
      apply_terms<Second, First::size>(program, begin, t, coefs, run, lanes, color, random);
    else
      apply_terms<First, 0>(program, begin, t, coefs, run, lanes, color, random);
  }
}

template <class List>
constexpr bool list_hides_points = false;
template <class... Vs>
constexpr bool list_hides_points<VariationList<Vs...>> = (hides_points<Vs> || ...);
template <class First, class Second>
constexpr bool list_hides_points<ListsApart<First, Second>> =
    list_hides_points<First> || list_hides_points<Second>;

/// The extended apply_xform. `color` is blended already.
template <class List, class Run, class Reals, class Randoms>
KILN_CALLED void apply_extended_xform(const Program& program, const XformData& xform,
                                      const Run& run, Reals& x, Reals& y, Reals& z, Reals& color,
                                      Randoms& random) {
  ExtendedLanes<Reals> lanes;
  const Affine coefs = xform.coefs;
  begin_terms<list_hides_points<List>>(run, coefs, x, y, z, color, lanes);
  const int first = xform.first_term, last = first + xform.term_count;
  apply_terms_of(List{}, program, first, last, coefs, run, lanes, color, random);
  end_terms(run, lanes, x, y, z);
  if constexpr (list_hides_points<List>) mark_color(run, lanes.mark, color);
  if (run.has_copies()) {
    run.each_copy(&xform, [&](const XformData& one, const auto& part) KILN_INLINE {
      if (one.has_post) transform(part, one.post, x, y);
    });
  } else if (xform.has_post) {
    transform(run, xform.post, x, y);
  }
  keep_from_zero(run, x, y);
}

/// An xform of an extended flame as data.
template <class List>
struct InterpretedExtendedXform : InterpretedXform<List> {
  using Base = InterpretedXform<List>;
  using Base::data;
  using Base::head;
  using Base::program;

  KILN_FN InterpretedExtendedXform(const Program& p, const XformData& xform) : Base(p, xform) {}

  template <class Run, class Reals, class Randoms>
  KILN_FN void apply(const Run& run, Reals& x, Reals& y, Reals& z, Reals& color,
                     Randoms& random) const {
    const Real keep = head.color_keep, pull = head.color_pull;
    run.each([&](int i) KILN_INLINE { color[i] = fma(keep, color[i], pull); });
    apply_extended_xform<List>(program, data, run, x, y, z, color, random);
  }
};

/// Access to the code of an extended flame's xforms: any of them, at any time sample.
template <class List>
struct ExtendedInterpreter : Interpreter<List, any_features> {
  static constexpr bool extended = true;
  static constexpr bool hides_points = list_hides_points<List>;
  KILN_FN bool has_z(const Program& program) const { return program.has_z; }
  KILN_FN InterpretedExtendedXform<List> xform(const Program& program, int f,
                                               u32 time_sample = 0) const {
    return {program, program.xforms[i64(time_sample) * program.xform_stride + f]};
  }
  KILN_FN InterpretedExtendedXform<List> final_xform(const Program& program,
                                                     u32 time_sample = 0) const {
    return xform(program, program.xform_count, time_sample);
  }
};

/// Interprets JWildfire's flames, which may have several final xforms.
template <class List>
struct JWildfireInterpreter : ExtendedInterpreter<List> {
  static constexpr bool more_finals = true;
  KILN_FN InterpretedExtendedXform<List> final_xform(const Program& program, u32 time_sample = 0,
                                                     int number = 0) const {
    return this->xform(program, program.xform_count + number, time_sample);
  }
};

KILN_END
