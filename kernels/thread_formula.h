// SPDX-License-Identifier: MIT
// Formulas as a thread of a GPU's interpreter runs them (kernels/formula.h has what they are). There an
// instruction costs what it takes to find it, its numbers and its operation; the arithmetic comes to
// little beside that. So engine/program/thread_formula.cpp makes few instructions of many: a b + c d is
// one (with its three roundings), x and y lie in registers when a formula begins, and a factor of a
// result, which is the weight in most of them, is no instruction at all. What is the same for all
// points stands in the instructions, which each term has for itself.
//
// The instructions of a term lie in Program::parameters, in front of a ThreadFormulaHead, which lies
// in front of the place that VariationTerm::parameters names. Registers are in shared memory, one
// thread's beside another's, and an instruction names them by their offset in bytes.
#pragma once

#include "kernels/formula.h"
#include "kernels/pool.h"

KILN_BEGIN

constexpr u32 most_thread_registers =
    9;  // of 2 KB in each block: tiles of large pictures want the rest
constexpr u32 thread_register_bytes = u32(pool_lanes * sizeof(Real));
static_assert(most_thread_registers * thread_register_bytes < 0x7f80,
              "two offsets in a word, which is copied as a float, are no NaN");

/// The operations that most instructions are; those of FormulaOp follow.
enum class ThreadOp : u32 {
  products,  // a b + c d, or a b - c d
  mul,
  add,  // a + b, or a - b
  fma,
  others
};

// Bits of ThreadInstruction::word, behind the operation; from bit 16 on the result's register.
// The one that is the number and no register; that the second summand is taken off.
constexpr u32 a_is_number = 1u << 8, b_is_number = 1u << 9, c_is_number = 1u << 10,
              d_is_number = 1u << 11, takes_off = 1u << 31;

struct alignas(16) ThreadInstruction {
  u32 word;
  u32 a_and_c, b_and_d;  // registers; a and b in the low halves
  float number;
};

struct alignas(16) ThreadFormulaHead {
  u32 count;    // of instructions; bit 31: the color lies in a register, too
  u32 results;  // registers of x and y
  float factor_x, factor_y;
};
constexpr u32 wants_color = 1u << 31;

#define KILN_FORMULA_ONE(name, value) +1
static_assert(0 KILN_FORMULA_TERNARY(KILN_FORMULA_ONE) == 2,
              "of three numbers are fma and select below");
#undef KILN_FORMULA_ONE

/// `registers`: get(offset), set(offset, value). Returns what is added to the xform's sum.
template <class Registers>
KILN_FN Vec2 run_thread_formula(const Program& program, const VariationTerm& term,
                                Registers& registers, Real x, Real y, Real color, Random& random) {
  using Instruction = ThreadInstruction;
  const Instruction* const end =
      reinterpret_cast<const Instruction*>(program.parameters + term.parameters) - 1;
  const ThreadFormulaHead head = *reinterpret_cast<const ThreadFormulaHead*>(end);
  registers.set(0, x);
  registers.set(thread_register_bytes, y);
  if (head.count & wants_color) registers.set(2 * thread_register_bytes, color);
#if KILN_CUDA_CODE
#pragma unroll 1
#endif
  for (const Instruction* at = end - (head.count & ~wants_color); at != end; ++at) {
    const Instruction one = *at;
    const u32 op = one.word & 0xff;
    const auto low = [&](u32 is_number, u32 offsets) KILN_INLINE {
      return one.word & is_number ? one.number : registers.get(offsets & 0xffff);
    };
    const auto high = [&](u32 is_number, u32 offsets) KILN_INLINE {
      return one.word & is_number ? one.number : registers.get(offsets >> 16);
    };
    const auto signed_like = [&](Real v) KILN_INLINE {
      return float_of(bits_of(v) ^ (one.word & takes_off));
    };
    const Real a = low(a_is_number, one.a_and_c), b = low(b_is_number, one.b_and_d);
    const auto third = [&]() KILN_INLINE { return high(c_is_number, one.a_and_c); };
    Real value;
    if (op < u32(ThreadOp::others)) {
      if (op == u32(ThreadOp::products)) {
        value = a * b + signed_like(third() * high(d_is_number, one.b_and_d));
      } else if (op == u32(ThreadOp::mul)) {
        value = a * b;
      } else if (op == u32(ThreadOp::add)) {
        value = a + signed_like(b);
      } else {
        value = fma(a, b, third());
      }
    } else {
      switch (FormulaOp(op - u32(ThreadOp::others))) {
#define KILN_FORMULA_CASE(name, expression) \
  case FormulaOp::name##_:                  \
    value = formula_##name(a);              \
    break;
        KILN_FORMULA_UNARY(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
#define KILN_FORMULA_CASE(name, expression) \
  case FormulaOp::name##_:                  \
    value = formula_##name(a, b);           \
    break;
        KILN_FORMULA_BINARY(KILN_FORMULA_CASE)
        KILN_FORMULA_PAIR(KILN_FORMULA_CASE)
#undef KILN_FORMULA_CASE
        case FormulaOp::select_:
          value = formula_select(a, b, third());
          break;
        case FormulaOp::sincos:
        case FormulaOp::sincospi: {
          const SinCos both =
              op - u32(ThreadOp::others) == u32(FormulaOp::sincos) ? sincos(a) : sincospi(a);
          value = both.s;
          registers.set(one.a_and_c >> 16, both.c);
          break;
        }
        case FormulaOp::draw:
          value = random.uniform();
          break;
        default:  // fill
          value = a;
      }
    }
    registers.set((one.word & ~takes_off) >> 16, value);
  }
  return {registers.get(head.results & 0xffff) * head.factor_x,
          registers.get(head.results >> 16) * head.factor_y};
}

KILN_END
