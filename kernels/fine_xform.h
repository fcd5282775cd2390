// SPDX-License-Identifier: MIT
// The chaos game of a flame that is seen closer than floats reach: coordinates are doubles. A pool's points stay what they are;
// what floats lose of x and y lies beside them (Program::more_numbers()): 48 bits together, a resolution of 4e-15 of the distance
// from the origin. Affine maps, weights and parameters are those of the flame, not rounded to float. Colors, xforms drawn and
// pixels are as in kernels/iterate_batch.h.
#pragma once

#include "kernels/iterate_batch.h"
#include "kernels/variations/fine.h"
#include "kernels/xform.h"

KILN_BEGIN

/// A coordinate that shrinks for ever stays on its side of 0, far enough that what its float loses is a usual float.
KILN_FN double kept_from_zero(double v) {
  constexpr double least = 0x1p-76;
  return ((fine::abs(v) < least) & (v != 0)) ? fine::copysign(least, v) : v;
}

template <class Run>
struct MoreLanes<Run, false, true> {
  using Doubles = LanesOf<Run, double>;
  Doubles x, y;

  /// `lost` [2][pool_slots]: what the floats of x and y have lost.
  KILN_FN void take(const Run& run, const float* lost, const LanesOf<Run, i32>& place,
                    const LanesOf<Run, Real>& float_x, const LanesOf<Run, Real>& float_y) {
    run.each([&](int i) KILN_INLINE {
      const int at = run.place_of(place, i);
      x[i] = double(float_x[i]) + double(lost[at]);
      y[i] = double(float_y[i]) + double(lost[pool_slots + at]);
    });
  }
  KILN_FN void put_back(const Run& run, float* lost, const LanesOf<Run, i32>& place) const {
    run.each_exact([&](int i) KILN_INLINE {
      const int at = run.place_of(place, i);
      lost[at] = Real(x[i] - double(Real(x[i])));
      lost[pool_slots + at] = Real(y[i] - double(Real(y[i])));
    });
  }
  KILN_FN void begin_at(int i, Real float_x, Real float_y) {
    x[i] = double(float_x);
    y[i] = double(float_y);
  }
  KILN_FN void choose(int i, bool other, const MoreLanes& others) {
    x[i] = other ? others.x[i] : x[i];
    y[i] = other ? others.y[i] : y[i];
  }
  /// Maps points of the flame to pixels of the buffer, which floats hold.
  template <class Randoms>
  KILN_FN void project(const Run& run, const Program& program, u32 time_sample,
                       LanesOf<Run, Real>& column, LanesOf<Run, Real>& line, Randoms&) const {
    const FineCamera m = program.fine_cameras[time_sample];
    run.each([&](int i) KILN_INLINE {
      const double right = x[i] - m.center_x, down = y[i] - m.center_y;
      column[i] = Real(fine::fma(m.a, right, fine::fma(m.b, down, m.middle_x)));
      line[i] = Real(fine::fma(m.d, right, fine::fma(m.e, down, m.middle_y)));
    });
  }
  template <class Xform, class Applying, class Randoms>
  KILN_FN void apply(const Xform& xform, const Applying& run, LanesOf<Run, Real>& float_x,
                     LanesOf<Run, Real>& float_y, LanesOf<Run, Real>& color, Randoms& random) {
    xform.apply(run, x, y, color, random);
    run.each([&](int i) KILN_INLINE {
      float_x[i] = Real(x[i]);
      float_y[i] = Real(y[i]);
    });
  }
};

template <class Run, class Doubles>
KILN_FN void transform(const Run& run, const FineAffine& m, Doubles& x, Doubles& y) {
  run.each([&](int i) KILN_INLINE {
    const double px = x[i], py = y[i];
    x[i] = fine::fma(m.a, px, fine::fma(m.b, py, m.c));
    y[i] = fine::fma(m.d, px, fine::fma(m.e, py, m.f));
  });
}

/// An xform in double.
template <class List>
struct InterpretedFineXform : InterpretedXform<List> {
  using Base = InterpretedXform<List>;
  using Base::data;
  using Base::head;
  using Base::program;

  KILN_FN InterpretedFineXform(const Program& p, const XformData& xform) : Base(p, xform) {}

  KILN_FN const FineXform& fine_of(const XformData& one) const {
    return program.fine_xforms[&one - program.xforms];
  }
  template <class Run, class Doubles, class Reals, class Randoms>
  KILN_FN void apply(const Run& run, Doubles& x, Doubles& y, Reals& color, Randoms& random) const {
    const Real keep = head.color_keep, pull = head.color_pull;
    run.each([&](int i) KILN_INLINE { color[i] = fma(keep, color[i], pull); });
    transform(run, fine_of(data).coefs, x, y);
    Doubles sum_x, sum_y;
    run.each([&](int i) KILN_INLINE { sum_x[i] = sum_y[i] = 0; });
    for (int t = head.first_term; t < head.first_term + head.term_count; ++t) {
      const FineTerm& term = program.fine_terms[t];
      if (term.weight == 0) continue;  // of other time samples
      dispatch<List>(program.terms[t].variation, [&](auto type) KILN_INLINE {
        if constexpr (fine::has_formula<typename decltype(type)::type>)
          add(type, term, run, x, y, sum_x, sum_y, random);
      });
    }
    run.each([&](int i) KILN_INLINE {
      x[i] = sum_x[i];
      y[i] = sum_y[i];
    });
    if (run.has_copies()) {
      run.each_copy(&data, [&](const XformData& one, const auto& part) KILN_INLINE {
        if (one.has_post) transform(part, fine_of(one).post, x, y);
      });
    } else if (head.has_post) {
      transform(run, fine_of(data).post, x, y);
    }
    run.each([&](int i) KILN_INLINE {
      x[i] = kept_from_zero(x[i]);
      y[i] = kept_from_zero(y[i]);
    });
  }

 private:
  template <class V, class Run, class Doubles, class Randoms>
  KILN_FN static void add(Type<V> type, const FineTerm& term, const Run& run, Doubles& x,
                          Doubles& y, Doubles& sum_x, Doubles& sum_y, Randoms& random) {
    const double weight = term.weight;
    run.each([&](int i) KILN_INLINE {
      Random lane_random = random.get(i);
      const fine::Vec2 out =
          formula(type, fine::Arg{{x[i], y[i]}, weight, term.parameters, lane_random});
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
};

/// Access to the code of a fine flame's xforms.
template <class List>
struct FineInterpreter : Interpreter<List, any_features> {
  static constexpr bool fine = true;
  KILN_FN InterpretedFineXform<List> xform(const Program& program, int f,
                                           u32 time_sample = 0) const {
    return {program, program.xforms[i64(time_sample) * program.xform_stride + f]};
  }
  KILN_FN InterpretedFineXform<List> final_xform(const Program& program,
                                                 u32 time_sample = 0) const {
    return xform(program, program.xform_count, time_sample);
  }
  /// MoreLanes::project() has done it.
  KILN_FN Affine camera(const Program&, u32 = 0) const { return {}; }
};

KILN_END
