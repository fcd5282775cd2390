// SPDX-License-Identifier: MIT
#include "cli/options/option_value.h"

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

/// Reads all of `text`; false if something else stands there. One leading plus is no harm.
template <class Value>
bool read_all(const std::string& text, Value& value) {
  const char* begin = text.data() + (text.size() > 1 && text[0] == '+' ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(begin, end, value);
  return error == std::errc() && stop == end;
}

/// 1000000 and 0.000001, not 1e+06; numbers that only an exponent makes readable keep it.
std::string plain(double value) {
  const double size = std::fabs(value);
  if (value != 0 && (size < 1e-9 || size > 1e15)) return shortest(value);
  char digits[64];
  const auto end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed);
  return {digits, end.ptr};
}

std::string expected(const char* what, Range range) {
  constexpr double none = 1e300;
  if (range.above)
    return fmt::format("{} above {}, at most {}", what, plain(range.least), plain(range.most));
  if (range.least > -none && range.most < none)
    return fmt::format("{} from {} to {}", what, plain(range.least), plain(range.most));
  if (range.least > -none) return fmt::format("{} of at least {}", what, plain(range.least));
  if (range.most < none) return fmt::format("{} of at most {}", what, plain(range.most));
  return what;
}

[[noreturn]] void refuse(const std::string& option, const std::string& text,
                         const std::string& expectation) {
  fail(ErrorKind::usage, "{} {}: must be {}", option, printable_whole(text), expectation);
}

}  // namespace

double number_value(const std::string& option, const std::string& text, Range range) {
  double value = 0;
  if (!read_all(text, value) || !std::isfinite(value) || value < range.least ||
      value > range.most || (range.above && value == range.least))
    refuse(option, text, expected("a number", range));
  return value;
}

std::optional<double> seconds_in(const std::string& text) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"s", 1},       {"sec", 1},      {"second", 1}, {"seconds", 1}, {"m", 60},      {"min", 60},
      {"minute", 60}, {"minutes", 60}, {"h", 3600},   {"hour", 3600}, {"hours", 3600}};
  const std::size_t end = text.find_last_of("0123456789.") + 1;  // of the number; 0: there is none
  const std::size_t word = std::min(text.find_first_not_of(' ', end), text.size());
  const auto number = to_real(std::string_view(text).substr(0, end));
  for (const auto& [name, seconds] : units)
    if (number && text.substr(word) == name) return *number * seconds;
  return {};
}

double seconds_value(const std::string& option, const std::string& text, Range range) {
  double value = 0;
  if (const auto seconds = seconds_in(text))
    value = *seconds;
  else if (!read_all(text, value))
    value = std::numeric_limits<double>::quiet_NaN();
  if (!(value >= range.least && value <= range.most))
    refuse(option, text, expected("seconds", range) + ", or a time such as 90s, 5min or 2h");
  return value;
}

double percent_value(const std::string& option, const std::string& text, Range range) {
  const std::string number = text.ends_with('%') ? text.substr(0, text.size() - 1) : text;
  return number_value(option, number, range);
}

int whole_value(const std::string& option, const std::string& text, Range range) {
  int value = 0;
  if (!read_all(text, value) || value < range.least || value > range.most)
    refuse(option, text, expected("a whole number", range));
  return value;
}

std::uint64_t seed_value(const std::string& option, const std::string& text) {
  std::uint64_t value = 0;
  if (!read_all(text, value)) refuse(option, text, "a whole number from 0 to 2^64 - 1");
  return value;
}

std::uint64_t bytes_value(const std::string& option, const std::string& text) {
  const auto bytes = parse_byte_size(text);
  if (!bytes || *bytes == 0) refuse(option, text, "a size such as 512M or 8G");
  constexpr std::uint64_t least_without_unit = 1024;
  if (*bytes < least_without_unit && text.find_first_not_of("0123456789.") == std::string::npos)
    refuse(option, text,
           fmt::format("a size: {} are bytes; write {}G, {}M or {}K", text, text, text, text));
  return *bytes;
}

std::string choice_value(const std::string& option, const std::string& text,
                         const std::vector<std::string>& known) {
  for (const std::string& word : known) {
    if (text == word) return word;
  }
  std::string words;
  for (const std::string& word : known) words += (words.empty() ? "" : ", ") + word;
  const bool is_number = words.find_first_not_of("0123456789, ") == std::string::npos;
  refuse(option, text, "one of " + words + (is_number ? "" : did_you_mean(text, known)));
}

namespace {

struct NamedColor {
  const char* name;
  std::array<std::uint8_t, 3> rgb;
};

constexpr NamedColor named_colors[] = {  // the values of CSS
    {"black", {0, 0, 0}},       {"white", {255, 255, 255}}, {"gray", {128, 128, 128}},
    {"grey", {128, 128, 128}},  {"red", {255, 0, 0}},       {"green", {0, 128, 0}},
    {"blue", {0, 0, 255}},      {"yellow", {255, 255, 0}},  {"cyan", {0, 255, 255}},
    {"magenta", {255, 0, 255}}, {"orange", {255, 165, 0}},  {"navy", {0, 0, 128}}};

[[noreturn]] void refuse(const std::string& option, const std::string& text, const char* expected) {
  fail(ErrorKind::usage, "{} {}: must be {}", option, printable_whole(text), expected);
}

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::size_t at = 0;
  for (std::size_t end; (end = text.find(separator, at)) != std::string::npos; at = end + 1)
    parts.push_back(text.substr(at, end - at));
  parts.push_back(text.substr(at));
  return parts;
}

