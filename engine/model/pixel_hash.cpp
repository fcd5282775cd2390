// The identity of a picture, whatever compressor wrote its file: SHA-256 over
//   width, height, bits (three 32-bit integers), then the samples R G B A row by row, all
//   big-endian
// (a 16-bit sample is two bytes; a linear picture's is the four of its float, the hits follow the
// last row). It is written into every PNG (kiln_record) and is what golden tests compare.
#include "engine/model/pixel_hash.h"

#include <array>
#include <bit>

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

}  // namespace kiln
