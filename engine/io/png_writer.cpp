#include "engine/io/png_writer.h"

#include <zlib.h>

#include <algorithm>
#include <cstring>
#include <new>
#include <thread>

#include "engine/io/parallel_deflate.h"
#include "engine/io/png_genome.h"
#include "engine/io/text.h"
#include "engine/model/error.h"

namespace kiln {
namespace {

/// Bytes of an integer as PNG has them, the highest first.
void add_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
}

/// One chunk: length, type, data, checksum of type and data.
void write_chunk(AtomicFile& file, const char* type, const void* data, std::size_t size) {
  std::string head;
  add_big_endian(head, static_cast<std::uint32_t>(size));
  head += type;
  uLong checksum = crc32(0, reinterpret_cast<const Bytef*>(type), 4);
  checksum = crc32(checksum, static_cast<const Bytef*>(data), static_cast<uInt>(size));
  std::string tail;
  add_big_endian(tail, static_cast<std::uint32_t>(checksum));
  file.write(head.data(), head.size());
  file.write(data, size);
  file.write(tail.data(), tail.size());
}

void write_header(AtomicFile& file, const Image& image) {
  constexpr char rgb_alpha = 6, deflate = 0, adaptive = 0, no_interlace = 0;
  std::string header;
  add_big_endian(header, static_cast<std::uint32_t>(image.width));
  add_big_endian(header, static_cast<std::uint32_t>(image.height));
  header += {static_cast<char>(image.bits), rgb_alpha, deflate, adaptive, no_interlace};
  write_chunk(file, "IHDR", header.data(), header.size());
}

void write_text(AtomicFile& file, const PngText& text) {
  std::string data = text.key + '\0';
  if (!text.compressed) {
    data += text.value;
    write_chunk(file, "tEXt", data.data(), data.size());
    return;
  }
  uLongf size = compressBound(static_cast<uLong>(text.value.size()));
  std::string packed(size, '\0');
  const int status = compress2(reinterpret_cast<Bytef*>(packed.data()), &size,
                               reinterpret_cast<const Bytef*>(text.value.data()),
                               static_cast<uLong>(text.value.size()), Z_DEFAULT_COMPRESSION);
  if (status != Z_OK) throw std::bad_alloc();
  data += '\0';  // method: deflate
  data.append(packed, 0, size);
  write_chunk(file, "zTXt", data.data(), data.size());
}

/// The rows of a picture as they are compressed: each begins with the number of its filter. 8 bits:
/// Up, the difference from the row above; 16 bits: Sub, from the pixel to the left.
class FilteredRows {
 public:
  explicit FilteredRows(const Image& image)
      : image_(image),
        row_bytes_(static_cast<std::size_t>(image.width) *
                   static_cast<std::size_t>(image.bits / 2)) {}

  std::size_t size() const { return static_cast<std::size_t>(image_.height) * (row_bytes_ + 1); }

  /// Bytes [begin, end) of all rows.
  void copy(std::size_t begin, std::size_t end, std::uint8_t* to) const {
    std::vector<std::uint8_t> row(row_bytes_ + 1), samples(image_.bits == 16 ? row_bytes_ : 0);
    while (begin < end) {
      const std::size_t number = begin / row.size(), from = begin % row.size();
      const std::size_t count = std::min(row.size() - from, end - begin);
      image_.bits == 16 ? filter16(number, row, samples) : filter8(number, row);
      std::memcpy(to, row.data() + from, count);
      to += count;
      begin += count;
    }
  }

 private:
  static constexpr std::uint8_t sub = 1, up = 2;

  void filter8(std::size_t number, std::vector<std::uint8_t>& row) const {
    const std::uint8_t* here = image_.pixels8.data() + number * row_bytes_;
    row[0] = up;
    if (number == 0) {
      std::memcpy(row.data() + 1, here, row_bytes_);
      return;
    }
    const std::uint8_t* above = here - row_bytes_;
    for (std::size_t i = 0; i < row_bytes_; ++i)
      row[i + 1] = static_cast<std::uint8_t>(here[i] - above[i]);
  }

  void filter16(std::size_t number, std::vector<std::uint8_t>& row,
                std::vector<std::uint8_t>& samples) const {
    constexpr std::size_t pixel_bytes = 8;
    const std::uint16_t* here = image_.pixels16.data() + number * (row_bytes_ / 2);
    for (std::size_t i = 0; i < row_bytes_ / 2; ++i) {
      samples[2 * i] = static_cast<std::uint8_t>(here[i] >> 8);
      samples[2 * i + 1] = static_cast<std::uint8_t>(here[i]);
    }
    row[0] = sub;
    std::memcpy(row.data() + 1, samples.data(), pixel_bytes);
    for (std::size_t i = pixel_bytes; i < row_bytes_; ++i)
      row[i + 1] = static_cast<std::uint8_t>(samples[i] - samples[i - pixel_bytes]);
  }

  const Image& image_;
  const std::size_t row_bytes_;
};

}  // namespace

std::string render_record(const Flame& flame, const RenderOptions& options,
                          const RenderStatistics& statistics, const std::string& pixel_hash) {
  JsonObject record;
  record.add("kiln", KILN_VERSION).add("seed", options.seed);
  if (options.game == Game::divergent) record.add("strategy", "divergent");
  if (options.game == Game::mtgp32) record.add("rng", "mtgp32");
  record.add("samples", statistics.samples)
      .add("bits", options.bits)
      .add("transparent", options.transparent)
      .add("earlyclip", options.earlyclip)
      .add("compat", options.compat_flam3 ? "flam3" : "none")
      .add("de", options.exact_density ? "exact" : "fast")
      .add("pixel_aspect", flame.pixel_aspect);
  if (options.psf) record.add("psf", options.psf->hash);
  return record.add("pixel_hash", pixel_hash).text();
}

std::vector<PngText> picture_texts(const std::string& genome, const std::string& record) {
  std::vector<PngText> texts;
  if (!genome.empty()) texts.push_back({"flam3_genome", genome, true});
  texts.push_back({"Software", "kiln " KILN_VERSION, false});
  if (!record.empty()) texts.push_back({"kiln_record", record, false});
  return texts;
}

void write_png(const std::string& path, const Image& image, const std::vector<PngText>& texts,
               AtomicFile::Existing existing, int threads) {
  const std::size_t samples =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
  KILN_CHECK((image.bits == 8 ? image.pixels8.size() : image.pixels16.size()) == samples,
             "{} x {} picture of {} bits", image.width, image.height, image.bits);
  AtomicFile file(path, existing);
  file.write(png_signature.data(), png_signature.size());
  write_header(file, image);
  for (const PngText& text : texts) write_text(file, text);
  const FilteredRows rows(image);
  const DeflateSettings settings{1, image.bits == 16 ? Z_RLE : Z_DEFAULT_STRATEGY};
  parallel_deflate(
      rows.size(),
      [&](std::size_t begin, std::size_t end, std::uint8_t* to) { rows.copy(begin, end, to); },
      settings,
      threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency())),
      [&](const std::vector<std::uint8_t>& piece) {
        write_chunk(file, "IDAT", piece.data(), piece.size());
      });
  write_chunk(file, "IEND", "", 0);
  file.commit();
}

}  // namespace kiln