/// Digits alone, 0 to a million.
std::optional<int> pixels(const std::string& text) {
  constexpr std::size_t most_digits = 7;
  constexpr int most = 1'000'000;
  const bool is_plain = !text.empty() && text.size() <= most_digits &&
                        text.find_first_not_of("0123456789") == std::string::npos;
  if (!is_plain || std::stoi(text) > most) return {};
  return std::stoi(text);
}

std::optional<Size> to_size(const std::string& text) {
  const std::vector<std::string> sides = split(text, 'x');
  if (sides.size() != 2) return {};
  const std::optional<int> width = pixels(sides[0]), height = pixels(sides[1]);
  if (width.value_or(0) < 1 || height.value_or(0) < 1) return {};
  return Size{*width, *height};
}

/// Numbers with commas between them, each within the limits; empty if they are not `count` of them.
std::vector<double> to_numbers(const std::string& text, std::size_t count, double low,
                               double high) {
  std::vector<double> numbers;
  for (const std::string& word : split(text, ',')) {
    const std::optional<double> number = to_real(word);
    if (!number || !(*number >= low && *number <= high)) return {};
    numbers.push_back(*number);
  }
  if (numbers.size() != count) numbers.clear();
  return numbers;
}

/// "#rrggbb".
std::optional<std::array<std::uint8_t, 3>> hex_color(const std::string& text) {
  if (text.size() != 7 || text[0] != '#') return {};
  std::array<std::uint8_t, 3> rgb{};
  for (std::size_t c = 0; c < rgb.size(); ++c) {
    const char* const end = text.data() + 2 * c + 3;
    const auto [stop, error] = std::from_chars(end - 2, end, rgb[c], 16);
    if (error != std::errc() || stop != end) return {};
  }
  return rgb;
}

std::array<double, 3> from_bytes(const std::uint8_t* rgb) {
  return {rgb[0] / 255.0, rgb[1] / 255.0, rgb[2] / 255.0};
}

struct Unit {
  const char* name;
  double inches;
};
constexpr Unit units[] = {{"in", 1}, {"mm", 1 / 25.4}, {"cm", 10 / 25.4}};

/// Pixels are whole, as they always were.
std::optional<Length> to_length(const std::string& text) {
  for (const Unit& unit : units) {
    if (!text.ends_with(unit.name)) continue;
    const std::optional<double> number = to_real(text.substr(0, text.size() - 2));
    if (!number || !(*number >= 0 && *number <= 1e6)) return {};
    return Length{*number, unit.name};
  }
  const std::optional<int> number = pixels(text);
  if (!number) return {};
  return Length{double(*number), ""};
}

}  // namespace

double Length::pixels(double dpi) const {
  for (const Unit& known : units)
    if (std::string_view(known.name) == unit) return std::floor(value * dpi * known.inches + 0.5);
  return value;
}

Length length_value(const std::string& option, const std::string& text, double least) {
  const std::optional<Length> length = to_length(text);
  if (!length || length->value < least || (least > 0 && length->value == 0))
    refuse(option, text, "whole pixels, or a length such as 8.5in, 210mm or 21cm");
  return *length;
}

LengthPair lengths_value(const std::string& option, const std::string& text) {
  const std::vector<std::string> sides = split(text, 'x');
  if (sides.size() == 2) {
    const std::optional<Length> height = to_length(sides[1]);
    std::optional<Length> width = to_length(sides[0]);
    if (height && *height->unit && (!width || !*width->unit))
      width = to_length(sides[0] + height->unit);
    if (width && height && width->value > 0 && height->value > 0 && !*width->unit == !*height->unit)
      return {*width, *height};
  }
  refuse(option, text,
         "WIDTHxHEIGHT, such as 1920x1080; 1 to 1000000 a side; or on paper, such as 24x36in or "
         "210x297mm");
}

Size size_value(const std::string& option, const std::string& text) {
  const std::optional<Size> size = to_size(text);
  if (!size) refuse(option, text, "WIDTHxHEIGHT, such as 1920x1080; 1 to 1000000 a side");
  return *size;
}

std::array<double, 2> point_value(const std::string& option, const std::string& text) {
  constexpr double far = 1e30;
  const std::vector<double> numbers = to_numbers(text, 2, -far, far);
  if (numbers.empty()) refuse(option, text, "X,Y: two numbers with a comma, such as 0.5,-1.25");
  return {numbers[0], numbers[1]};
}

Window window_value(const std::string& option, const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  if (parts.size() == 3) {
    const std::optional<int> x = pixels(parts[0]), y = pixels(parts[1]);
    const std::optional<Size> size = to_size(parts[2]);
    if (x && y && size) return {*x, *y, size->width, size->height};
  }
  refuse(option, text, "X,Y,WIDTHxHEIGHT in pixels from the upper left, such as 100,50,640x360");
}

std::array<double, 3> color_value(const std::string& option, const std::string& text) {
  if (const auto rgb = hex_color(text)) return from_bytes(rgb->data());
  if (const std::vector<double> numbers = to_numbers(text, 3, 0, 1); !numbers.empty())
    return {numbers[0], numbers[1], numbers[2]};
  std::vector<std::string> names;
  for (const NamedColor& color : named_colors) {
    if (text == color.name) return from_bytes(color.rgb.data());
    names.emplace_back(color.name);
  }
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
  fail(ErrorKind::usage, "{} {}: must be R,G,B from 0 to 1, #rrggbb, or one of {}{}", option,
       printable_whole(text), list, did_you_mean(text, names));
}

}  // namespace kiln::cli
