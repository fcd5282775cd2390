// The identity of a picture, whatever compressor wrote its file: SHA-256 over
//   width, height, bits (three 32-bit integers), then the samples R G B A row by row, all
//   big-endian
// (a 16-bit sample is two bytes; a linear picture's is the four of its float, the hits follow the
// last row). It is written into every PNG (kiln_record) and is what golden tests compare.
#include "engine/model/pixel_hash.h"

#include <array>
#include <bit>
#include <vector>

#include "engine/base/sha256.h"

namespace kiln {

std::string pixel_hash(const Image& image) {
  Sha256 sha;
  for (int number : {image.width, image.height, image.bits()}) {
    const auto n = static_cast<std::uint32_t>(number);
    const std::array<std::uint8_t, 4> bytes = {
        static_cast<std::uint8_t>(n >> 24), static_cast<std::uint8_t>(n >> 16),
        static_cast<std::uint8_t>(n >> 8), static_cast<std::uint8_t>(n)};
    sha.add(bytes.data(), bytes.size());
  }
  if (image.bits() == 8) {
    sha.add(image.pixels8().data(), image.pixels8().size());
    return sha.hex();
  }
  std::array<std::uint8_t, 1 << 16> chunk;
  std::size_t used = 0;
  const auto add = [&](std::uint32_t sample, int bytes) {
    for (int byte = bytes - 1; byte >= 0; --byte) {
      chunk[used++] = static_cast<std::uint8_t>(sample >> (8 * byte));
    }
    if (used == chunk.size()) {  // a multiple of every sample's size
      sha.add(chunk.data(), used);
      used = 0;
    }
  };
  if (image.bits() == 16) {
    for (std::uint16_t sample : image.pixels16()) add(sample, 2);
  } else {
    for (float value : image.linear().rgba) add(std::bit_cast<std::uint32_t>(value), 4);
    for (float value : image.linear().hits) add(std::bit_cast<std::uint32_t>(value), 4);
  }
  sha.add(chunk.data(), used);
  return sha.hex();
}

}  // namespace kiln
