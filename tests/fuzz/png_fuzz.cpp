// SPDX-License-Identifier: MIT
// The flame and the record in a picture's text chunks. The first byte of each piece says what
// becomes of it: a tEXt, zTXt or iTXt chunk with our key or its own, another chunk, or bytes.
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_record.h"
#include "tests/fuzz/png_file.h"

using namespace kiln;

namespace {

void add_piece(fuzz::Input& input, std::string& png) {
  const std::uint8_t what = input.byte();
  const std::size_t length = std::size_t(input.byte()) << 8 | input.byte();
  const std::string_view bytes = input.take(length);
  std::string key(what & 8 ? genome_key : record_key);
  if (what & 16) key.clear();  // its own
  const std::string with_key = key.empty() ? "" : key + '\0';
  switch (what % 8) {
    case 0:
      return fuzz::add_chunk(png, "tEXt", with_key + std::string(bytes));
    case 1:
      return fuzz::add_chunk(png, "zTXt", with_key + '\0' + fuzz::deflated(bytes));
    case 2:
      return fuzz::add_chunk(png, "iTXt",
                             with_key + std::string("\0\0\0\0", 4) + std::string(bytes));
    case 3:
      return fuzz::add_chunk(png, "iTXt",
                             with_key + std::string("\1\0\0\0", 4) + fuzz::deflated(bytes));
    case 4:
      return fuzz::add_chunk(png, "zTXt", with_key + std::string(bytes));
    case 5:
      return fuzz::add_chunk(png, "IDAT", bytes);
    case 6:
      return fuzz::add_chunk(png, bytes.substr(0, 4),
                             bytes.substr(std::min<std::size_t>(4, bytes.size())));
    default:
      png += bytes;
  }
}

}  // namespace

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  fuzz::Input input(data, size);
  std::string png(fuzz::png_begin);
  fuzz::add_chunk(png, "IHDR", std::string("\0\0\0\1\0\0\0\1\10\6\0\0\0", 13));
  while (!input.empty()) add_piece(input, png);
  fuzz::add_chunk(png, "IEND", "");
  ReaderOptions options;
  options.palettes_file = "/nowhere";
  options.warn = [](const std::string&) {};
  fuzz::answered([&] {
    const FlameFile file = parse_flames(png, "fuzz.png", options);
    if (!file.record) return;
    RenderOptions usual;
    const RenderOptions again = repeated(*file.record, usual);
    fuzz::expect(again.bits == 8 || again.bits == 16, "a record's depth is one that there is");
    in_words(*file.record);
  });
  return 0;
}
