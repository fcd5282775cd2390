// SPDX-License-Identifier: MIT
#include "engine/io/file/link_text.h"

#include <fmt/format.h>
#include <zlib.h>

#include <array>
#include <cstdint>
#include <optional>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr std::string_view letters =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
constexpr std::string_view data_key = "f1", title_key = "title";
constexpr std::size_t check_bytes = 4, most_title_bytes = 100;

std::string_view without_blanks(std::string_view text) {
  constexpr std::string_view blanks = " \t\r\n<>\"";  // also what stands around addresses in mails
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// The value of a word in the part behind the #; nothing where the word is not there.
std::optional<std::string_view> value_of(std::string_view link, std::string_view key) {
  std::size_t begin = link.find('#');
  while (begin < link.size()) {
    const std::size_t end = std::min(link.find('&', begin + 1), link.size());
    const std::string_view part = link.substr(begin + 1, end - begin - 1);
    if (part.starts_with(key) && part.substr(key.size()).starts_with('='))
      return part.substr(key.size() + 1);
    begin = end;
  }
  return {};
}

/// Whether it carries something of a kind that is not known here: f2=, f37=.
bool is_newer(std::string_view link) {
  for (std::size_t at = link.find('#'); at < link.size(); at = link.find('&', at + 1)) {
    std::size_t end = at + 2;
    if (link.substr(at + 1, 1) != "f") continue;
    while (end < link.size() && link[end] >= '0' && link[end] <= '9') ++end;
    if (end > at + 2 && end < link.size() && link[end] == '=') return true;
  }
  return false;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

std::string from_percent(std::string_view text) {
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const int high = text[i] == '%' && i + 2 < text.size() ? hex_digit(text[i + 1]) : -1;
    const int low = high >= 0 ? hex_digit(text[i + 2]) : -1;
    plain += low < 0 ? text[i] : char(high * 16 + low);
    if (low >= 0) i += 2;
  }
  return plain;
}

std::string to_percent(std::string_view text) {
  constexpr std::string_view stays = "-_.~";
  std::string safe;
  for (const char c : text) {
    const bool is_word = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_word || stays.find(c) != std::string_view::npos)
      safe += c;
    else
      safe += fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return safe;
}

std::string base64url(std::string_view bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t three = 0;
    for (std::size_t k = 0; k < 3; ++k)
      three = three << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    const std::size_t count = std::min<std::size_t>(bytes.size() - i, 3) + 1;
    for (std::size_t k = 0; k < count; ++k) text += letters[three >> (18 - 6 * k) & 63];
  }
  return text;
}

/// The bytes of base64url; nothing where another letter stands in it. Marks that a sentence puts behind an
/// address are none of it.
std::optional<std::string> from_base64url(std::string_view text) {
  while (!text.empty() && std::string_view("=.,;:!?)]}>'\"").find(text.back()) != text.npos)
    text.remove_suffix(1);
  std::string bytes;
  std::uint32_t bits = 0;
  int count = 0;
  for (const char c : text) {
    const std::size_t value = letters.find(c);
    if (value == std::string_view::npos) return {};
    bits = (bits << 6 | std::uint32_t(value)) & 0xffffff;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    bytes += char(bits >> count & 255);
  }
  return bytes;
}

std::string deflated(std::string_view bytes) {
  z_stream stream{};
  if (deflateInit2(&stream, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, 9, Z_DEFAULT_STRATEGY) !=
      Z_OK)
    fail(ErrorKind::device, "zlib could not start");
  std::string packed(deflateBound(&stream, uLong(bytes.size())), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = uInt(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = uInt(packed.size());
  deflate(&stream, Z_FINISH);
  packed.erase(packed.size() - stream.avail_out);
  deflateEnd(&stream);
  return packed;
}

/// The bytes that were packed; nothing where they do not end, or do not with the input. Throws Error (input) where they
/// are too many.
std::optional<std::string> inflated(std::string_view packed, const std::string& name) {
  z_stream stream{};
  if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) fail(ErrorKind::device, "zlib could not start");
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
  stream.avail_in = uInt(packed.size());
  std::string bytes;
  std::array<char, 1 << 14> piece;
  int status = Z_OK;
  while (status == Z_OK && bytes.size() <= most_unpacked_bytes) {
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = uInt(piece.size());
    status = inflate(&stream, Z_NO_FLUSH);
    bytes.append(piece.data(), piece.size() - stream.avail_out);
  }
  inflateEnd(&stream);
  if (bytes.size() > most_unpacked_bytes)
    fail(ErrorKind::input,
         "{}: unpacks to more than {} bytes; no flame of a link is so large, ask for its file",
         name, most_unpacked_bytes);
  if (status != Z_STREAM_END || stream.avail_in != 0) return {};
  return bytes;
}

std::uint32_t check_of(std::string_view bytes) {
  return std::uint32_t(crc32(0, reinterpret_cast<const Bytef*>(bytes.data()), uInt(bytes.size())));
}

}  // namespace

bool is_link(std::string_view text) {
  const std::string_view link = without_blanks(text.substr(0, most_link_bytes + 4096));
  const bool begins = link.starts_with("https://") || link.starts_with("http://") ||
                      link.starts_with("file://") || link.starts_with('#');
  return begins && (value_of(link, data_key) || is_newer(link));
}

std::string link_title(std::string_view text) {
  const auto title = value_of(without_blanks(text), title_key);
  const std::string plain = title ? printable(from_percent(*title), most_title_bytes) : "";
  return plain.empty() ? "flame" : plain;
}

std::string link_name(std::string_view link) { return "link \"" + link_title(link) + "\""; }

std::string packed_link(const std::string& title, std::string_view bytes) {
  const std::uint32_t check = check_of(bytes);
  std::string data;
  for (std::size_t k = 0; k < check_bytes; ++k) data += char(check >> (8 * k) & 255);
  data += deflated(bytes);
  const std::string called =
      title.empty() ? "" : fmt::format("title={}&", to_percent(printable(title, most_title_bytes)));
  std::string link = fmt::format("#{}{}={}", called, data_key, base64url(data));
  if (link.size() > most_link_bytes || bytes.size() > most_unpacked_bytes)
    fail(ErrorKind::usage,
         "the flame \"{}\" is too large for a link: {} characters, at most {}; hand its file on",
         printable(title), link.size(), most_link_bytes);
  return link;
}

std::string unpacked_link(std::string_view text) {
  const std::string_view link = without_blanks(text);
  const std::string name = link_name(link);
  if (link.size() > most_link_bytes)
    fail(ErrorKind::input, "{}: is {} bytes long, and links to flames at most {}; ask for its file",
         name, link.size(), most_link_bytes);
  const auto data = value_of(link, data_key);
  if (!data) fail(ErrorKind::input, "{}: is of a newer kiln; this is " KILN_VERSION, name);
  const std::optional<std::string> packed = from_base64url(*data);
  if (packed && packed->size() > check_bytes) {
    const auto bytes = inflated(std::string_view(*packed).substr(check_bytes), name);
    std::uint32_t check = 0;
    for (std::size_t k = 0; k < check_bytes; ++k)
      check |= std::uint32_t(static_cast<unsigned char>((*packed)[k])) << (8 * k);
    if (bytes && check_of(*bytes) == check) return *bytes;
  }
  fail(ErrorKind::input,
       "{}: is damaged: its end is missing, or a letter of it was changed on the way; copy it "
       "again, as a whole",
       name);
}

}  // namespace kiln
