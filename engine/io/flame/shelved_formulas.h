// SPDX-License-Identifier: MIT
// Formulas that flames name by digest (docs/use/formulas.md): where files with them are looked for, and which
// formula is meant.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "engine/model/formula.h"

namespace kiln {

constexpr std::size_t formula_digest_digits = 32;

/// A formula's digest, of all that it says beside its name: 32 hex digits of SHA-256.
std::string formula_digest(const FormulaText& text);

/// Folders where formulas are looked for: those of KILN_FORMULAS, "formulas" beside the file that names one, and
/// where `kiln view` keeps them.
std::vector<std::string> formula_folders(std::string_view file);

/// A search by digest in these folders, in their files in the order of their names.
struct ShelvedFormula {
  bool is_there = false;
  FormulaText text;     // with the name that it has there
  std::string of_name;  // a file with another formula of the name that was looked for; empty: none
};
/// Files that are no flames are passed over.
ShelvedFormula find_shelved_formula(const std::string& digest, const std::string& name,
                                    const std::vector<std::string>& folders);

}  // namespace kiln
