#include "engine/base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "engine/base/printable.h"

namespace kiln {

std::size_t printable_prefix(std::string_view text) {
  if (text.empty()) return 0;
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(0);
  if (lead < 0x80) return lead >= 0x20 && lead != 0x7f ? 1 : 0;
  const std::size_t length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : 2;
  if (lead < 0xc2 || lead > 0xf4 || text.size() < length) return 0;
  std::uint32_t code = lead & (0xffu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3f);
  }
  const bool overlong = (length == 3 && code < 0x800) || (length == 4 && code < 0x10000);
  const bool surrogate = code >= 0xd800 && code <= 0xdfff;
  const bool direction = (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  const bool control = code < 0xa0 || code == 0x2028 || code == 0x2029 || direction;
  return overlong || surrogate || control || code > 0x10ffff ? 0 : length;
}

std::string printable_whole(std::string_view text) { return printable(text, std::string::npos); }

std::string as_utf8(std::string_view text) {
  std::string result;
  while (!text.empty()) {
    const std::size_t length = std::max<std::size_t>(1, printable_prefix(text));
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
    const std::size_t length = printable_prefix(text);
    const char c = text.front();
    if (length == 1 && (c == '"' || c == '\\')) {
      json += '\\';
      json += c;
    } else if (length > 0) {
      json += text.substr(0, length);
    } else if (static_cast<unsigned char>(c) < 0x80) {
      json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
    } else {
      json += "\\ufffd";
    }
    text.remove_prefix(length > 0 ? length : 1);
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

}  // namespace kiln
