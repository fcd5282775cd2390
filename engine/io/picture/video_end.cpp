// SPDX-License-Identifier: MIT
#include "engine/io/picture/video_end.h"

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/base/platform/file.h"

namespace kiln {
namespace {

/// Pieces of a file; what is behind its end reads as nothing.
class FilmBytes {
 public:
  FilmBytes(int file, std::uint64_t size) : file_(file), size_(size) {}

  std::uint64_t size() const { return size_; }
  std::string at(std::uint64_t place, std::size_t count) const {
    std::string bytes(count, '\0');
    const std::int64_t got = place < size_ ? read_at(file_, bytes.data(), count, place) : 0;
    bytes.resize(got > 0 ? std::size_t(got) : 0);
    return bytes;
  }
  bool ends_with(std::string_view mark) const {
    return size_ >= mark.size() && at(size_ - mark.size(), mark.size()) == mark;
  }

 private:
  int file_;
  std::uint64_t size_;
};

std::uint64_t big_endian(std::string_view bytes) {
  std::uint64_t number = 0;
  for (const char c : bytes) number = number << 8 | static_cast<unsigned char>(c);
  return number;
}

/// Boxes one behind the other up to the last byte, with the table of the frames (moov) among them.
bool is_whole_mp4(const FilmBytes& file) {
  bool has_table = false;
  std::uint64_t place = 0;
  while (place < file.size()) {
    const std::string head = file.at(place, 16);
    if (head.size() < 8) return false;
    std::uint64_t size = big_endian(head.substr(0, 4));
    if (size == 1 && head.size() == 16) size = big_endian(head.substr(8));
    if (size < 8 || size > file.size() - place) return false;
    has_table |= head.substr(4, 4) == "moov";
    place += size;
  }
  return has_table;
}

/// The head, then a segment whose size, which is unknown until the end is written, is all the rest.
bool is_whole_matroska(const FilmBytes& file) {
  std::uint64_t place = 0;
  for (const std::string_view id : {"\x1a\x45\xdf\xa3", "\x18\x53\x80\x67"}) {
    const std::string head = file.at(place, 12);
    if (head.size() < 12 || head.substr(0, 4) != id) return false;
    std::size_t length = 1;  // of the number that follows: a one bit behind so many zeros
    for (int first = static_cast<unsigned char>(head[4]); length <= 8 && !(first & 0x80); ++length)
      first <<= 1;
    if (length > 8) return false;
    const std::uint64_t bits = std::uint64_t{1} << 7 * length;
    const std::uint64_t size = big_endian(head.substr(4, length)) & (bits - 1);
    if (size == bits - 1) return false;  // unknown
    place += 4 + length + size;
  }
  return place == file.size();
}

/// One RIFF behind the other: an .avi above 1 GB has several.
bool is_whole_riff(const FilmBytes& file) {
  std::uint64_t place = 0;
  while (place < file.size()) {
    const std::string head = file.at(place, 8);
    if (head.size() < 8 || head.substr(0, 4) != "RIFF") return false;
    const std::string little(head.rbegin(), head.rbegin() + 4);
    place += 8 + big_endian(little);
  }
  return place == file.size();
}

}  // namespace

bool film_is_whole(int descriptor, std::uint64_t bytes, const std::string& ending) {
  const FilmBytes file(descriptor, bytes);
  if (ending == ".mp4" || ending == ".m4v" || ending == ".mov") return is_whole_mp4(file);
  if (ending == ".mkv" || ending == ".webm") return is_whole_matroska(file);
  if (ending == ".avi" || ending == ".webp") return is_whole_riff(file);
  if (ending == ".gif") return file.ends_with(";");
  if (ending == ".apng") return file.ends_with("IEND\xae\x42\x60\x82");
  return true;
}

bool speaks_of_writing(const std::string& complaints) {
  constexpr std::string_view words[] = {
      "Error writing", "Error muxing",  "Error submitting a packet to the muxer",
      "Error closing", "write_frame()", "No space left on device",
      "quota",         "File too large"};
  for (const std::string_view word : words)
    if (complaints.find(word) != std::string::npos) return true;
  return false;
}

}  // namespace kiln
