// SPDX-License-Identifier: MIT
// An MP4 is boxes in boxes: 4 bytes of size, 4 of name, then what is in it. The table of contents (moov) is read whole,
// gets the new boxes, and where it stands before the frames (-movflags +faststart) these move back by as many bytes,
// and so do the places that the table has of them (stco, co64). ISO/IEC 14496-12.
#include "engine/io/picture/video_sphere.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>

#include "engine/base/error.h"
#include "engine/base/platform/file.h"
#include "engine/io/file/output_name.h"

namespace kiln {
namespace {

[[noreturn]] void refuse_film(const char* what) {
  fail(ErrorKind::output, "the film cannot say that it is a sphere: {}", what);
}

std::uint64_t number_at(std::string_view bytes, std::size_t at, int size) {
  if (at + std::size_t(size) > bytes.size()) refuse_film("its table is cut off");
  std::uint64_t number = 0;
  for (int i = 0; i < size; ++i)
    number = number << 8 | static_cast<unsigned char>(bytes[at + std::size_t(i)]);
  return number;
}

void put_number(std::string& bytes, std::size_t at, int size, std::uint64_t number) {
  for (int i = size; i-- > 0; number >>= 8) bytes[at + std::size_t(i)] = char(number & 255);
}

std::string box(const char* name, const std::string& inside) {
  std::string bytes(4, '\0');
  put_number(bytes, 0, 4, inside.size() + 8);
  return bytes + name + inside;
}

/// Mono, and the whole sphere with its middle ahead.
std::string sphere_boxes() {
  const std::string version(4, '\0'), angles(12, '\0'), bounds(16, '\0');
  return box("st3d", version + std::string(1, '\0')) +
         box("sv3d",
             box("svhd", version + std::string("kiln\0", 5)) +
                 box("proj", box("prhd", version + angles) + box("equi", version + bounds)));
}

/// A box among its brothers: where it begins and how long it is.
struct BoxPlace {
  std::size_t at, size;
};

/// The first of that name between two places.
std::optional<BoxPlace> box_in(std::string_view bytes, std::size_t at, std::size_t end,
                               std::string_view name) {
  while (at + 8 <= end) {
    const std::size_t size = std::size_t(number_at(bytes, at, 4));
    if (size < 8 || size > end - at) refuse_film("its boxes do not fit");
    if (bytes.substr(at + 4, 4) == name) return BoxPlace{at, size};
    at += size;
  }
  return {};
}

/// Calls `use` for each box of that name, however deep in these that hold boxes.
template <class Use>
void for_each_box(std::string_view bytes, std::size_t at, std::size_t end, std::string_view name,
                  Use use) {
  for (; at + 8 <= end;) {
    const std::size_t size = std::size_t(number_at(bytes, at, 4));
    if (size < 8 || size > end - at) return;
    const std::string_view own = bytes.substr(at + 4, 4);
    if (own == name) use(at);
    if (own == "trak" || own == "mdia" || own == "minf" || own == "stbl")
      for_each_box(bytes, at + 8, at + size, name, use);
    at += size;
  }
}

/// Grows the boxes around a place, from the outermost.
struct Way {
  std::size_t boxes[8];
  int count = 0;
};

/// The boxes from moov down to the description of the pictures' codec.
std::optional<Way> way_to_codec(std::string_view moov) {
  for (std::size_t at = 8; at + 8 <= moov.size();) {
    const std::size_t size = std::size_t(number_at(moov, at, 4));
    if (size < 8 || size > moov.size() - at) refuse_film("its boxes do not fit");
    if (moov.substr(at + 4, 4) == "trak") {
      Way way;
      way.boxes[way.count++] = 0;
      way.boxes[way.count++] = at;
      std::optional<BoxPlace> inside = BoxPlace{at, size};
      bool is_video = false;
      for (const char* name : {"mdia", "minf", "stbl", "stsd"}) {
        inside = box_in(moov, inside->at + 8, inside->at + inside->size, name);
        if (!inside) break;
        way.boxes[way.count++] = inside->at;
        if (std::string_view(name) == "minf")
          is_video = box_in(moov, inside->at + 8, inside->at + inside->size, "vmhd").has_value();
      }
      if (inside && is_video && inside->size > 16) {
        way.boxes[way.count++] = inside->at + 16;  // behind version and count: the first codec
        return way;
      }
    }
    at += size;
  }
  return {};
}

void read_whole(int file, std::string& bytes, std::uint64_t at) {
  if (read_at(file, bytes.data(), bytes.size(), at) != std::int64_t(bytes.size()))
    refuse_film("it cannot be read");
}

/// Moves the bytes from `at` to the end back by `shift`, from the last to the first.
void move_back(int file, std::uint64_t at, std::uint64_t end, std::size_t shift) {
  constexpr std::uint64_t piece = 4 << 20;
  while (end > at) {
    std::string bytes(std::size_t(std::min(piece, end - at)), '\0');
    end -= bytes.size();
    read_whole(file, bytes, end);
    if (!write_at(file, bytes.data(), bytes.size(), end + shift)) refuse_film(std::strerror(errno));
  }
}

}  // namespace

bool can_say_sphere(const std::string& path) {
  const std::string ending = ending_of(path);
  return takes_rows(path) && (ending == ".mp4" || ending == ".m4v" || ending == ".mov");
}

void say_sphere(int file) {
  constexpr std::uint64_t most_table = 1 << 28;
  const std::optional<std::uint64_t> size_of_film = size_of_file(file);
  if (!size_of_film) refuse_film(std::strerror(errno));
  const std::uint64_t end = *size_of_film;
  std::uint64_t at = 0, size = 0;
  for (;; at += size) {
    std::string head(16, '\0');
    if (at + head.size() > end) refuse_film("it has no table");
    read_whole(file, head, at);
    size = number_at(head, 0, 4);
    if (size == 1) size = number_at(head, 8, 8);
    if (size < 8 || size > end - at) refuse_film("its boxes do not fit");
    if (head.substr(4, 4) == "moov") break;
  }
  if (size > most_table) refuse_film("its table is too long");
  std::string moov(std::size_t(size), '\0');
  read_whole(file, moov, at);
  const auto way = way_to_codec(moov);
  if (!way) refuse_film("its table has no pictures");
  const std::string added = sphere_boxes();
  const bool frames_follow = at + size < end;
  if (frames_follow) {
    const auto shift = [&](std::size_t table, int bytes) {
      const std::uint64_t count = number_at(moov, table + 12, 4);
      for (std::uint64_t i = 0; i < count; ++i) {
        const std::size_t place = table + 16 + std::size_t(i) * std::size_t(bytes);
        const std::uint64_t frame = number_at(moov, place, bytes);
        if (frame > at) put_number(moov, place, bytes, frame + added.size());
      }
    };
    for_each_box(moov, 8, moov.size(), "stco", [&](std::size_t table) { shift(table, 4); });
    for_each_box(moov, 8, moov.size(), "co64", [&](std::size_t table) { shift(table, 8); });
  }
  const std::size_t codec = way->boxes[way->count - 1];
  moov.insert(codec + std::size_t(number_at(moov, codec, 4)), added);
  for (int i = 0; i < way->count; ++i)
    put_number(moov, way->boxes[i], 4, number_at(moov, way->boxes[i], 4) + added.size());
  move_back(file, at + size, end, added.size());
  if (!write_at(file, moov.data(), moov.size(), at)) refuse_film(std::strerror(errno));
}

}  // namespace kiln
