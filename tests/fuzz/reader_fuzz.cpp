// SPDX-License-Identifier: MIT
// Flame XML: read, written, read again. What was written must be read as the same flame, and
// without a word.
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

namespace {

void check_round_trip(const Flame& flame) {
  ReaderOptions options;
  options.strict = true;
  const std::string written = genome_xml(flame);
  Flame again = parse_flames(written, "written", options).flames.at(0);
  const std::string twice = genome_xml(again);
  again = parse_flames(twice, "twice", options).flames.at(0);
  fuzz::expect(genome_xml(again) == twice, "a written flame reads back as itself", written);
  fuzz::expect(again.xforms.size() == flame.xforms.size(), "all xforms are written", written);
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const std::string_view xml = input.rest();
  ReaderOptions options;
  options.palettes_file = "/nowhere";
  options.approximate = options.keep_bad = size % 2 == 1;
  FlameFile file;
  fuzz::answered([&] { file = parse_flames(xml, "fuzz", options); });
  for (const Flame& flame : file.flames) {
    if (flame.xforms.size() <= 64)
      fuzz::expect(fuzz::answered([&] { check_round_trip(flame); }), "what is written can be read",
                   genome_xml(flame));
  }
  return 0;
}
