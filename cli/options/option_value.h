// The text of an option as a value. Numbers are decimal, whatever zeros they begin with, and never
// depend on the locale. Everything throws Error (usage) that names the option and what it takes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "cli/options/command.h"

namespace kiln::cli {

/// A finite number within `range`.
double number_value(const std::string& option, const std::string& text, Range range = {});
/// The same in per cent: 4% and 4 alike.
double percent_value(const std::string& option, const std::string& text, Range range);
/// A whole number within `range` and what an int holds; 1e3 and 10.0 are no whole numbers.
int whole_value(const std::string& option, const std::string& text, Range range = {});
/// 0 to 2^64 - 1.
std::uint64_t seed_value(const std::string& option, const std::string& text);
/// 512M, 8G: above 0.
std::uint64_t bytes_value(const std::string& option, const std::string& text);
/// One of `known`.
std::string choice_value(const std::string& option, const std::string& text,
                         const std::vector<std::string>& known);

}  // namespace kiln::cli
