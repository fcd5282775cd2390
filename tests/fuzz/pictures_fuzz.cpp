// SPDX-License-Identifier: MIT
// Pictures of formats that are read from their bytes as they are: TIFF and WebP. The first byte says which; the
// signature, and of a WebP the head, stand before the rest.
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/tiff.h"
#include "engine/io/picture/webp.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

namespace {

std::string webp_head(std::size_t rest) {
  std::string head(webp_signature);
  for (std::size_t i = 0, size = rest + 4; i < 4; ++i, size >>= 8)
    head += static_cast<char>(size & 255);
  return head + "WEBP";
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MemoryFile picture;
  fuzz::Input input(data, size);
  const bool is_tiff = input.byte() % 2 == 0;
  const std::string rest(input.rest());
  picture.hold((is_tiff ? std::string(tiff_signature) : webp_head(rest.size())) + rest);
  ImageLimits limits;
  limits.bytes = 1 << 24;
  fuzz::answered([&] {
    const Image image =
        is_tiff ? read_tiff(picture.path(), limits) : read_webp(picture.path(), limits);
    const std::size_t samples = image.bits() == 8    ? image.pixels8().size()
                                : image.bits() == 16 ? image.pixels16().size()
                                                     : image.linear().rgba.size();
    fuzz::expect(samples == std::size_t(image.width) * std::size_t(image.height) * 4,
                 "a picture has its pixels");
  });
  fuzz::answered([&] { read_picture_texts(picture.path()); });
  fuzz::answered([&] { webp_quality_of(picture.path()); });
  return 0;
}
