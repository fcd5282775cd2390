// SPDX-License-Identifier: MIT
// The flame in the header of an OpenEXR file.
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/exr.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::string exr = std::string(exr_signature) + std::string(input.rest());
  ReaderOptions options;
  options.palettes_file = "/nowhere";
  options.warn = [](const std::string&) {};
  fuzz::answered([&] { parse_flames(exr, "fuzz.exr", options); });
  return 0;
}
