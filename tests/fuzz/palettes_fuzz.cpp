// SPDX-License-Identifier: MIT
// A palette library, and a flame that takes its colors from it. The first line is the attributes
// of that flame's <palette>, the rest is the library: flam3's, or any that is known by what stands in it (.ugr, .gradient, .map,
// .ggr, .gpl). Its bytes are the pixels of a picture, too, whose colors become a palette.
#include <algorithm>

#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/palette_library.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fuzz::MemoryFile library;
  fuzz::Input input(data, size);
  const std::string attributes(input.line());
  ReaderOptions options;
  options.palettes_file = library.path();
  options.warn = [](const std::string&) {};
  const std::string_view bytes = input.rest();
  library.hold(bytes);
  if (bytes.size() >= 4) {
    Image image;
    image.width = int(std::min<std::size_t>(bytes.size() / 4, 1 + size % 16));
    image.height = int(bytes.size() / 4 / std::size_t(image.width));
    image.pixels =
        Bytes(bytes.begin(), bytes.begin() + std::ptrdiff_t(image.width) * image.height * 4);
    for (const ColorOrder order : {ColorOrder::light, ColorOrder::way})
      fuzz::answered([&] { palette_of_picture(image, order); });
  }
  const bool loaded = fuzz::answered([] {
    const PaletteLibrary palettes = PaletteLibrary::load(library.path());
    for (const std::string& name : palettes.names())
      fuzz::expect(palettes.number_of(name).has_value(), "a palette is found by its name", name);
    fuzz::expect(palettes.pick(7) >= (palettes.size() > 0 ? 0 : -1) || palettes.size() > 0,
                 "a random word picks a palette");
  });
  if (!loaded) return 0;
  fuzz::answered([&] {
    parse_flames("<flame size=\"8 8\"><xform weight=\"1\" linear=\"1\"/><palette " + attributes +
                     "/></flame>",
                 "fuzz", options);
  });
  fuzz::answered([&] {
    parse_flames(
        "<flame size=\"8 8\" " + attributes + "><xform weight=\"1\" linear=\"1\"/></flame>", "fuzz",
        options);
  });
  return 0;
}
