#include "engine/io/picture_texts.h"

#include <array>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/sha256.h"
#include "engine/base/text.h"
#include "engine/io/exr_header.h"
#include "engine/io/input_file.h"
#include "engine/io/picture_record.h"

namespace kiln {

PictureFileTexts read_picture_texts(const std::string& path, InputFile::Opens opens) {
  InputFile file(path, opens);
  const ReadBytes read = [&](char* buffer, std::size_t count) { return file.read(buffer, count); };
  std::array<char, png_signature.size()> first{};
  const std::size_t exr_bytes = exr_signature.size();
  if (read(first.data(), exr_bytes) == exr_bytes &&
      std::string_view(first.data(), exr_bytes) == exr_signature) {
    ExrHeader header = read_exr_header(read, path);
    const bool single = header.is_single_float();
    return {std::move(header.texts), true, single};
  }
  const std::size_t rest = first.size() - exr_bytes;
  if (read(first.data() + exr_bytes, rest) != rest ||
      std::string_view(first.data(), first.size()) != png_signature)
    fail(ErrorKind::input, "{}: neither a PNG nor an OpenEXR file", printable_whole(path));
  PngTexts png = read_png_texts(read, path, {genome_key, record_key});
  return {std::move(png.texts), png.ends_there, true};
}

std::string file_hash(const std::string& path, InputFile::Opens opens) {
  InputFile file(path, opens);
  Sha256 sha;
  std::vector<char> piece(1 << 16);
  for (std::size_t size; (size = file.read(piece.data(), piece.size())) > 0;)
    sha.add(piece.data(), size);
  return sha.hex();
}

}  // namespace kiln
