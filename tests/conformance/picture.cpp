// SPDX-License-Identifier: MIT
#include "tests/conformance/picture.h"

#include <fmt/format.h>
#include <png.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <stdexcept>

namespace conformance {
namespace {

struct CloseFile {
  void operator()(FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<FILE, CloseFile>;

[[noreturn]] void on_png_error(png_structp, png_const_charp message) {
  throw std::runtime_error(message);
}
void on_png_warning(png_structp, png_const_charp) {}

// Frees libpng's reader however the reading ends.
struct Reader {
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, on_png_error, on_png_warning);
  png_infop info = png_create_info_struct(png);
  ~Reader() { png_destroy_read_struct(&png, &info, nullptr); }
};

uint8_t to_byte(float value) { return uint8_t(std::clamp(value, 0.f, 255.f)); }

}  // namespace

Picture read_png(const std::string& path) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) throw std::runtime_error(fmt::format("{}: cannot be opened", path));
  Reader reader;
  png_init_io(reader.png, file.get());
  png_read_info(reader.png, reader.info);
  const bool deep = png_get_bit_depth(reader.png, reader.info) == 16;
  png_set_expand(reader.png);
  png_set_gray_to_rgb(reader.png);
  png_set_add_alpha(reader.png, 0xffff, PNG_FILLER_AFTER);
  png_read_update_info(reader.png, reader.info);

  Picture picture;
  picture.width = int(png_get_image_width(reader.png, reader.info));
  picture.height = int(png_get_image_height(reader.png, reader.info));
  picture.rgba.resize(size_t(picture.width) * picture.height * 4);
  std::vector<uint8_t> row(png_get_rowbytes(reader.png, reader.info));
  for (int y = 0; y < picture.height; ++y) {
    png_read_row(reader.png, row.data(), nullptr);
    uint16_t* out = &picture.rgba[size_t(y) * picture.width * 4];
    for (int i = 0; i < picture.width * 4; ++i) {
      const bool is_alpha = i % 4 == 3;
      if (deep) {
        out[i] = uint16_t(row[2 * i] << 8 | row[2 * i + 1]);
      } else {
        out[i] = uint16_t(row[i] * (is_alpha ? 257 : 256));
      }
    }
  }
  png_read_end(reader.png, reader.info);
  png_textp texts = nullptr;
  int count = 0;
  png_get_text(reader.png, reader.info, &texts, &count);
  for (int i = 0; i < count; ++i) picture.text[texts[i].key] = texts[i].text;
  return picture;
}

Plane plane_from_picture(const Picture& picture, bool transparent) {
  Plane plane{picture.width, picture.height, transparent ? 4 : 3, {}};
  const size_t pixels = size_t(picture.width) * picture.height;
  plane.values.reserve(pixels * plane.channels);
  for (size_t i = 0; i < pixels; ++i) {
    const uint16_t* in = &picture.rgba[i * 4];
    const float alpha = transparent ? in[3] / 65535.f : 1.f;
    for (int c = 0; c < 3; ++c) plane.values.push_back(in[c] / 256.f * alpha);
    if (transparent) plane.values.push_back(alpha * 255.f);
  }
  return plane;
}

Picture shifted(const Picture& picture, int pixels) {
  Picture moved = picture;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      const size_t to = (size_t(y) * picture.width + x) * 4;
      const size_t from = (size_t(y) * picture.width + std::max(0, x - pixels)) * 4;
      std::copy_n(&picture.rgba[from], 4, &moved.rgba[to]);
    }
  }
  return moved;
}

void write_side_by_side(const std::string& path, const std::vector<const Plane*>& planes,
                        float gain) {
  const Plane& first = *planes.front();
  const Plane& last = *planes.back();
  const int tiles = int(planes.size()) + 1;
  std::vector<uint8_t> rgb(size_t(first.width) * tiles * first.height * 3);
  for (int y = 0; y < first.height; ++y) {
    for (int x = 0; x < first.width * tiles; ++x) {
      const int tile = x / first.width;
      const size_t at = (size_t(y) * first.width + x % first.width) * first.channels;
      for (int c = 0; c < 3; ++c) {
        const float value = tile + 1 < tiles
                                ? planes[tile]->values[at + c]
                                : 128 + gain * (last.values[at + c] - first.values[at + c]);
        rgb[(size_t(y) * first.width * tiles + x) * 3 + c] = to_byte(value);
      }
    }
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = png_uint_32(first.width * tiles);
  image.height = png_uint_32(first.height);
  image.format = PNG_FORMAT_RGB;
  png_image_write_to_file(&image, path.c_str(), 0, rgb.data(), 0, nullptr);
}

}  // namespace conformance
