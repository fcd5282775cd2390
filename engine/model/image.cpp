// SPDX-License-Identifier: MIT
// The identity of a picture, whatever compressor wrote its file: SHA-256 over
//   width, height, bits (three 32-bit integers), then the samples R G B A row by row, all
//   big-endian
// (a 16-bit sample is two bytes; a linear picture's is the four of its float, the hits follow the
// last row). It is written into every PNG (kiln_record) and is what golden tests compare.

#include "engine/model/image.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/base/error.h"

namespace kiln {
namespace {

template <std::size_t Bytes>
void add_big_endian(std::uint32_t sample, std::uint8_t* to) {
  for (std::size_t byte = 0; byte < Bytes; ++byte)
    to[byte] = static_cast<std::uint8_t>(sample >> (8 * (Bytes - 1 - byte)));
}

void add(const std::vector<std::uint8_t>& samples, Sha256& sha) {
  sha.add(samples.data(), samples.size());
}

template <class Sample>
void add(const std::vector<Sample>& samples, Sha256& sha) {
  std::array<std::uint8_t, 1 << 16> chunk;
  std::size_t used = 0;
  for (const Sample sample : samples) {
    if constexpr (sizeof sample == 2)
      add_big_endian<2>(sample, chunk.data() + used);
    else
      add_big_endian<4>(std::bit_cast<std::uint32_t>(sample), chunk.data() + used);
    used += sizeof sample;
    if (used == chunk.size()) {  // a multiple of every sample's size
      sha.add(chunk.data(), used);
      used = 0;
    }
  }
  sha.add(chunk.data(), used);
}

/// The window's rows move to the front, each from behind the place it goes to.
template <class Sample>
void cut(std::vector<Sample>& samples, int channels, int picture_width, const Window& window) {
  if (samples.empty()) return;
  const auto place = [&](int x, int y, int width) {
    return (static_cast<std::ptrdiff_t>(y) * width + x) * channels;
  };
  for (int row = 0; row < window.height; ++row) {
    const auto from = samples.begin() + place(window.x, window.y + row, picture_width);
    const auto to = samples.begin() + place(0, row, window.width);
    if (to != from) std::copy(from, from + place(window.width, 0, 0), to);
  }
  samples.resize(static_cast<std::size_t>(place(0, window.height, window.width)));
  samples.shrink_to_fit();
}

}  // namespace

PixelHash::PixelHash(int width, int height, int bits) {
  for (int number : {width, height, bits}) {
    std::array<std::uint8_t, 4> bytes{};
    add_big_endian<4>(static_cast<std::uint32_t>(number), bytes.data());
    sha_.add(bytes.data(), bytes.size());
  }
  if (bits == 32) hits_.reserve(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
}

void PixelHash::add(const Image& rows) {
  if (rows.bits() == 8) return kiln::add(rows.pixels8(), sha_);
  if (rows.bits() == 16) return kiln::add(rows.pixels16(), sha_);
  kiln::add(rows.linear().rgba, sha_);
  hits_.insert(hits_.end(), rows.linear().hits.begin(), rows.linear().hits.end());
}

std::string PixelHash::hex() {
  kiln::add(hits_, sha_);
  return sha_.hex();
}

std::string pixel_hash(const Image& image) {
  PixelHash hash(image.width, image.height, image.bits());
  hash.add(image);
  return hash.hex();
}

std::string window_text(const Window& window) {
  return fmt::format("{},{},{}x{}", window.x, window.y, window.width, window.height);
}

std::string window_json(const Window& window) {
  return fmt::format("[{},{},{},{}]", window.x, window.y, window.width, window.height);
}

void check_window(const Window& window, int width, int height) {
  const bool is_inside = window.x >= 0 && window.y >= 0 && window.width > 0 && window.height > 0 &&
                         std::int64_t(window.x) + window.width <= width &&
                         std::int64_t(window.y) + window.height <= height;
  if (is_inside) return;
  fail(ErrorKind::usage,
       "--crop {}: the picture is {} x {} pixels and does not have the whole window; give one "
       "inside of it",
       window_text(window), width, height);
}

void crop(Image& image, const Window& window) {
  check_window(window, image.width, image.height);
  crop_rows(image, 0, window);
}

void crop_rows(Image& rows, int first_row, const Window& window) {
  const int begin = std::clamp(window.y - first_row, 0, rows.height),
            end = std::clamp(window.y + window.height - first_row, 0, rows.height);
  const Window part{window.x, begin, window.width, end - begin};
  constexpr int rgba = 4;
  if (auto* light = std::get_if<LinearLight>(&rows.pixels)) {
    cut(light->rgba, rgba, rows.width, part);
    cut(light->hits, 1, rows.width, part);
  } else if (rows.bits() == 16) {
    cut(rows.pixels16(), rgba, rows.width, part);
  } else {
    cut(rows.pixels8(), rgba, rows.width, part);
  }
  rows.width = part.width;
  rows.height = part.height;
}

Image with_8_bits(const Image& image) {
  Image cut;
  cut.width = image.width;
  cut.height = image.height;
  cut.opaque = image.opaque;
  cut.pixel_aspect = image.pixel_aspect;
  cut.dpi = image.dpi;
  const std::vector<std::uint16_t>& whole = image.pixels16();
  std::vector<std::uint8_t>& pixels = cut.pixels8();
  pixels.resize(whole.size());
  for (std::size_t i = 0; i < pixels.size(); ++i)
    pixels[i] = static_cast<std::uint8_t>(i % 4 == 3 ? whole[i] / 257 : whole[i] >> 8);
  return cut;
}

}  // namespace kiln
