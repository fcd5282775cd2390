// SPDX-License-Identifier: MIT
// One application of an xform to a run of neighboring slots: affine, pre_blur, the weighted sum of
// variations, post affine, bad values (flam3-variations.md sections 1 and 2). The run is lanes of a
// vector loop on the CPU, one lane of a warp on CUDA.
#pragma once

#include "kernels/math.h"
#include "kernels/program.h"
#include "kernels/variations/variation.h"

KILN_BEGIN

constexpr Real bad_value = Real(1e10);  // flam3: a coordinate beyond this, or NaN, counts as lost
constexpr Real least_value = 0x1p-56f;  // of a coordinate that is not 0

KILN_FN bool is_bad(Real v) { return !(abs(v) <= bad_value); }
/// A coordinate that shrinks for ever stays on its side of 0, as in flam3's double, where it lives
/// a thousand halvings. Its square and its product with another do not vanish nor become denormal
/// (slow on CPUs).
KILN_FN Real kept_from_zero(Real v) {
  return ((abs(v) < least_value) & (v != 0)) ? copysign(least_value, v) : v;
}

/// (x, y) of the run's lanes goes through the affine.
template <class Run, class Reals>
KILN_FN void transform(const Run& run, const Affine& m, Reals& x, Reals& y) {
  run.each([&](int i) KILN_INLINE {
    const Real px = x[i], py = y[i];
    x[i] = fma(m.a, px, fma(m.b, py, m.c));
    y[i] = fma(m.d, px, fma(m.e, py, m.f));
  });
}

/// Adds what one variation makes of the points; pre_blur displaces them instead.
template <class V, class Run, class Reals, class Randoms>
KILN_FN void add_variation(const Run& run, const V& variation, Real weight, const Affine& coefs,
                           Reals& x, Reals& y, Reals& sum_x, Reals& sum_y, Randoms& random) {
  run.each([&](int i) KILN_INLINE {
    Random lane_random = random.get(i);
    const Vec2 out = variation(Arg{{x[i], y[i]}, weight, coefs, lane_random});
    if constexpr (runs_before_others<V>) {
      x[i] = out.x;
      y[i] = out.y;
    } else {
      sum_x[i] += out.x;
      sum_y[i] += out.y;
    }
    if constexpr (draws_random<V>) random.set(i, lane_random);
  });
}

template <class Run, class Reals>
KILN_FN void keep_from_zero(const Run& run, Reals& x, Reals& y) {
  run.each([&](int i) KILN_INLINE {
    x[i] = kept_from_zero(x[i]);
    y[i] = kept_from_zero(y[i]);
  });
}

template <class V>
KILN_FN V load_parameters(const Program& program, const VariationTerm& term) {
  return *reinterpret_cast<const V*>(program.parameters + term.parameters);
}

/// x, y: the points, replaced by the xform's result (not yet tested for bad values).
/// `head` is the first part of `xform`, already loaded. A run may hold several copies of an xform
/// (Program::copy_count), of which this is the first.
template <class List, class Run, class Reals, class Randoms>
KILN_OUTLINE void apply_xform(const Program& program, const XformHead& head, const XformData& xform,
                              const Run& run, Reals& x, Reals& y, Randoms& random) {
  const Affine coefs = head.coefs;
  transform(run, coefs, x, y);
  typename Run::template Lanes<Real> sum_x, sum_y;
  run.each([&](int i) KILN_INLINE { sum_x[i] = sum_y[i] = 0; });
  const int first = head.first_term, last = first + head.term_count;
  for (int t = first; t < last; ++t) {
    const VariationTerm term = t == first ? head.first : program.terms[t];
    if (term.weight == 0)
      continue;  // of other time samples: here 0 times infinity would be a bad value
    run.pin(x, y);
    dispatch<List>(term.variation, [&](auto type) KILN_INLINE {
      using V = typename decltype(type)::type;
      const V variation = load_parameters<V>(program, term);
      add_variation(run, variation, term.weight, coefs, x, y, sum_x, sum_y, random);
    });
  }
  run.each([&](int i) KILN_INLINE {
    x[i] = sum_x[i];
    y[i] = sum_y[i];
  });
  if (run.has_copies()) {
    run.each_copy(&xform, [&](const XformData& one, const auto& part) KILN_INLINE {
      if (one.has_post) transform(part, one.post, x, y);
    });
  } else if (head.has_post) {
    transform(run, xform.post, x, y);
  }
  keep_from_zero(run, x, y);
}

/// An xform as data, its variations found by number: any flame, no compiler.
template <class List>
struct InterpretedXform {
  const Program& program;
  const XformData& data;
  const XformHead head;

  KILN_FN InterpretedXform(const Program& p, const XformData& xform)
      : program(p), data(xform), head(xform) {}
  KILN_FN bool draws_random() const { return data.draws_random; }
  KILN_FN i32 palette_row() const { return head.palette_row; }
  KILN_FN Real opacity() const { return data.opacity; }

  template <class Run, class Reals, class Randoms>
  KILN_FN void apply(const Run& run, Reals& x, Reals& y, Reals& color, Randoms& random) const {
    const Real keep = head.color_keep, pull = head.color_pull;
    run.each([&](int i) KILN_INLINE { color[i] = fma(keep, color[i], pull); });
    apply_xform<List>(program, head, data, run, x, y, random);
  }
};

/// Features that a flame may have. Code for those that it cannot have is left out of a kernel
/// (fewer registers and instructions on a GPU).
struct Features {
  bool xaos = false, final_xform = false, motion = false;
};
constexpr Features any_features{true, true, true};

/// Access to an xform's code by looking at the flame's data.
template <class List, Features May>
struct Interpreter {
  KILN_FN bool has_xaos(const Program& program) const { return May.xaos && program.has_xaos; }
  KILN_FN bool has_final(const Program& program) const {
    return May.final_xform && program.has_final;
  }
  KILN_FN bool has_copies(const Program& program) const { return program.copy_count > 1; }
  KILN_FN bool moving(const Program& program) const {
    return May.motion && program.time_sample_count > 1;
  }
  template <class Block>
  KILN_FN void enter(Block&, u32) const {}
  KILN_FN InterpretedXform<List> xform(const Program& program, int f, u32 time_sample = 0) const {
    if constexpr (!May.motion) return {program, program.xforms[f]};
    return {program, program.xforms[i64(time_sample) * program.xform_stride + f]};
  }
  KILN_FN InterpretedXform<List> final_xform(const Program& program, u32 time_sample = 0) const {
    return xform(program, program.xform_count, time_sample);
  }
  KILN_FN Affine camera(const Program& program, u32 time_sample = 0) const {
    if constexpr (!May.motion) return program.raster_from_flame;
    return program.cameras[time_sample];
  }
  KILN_FN Tiling tiling(const Program& program) const { return program.tiling; }
  KILN_FN bool transients(bool wanted) const { return wanted; }
};

KILN_END
