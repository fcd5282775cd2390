// SPDX-License-Identifier: MIT
// The formula of a number that follows others (number_link.h): numbers, names of numbers, + - * / % ^, brackets,
// comparisons (1 or 0), `a ? b : c`, and the functions of formulas that make sense of single numbers
// (docs/use/formulas.md). It is a language of its own beside that of formula_parser.cpp, which is made for devices: float
// there, and one that has the same 9 digits here as in files.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

/// The reason why a text is no formula.
struct NumberFormulaError {
  std::size_t column = 0;  // from 1
  std::string what;
};

class NumberFormula {
 public:
  struct Name {
    std::string text;
    std::size_t begin = 0;  // in the formula's text
  };

  /// Throws NumberFormulaError.
  explicit NumberFormula(std::string_view text);

  /// The names in it, as often as they stand there.
  const std::vector<Name>& names() const { return names_; }
  /// The value where the names have these numbers, one for each; it need not be finite.
  double value(std::span<const double> numbers) const;

 private:
  friend class NumberFormulaParser;
  struct Step {
    int op = 0;        // number_formula.cpp
    double value = 0;  // of a constant
    int name = 0;      // of a name
  };
  std::vector<Step> steps_;  // each takes its operands from a stack
  std::vector<Name> names_;
};

}  // namespace kiln
