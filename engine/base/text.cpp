#include "engine/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

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

/// Of the first 65536.
bool is_control(std::uint32_t code) {
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029 ||
         direction;
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

}  // namespace kiln
