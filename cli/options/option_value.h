// SPDX-License-Identifier: MIT
// The text of an option as a value. Numbers are decimal, whatever zeros they begin with, and never
// depend on the locale. Everything throws Error (usage) that names the option and what it takes.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "engine/model/image.h"

namespace kiln::cli {

// Values of options that are more than a number: sizes, places, windows, colors. Everything throws
// Error (usage) that names the option and shows how such a value looks.

/// Limits of a number, inclusive.
struct Range {
  double least = -std::numeric_limits<double>::max(), most = std::numeric_limits<double>::max();
  bool above = false;  // above `least`, not at it
};

/// Pixels.
struct Size {
  int width = 1, height = 1;
};

/// One or two lengths, in pixels or as they are measured on paper.
struct Length {
  double value = 1;
  const char* unit = "";  // "in", "mm", "cm"; empty: pixels

  /// Rounded to whole pixels, of which `dpi` are an inch; below 0: out of range.
  double pixels(double dpi) const;
};
struct LengthPair {
  Length width, height;
};
/// "1920", "8.5in", "210mm", "21cm"; `least`: of its value.
Length length_value(const std::string& option, const std::string& text, double least);
/// "1920x1080", "24x36in", "210mmx29.7cm"; a unit at the end alone is that of both.
LengthPair lengths_value(const std::string& option, const std::string& text);

/// "1920x1080".
Size size_value(const std::string& option, const std::string& text);
/// "X,Y": a point of the flame's plane.
std::array<double, 2> point_value(const std::string& option, const std::string& text);
/// "X,Y,WxH"; whether the picture has it is seen when its size is known.
Window window_value(const std::string& option, const std::string& text);
/// "r,g,b" from 0 to 1, "#rrggbb", or a name: red, green and blue as 0 to 1.
std::array<double, 3> color_value(const std::string& option, const std::string& text);

/// A finite number within `range`.
double number_value(const std::string& option, const std::string& text, Range range = {});
/// Seconds of "90s", "1.5 min", "2h"; nothing where the text does not end with such a unit.
std::optional<double> seconds_in(const std::string& text);
/// Seconds within `range`, of a number alone or one with a unit.
double seconds_value(const std::string& option, const std::string& text, Range range);
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
