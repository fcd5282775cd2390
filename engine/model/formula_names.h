// SPDX-License-Identifier: MIT
// The part of formulas that the table of variations looks at (engine/model/formula.h has the rest).
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct Flame;
struct VariationInfo;

/// Whether the number of a variation is that of a formula.
bool is_formula(int variation);
/// Throws Error (device) where there is no such formula.
const VariationInfo& info_of_formula(int variation);

/// While it lives, names of forms and parameters in this thread are also those of these formulas. Where two have
/// one name, as when flames are mixed, the later ones get another.
class FormulaNames {
 public:
  explicit FormulaNames(std::vector<int> formulas);
  explicit FormulaNames(const Flame& flame);
  ~FormulaNames();
  FormulaNames(const FormulaNames&) = delete;
  FormulaNames& operator=(const FormulaNames&) = delete;

  // of the innermost one

  /// The formula of that name.
  static std::optional<int> find(std::string_view name);
  /// "twirl_k" as formula and parameter.
  static std::optional<std::array<int, 2>> find_parameter(std::string_view name);
  /// The names of all, and of their parameters.
  static std::vector<std::string> all();
  /// The name of a formula, or of any variation.
  static std::string name_of(int variation);

 private:
  std::vector<int> formulas_;
  std::vector<std::string> names_;  // [formulas_]
  const FormulaNames* before_;
};

}  // namespace kiln
