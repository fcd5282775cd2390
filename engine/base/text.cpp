// SPDX-License-Identifier: MIT
#include "engine/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>

namespace kiln {

namespace {

/// The well-formed character that a text starts with; of no bytes if there is none.
struct Utf8 {
  std::size_t bytes = 0;
  std::uint32_t code = 0;
};

Utf8 first_of(std::string_view text) {
  if (text.empty()) return {};
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return {1, lead};
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return {};
  std::uint32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  if (overlong || surrogate || code > 0x10ffff) return {};
  return {length, code};
}

/// Whether one of the first 65536 codes controls a terminal or a text's direction.
bool is_control(std::uint32_t code) {
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         direction;
}

char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; }

// Three rows of the usual table of prefix distances; the oldest is only for swapped neighbors.
int edit_distance(std::string_view a, std::string_view b) {
  std::vector<int> before(b.size() + 1), above(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = int(j);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = int(i);
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const bool same = lower(a[i - 1]) == lower(b[j - 1]);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (same ? 0 : 1)});
      const bool swapped = i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) &&
                           lower(a[i - 2]) == lower(b[j - 1]);
      if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row[b.size()];
}

/// The shortest of `known` that begins with `name`, if that is more than a letter or two.
std::string begun_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t least_letters = 2;
  const std::size_t dashes = std::min(name.find_first_not_of('-'), name.size());
  std::string shortest;
  if (name.size() < dashes + least_letters) return shortest;
  for (const std::string& candidate : known) {
    const bool begins = candidate.size() > name.size() &&
                        std::equal(name.begin(), name.end(), candidate.begin(),
                                   [](char a, char b) { return lower(a) == lower(b); });
    if (begins && (shortest.empty() || candidate.size() < shortest.size())) shortest = candidate;
  }
  return shortest;
}

}  // namespace

std::size_t printable_prefix(std::string_view text) {
  const Utf8 first = first_of(text);
  return is_control(first.code) ? 0 : first.bytes;
}

std::string printable_whole(std::string_view text) { return printable(text, std::string::npos); }

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, first_of(text).bytes);
    const auto byte = static_cast<unsigned char>(text[0]);
    if (length == 1 && byte >= 0x80) {
      result += static_cast<char>(0xc0 | byte >> 6);
      result += static_cast<char>(0x80 | (byte & 0x3f));
    } else {
      result += text.substr(0, length);
    }
    text.remove_prefix(length);
  }
  return result;
}

std::string shortest(double value) {
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return std::string(digits, end);
}

std::string with_prefix(double count) {
  const char* prefixes[] = {"", " k", " M", " G", " T", " P"};
  int prefix = 0;
  while (count >= 999.5 && prefix < 5) {
    count /= 1000;
    ++prefix;
  }
  const int decimals = prefix == 0 || count >= 99.95 ? 0 : count >= 9.995 ? 1 : 2;
  return fmt::format("{:.{}f}{}", count, decimals, prefixes[prefix]);
}

std::string byte_size(std::uint64_t bytes) {
  const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
  double size = static_cast<double>(bytes);
  int unit = 0;
  while (size >= 1024 && unit < 5) {
    size /= 1024;
    ++unit;
  }
  return fmt::format("{:.{}f} {}", size, unit == 0 || size >= 100 ? 0 : 1, units[unit]);
}

std::optional<std::uint64_t> parse_byte_size(std::string_view text) {
  double size = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), size);
  if (error != std::errc() || !(size >= 0)) return std::nullopt;
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  while (!unit.empty() && unit.front() == ' ') unit.remove_prefix(1);
  if (!unit.empty()) {
    const std::string_view letters = "KMGT";
    const std::size_t power = letters.find(static_cast<char>(unit.front() & ~0x20));
    if (power != std::string_view::npos) {
      for (std::size_t i = 0; i <= power; ++i) size *= 1024;
      unit.remove_prefix(1);
      if (!unit.empty() && unit.front() == 'i') unit.remove_prefix(1);
    }
    if (unit == "B" || unit == "b") unit = {};
  }
  if (!unit.empty() || size > 9e18) return std::nullopt;
  return static_cast<std::uint64_t>(size);
}

