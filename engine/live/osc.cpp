// SPDX-License-Identifier: MIT
#include "engine/live/osc.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln {
namespace {

constexpr std::string_view bundle_word{"#bundle\0", 8};
constexpr std::size_t usual_packet_bytes = 1400;  // goes through networks in one piece

/// A packet that is taken piece by piece.
class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  bool empty() const { return left_.empty(); }
  bool begins(std::string_view word) const { return left_.starts_with(word); }
  std::string_view take(std::size_t bytes) {
    if (left_.size() < bytes)
      fail(ErrorKind::input, "ends {} bytes too early", bytes - left_.size());
    const std::string_view taken = left_.substr(0, bytes);
    left_.remove_prefix(bytes);
    return taken;
  }
  std::uint64_t whole(std::size_t bytes) {
    std::uint64_t value = 0;
    for (const char c : take(bytes)) value = value << 8 | static_cast<unsigned char>(c);
    return value;
  }
  /// A text with the zeros behind it, up to a multiple of 4.
  std::string_view text() {
    const std::size_t end = left_.find('\0');
    if (end == left_.npos) fail(ErrorKind::input, "has a text without an end");
    const std::string_view whole = take((end / 4 + 1) * 4);
    if (whole.find_first_not_of('\0', end) != whole.npos)
      fail(ErrorKind::input, "has a text without an end");
    return whole.substr(0, end);
  }

 private:
  std::string_view left_;
};

void check_address(std::string_view address) {
  const bool is_printable =
      std::all_of(address.begin(), address.end(), [](char c) { return c > 0x20 && c < 0x7f; });
  if (!is_printable || address.size() > 255 || !address.starts_with("/"))
    fail(ErrorKind::input, "has an address that is none");
  if (address.find_first_of("*?[]{},#") != address.npos)
    fail(ErrorKind::input, "{}: patterns of addresses are not known here; name one number",
         address);
}

double number_of(char type, Reader& reader) {
  switch (type) {
    case 'i':
      return double(static_cast<std::int32_t>(std::uint32_t(reader.whole(4))));
    case 'h':
      return double(static_cast<std::int64_t>(reader.whole(8)));
    case 'f':
      return double(std::bit_cast<float>(std::uint32_t(reader.whole(4))));
    case 'd':
      return std::bit_cast<double>(reader.whole(8));
    case 'T':
      return 1;
    case 'F':
      return 0;
    default:
      fail(ErrorKind::input, "has a value of type {}; numbers are wanted (i, f, h, d, T, F)",
           printable(std::string_view(&type, 1)));
  }
}

OscMessage read_message(Reader reader) {
  OscMessage message;
  const std::string_view address = reader.text();
  check_address(address);
  message.address = address;
  if (reader.empty()) fail(ErrorKind::input, "{}: says no types of its values", address);
  const std::string_view types = reader.text();
  if (!types.starts_with(",")) fail(ErrorKind::input, "{}: says no types of its values", address);
  if (types.size() > most_osc_numbers + 1)
    fail(ErrorKind::input, "{}: has more than {} values", address, most_osc_numbers);
  for (const char type : types.substr(1)) {
    const double number = number_of(type, reader);
    if (!std::isfinite(number))
      fail(ErrorKind::input, "{}: has a value that is no finite number", address);
    message.numbers.push_back(number);
  }
  if (!reader.empty()) fail(ErrorKind::input, "{}: goes on behind its values", address);
  return message;
}

void read_part(std::string_view part, int depth, std::vector<OscMessage>& messages) {
  Reader reader(part);
  if (!reader.begins(bundle_word)) {
    messages.push_back(read_message(reader));
    return;
  }
  if (depth >= most_osc_depth)
    fail(ErrorKind::input, "has more than {} bundles in each other", most_osc_depth);
  reader.take(bundle_word.size());
  reader.take(8);  // when
  while (!reader.empty()) {
    const auto size = std::size_t(reader.whole(4));
    if (size == 0 || size % 4 != 0) fail(ErrorKind::input, "has a part of {} bytes", size);
    read_part(reader.take(size), depth + 1, messages);
  }
}

void add_whole(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += char(value >> shift & 0xff);
}

void add_text(std::string& bytes, std::string_view text) {
  bytes += text;
  bytes.append(4 - text.size() % 4, '\0');
}

std::string message_bytes(const OscMessage& message) {
  std::string bytes;
  add_text(bytes, message.address);
  add_text(bytes, "," + std::string(message.numbers.size(), 'f'));
  for (const double number : message.numbers)
    add_whole(bytes, std::bit_cast<std::uint32_t>(float(number)));
  return bytes;
}

}  // namespace

std::vector<OscMessage> read_osc(std::string_view packet) {
  if (packet.empty() || packet.size() % 4 != 0 || packet.size() > most_osc_bytes)
    fail(ErrorKind::input, "has {} bytes; a packet has a multiple of 4, up to {}", packet.size(),
         most_osc_bytes);
  std::vector<OscMessage> messages;
  read_part(packet, 0, messages);
  return messages;
}

std::vector<std::string> osc_packets(const std::vector<OscMessage>& messages) {
  const std::string head = std::string(bundle_word) + std::string("\0\0\0\0\0\0\0\1", 8);  // now
  std::vector<std::string> packets;
  for (const OscMessage& message : messages) {
    const std::string bytes = message_bytes(message);
    if (packets.empty() || packets.back().size() + bytes.size() + 4 > usual_packet_bytes)
      packets.push_back(head);
    add_whole(packets.back(), std::uint32_t(bytes.size()));
    packets.back() += bytes;
  }
  return packets;
}

}  // namespace kiln
