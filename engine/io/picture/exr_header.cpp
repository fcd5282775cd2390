#include "engine/io/picture/exr_header.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "engine/base/error.h"
#include "engine/base/printable.h"

namespace kiln {
namespace {

constexpr std::size_t exr_name_bytes = 255;            // the format's own limit
constexpr std::size_t max_attribute_bytes = 16 << 20;  // as of a text in a PNG
constexpr std::size_t max_header_bytes = 64 << 20;
constexpr int max_attributes = 4096;
constexpr std::size_t max_channels = 4096;
constexpr std::uint32_t known_version = 2;
constexpr std::uint32_t tiled = 0x200, deep = 0x800, several_parts = 0x1000;

std::uint32_t little_endian(const char* bytes) {
  const auto byte = [&](int i) { return std::uint32_t(static_cast<unsigned char>(bytes[i])); };
  return byte(3) << 24 | byte(2) << 16 | byte(1) << 8 | byte(0);
}

class ExrReader {
 public:
  ExrReader(const ReadBytes& read, const std::string& name)
      : read_(read), name_(printable(name, 240)) {}

  ExrHeader header() {
    ExrHeader header;
    const std::uint32_t version = number();
    if ((version & 0xff) != known_version) refuse("is of an OpenEXR version that kiln cannot read");
    header.is_flat_scanlines = !(version & (tiled | deep | several_parts));
    int count = 0;
    for (std::string key = word(); !key.empty(); key = word()) {
      if (++count > max_attributes) refuse("has more than {} attributes", max_attributes);
      const std::string type = word();
      const std::uint32_t size = number();
      if (size > max_attribute_bytes) refuse("has an attribute larger than 16 MB");
      take(key, type, bytes(size), header);
    }
    if (header.width < 1 || header.height < 1) refuse("is damaged: it has no data window");
    return header;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ErrorKind::input, "{}: the OpenEXR file {}", name_,
         fmt::format(format, std::forward<Args>(args)...));
  }

  void fill(char* buffer, std::size_t count) {
    if ((read_bytes_ += count) > max_header_bytes) refuse("has a header larger than 64 MB");
    if (read_(buffer, count) != count) refuse("is cut off; get an undamaged copy");
  }

  std::string bytes(std::size_t count) {  // grows with what arrives, not with what is promised
    std::string all;
    std::array<char, 1 << 14> piece;
    while (all.size() < count) {
      const std::size_t part = std::min(count - all.size(), piece.size());
      fill(piece.data(), part);
      all.append(piece.data(), part);
    }
    return all;
  }

  std::uint32_t number() {
    std::array<char, 4> raw;
    fill(raw.data(), raw.size());
    return little_endian(raw.data());
  }

  std::string word() {
    std::string text;
    for (char c = 0;; text += c) {
      fill(&c, 1);
      if (c == '\0') return text;
      if (text.size() >= exr_name_bytes) refuse("is damaged: an attribute has no name");
    }
  }

  void take(const std::string& key, const std::string& type, std::string value,
            ExrHeader& header) const {
    if (type == "string") {
      header.texts.emplace(key, std::move(value));
    } else if (key == "dataWindow" && type == "box2i") {
      take_window(value, header);
    } else if (key == "channels" && type == "chlist") {
      take_channels(value, header);
    }
  }

  void take_window(std::string_view value, ExrHeader& header) const {
    if (value.size() != 16) refuse("is damaged: its data window has {} bytes", value.size());
    const auto corner = [&](int i) {
      return std::int64_t(std::int32_t(little_endian(value.data() + 4 * i)));
    };
    const std::int64_t width = corner(2) - corner(0) + 1, height = corner(3) - corner(1) + 1;
    constexpr std::int64_t largest = 0x7fffffff;
    if (width < 1 || height < 1 || width > largest || height > largest)
      refuse("is damaged: its size is {} x {}", width, height);
    header.left = int(corner(0));
    header.top = int(corner(1));
    header.width = int(width);
    header.height = int(height);
  }

  // name 0, type, linear and three unused bytes, sampling across and down; an empty name ends them
  void take_channels(std::string_view value, ExrHeader& header) const {
    header.channels.clear();
    constexpr std::size_t numbers_bytes = 16;
    while (true) {
      const std::size_t end = value.find('\0');
      if (end == value.npos) refuse("is damaged: its list of channels has no end");
      if (end == 0) return;
      if (end > exr_name_bytes || value.size() < end + 1 + numbers_bytes ||
          header.channels.size() >= max_channels)
        refuse("is damaged: this is no list of channels");
      const char* numbers = value.data() + end + 1;
      header.channels.push_back({std::string(value.substr(0, end)), int(little_endian(numbers)),
                                 int(little_endian(numbers + 8)),
                                 int(little_endian(numbers + 12))});
      value.remove_prefix(end + 1 + numbers_bytes);
    }
  }

  const ReadBytes& read_;
  std::string name_;
  std::size_t read_bytes_ = 0;
};

}  // namespace

bool ExrHeader::has(std::string_view channel) const {
  return std::any_of(channels.begin(), channels.end(),
                     [&](const ExrChannel& c) { return c.name == channel; });
}

bool ExrHeader::is_single_float() const {
  constexpr int single = 2;
  return std::any_of(channels.begin(), channels.end(),
                     [](const ExrChannel& c) { return c.name == "R" && c.type == single; });
}

ExrHeader read_exr_header(const ReadBytes& read, const std::string& name) {
  return ExrReader(read, name).header();
}

}  // namespace kiln
