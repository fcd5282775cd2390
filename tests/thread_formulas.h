// SPDX-License-Identifier: MIT
// Formulas as threads of a GPU run them (kernels/thread_formula.h), on a CPU beside the machine of all devices.
#pragma once

#include <cstring>
#include <optional>
#include <vector>

#include "engine/program/thread_formula.h"
#include "kernels/lane_run.h"

namespace kiln::test {

struct RegistersOfOne {
  Real at[most_thread_registers];
  Real get(u32 offset) const { return at[offset / thread_register_bytes]; }
  void set(u32 offset, Real value) { at[offset / thread_register_bytes] = value; }
};

/// Whether a term has the bits of the machine by threads, and draws as often.
inline bool threads_agree(const Program& program, const VariationTerm& term, Real x, Real y,
                          Real color, u32 seed) {
  ExtendedLanes<LaneRun::Lanes<Real>> lanes{};
  lanes.from = {{x}, {y}, {0}};
  lanes.direct = {color};
  LaneRandoms machine_random{{seed | 1, 2}};
  Random thread_random = machine_random.state;
  run_formula(program, term, LaneRun{0}, lanes, machine_random);
  RegistersOfOne registers;
  const Vec2 out = run_thread_formula(program, term, registers, x, y, color, thread_random);
  const auto is_same = [](float a, float b) {
    return bits_of(a) == bits_of(b) || (is_nan(a) && is_nan(b));
  };
  return is_same(out.x, lanes.out.x.v) && is_same(out.y, lanes.out.y.v) &&
         thread_random.s0 == machine_random.state.s0;
}

/// A formula's program with both kinds of code, as a flame has it; none where threads have not got what it takes.
struct FormulaOfBoth {
  std::vector<float> parameters;
  VariationTerm term{};
  Program program() const {
    Program program{};
    program.parameters = parameters.data();
    return program;
  }
};
inline std::optional<FormulaOfBoth> formula_of_both(const FormulaProgram& program, double weight,
                                                    const double* values) {
  FormulaOfBoth both;
  std::vector<float> scalars;
  program.append_scalars(weight, {1, 2, 3, 4, 5, 6}, values, scalars);
  ThreadFormula thread;
  if (!make_thread_formula(program, scalars.data(), thread)) return std::nullopt;
  for (const std::uint32_t word : program.code) both.parameters.push_back(float_of(word));
  both.parameters.resize((both.parameters.size() + 3) / 4 * 4);
  const auto append = [&](const auto& made) {
    float words[4];
    std::memcpy(words, &made, sizeof words);
    both.parameters.insert(both.parameters.end(), words, words + 4);
  };
  for (const ThreadInstruction& one : thread.code) append(one);
  append(thread.head);
  both.term.parameters = int(both.parameters.size());
  both.parameters.push_back(float_of(0));
  both.parameters.insert(both.parameters.end(), scalars.begin(), scalars.end());
  return both;
}

}  // namespace kiln::test
