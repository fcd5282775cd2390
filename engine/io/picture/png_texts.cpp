#include "engine/io/picture/png_texts.h"

#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/printable.h"

namespace kiln {
namespace {

// of one text, packed or not: a 1 MB chunk can hold 1 GB of zeros
constexpr std::size_t max_text_bytes = 16u << 20;

std::uint32_t big_endian(const char* bytes) {
  const auto byte = [&](int i) { return std::uint32_t(static_cast<unsigned char>(bytes[i])); };
  return byte(0) << 24 | byte(1) << 16 | byte(2) << 8 | byte(3);
}

class PngReader {
 public:
  PngReader(const ReadBytes& read, const std::string& name,
            std::initializer_list<std::string_view> wanted)
      : read_(read), name_(printable(name, 240)), wanted_(wanted) {}

  /// The file is read to its end.
  PngTexts texts() {
    PngTexts found;
    bool first = true;
    for (Chunk chunk = next(); chunk.type != "IEND"; chunk = next()) {
      if (first) check_header(chunk);
      first = false;
      if (chunk.type == "IDAT") found.has_pixels = true;
      take_text(chunk, found.texts);
    }
    char behind;
    found.ends_there = read_(&behind, 1) == 0;
    return found;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ErrorKind::input, "{}: {}", name_, fmt::format(format, std::forward<Args>(args)...));
  }

  struct Chunk {
    std::string type;
    std::string data;  // of IHDR and of text chunks only
  };

  void fill(char* buffer, std::size_t count) {
    if (read_(buffer, count) != count) refuse("the PNG file is cut off; get an undamaged copy");
  }

  Chunk next() {
    std::array<char, 8> head;
    fill(head.data(), head.size());
    std::uint32_t left = big_endian(head.data());
    Chunk chunk{std::string(head.data() + 4, 4), {}};
    const bool letters = std::all_of(chunk.type.begin(), chunk.type.end(), [](char c) {
      return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
    });
    if (!letters || left > 0x7FFFFFFF) refuse("the PNG file is damaged: this is no chunk");
    const bool text = chunk.type == "tEXt" || chunk.type == "zTXt" || chunk.type == "iTXt";
    const bool keep = text || chunk.type == "IHDR";
    if (keep && left > max_text_bytes) refuse("a text in the PNG file is larger than 16 MB");

    auto checksum = crc32(0, reinterpret_cast<const Bytef*>(head.data() + 4), 4);
    std::array<char, 1 << 14> piece;
    while (left > 0) {
      const std::size_t count = std::min<std::size_t>(left, piece.size());
      fill(piece.data(), count);
      checksum = crc32(checksum, reinterpret_cast<const Bytef*>(piece.data()), uInt(count));
      if (keep) chunk.data.append(piece.data(), count);
      left -= std::uint32_t(count);
    }
    std::array<char, 4> stored;
    fill(stored.data(), stored.size());
    if (big_endian(stored.data()) != checksum)
      refuse("the PNG file is damaged: checksum of chunk {} is wrong", chunk.type);
    return chunk;
  }

  void check_header(const Chunk& chunk) const {
    if (chunk.type != "IHDR" || chunk.data.size() != 13)
      refuse("the PNG file is damaged: it has no header");
    const std::uint32_t width = big_endian(chunk.data.data()),
                        height = big_endian(chunk.data.data() + 4);
    if (width == 0 || height == 0 || width > 0x7FFFFFFF || height > 0x7FFFFFFF)
      refuse("the PNG file is damaged: its size is {} x {}", width, height);
  }

  void take_text(const Chunk& chunk, PictureTexts& texts) const {
    const std::string_view keyword =
        std::string_view(chunk.data).substr(0, std::min(chunk.data.find('\0'), chunk.data.size()));
    if (std::find(wanted_.begin(), wanted_.end(), keyword) == wanted_.end()) return;
    if (texts.contains(keyword)) return;
    if (std::optional<std::string> text = text_in(chunk)) texts.emplace(keyword, *std::move(text));
  }

  // tEXt: keyword 0 text. zTXt: keyword 0 method packed. iTXt: keyword 0 packed? method language 0
  // translation 0 text.
  std::optional<std::string> text_in(const Chunk& chunk) const {
    const std::size_t end = chunk.data.find('\0');
    if (end == std::string::npos) return std::nullopt;
    std::string_view rest = std::string_view(chunk.data).substr(end + 1);
    if (chunk.type == "tEXt") return std::string(rest);
    if (chunk.type == "zTXt") {
      if (rest.empty() || rest[0] != 0) refuse("a text is packed in an unknown way");
      return unpack(rest.substr(1));
    }
    if (chunk.type != "iTXt") return std::nullopt;
    if (rest.size() < 2) refuse("a text chunk is damaged");
    const bool packed = rest[0] != 0;
    if (packed && rest[1] != 0) refuse("a text is packed in an unknown way");
    rest.remove_prefix(2);
    for (int part = 0; part < 2; ++part) {  // language, translated keyword
      const std::size_t stop = rest.find('\0');
      if (stop == rest.npos) refuse("a text chunk is damaged");
      rest.remove_prefix(stop + 1);
    }
    return packed ? unpack(rest) : std::string(rest);
  }

  std::string unpack(std::string_view packed) const {
    z_stream stream{};
    if (inflateInit(&stream) != Z_OK) fail(ErrorKind::device, "{}: zlib could not start", name_);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(packed.data()));
    stream.avail_in = uInt(packed.size());
    std::string text;
    int status = Z_OK;
    std::array<char, 1 << 14> piece;
    while (status == Z_OK && text.size() <= max_text_bytes) {
      stream.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream.avail_out = uInt(piece.size());
      status = inflate(&stream, Z_NO_FLUSH);
      text.append(piece.data(), piece.size() - stream.avail_out);
    }
    inflateEnd(&stream);
    if (text.size() > max_text_bytes) refuse("a text unpacks to more than 16 MB");
    if (status != Z_STREAM_END) refuse("a packed text is damaged");
    return text;
  }

  const ReadBytes& read_;
  std::string name_;
  std::vector<std::string_view> wanted_;
};

}  // namespace

PngTexts read_png_texts(const ReadBytes& read, const std::string& name,
                        std::initializer_list<std::string_view> wanted) {
  return PngReader(read, name, wanted).texts();
}

}  // namespace kiln
