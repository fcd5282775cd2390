// SPDX-License-Identifier: MIT
// PPM files (netpbm, "ppm"): a header of three numbers, then red, green and blue of every pixel.
#include <algorithm>
#include <charconv>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/picture/jpeg.h"

namespace kiln {
namespace {

std::string header_of(int width, int height) {
  return fmt::format("P6\n{} {}\n255\n", width, height);
}

std::string rgb_of(const Image& rows) {
  const Bytes& pixels = rows.pixels8();
  std::string bytes;
  bytes.reserve(pixels.size() / 4 * 3);
  for (std::size_t i = 0; i < pixels.size(); i += 4)
    bytes.append(reinterpret_cast<const char*>(&pixels[i]), 3);
  return bytes;
}

/// The numbers of the header: white space and comments stand between them, one white space behind them.
class HeaderReader {
 public:
  explicit HeaderReader(std::string_view bytes) : bytes_(bytes) {}

  /// 0 where there is none.
  int number() {
    while (at_ < bytes_.size() && (is_space(bytes_[at_]) || bytes_[at_] == '#')) {
      if (bytes_[at_] == '#')
        at_ = std::min(bytes_.find('\n', at_), bytes_.size());
      else
        ++at_;
    }
    int value = 0;
    const char* const begin = bytes_.data() + at_;
    at_ += std::size_t(std::from_chars(begin, bytes_.data() + bytes_.size(), value).ptr - begin);
    return value;
  }
  std::string_view pixels() const { return bytes_.substr(std::min(at_ + 1, bytes_.size())); }

 private:
  static bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

  const std::string_view bytes_;
  std::size_t at_ = 2;
};

class PpmRows : public PictureRows {
 public:
  PpmRows(const std::string& path, const Image& first_rows, int height, const Saving& saving)
      : file_(path, saving.existing) {
    put(header_of(first_rows.width, height));
  }
  void add(const Image& rows) override { put(rgb_of(rows)); }
  void finish(const std::string&) override { file_.commit(); }

 private:
  void put(const std::string& bytes) { file_.write(bytes.data(), bytes.size()); }

  AtomicFile file_;
};

}  // namespace

Image read_ppm(const std::string& path, const ImageLimits& limits) {
  const std::string shown = printable_whole(path);
  const std::string bytes =
      InputFile(path, limits.opens).read_all(limits.bytes, {}, "raise the limit with --max-memory");
  HeaderReader header(bytes);
  const int width = header.number(), height = header.number(), most = header.number();
  if (!bytes.starts_with("P6") || width < 1 || height < 1 || most != 255)
    fail(ErrorKind::input, "{}: not a PPM file of 8 bits (P6)", shown);
  check_limits(shown, std::uint64_t(width), std::uint64_t(height), 4, limits);
  const std::string_view pixels = header.pixels();
  const std::size_t count = std::size_t(width) * std::size_t(height);
  if (pixels.size() < count * 3)
    fail(ErrorKind::input, "{}: the PPM file is cut off; get an undamaged copy", shown);
  Image image;
  image.width = width;
  image.height = height;
  image.opaque = true;
  Bytes& out = image.pixels.emplace<Bytes>(count * 4, std::uint8_t(255));
  for (std::size_t i = 0; i < count; ++i)
    std::copy_n(pixels.begin() + std::ptrdiff_t(i * 3), 3, out.begin() + std::ptrdiff_t(i * 4));
  return image;
}

std::string ppm_bytes(const Image& image, const FileTexts&, const Saving&) {
  return header_of(image.width, image.height) + rgb_of(image);
}

void write_ppm(const std::string& path, const Image& image, const FileTexts& texts,
               const Saving& saving) {
  const std::string bytes = ppm_bytes(image, texts, saving);
  AtomicFile file(path, saving.existing);
  file.write(bytes.data(), bytes.size());
  file.commit();
}

std::unique_ptr<PictureRows> ppm_rows(const std::string& path, const Image& first_rows, int height,
                                      const FileTexts&, const Saving& saving) {
  return std::make_unique<PpmRows>(path, first_rows, height, saving);
}

}  // namespace kiln
