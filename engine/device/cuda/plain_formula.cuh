// SPDX-License-Identifier: MIT
// Xforms of plain formula flames (kernels/formula_list.h) by the interpreter: they need not what extended
// flames have (kernels/extended_xform.h), so a point stays in registers, as one of flam3's flames does.
#pragma once

#include "engine/device/cuda/interpreters.cuh"
#include "kernels/thread_formula.h"

KILN_BEGIN

/// A thread's registers of formulas. In shared memory, whose rest the records take: of the first level of the
/// cache they leave too little for arrays of all threads.
struct CudaFormulaRegisters {
  char* mine;

  KILN_FN CudaFormulaRegisters() {
    __shared__ Real all[most_thread_registers * pool_lanes];
    mine = reinterpret_cast<char*>(all + threadIdx.x);
  }
  KILN_FN Real get(u32 offset) const { return *reinterpret_cast<const Real*>(mine + offset); }
  KILN_FN void set(u32 offset, Real value) { *reinterpret_cast<Real*>(mine + offset) = value; }
};

/// An xform of variations of the list and of formulas, whose numbers begin with `First`.
template <class List, int First>
struct PlainFormulaXform : InterpretedXform<List> {
  using Base = InterpretedXform<List>;
  using Base::data;
  using Base::head;
  using Base::program;

  KILN_FN PlainFormulaXform(const Program& p, const XformData& xform) : Base(p, xform) {}

  template <class Run, class Reals, class Randoms>
  KILN_FN void apply(const Run& run, Reals& x, Reals& y, Reals& color, Randoms& random) const {
    color[0] = fma(head.color_keep, color[0], head.color_pull);
    const Affine coefs = head.coefs;
    transform(run, coefs, x, y);
    Reals sum_x{0}, sum_y{0};
    const int first = head.first_term, last = first + head.term_count;
    for (int t = first; t < last; ++t) {
      const VariationTerm term = t == first ? head.first : program.terms[t];
      if (term.weight == 0) continue;
      run.pin(x, y);
      if (term.variation >= First) {
        CudaFormulaRegisters registers;
        Random lane_random = random.get(0);
        const Vec2 out =
            run_thread_formula(program, term, registers, x[0], y[0], color[0], lane_random);
        random.set(0, lane_random);
        sum_x[0] += out.x;
        sum_y[0] += out.y;
        continue;
      }
      dispatch<List>(term.variation, [&](auto type) KILN_INLINE {
        using V = typename decltype(type)::type;
        const V variation = load_parameters<V>(program, term);
        add_variation(run, variation, term.weight, coefs, x, y, sum_x, sum_y, random);
      });
    }
    x = sum_x;
    y = sum_y;
    if (head.has_post) transform(run, data.post, x, y);
    keep_from_zero(run, x, y);
  }
};

/// Interprets plain formula flames.
template <class List, int First>
struct PlainFormulaInterpreter : Interpreter<List, Features{}> {
  KILN_FN PlainFormulaXform<List, First> xform(const Program& program, int f, u32 = 0) const {
    return {program, program.xforms[f]};
  }
  KILN_FN PlainFormulaXform<List, First> final_xform(const Program& program, u32 = 0) const {
    return xform(program, program.xform_count);
  }
};

KILN_END
