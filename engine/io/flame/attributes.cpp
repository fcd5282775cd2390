// SPDX-License-Identifier: MIT
#include "engine/io/flame/attributes.h"

#include <tinyxml2.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace kiln {
namespace {

constexpr double largest = 1e38;  // the kernels compute in single precision, which ends at 3.4e38
constexpr std::string_view blanks = " \t\n\v\f\r";

std::string_view without_leading_blanks(std::string_view text) {
  const std::size_t start = text.find_first_not_of(blanks);
  return start == text.npos ? std::string_view{} : text.substr(start);
}

// `text` is the attribute's value or one number of it.
double real_from(const Attribute& attribute, std::string_view text) {
  const auto [value, status, complete] = scan_number(text);
  const std::string shown = printable(text);
  if (without_leading_blanks(text).empty()) attribute.unreadable("a number is missing here");
  if (status == std::errc::result_out_of_range)
    attribute.unreadable("\"{}\" is out of range; the largest number is 1e38", shown);
  if (status != std::errc{})
    attribute.unreadable("\"{}\" is not a number (write it like -1.5 or 2e-3)", shown);
  if (!complete && !attribute.messages.is_mild())
    attribute.reject("characters follow the number in \"{}\"; remove them", shown);
  if (!std::isfinite(value)) attribute.unreadable("\"{}\" is not a finite number", shown);
  if (std::fabs(value) > largest)
    attribute.unreadable("\"{}\" is out of range; the largest number is 1e38", shown);
  return value;
}

}  // namespace

std::vector<Attribute> attributes_of(const tinyxml2::XMLElement& element, const std::string& owner,
                                     Messages& messages) {
  std::vector<Attribute> attributes;
  for (const auto* a = element.FirstAttribute(); a != nullptr; a = a->Next())
    attributes.push_back({messages, owner, a->Name(), a->Value(), a->GetLineNum()});
  if (attributes.empty() && !messages.is_mild())
    messages.error(element.GetLineNum(),
                   "{}: <{}> has no attributes; give it at least one or remove it", owner,
                   printable(element.Name()));
  return attributes;
}

void read_mildly(const Attribute& attribute, const std::function<void()>& take) {
  try {
    take();
  } catch (const Unreadable& unreadable) {
    if (!attribute.messages.is_mild()) throw;
    attribute.messages.warn_as_is(std::string(unreadable.what()) + "; the usual value is taken");
  }
}

void note_left_out(const Attribute& attribute) {
  const std::string name = printable(attribute.name);
  attribute.messages.note(attribute.line, name, [&] {
    return fmt::format("{}: {}=\"{}\" has no counterpart in kiln; the picture is made without",
                       attribute.owner, name, printable(attribute.value));
  });
}

double read_real(const Attribute& attribute) { return real_from(attribute, attribute.value); }

double read_real(const Attribute& attribute, double low, double high) {
  const double value = read_real(attribute);
  if (value < low || value > high) attribute.reject("must be between {} and {}", low, high);
  return value;
}

double read_positive(const Attribute& attribute) {
  const double value = read_real(attribute);
  if (!(value > 0)) attribute.reject("must be greater than 0");
  return value;
}

int read_integer(const Attribute& attribute, int low, int high) {
  const auto [start, status, complete] = scan_number(attribute.value);
  if (status == std::errc::invalid_argument) attribute.unreadable("is not a whole number");
  const bool mild = attribute.messages.is_mild();
  if (status == std::errc{} && !complete && !mild)
    attribute.reject("is not a plain whole number; characters follow it");
  const bool is_number = status == std::errc{} && (complete || mild);
  const double value = mild ? std::trunc(start) : start;
  if (is_number && std::isfinite(value) && value != std::trunc(value))
    attribute.reject("is not a whole number");
  if (!is_number || !(value >= low && value <= high))
    attribute.reject("must be between {} and {}", low, high);
  return int(value);
}

std::vector<std::string_view> split_at_blanks(std::string_view text) {
  std::vector<std::string_view> words;
  while (!(text = without_leading_blanks(text)).empty()) {
    const std::size_t end = std::min(text.find_first_of(blanks), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return words;
}

std::vector<double> read_real_list(const Attribute& attribute) {
  constexpr std::size_t longest = 1 << 20;  // 4096 numbers of any length fit
  if (attribute.value.size() > longest) attribute.reject("is longer than {} bytes", longest);
  std::vector<double> values;
  for (std::string_view word : split_at_blanks(attribute.value))
    values.push_back(real_from(attribute, word));
  return values;
}

std::vector<double> read_reals(const Attribute& attribute, std::size_t count, const char* expected,
                               Trailing trailing) {
  std::vector<double> values = read_real_list(attribute);
  const bool mild = attribute.messages.is_mild();
  if (mild && values.size() > count) values.resize(count);
  if (values.size() != count)
    attribute.unreadable("has {} numbers where {} are needed ({})", values.size(), count, expected);
  const bool ends_in_blank = blanks.find(attribute.value.back()) != blanks.npos;
  if (trailing == Trailing::nothing_allowed && ends_in_blank && !mild)
    attribute.reject("characters follow the last number; remove the blank at the end");
  return values;
}

double leading_real(std::string_view text) {
  const auto [value, status, complete] = scan_number(text);
  return status == std::errc{} ? value : 0;
}

Easing read_easing(const Attribute& a, std::span<const std::string_view> words) {
  const std::optional<Easing> easing = easing_named(a.value);
  const bool is_known =
      easing && (easing->kind == EasingKind::curve || std::size_t(easing->kind) < words.size());
  if (is_known) return *easing;
  if (easing)
    a.reject("is for keys of a track; between key flames interpolation=\"smooth\" is that");
  a.reject("must be {}, or a curve of four numbers x1 y1 x2 y2, each x 0 to 1{}",
           joined({words.begin(), words.end()}, ", "),
           did_you_mean(a.value, {words.begin(), words.end()}));
}

}  // namespace kiln
