// SPDX-License-Identifier: MIT
// Pictures that are decoded: --psf and compare. The first line is what follows the file's name in
// the option; then the 13 bytes of IHDR, then rows that are packed here, and chunks before them.
#include "engine/io/picture/picture_format.h"
#include "tests/fuzz/png_file.h"

using namespace kiln;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MemoryFile picture;
  fuzz::Input input(data, size);
  const std::string numbers(input.line());
  std::string png(fuzz::png_begin);
  fuzz::add_chunk(png, "IHDR", input.take(13));
  for (const char* const type : {"PLTE", "tRNS"}) {
    const std::size_t length = input.byte();
    if (length > 0) fuzz::add_chunk(png, type, input.take(3 * length));
  }
  const bool packed = input.byte() % 4 != 0;
  const std::string_view rows = input.rest();
  fuzz::add_chunk(png, "IDAT", packed ? fuzz::deflated(rows) : std::string(rows));
  fuzz::add_chunk(png, "IEND", "");
  picture.hold(png);
  ImageLimits limits;
  limits.bytes = 1 << 24;
  fuzz::answered([&] {
    const Image image = read_picture(picture.path(), limits);
    const std::size_t samples =
        image.bits() == 8 ? image.pixels8().size() : image.pixels16().size();
    fuzz::expect(samples == std::size_t(image.width) * std::size_t(image.height) * 4,
                 "a picture has its pixels");
  });
  fuzz::answered([&] {
    const PointSpread spread = read_point_spread(picture.path() + numbers);
    fuzz::expect(spread.width <= 4096 && spread.height <= 4096, "a spread is within its limits");
  });
  return 0;
}
