// SPDX-License-Identifier: MIT
// A variation typed as a formula: a line for each of let, x, y, z and color. It gets a message with a place in
// its text, or a program whose operands are all there; the program is run on some points.
#include <cmath>
#include <limits>

#include "engine/model/formula.h"
#include "kernels/formula.h"
#include "kernels/lane_run.h"
#include "tests/fuzz/fuzz.h"
#include "tests/thread_formulas.h"

using namespace kiln;

namespace {

/// Whether an operand is a register, or a scalar that the program has.
bool is_there(std::uint32_t operand, const FormulaProgram& program) {
  return operand < std::uint32_t(formula_registers) ||
         (operand >= formula_scalar && operand - formula_scalar < program.scalars.size());
}

void check(const FormulaProgram& program) {
  fuzz::expect(program.code.size() == 2 + 2 * std::size_t(program.code.at(0)),
               "code is as long as it says");
  for (std::size_t k = 2; k < program.code.size(); k += 2) {
    const std::uint32_t word = program.code[k], to = (word >> 8) & 0xff;
    const FormulaOp op = FormulaOp(word & 0xff);
    fuzz::expect(op <= FormulaOp::draw, "an operation is one");
    fuzz::expect(to < std::uint32_t(formula_registers), "a result has a register");
    fuzz::expect(!std::isnan(float_of(word)), "a word is a number as a float");
    if (op == FormulaOp::input || op == FormulaOp::draw) continue;
    for (const std::uint32_t operand : {(word >> 16) & 0xff, word >> 24, program.code[k + 1]})
      fuzz::expect(is_there(operand, program), "an operand is there");
    fuzz::expect(op == FormulaOp::fill || to != ((word >> 16) & 0xff),
                 "a result has a register of its own");
  }
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t result = (program.code[1] >> (8 * i)) & 0xff;
    fuzz::expect(result == formula_nothing || is_there(result, program), "a result is there");
  }
}

void run(const FormulaProgram& program, float x, float y) {
  std::vector<float> parameters;
  for (const std::uint32_t word : program.code) parameters.push_back(float_of(word));
  VariationTerm term{};
  term.parameters = int(parameters.size());
  parameters.push_back(0);
  const double values[] = {0.5, -3};
  program.append_scalars(0.7, {1, 2, 3, 4, 5, 6}, values, parameters);
  Program flame{};
  flame.parameters = parameters.data();
  ExtendedLanes<LaneRun::Lanes<Real>> lanes{};
  lanes.from = {{x}, {y}, {0.5f}};
  LaneRandoms random{{1, 2}};
  run_formula(flame, term, LaneRun{0}, lanes, random);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  FormulaText text;
  text.name = "typed";
  text.parameters = {{"k", 1, 0, 4}, {"wide", 0, -1, 1}};
  for (const auto part : FormulaText::parts) text.*part = std::string(input.line());
  FormulaProgram program;
  try {
    program = program_of(text);
  } catch (const FormulaError& error) {
    fuzz::expect(!error.what.empty(), "a message says something");
    std::size_t longest = 0;
    for (const auto part : FormulaText::parts) longest = std::max(longest, (text.*part).size());
    fuzz::expect(error.column <= longest + 1, "a column is a place of the text");
    return 0;
  }
  check(program);
  for (const float at : {0.0f, 1.25f, -1e30f, std::numeric_limits<float>::infinity()})
    run(program, at, -0.5f);
  const double values[] = {0.5, -3};
  if (const auto both = test::formula_of_both(program, 0.7, values))
    for (const float at : {0.0f, 1.25f, -1e30f})
      fuzz::expect(test::threads_agree(both->program(), both->term, at, -0.5f, 0.25f, 1),
                   "threads compute what the machine does");
  return 0;
}
