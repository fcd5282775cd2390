#include "engine/io/png_writer.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <new>
#include <numeric>
#include <thread>

#include "engine/base/error.h"
#include "engine/io/parallel_deflate.h"
#include "engine/io/png_texts.h"

namespace kiln {
namespace {

/// Bytes of an integer as PNG has them, the highest first.
void add_big_endian(std::string& bytes, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(value >> shift);
}

/// Takes the next bytes of the file.
using Put = std::function<void(const void* data, std::size_t size)>;

/// One chunk: length, type, data, checksum of type and data.
void write_chunk(const Put& put, const char* type, const void* data, std::size_t size) {
  std::string head;
  add_big_endian(head, static_cast<std::uint32_t>(size));
  head += type;
  uLong checksum = crc32(0, reinterpret_cast<const Bytef*>(type), 4);
  checksum = crc32(checksum, static_cast<const Bytef*>(data), static_cast<uInt>(size));
  std::string tail;
  add_big_endian(tail, static_cast<std::uint32_t>(checksum));
  put(head.data(), head.size());
  put(data, size);
  put(tail.data(), tail.size());
}

void write_header(const Put& put, const Image& image) {
  constexpr char rgb = 2, rgb_alpha = 6, deflate = 0, adaptive = 0, no_interlace = 0;
  std::string header;
  add_big_endian(header, static_cast<std::uint32_t>(image.width));
  add_big_endian(header, static_cast<std::uint32_t>(image.height));
  header += {static_cast<char>(image.bits()), image.opaque ? rgb : rgb_alpha, deflate, adaptive,
             no_interlace};
  write_chunk(put, "IHDR", header.data(), header.size());
}

/// How the samples are meant: sRGB, and pixels across and down one unnamed length.
void write_meaning(const Put& put, const Image& image) {
  constexpr char perceptual = 0, unit_unknown = 0;
  write_chunk(put, "sRGB", &perceptual, 1);
  constexpr double down = 10000;
  const double across = std::clamp(std::floor(down / image.pixel_aspect + 0.5), 1.0, 1e9);
  const auto x = static_cast<std::uint32_t>(across), y = static_cast<std::uint32_t>(down);
  const std::uint32_t common = std::gcd(x, y);
  std::string shape;
  add_big_endian(shape, x / common);
  add_big_endian(shape, y / common);
  shape += unit_unknown;
  write_chunk(put, "pHYs", shape.data(), shape.size());
}

void write_text(const Put& put, const PngText& text) {
  std::string data = text.key + '\0';
  if (!text.compressed) {
    data += text.value;
    write_chunk(put, "tEXt", data.data(), data.size());
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
  write_chunk(put, "zTXt", data.data(), data.size());
}

/// The rows of a picture as they are compressed: each begins with the number of its filter. 8 bits:
/// Up, the difference from the row above; 16 bits: Sub, from the pixel to the left. The alpha of an
/// opaque picture is left out on the way.
class FilteredRows {
 public:
  explicit FilteredRows(const Image& image)
      : image_(image),
        width_(static_cast<std::size_t>(image.width)),
        channels_(image.opaque ? 3 : 4),
        row_bytes_(width_ * channels_ * static_cast<std::size_t>(image.bits() / 8)) {}

  std::size_t size() const { return static_cast<std::size_t>(image_.height) * (row_bytes_ + 1); }

  /// Bytes [begin, end) of all rows.
  void copy(std::size_t begin, std::size_t end, std::uint8_t* to) const {
    std::vector<std::uint8_t> row(row_bytes_ + 1), samples(image_.bits() == 16 ? row_bytes_ : 0);
    while (begin < end) {
      const std::size_t number = begin / row.size(), from = begin % row.size();
      const std::size_t count = std::min(row.size() - from, end - begin);
      if (image_.bits() == 16) {
        channels_ == 3 ? filter16<3>(number, row, samples) : filter16<4>(number, row, samples);
      } else {
        channels_ == 3 ? filter8<3>(number, row) : filter8<4>(number, row);
      }
      std::memcpy(to, row.data() + from, count);
      to += count;
      begin += count;
    }
  }

 private:
  static constexpr std::uint8_t sub = 1, up = 2;

  template <std::size_t Channels>
  void filter8(std::size_t number, std::vector<std::uint8_t>& row) const {
    const std::vector<std::uint8_t> nothing(number == 0 ? width_ * 4 : 0);
    const std::uint8_t* here = image_.pixels8().data() + number * width_ * 4;
    const std::uint8_t* above = number == 0 ? nothing.data() : here - width_ * 4;
    row[0] = up;
    std::uint8_t* out = row.data() + 1;
    for (std::size_t x = 0; x < width_; ++x, here += 4, above += 4, out += Channels) {
      for (std::size_t c = 0; c < Channels; ++c)
        out[c] = static_cast<std::uint8_t>(here[c] - above[c]);
    }
  }

  template <std::size_t Channels>
  void filter16(std::size_t number, std::vector<std::uint8_t>& row,
                std::vector<std::uint8_t>& samples) const {
    constexpr std::size_t pixel_bytes = 2 * Channels;
    const std::uint16_t* here = image_.pixels16().data() + number * width_ * 4;
    std::uint8_t* out = samples.data();
    for (std::size_t x = 0; x < width_; ++x, here += 4, out += pixel_bytes) {
      for (std::size_t c = 0; c < Channels; ++c) {
        out[2 * c] = static_cast<std::uint8_t>(here[c] >> 8);
        out[2 * c + 1] = static_cast<std::uint8_t>(here[c]);
      }
    }
    row[0] = sub;
    std::memcpy(row.data() + 1, samples.data(), pixel_bytes);
    for (std::size_t i = pixel_bytes; i < row_bytes_; ++i)
      row[i + 1] = static_cast<std::uint8_t>(samples[i] - samples[i - pixel_bytes]);
  }

  const Image& image_;
  const std::size_t width_, channels_, row_bytes_;
};

void put_png(const Put& put, const Image& image, const std::vector<PngText>& texts, int threads) {
  const std::size_t samples =
      static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.height) * 4;
  KILN_CHECK((image.bits() == 8 ? image.pixels8().size() : image.pixels16().size()) == samples,
             "{} x {} picture of {} bits", image.width, image.height, image.bits());
  put(png_signature.data(), png_signature.size());
  write_header(put, image);
  write_meaning(put, image);
  for (const PngText& text : texts) write_text(put, text);
  const FilteredRows rows(image);
  const DeflateSettings settings{1, image.bits() == 16 ? Z_RLE : Z_DEFAULT_STRATEGY};
  parallel_deflate(
      rows.size(),
      [&](std::size_t begin, std::size_t end, std::uint8_t* to) { rows.copy(begin, end, to); },
      settings, threads,
      [&](const std::vector<std::uint8_t>& piece) {
        write_chunk(put, "IDAT", piece.data(), piece.size());
      });
  write_chunk(put, "IEND", "", 0);
}

}  // namespace

std::vector<PngText> picture_texts(const std::string& genome, const std::string& record) {
  std::vector<PngText> texts;
  if (!genome.empty()) texts.push_back({std::string(genome_key), genome, true});
  texts.push_back({"Software", "kiln " KILN_VERSION, false});
  if (!record.empty()) texts.push_back({std::string(record_key), record, false});
  return texts;
}

void write_png(const std::string& path, const Image& image, const std::vector<PngText>& texts,
               AtomicFile::Existing existing, int threads) {
  AtomicFile file(path, existing);
  put_png(
      [&](const void* data, std::size_t size) { file.write(data, size); }, image, texts,
      threads > 0 ? threads : std::max(1, static_cast<int>(std::thread::hardware_concurrency())));
  file.commit();
}

std::string png_bytes(const Image& image, const std::vector<PngText>& texts) {
  std::string bytes;
  put_png([&](const void* data,
              std::size_t size) { bytes.append(static_cast<const char*>(data), size); },
          image, texts, 1);
  return bytes;
}

}  // namespace kiln
