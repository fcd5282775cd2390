#include "cli/options/option_value.h"

#include <charconv>
#include <climits>
#include <cmath>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/nearest_name.h"

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
  if (!read_all(text, value) || !std::isfinite(value) || value < range.least || value > range.most)
    refuse(option, text, expected("a number", range));
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

}  // namespace kiln::cli
