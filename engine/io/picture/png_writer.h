// SPDX-License-Identifier: MIT
// Pictures as PNG: RGB where they are opaque, else RGBA, 8 or 16 bits, marked as sRGB (or
// what else they are, png_colors.h) and with the shape of their pixels, with text chunks. The settings of the compressor trade a few per cent of
// size for several times the speed of the usual defaults: flame pictures are noise to a compressor
// anyway. Equal pictures give equal files (of one build of zlib): nothing in the file depends on
// time or machine. PNG specification, third edition, sections 11.2 and 11.3.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/api/kiln/image.h"
#include "engine/io/picture/picture_file.h"

namespace kiln {

// One zlib stream (RFC 1950) made by several threads. The data is cut into bands of fixed size;
// each is deflated by itself with the last 32 KiB before it as dictionary, so that matches reach
// back across the cut, and ends on a whole byte (an empty stored block, 5 bytes). Put one after the
// other they are one stream for every reader. The bytes depend on the data alone, never on the
// number of threads. The way of pigz (M. Adler).

struct DeflateSettings {
  int level = 1;
  int strategy = 0;  // zlib's Z_DEFAULT_STRATEGY, Z_RLE ...
};

/// Fills [begin, end) of the data; called for ranges in any order and from several threads, and for
/// some bytes twice.
using DataSource = std::function<void(std::size_t begin, std::size_t end, std::uint8_t* to)>;

/// Gets a part of the stream.
using DeflateReceiver = std::function<void(const std::vector<std::uint8_t>& part)>;

/// Deflates data that comes piece by piece. The receiver gets the stream in order, a part a band,
/// from one thread at a time, while the others compress. At most one band a thread, and four a
/// thread that wait for their turn, are in memory.
class ParallelDeflate {
 public:
  /// `size`: of all the data.
  ParallelDeflate(std::size_t size, const DeflateSettings& settings, int threads,
                  DeflateReceiver receiver);
  /// Goes on with data that is there up to `end`, from needs_from(). Throws Error of kind device when
  /// zlib has no memory, and what the source and the receiver throw.
  void run(std::size_t end, const DataSource& source);
  /// The offset of the first byte that it will still ask for.
  std::size_t needs_from() const;

 private:
  const std::size_t size_;
  const DeflateSettings settings_;
  const int threads_;
  const DeflateReceiver receiver_;
  std::size_t bands_done_ = 0;
  unsigned long adler_;
};

/// Deflates data that is there as a whole.
void parallel_deflate(std::size_t size, const DataSource& source, const DeflateSettings& settings,
                      int threads, const DeflateReceiver& receiver);

// As a PictureFormat has them (picture_format.h).
void write_png(const std::string& path, const Image& image, const FileTexts& texts,
               const Saving& saving = {});
std::unique_ptr<PictureRows> png_rows(const std::string& path, const Image& first_rows, int height,
                                      const FileTexts& texts, const Saving& saving);
std::string png_bytes(const Image& image, const FileTexts& texts = {}, const Saving& saving = {});

}  // namespace kiln
