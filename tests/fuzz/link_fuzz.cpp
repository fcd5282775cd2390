// SPDX-License-Identifier: MIT
// Links: as text, and what one of them unpacks to, which somebody may have packed by hand. A flame that is read from
// a link has a link that carries the same flame.
#include "engine/io/file/link_text.h"
#include "engine/io/flame/flame_link.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "tests/fuzz/fuzz.h"

using namespace kiln;

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  const bool is_text = input.byte() % 2 == 0;
  const std::string_view rest = input.rest();
  std::string link(rest);
  if (!is_text && !fuzz::answered([&] { link = packed_link("fuzz", rest); })) return 0;
  if (!is_text) fuzz::expect(unpacked_link(link) == rest, "what is packed comes back", link);
  if (!is_link(link)) return 0;
  ReaderOptions options;
  options.palettes_file = "/nowhere";
  FlameFile file;
  if (!fuzz::answered([&] { file = parse_flames(link, "fuzz", options); })) return 0;
  for (Flame& flame : file.flames) {
    if (flame.xforms.size() > 64) continue;
    flame.edits.clear();
    flame = parse_flames(genome_xml(flame), "written", options).flames.at(0);
    const Flame again = parse_flames(flame_link(flame), "again", options).flames.at(0);
    fuzz::expect(genome_xml(again) == genome_xml(flame), "a link carries its flame", link);
  }
  return 0;
}
