// SPDX-License-Identifier: MIT
// <variation>: a variation that a flame brings along as a formula (docs/use/formulas.md).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/io/flame/messages.h"

namespace tinyxml2 {
class XMLElement;
}

namespace kiln {

inline constexpr std::string_view formula_element = "variation";

/// A <variation> that is refused, and where in it, for who edits it in fields.
struct FormulaRefused : Error {
  struct Place {
    std::string part = {};   // "name", "let", "x" ...; empty: a parameter, or all of it
    std::size_t column = 0;  // in the part's text, from 1; 0: all of it
    int parameter = -1;      // from 0
  };
  FormulaRefused(const Error& error, std::string of, Place at, std::string reason)
      : Error(error), name(std::move(of)), place(std::move(at)), why(std::move(reason)) {}
  std::string name;  // the formula's
  Place place;
  std::string why;  // without file, line and name
};

/// The formulas of a <flame>, wherever in it they stand, as numbers of variations. Throws FormulaRefused with
/// file, line and column of what is none. `is_jwildfires`: JWildfire wrote the flame, whose rules know none.
std::vector<int> read_formulas(const tinyxml2::XMLElement& flame, bool is_jwildfires,
                               Messages& messages);

}  // namespace kiln
