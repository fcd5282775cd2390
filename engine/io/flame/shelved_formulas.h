// SPDX-License-Identifier: MIT
// Formulas that flames name by digest (docs/use/formulas.md): what that is, and in which files they are looked for.
#pragma once

#include <optional>
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

/// Files of these folders that may have flames, folder by folder in the order of their names.
std::vector<std::string> formula_files(const std::vector<std::string>& folders);

/// A formula that was found by its digest before; none: it was not. It is what it was, whatever becomes of its file.
std::optional<FormulaText> found_formula(const std::string& digest);
void keep_found_formula(const std::string& digest, const FormulaText& text);

}  // namespace kiln
