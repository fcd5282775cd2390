// Pictures as PNG: RGB where they are opaque, else RGBA, 8 or 16 bits, marked as sRGB and with the
// shape of their pixels, with text chunks. The settings of the compressor trade a few per cent of
// size for several times the speed of the usual defaults: flame pictures are noise to a compressor
// anyway. Equal pictures give equal files (of one build of zlib): nothing in the file depends on
// time or machine. PNG specification, third edition, sections 11.2 and 11.3.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/io/atomic_file.h"
#include "engine/io/picture_record.h"
#include "engine/io/picture_rows.h"
#include "engine/kiln/image.h"

namespace kiln {

struct PngText {
  std::string key;
  std::string value;
  bool compressed = false;
};

/// The text chunks of a rendered picture: flam3_genome (compressed), Software, kiln_record. Empty
/// texts are left out.
std::vector<PngText> picture_texts(const std::string& genome, const std::string& record);

/// Writes the picture under `path` ("-" is standard output), whole or not at all, compressing with
/// `threads` threads (0: all cores; the bytes are the same). Throws Error of kind output.
void write_png(const std::string& path, const Image& image, const std::vector<PngText>& texts,
               AtomicFile::Existing existing = AtomicFile::Existing::replace, int threads = 1);

/// The same file of a picture whose rows come piece by piece. `first_rows`: the first piece, which
/// add() gets too; `height`: of the whole picture. The last text is not a compressed one.
std::unique_ptr<PictureRows> png_rows(const std::string& path, const Image& first_rows, int height,
                                      const std::vector<PngText>& texts,
                                      AtomicFile::Existing existing, int threads);

/// The same file in memory.
std::string png_bytes(const Image& image, const std::vector<PngText>& texts = {}, int threads = 1);

}  // namespace kiln
