// SPDX-License-Identifier: MIT
// Variations that a flame brings along as formulas (engine/model/formula.h). A formula is a little
// program for a register machine: no jumps, so that lanes of a vector loop and threads of a warp do the
// same, and a bounded number of instructions. One source for all that runs it: the interpreter below on
// both devices, the host, which computes what is the same for all points once a flame, and a flame's own
// kernel, whose source calls the same functions by name (engine/device/cuda/jit/flame_code.cpp).
//
// An operand below `formula_scalar` is a register, the rest are scalars: constants, parameters and what
// is computed of these alone. Truths are 1 and 0. An instruction is two words:
//
//   op | to << 8 | a << 16 | b << 24,   c
//
// In Program::parameters a term of a formula has the place of its code there (as bits), then its
// scalars; the code, which all its terms share, is a word that counts instructions, a word with the
// operands of x, y, z and color, then the instructions. The words are bits in floats; no operand is large
// enough to make one a NaN, which might not be copied as it is.
#pragma once

#include "kernels/extended_xform.h"
#include "kernels/formula_list.h"

KILN_BEGIN

constexpr int formula_registers = 32;
constexpr u32 formula_scalar = 64, most_formula_scalars = 60;
constexpr u32 formula_nothing = 0x7e;  // operand of a coordinate that the formula leaves alone

// Of one number, of two where either may be a scalar, of two in registers, and of three of which the last
// two may be scalars; each with its arithmetic.
// clang-format off
#define KILN_FORMULA_UNARY(X)                                                \
  X(neg, -a)                                                                 \
  X(abs, abs(a))                                                             \
  X(sqrt, sqrt(a))                                                           \
  X(floor, floor(a))                                                         \
  X(ceil, -floor(-a))                                                        \
  X(trunc, trunc(a))                                                         \
  X(rint, rint(a))                                                           \
  X(round, round(a))                                                         \
  X(sign, (a > 0 ? Real(1) : Real(0)) - (a < 0 ? Real(1) : Real(0)))         \
  X(not, Real(1) - a)                                                        \
  X(exp, exp(a))                                                             \
  X(exp2, exp2(a))                                                           \
  X(log, log(a))                                                             \
  X(log10, log10(a))                                                         \
  X(log1p, log1p(a))                                                         \
  X(sin, sin(a))                                                             \
  X(cos, cos(a))                                                             \
  X(tan, tan(a))                                                             \
  X(asin, asin(a))                                                           \
  X(acos, acos(a))                                                           \
  X(atan, atan(a))                                                           \
  X(sinh, sinh(a))                                                           \
  X(cosh, cosh(a))                                                           \
  X(tanh, tanh(a))                                                           \
  X(sinpi, sincospi(a).s)                                                    \
  X(cospi, cospi(a))                                                         \
  X(tanpi, tanpi(a))
#define KILN_FORMULA_BINARY(X)                   \
  X(add, a + b)                                  \
  X(sub, a - b)                                  \
  X(mul, a * b)                                   \
  X(div, a / b)                                  \
  X(min, a < b ? a : b)                          \
  X(max, a > b ? a : b)                          \
  X(less, a < b ? Real(1) : Real(0))             \
  X(at_most, a <= b ? Real(1) : Real(0))         \
  X(equal, a == b ? Real(1) : Real(0))           \
  X(unequal, a != b ? Real(1) : Real(0))         \
  X(both, a * b)                                  \
  X(either, a > b ? a : b)
// the sign of a NaN is not the same everywhere
#define KILN_FORMULA_PAIR(X) \
  X(atan2, atan2(a, b))      \
  X(pow, pow(a, b))          \
  X(fmod, fmod(a, b))        \
  X(hypot, hypot(a, b))      \
  X(copysign, is_nan(b) ? b : copysign(a, b))
#define KILN_FORMULA_TERNARY(X) \
  X(fma, fma(a, b, c))          \
  X(select, a != 0 ? b : c)
// clang-format on

// first those of all lists, in this order, then the machine's own
enum class FormulaOp : u8 {
#define KILN_FORMULA_OP(name, value) name##_,
  KILN_FORMULA_UNARY(KILN_FORMULA_OP) KILN_FORMULA_BINARY(KILN_FORMULA_OP)
      KILN_FORMULA_PAIR(KILN_FORMULA_OP) KILN_FORMULA_TERNARY(KILN_FORMULA_OP)
#undef KILN_FORMULA_OP
          sincos,  // sine of a to `to`, cosine to c
  sincospi,        // of pi a
  input,           // to = coordinate number a of the input: x y z color
  fill,            // to = the scalar a
  draw             // to = a random number in [0, 1)
};