std::string json_string(std::string_view text) {
  std::string json = "\"";
  while (!text.empty()) {
    const Utf8 first = first_of(text);
    if (first.bytes == 0) {
      json += "\\ufffd";
    } else if (is_control(first.code)) {
      json += fmt::format("\\u{:04x}", first.code);
    } else {
      if (first.code == '"' || first.code == '\\') json += '\\';
      json += text.substr(0, first.bytes);
    }
    text.remove_prefix(std::max<std::size_t>(1, first.bytes));
  }
  return json + '"';
}

JsonObject& JsonObject::add(std::string_view key, std::string_view value) {
  return add_json(key, json_string(value));
}
JsonObject& JsonObject::add(std::string_view key, double value) {
  return add_json(key, std::isfinite(value) ? shortest(value) : "null");
}
JsonObject& JsonObject::add(std::string_view key, std::uint64_t value) {
  return add_json(key, fmt::format("{}", value));
}
JsonObject& JsonObject::add(std::string_view key, int value) {
  return add_json(key, fmt::format("{}", value));
}
JsonObject& JsonObject::add(std::string_view key, bool value) {
  return add_json(key, value ? "true" : "false");
}
JsonObject& JsonObject::add_json(std::string_view key, std::string_view json) {
  if (!members_.empty()) members_ += ',';
  members_ += json_string(key);
  members_ += ':';
  members_ += json;
  return *this;
}

void JsonArray::add_json(std::string_view json) {
  if (!elements_.empty()) elements_ += ',';
  elements_ += json;
}

std::string joined(const std::vector<std::string>& words, std::string_view between) {
  std::string text;
  for (const std::string& word : words) {
    if (!text.empty()) text += between;
    text += word;
  }
  return text;
}

std::string printable(std::string_view text, std::size_t max_bytes) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t bytes = printable_prefix(text);
    const std::size_t taken = bytes == 0 ? 1 : bytes;
    if (safe.size() + taken > max_bytes) return safe + "...";
    if (bytes == 0) {
      safe += '?';
    } else {
      safe += text.substr(0, bytes);
    }
    text.remove_prefix(taken);
  }
  return safe;
}

std::string nearest_name(std::string_view name, const std::vector<std::string>& known) {
  constexpr std::size_t longest = 40;  // no name of the format is longer
  if (name.empty() || name.size() > longest) return "";
  const std::size_t letters = name.size() - std::min(name.find_first_not_of('-'), name.size());
  int best = letters < 4 ? 1 : 1 + int(letters) / 3;  // farther away it is another word, not a slip
  std::string nearest;
  for (const std::string& candidate : known) {
    if (std::abs(int(candidate.size()) - int(name.size())) > best) continue;
    const int distance = edit_distance(name, candidate);
    if (distance == 0) return candidate;
    if (distance < best || (distance == best && nearest.empty() && distance < int(name.size()))) {
      best = distance;
      nearest = candidate;
    }
  }
  const std::string begun = begun_name(name, known);
  return begun.empty() ? nearest : begun;
}

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const std::string nearest = nearest_name(name, known);
  return nearest.empty() ? "" : " (did you mean \"" + nearest + "\"?)";
}

std::string clock_time(double seconds) {
  const double bounded = seconds > 0 ? std::min(seconds, 3.6e9) : 0;  // NaN becomes 0
  const auto whole = static_cast<std::uint64_t>(bounded + 0.5);
  if (whole >= 3600)
    return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
  return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

ScannedNumber scan_number(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n\v\f\r"), text.size()));
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+') text.remove_prefix(1);
  ScannedNumber number;
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), number.value);
  number.status = status;
  number.complete = end == text.data() + text.size();
  return number;
}

std::optional<double> to_real(std::string_view text) {
  const auto [value, status, complete] = scan_number(text);
  if (status != std::errc{} || !complete) return std::nullopt;
  return value;
}

}  // namespace kiln
