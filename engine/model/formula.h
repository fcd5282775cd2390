// SPDX-License-Identifier: MIT
// Variations that a flame brings along as formulas (docs/use/formulas.md): what its file says, and the
// program that devices run (kernels/formula.h).
//
// In a flame a formula has a number as any variation has, behind those of kiln's own; info_of() tells of
// it. A process keeps each different formula once, for ever, so that a number means the same in every
// flame and a flame that fades into another is nothing special; a name does not: two flames may each have
// a "twirl" of their own. Which one a name means says the flame (FormulaNames). The weight and the
// parameters of a formula stand in XformValues::staged, at any stage.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/formula_names.h"
#include "engine/model/variations.h"

namespace kiln {

struct FormulaParameter {
  std::string name;  // "k"; an xform has "twirl_k"
  double usual = 0;
  double low = -1, high = 1;  // of flames by chance and sliders
  bool operator==(const FormulaParameter&) const = default;
};

/// A formula as a file says it; an empty part is left out.
struct FormulaText {
  std::string name;
  std::string let, x, y, z, color;
  std::vector<FormulaParameter> parameters;
  bool operator==(const FormulaText&) const = default;

  /// The parts by their names in the file, in the order in which their draws come.
  static constexpr std::string_view part_names[] = {"let", "x", "y", "z", "color"};
  static constexpr std::string FormulaText::*parts[] = {
      &FormulaText::let, &FormulaText::x, &FormulaText::y, &FormulaText::z, &FormulaText::color};
};

constexpr std::size_t most_formula_text = 4096;  // bytes of a part
constexpr std::size_t most_formula_parameters = 16, most_formulas_of_flame = 64;

/// The reason why a text is no formula.
struct FormulaError {
  std::string part;        // "x", "name"; empty: the whole, or a parameter
  std::size_t column = 0;  // in the part's text, from 1; 0: all of it
  std::string what;
  int parameter = -1;  // that it is about, from 0
};

/// A formula as devices run it.
struct FormulaProgram {
  /// A number that is the same for all points.
  struct Uniform {
    enum class Kind { constant, weight, affine, parameter, computed } kind = Kind::constant;
    float value = 0;      // of a constant
    int index = 0;        // of an affine number or a parameter; of a computed pair 1: its cosine
    std::uint8_t op = 0;  // of a computed one, of those before it: FormulaOp
    int a = 0, b = 0, c = 0;
  };
  std::vector<Uniform> uniforms;
  std::vector<int> scalars;  // which of them the instructions read
  std::vector<std::uint32_t>
      code;  // how many instructions, the operands of the results, the instructions (kernels/formula.h)
  bool random = false;
  bool reads_depth = false;  // x or y depend on z

  /// The scalars at these values; appended to `out`.
  void append_scalars(double weight, const AffineD& coefs, const double* parameters,
                      std::vector<float>& out) const;
};

/// The program of a formula. Throws FormulaError.
FormulaProgram program_of(const FormulaText& text);

struct KnownFormula {
  FormulaText text;
  FormulaProgram program;
  VariationInfo info;
  std::vector<double> usual;  // [parameters], then a 0
};

/// The number of a formula, as a variation. Throws FormulaError, and Error (device) where there are too many.
int keep_formula(const FormulaText& text);
/// The reason why a formula may not have this name; empty where it may.
std::string refused_formula_name(std::string_view name);
const KnownFormula& formula_at(int variation);

/// The formulas that a flame has or uses, each once.
std::vector<int> formulas_of(const Flame& flame);
}  // namespace kiln