#define KILN_FORMULA_FUNCTION(name, value) \
  KILN_FN Real formula_##name([[maybe_unused]] Real a) { return value; }
KILN_FORMULA_UNARY(KILN_FORMULA_FUNCTION)
#undef KILN_FORMULA_FUNCTION
#define KILN_FORMULA_FUNCTION(name, value) \
  KILN_FN Real formula_##name(Real a, Real b) { return value; }
KILN_FORMULA_BINARY(KILN_FORMULA_FUNCTION)
KILN_FORMULA_PAIR(KILN_FORMULA_FUNCTION)
#undef KILN_FORMULA_FUNCTION
#define KILN_FORMULA_FUNCTION(name, value) \
  KILN_FN Real formula_##name(Real a, Real b, Real c) { return value; }
KILN_FORMULA_TERNARY(KILN_FORMULA_FUNCTION)
#undef KILN_FORMULA_FUNCTION

/// A point that a formula in a flame's own kernel works on, and what it makes of it.
struct FormulaPlaces {
  Real x, y, z, color, out_x, out_y, out_z;
};

/// The code of a formula's term.
struct FormulaCode {
  const float* words;
  KILN_FN FormulaCode(const Program& program, const VariationTerm& term)
      : words(program.parameters + bits_of(program.parameters[term.parameters])) {}
  KILN_FN u32 count() const { return bits_of(words[0]); }
  KILN_FN u32 results() const { return bits_of(words[1]); }
  KILN_FN u32 word(u32 instruction, u32 number) const {
    return bits_of(words[2 + 2 * instruction + number]);
  }
};

template <class Run, class Reals>
struct FormulaMachine {
  Reals reg[formula_registers];
  const float* scalars;

  KILN_FN static bool is_scalar(u32 operand) { return operand >= formula_scalar; }
  KILN_FN Real scalar(u32 operand) const { return scalars[operand - formula_scalar]; }

  // `to` is never one of the operands' registers

  template <class F>
  KILN_FN void unary(const Run& run, u32 to, u32 a, F&& f) {
    Reals& out = reg[to];
    const Reals& from = reg[a];
    run.each([&](int i) KILN_INLINE { out[i] = f(from[i]); });
  }
  template <class F>
  KILN_FN void pair(const Run& run, u32 to, u32 a, u32 b, F&& f) {
    Reals& out = reg[to];
    const Reals &first = reg[a], &second = reg[b];
    run.each([&](int i) KILN_INLINE { out[i] = f(first[i], second[i]); });
  }
  template <class F>
  KILN_FN void binary(const Run& run, u32 to, u32 a, u32 b, F&& f) {
    if (is_scalar(b)) {
      const Real s = scalar(b);
      unary(run, to, a, [&](Real v) KILN_INLINE { return f(v, s); });
    } else if (is_scalar(a)) {
      const Real s = scalar(a);
      unary(run, to, b, [&](Real v) KILN_INLINE { return f(s, v); });
    } else {
      pair(run, to, a, b, f);
    }
  }
  template <class F>
  KILN_FN void ternary(const Run& run, u32 to, u32 a, u32 b, u32 c, F&& f) {
    if (is_scalar(c)) {
      const Real s = scalar(c);
      binary(run, to, a, b, [&](Real v, Real w) KILN_INLINE { return f(v, w, s); });
    } else if (is_scalar(b)) {
      const Real s = scalar(b);
      pair(run, to, a, c, [&](Real v, Real w) KILN_INLINE { return f(v, s, w); });
    } else {
      Reals& out = reg[to];
      const Reals &first = reg[a], &second = reg[b], &third = reg[c];
      run.each([&](int i) KILN_INLINE { out[i] = f(first[i], second[i], third[i]); });
    }
  }
  template <class F>
  KILN_FN void sine_and_cosine(const Run& run, u32 to, u32 a, u32 c, F&& f) {
    Reals &sine = reg[to], &cosine = reg[c];
    const Reals& from = reg[a];
    run.each([&](int i) KILN_INLINE {
      const SinCos both = f(from[i]);
      sine[i] = both.s;
      cosine[i] = both.c;
    });
  }
  KILN_FN void copy_to(const Run& run, u32 operand, Reals& out) const {
    if (operand == formula_nothing) return;
    if (is_scalar(operand)) {
      const Real s = scalar(operand);
      run.each([&](int i) KILN_INLINE { out[i] = s; });
    } else {
      const Reals& from = reg[operand];
      run.each([&](int i) KILN_INLINE { out[i] = from[i]; });
    }
  }
};

