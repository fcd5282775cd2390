// SPDX-License-Identifier: MIT
// Text that may come from anywhere: made safe for a terminal, put into JSON, numbers with the
// digits that read back. File names and flame names are bytes; only well-formed UTF-8 without
// control characters is passed on as it is.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

namespace kiln {

// "Did you mean ...": the known name that is the fewest edits away from a mistyped one.

/// The one of `known` that begins with the name, or the closest, by insertions, deletions, replacements and swaps of neighbors, case
/// ignored; empty if none is close.
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

/// ` (did you mean "...")` or nothing.
std::string did_you_mean(std::string_view name, const std::vector<std::string>& known);

// Text from a file, made safe for a terminal: it could carry escape sequences, be endless, or not
// be UTF-8.

/// The text with control characters, direction overrides and broken UTF-8 replaced by `?`, cut to
/// about `max_bytes`.
std::string printable(std::string_view text, std::size_t max_bytes = 60);

/// Length in bytes of the well-formed, printable UTF-8 character that `text` starts with; 0 if
/// there is none (broken sequence, surrogate, C0, DEL or C1 control character).
std::size_t printable_prefix(std::string_view text);

/// A path or a whole message, safe for a terminal and not shortened (unlike printable()).
std::string printable_whole(std::string_view text);

/// The text with every byte that is not part of well-formed UTF-8 taken for Latin-1.
std::string as_utf8(std::string_view text);

/// The shortest decimal digits that read back as the same double; never depends on the locale.
std::string shortest(double value);

/// "12.3 M", "456": a count with three significant digits and a decimal prefix.
std::string with_prefix(double count);

/// "3.2 GiB", "640 KiB": a size with binary prefixes.
std::string byte_size(std::uint64_t bytes);

/// "0:07", "12:34", "3:05:00".
std::string clock_time(double seconds);

/// A number as C reads it, in the C locale whatever the program's is: blanks and a plus sign may stand
/// in front.
struct ScannedNumber {
  double value = 0;
  std::errc status{};
  bool complete = false;  // nothing follows the number
};
ScannedNumber scan_number(std::string_view text);
/// A number if the whole text is one.
std::optional<double> to_real(std::string_view text);

/// 512, 64K, 1.5G, 2GiB -> bytes (binary prefixes). Nothing if it is no size.
std::optional<std::uint64_t> parse_byte_size(std::string_view text);

/// A JSON string with its quotes. Broken bytes become U+FFFD.
std::string json_string(std::string_view text);

/// The words with `between` between them.
std::string joined(const std::vector<std::string>& words, std::string_view between);

/// Builds one JSON object, members in the order of the calls.
class JsonObject {
 public:
  JsonObject& add(std::string_view key, std::string_view value);
  JsonObject& add(std::string_view key, const char* value) {
    return add(key, std::string_view(value));
  }
  JsonObject& add(std::string_view key, double value);  // null when not finite
  JsonObject& add(std::string_view key, std::uint64_t value);
  JsonObject& add(std::string_view key, int value);
  JsonObject& add(std::string_view key, bool value);
  /// A member whose value is JSON text already.
  JsonObject& add_json(std::string_view key, std::string_view json);
  std::string text() const { return "{" + members_ + "}"; }

 private:
  std::string members_;
};

/// Builds one JSON array of JSON texts.
class JsonArray {
 public:
  void add_json(std::string_view json);
  std::string text() const { return "[" + elements_ + "]"; }

 private:
  std::string elements_;
};

}  // namespace kiln
