// The identity of a picture, whatever compressor wrote its file: SHA-256 over
//   width, height, bits (three 32-bit integers), then the samples R G B A row by row, all
//   big-endian
// (a 16-bit sample is two bytes). It is written into every PNG (kiln_record) and is what golden
// tests compare.
#include <array>
#include <vector>

#include "engine/io/sha256.h"
#include "engine/render/renderer.h"

namespace kiln {

std::string pixel_hash(const Image& image) {
  Sha256 sha;
  for (int number : {image.width, image.height, image.bits}) {
    const auto n = static_cast<std::uint32_t>(number);
    const std::array<std::uint8_t, 4> bytes = {
        static_cast<std::uint8_t>(n >> 24), static_cast<std::uint8_t>(n >> 16),
        static_cast<std::uint8_t>(n >> 8), static_cast<std::uint8_t>(n)};
    sha.add(bytes.data(), bytes.size());
  }
  if (image.bits == 8) {
    sha.add(image.pixels8.data(), image.pixels8.size());
    return sha.hex();
  }
  std::array<std::uint8_t, 1 << 16> chunk;
  std::size_t used = 0;
  for (std::uint16_t sample : image.pixels16) {
    chunk[used++] = static_cast<std::uint8_t>(sample >> 8);
    chunk[used++] = static_cast<std::uint8_t>(sample);
    if (used == chunk.size()) {
      sha.add(chunk.data(), used);
      used = 0;
    }
  }
  sha.add(chunk.data(), used);
  return sha.hex();
}

}  // namespace kiln