/// Runs the formula of a term on lanes.from; its results are lanes.out and lanes.direct.
template <class Run, class Reals, class Randoms>
KILN_CALLED void run_formula(const Program& program, const VariationTerm& term, const Run& run,
                             ExtendedLanes<Reals>& __restrict lanes, Randoms& __restrict random) {
  FormulaMachine<Run, Reals> machine;
  machine.scalars = program.parameters + term.parameters + 1;
  const FormulaCode code(program, term);
  const u32 count = code.count();
  for (u32 k = 0; k < count; ++k) {
    const u32 word = code.word(k, 0), c = code.word(k, 1);
    const u32 to = (word >> 8) & 0xff, a = (word >> 16) & 0xff, b = word >> 24;
    switch (FormulaOp(word & 0xff)) {
#define KILN_FORMULA_CASE(name, value)                                               \
  case FormulaOp::name##_:                                                           \
    machine.unary(run, to, a, [](Real v) KILN_INLINE { return formula_##name(v); }); \
    break;
      KILN_FORMULA_UNARY(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
#define KILN_FORMULA_CASE(name, value)                                               \
  case FormulaOp::name##_:                                                           \
    machine.binary(run, to, a, b,                                                    \
                   [](Real v, Real w) KILN_INLINE { return formula_##name(v, w); }); \
    break;
      KILN_FORMULA_BINARY(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
#define KILN_FORMULA_CASE(name, value)                                                            \
  case FormulaOp::name##_:                                                                        \
    machine.pair(run, to, a, b, [](Real v, Real w) KILN_INLINE { return formula_##name(v, w); }); \
    break;
      KILN_FORMULA_PAIR(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
#define KILN_FORMULA_CASE(name, value)                                                           \
  case FormulaOp::name##_:                                                                       \
    machine.ternary(run, to, a, b, c,                                                            \
                    [](Real u, Real v, Real w) KILN_INLINE { return formula_##name(u, v, w); }); \
    break;
      KILN_FORMULA_TERNARY(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
      case FormulaOp::sincos:
        machine.sine_and_cosine(run, to, a, c, [](Real v) KILN_INLINE { return sincos(v); });
        break;
      case FormulaOp::sincospi:
        machine.sine_and_cosine(run, to, a, c, [](Real v) KILN_INLINE { return sincospi(v); });
        break;
      case FormulaOp::input: {
        const Reals& from = a == 0   ? lanes.from.x
                            : a == 1 ? lanes.from.y
                            : a == 2 ? lanes.from.z
                                     : lanes.direct;
        Reals& out = machine.reg[to];
        run.each([&](int i) KILN_INLINE { out[i] = from[i]; });
        break;
      }
      case FormulaOp::fill:
        machine.copy_to(run, a, machine.reg[to]);
        break;
      case FormulaOp::draw: {
        Reals& out = machine.reg[to];
        run.each([&](int i) KILN_INLINE {
          Random lane_random = random.get(i);
          out[i] = lane_random.uniform();
          random.set(i, lane_random);
        });
        break;
      }
    }
  }
  const u32 results = code.results();
  run.each([&](int i) KILN_INLINE { lanes.out.x[i] = lanes.out.y[i] = lanes.out.z[i] = 0; });
  machine.copy_to(run, results & 0xff, lanes.out.x);
  machine.copy_to(run, (results >> 8) & 0xff, lanes.out.y);
  machine.copy_to(run, (results >> 16) & 0xff, lanes.out.z);
  machine.copy_to(run, results >> 24, lanes.direct);
}

/// A list and the formulas of the flame, whose numbers begin with `First`.
template <class List, int First>
struct WithFormulas {};

template <class List, int First>
constexpr bool list_hides_points<WithFormulas<List, First>> = list_hides_points<List>;

template <class List, int First, class Run, class Reals, class Randoms>
KILN_FN void apply_terms_of(WithFormulas<List, First>, const Program& program, int first, int last,
                            const Affine& coefs, const Run& run, ExtendedLanes<Reals>& lanes,
                            Reals& color, Randoms& random) {
  for (int t = first; t < last;) {
    const VariationTerm term = program.terms[t];
    if (term.variation < First) {
      const int begin = t++;
      while (t < last && program.terms[t].variation < First) ++t;
      apply_terms_of(List{}, program, begin, t, coefs, run, lanes, color, random);
      continue;
    }
    ++t;
    if (term.weight == 0) continue;  // of other time samples
    const bool is_post = (term.form & stage_mask) == stage_post;
    copy(run, is_post ? lanes.sum : lanes.point, lanes.from);
    run_formula(program, term, run, lanes, random);
    put(run, term.form, lanes.out, (term.form & stage_mask) == stage_pre ? lanes.point : lanes.sum);
  }
}

KILN_END
