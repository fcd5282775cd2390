// SPDX-License-Identifier: MIT
#include "engine/io/picture/jpeg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/base/thread_pool.h"
#include "engine/io/picture/png_colors.h"

#if KILN_HAS_JPEG
#include <turbojpeg.h>
#endif

namespace kiln {
namespace {

// of markers the second byte, behind FF
constexpr int end_of_image = 0xD9, start_of_scan = 0xDA, text_segment = 0xEA;  // EA: APP10
constexpr std::string_view text_mark{"kiln\0", 5};
constexpr std::size_t max_text_bytes = 16u << 20;  // of all texts

constexpr bool is_restart(int marker) { return marker >= 0xD0 && marker <= 0xD7; }

/// Walks the segments of a file, to the last byte: the pixels are passed over.
class JpegReader {
 public:
  JpegReader(const ReadBytes& read, const std::string& name)
      : read_(read), name_(printable(name, 240)) {}

  PictureFileTexts texts() {
    PictureFileTexts found;
    bool has_pixels = false;
    int marker = 0xFF;
    while (marker == 0xFF) marker = need();  // any number of FF may stand before a marker
    while (marker != end_of_image) {
      const std::string data = segment(marker == text_segment);
      add_text(data, found.texts);
      has_pixels |= marker == start_of_scan;
      marker = next_marker(marker == start_of_scan);
    }
    found.ends_there = byte() < 0;
    if (!has_pixels) refuse("holds no picture");
    return found;
  }

 private:
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ErrorKind::input, "{}: the JPEG file {}", name_,
         fmt::format(format, std::forward<Args>(args)...));
  }

  int byte() {
    if (at_ == count_) {
      count_ = read_(buffer_.data(), buffer_.size());
      at_ = 0;
      if (count_ == 0) return -1;
    }
    return static_cast<unsigned char>(buffer_[at_++]);
  }

  int need() {
    const int next = byte();
    if (next < 0) refuse("is cut off; get an undamaged copy");
    return next;
  }

  /// The bytes of a segment, or nothing and they are passed over.
  std::string segment(bool keep) {
    const int high = need(), size = high << 8 | need();
    if (size < 2) refuse("is damaged: this is no segment");
    std::string data;
    for (int i = 2; i < size; ++i) {
      const int next = need();
      if (keep) data += static_cast<char>(next);
    }
    return data;
  }

  int next_marker(bool in_scan) {
    while (true) {
      int next = need();
      if (next != 0xFF && !in_scan) refuse("is damaged: this is no segment");
      if (next != 0xFF) continue;
      while (next == 0xFF) next = need();
      if (next != 0 && !is_restart(next)) return next;
      if (!in_scan) refuse("is damaged: pixels without a beginning");
    }
  }

  void add_text(std::string_view data, PictureTexts& texts) {
    if (!data.starts_with(text_mark)) return;
    text_bytes_ += data.size();
    if (text_bytes_ > max_text_bytes) refuse("has more than 16 MB of text");
    data.remove_prefix(text_mark.size());
    const std::size_t end = data.find('\0');
    if (end == data.npos) return;
    const std::string_view key = data.substr(0, end);
    if (!is_kept_text(key)) return;
    texts[std::string(key)] += data.substr(end + 1);
  }

  const ReadBytes& read_;
  const std::string name_;
  std::array<char, 1 << 14> buffer_{};
  std::size_t at_ = 0, count_ = 0, text_bytes_ = 0;
};

}  // namespace

PictureFileTexts read_jpeg_texts(const ReadBytes& rest, const std::string& name) {
  return JpegReader(rest, name).texts();
}

#if KILN_HAS_JPEG
namespace {

struct Closes {
  void operator()(void* handle) const { tjDestroy(handle); }
};
using Handle = std::unique_ptr<void, Closes>;

}  // namespace

bool jpeg_supported() { return true; }

Image read_jpeg(const std::string& path, const ImageLimits& limits) {
  const std::string shown = printable_whole(path);
  const std::string bytes =
      InputFile(path, limits.opens).read_all(limits.bytes, {}, "raise the limit with --max-memory");
  if (!bytes.starts_with(jpeg_signature)) fail(ErrorKind::input, "{}: not a JPEG file", shown);
  const Handle jpeg(tjInitDecompress());
  const auto refuse = [&] {
    fail(ErrorKind::input, "{}: this JPEG cannot be read: {}", shown, tjGetErrorStr2(jpeg.get()));
  };
  const auto* const data = reinterpret_cast<const unsigned char*>(bytes.data());
  int width = 0, height = 0, sampling = 0, colors = 0;
  if (!jpeg ||
      tjDecompressHeader3(jpeg.get(), data, bytes.size(), &width, &height, &sampling, &colors))
    refuse();
  check_limits(shown, std::uint64_t(width), std::uint64_t(height), 4, limits);
  constexpr std::uint64_t pixels_a_byte = 8 * 64;  // a block of one color has a bit at least
  if (std::uint64_t(width) * std::uint64_t(height) > pixels_a_byte * bytes.size())
    fail(ErrorKind::input, "{}: damaged JPEG: {} bytes cannot hold {} x {} pixels", shown,
         bytes.size(), width, height);
  Image image;
  image.width = width;
  image.height = height;
  image.opaque = true;
  image.pixels.emplace<Bytes>(std::size_t(width) * std::size_t(height) * 4);
  // a warning is a damaged file; many scans of a small one would take for ever
  if (tjDecompress2(jpeg.get(), data, bytes.size(), image.pixels8().data(), width, 0, height,
                    TJPF_RGBA, TJFLAG_ACCURATEDCT | TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS))
    refuse();
  return image;
}

namespace {

constexpr std::size_t jfif_end = 20;    // where the first segment ends, and ours begin
constexpr std::size_t scan_bytes = 14;  // of the segment that starts a scan of three colors
constexpr int stripe_rows =
    64;  // 8 rows of blocks, which the widest picture's restart interval can count

std::size_t size_at(std::string_view bytes, std::size_t at) {
  const auto byte = [&](std::size_t i) {
    return std::size_t(static_cast<unsigned char>(bytes[i]));
  };
  return byte(at) << 8 | byte(at + 1);
}

void put_size(std::string& bytes, std::size_t at, std::size_t value) {
  bytes[at] = static_cast<char>(value >> 8);
  bytes[at + 1] = static_cast<char>(value);
}

void add_segment(std::string& bytes, int marker, std::string_view data) {
  bytes += {'\xFF', static_cast<char>(marker), '\0', '\0'};
  put_size(bytes, bytes.size() - 2, data.size() + 2);
  bytes += data;
}

std::string text_segments(const FileTexts& texts) {
  constexpr std::size_t most = 65533;
  std::string bytes;
  for (const FileText& text : texts) {
    const std::string head = std::string(text_mark) + text.key + '\0';
    std::string_view rest = text.value;
    do {
      const std::string_view piece = rest.substr(0, most - head.size());
      add_segment(bytes, text_segment, head + std::string(piece));
      rest.remove_prefix(piece.size());
    } while (!rest.empty());
  }
  return bytes;
}

/// The texts once more as XMP, where others look for it: APP1 (XMP specification, part 3). A packet
/// that no segment holds is left out: the texts are there.
std::string xmp_segment(const FileTexts& texts) {
  constexpr int marker = 0xE1;
  constexpr std::string_view head{"http://ns.adobe.com/xap/1.0/\0", 29};
  std::string bytes;
  const std::string xmp = xmp_of(texts);
  if (!xmp.empty() && head.size() + xmp.size() <= 65533)
    add_segment(bytes, marker, std::string(head) + xmp);
  return bytes;
}

/// The profile of sRGB, which print shops ask for: APP2 (ICC.1:2022, annex B.4).
const std::string& profile_segment() {
  static const std::string segment = [] {
    constexpr int marker = 0xE2;
    constexpr std::string_view head{"ICC_PROFILE\0\1\1", 14};  // the first of one
    std::string bytes;
    add_segment(bytes, marker, std::string(head) + srgb_profile());
    return bytes;
  }();
  return segment;
}

/// The pixels of an inch and sRGB once more, for programs that ask Exif alone (CIPA DC-008): APP1. Nothing where no
/// size on paper is said.
std::string exif_segment(const Image& image) {
  if (!(image.dpi > 0)) return "";
  std::string tiff("II*\0\10\0\0\0", 8);
  const auto put = [&](std::uint32_t value, int count) {
    for (int i = 0; i < count; ++i, value >>= 8) tiff += static_cast<char>(value & 255);
  };
  const auto entry = [&](unsigned tag, unsigned type, unsigned count, std::uint32_t value) {
    put(tag, 2);
    put(type, 2);
    put(count, 4);
    put(value, 4);
  };
  constexpr unsigned short_type = 3, long_type = 4, rational = 5, undefined = 7;
  constexpr std::uint32_t entries = 4, behind = 8 + 2 + 12 * entries + 4, inner = behind + 16;
  put(entries, 2);
  entry(0x011A, rational, 1, behind);      // pixels of an inch across
  entry(0x011B, rational, 1, behind + 8);  // and down
  entry(0x0128, short_type, 1, 2);         // of an inch
  entry(0x8769, long_type, 1, inner);
  put(0, 4);
  constexpr double parts = 1000;
  for (const double pixels : {image.dpi, image.dpi * image.pixel_aspect}) {
    put(std::uint32_t(std::lround(std::min(pixels, 1e6) * parts)), 4);
    put(std::uint32_t(parts), 4);
  }
  put(2, 2);
  entry(0x9000, undefined, 4, 0x32333230);  // "0232"
  entry(0xA001, short_type, 1, 1);          // sRGB
  put(0, 4);
  std::string bytes;
  add_segment(bytes, 0xE1, std::string("Exif\0\0", 6) + tiff);
  return bytes;
}

/// The segments before the texts, of the same length for any text.
std::string color_segments(const Image& image) { return exif_segment(image) + profile_segment(); }

/// One stripe as a JPEG of its own.
std::string compressed(const std::uint8_t* rows, int width, int height, int quality) {
  struct Output {
    unsigned char* bytes = nullptr;
    unsigned long size = 0;
    ~Output() { tjFree(bytes); }
  } output;
  const Handle jpeg(tjInitCompress());
  if (!jpeg || tjCompress2(jpeg.get(), rows, width, 0, height, TJPF_RGBX, &output.bytes,
                           &output.size, TJSAMP_444, quality, TJFLAG_ACCURATEDCT))
    fail(ErrorKind::device, "a JPEG could not be made: {}", tjGetErrorStr2(jpeg.get()));
  return std::string(reinterpret_cast<const char*>(output.bytes), output.size);
}

/// The offset of the pixels in the library's JPEG: behind the segment that starts the scan.
std::size_t scan_at(std::string_view jpeg) {
  std::size_t at = 2;
  while (static_cast<unsigned char>(jpeg[at + 1]) != start_of_scan) at += 2 + size_at(jpeg, at + 2);
  return at + 2 + size_at(jpeg, at + 2);
}

/// Refuses switches that stop stripes under one head from being joined, each one scan of Huffman codes.
[[noreturn]] void refuse_switches() {
  fail(ErrorKind::usage,
       "a JPEG cannot be made while the environment tells libturbojpeg how: unset TJ_OPTIMIZE, "
       "TJ_ARITHMETIC, TJ_PROGRESSIVE and TJ_RESTART");
}

/// The head of a stripe, of which only the usual segments are taken, with another height.
std::string with_height(std::string head, int height) {
  constexpr int frame = 0xC0, usual[] = {0xE0, 0xDB, frame, 0xC4};
  for (std::size_t at = 2; at < head.size(); at += 2 + size_at(head, at + 2)) {
    const int marker = static_cast<unsigned char>(head[at + 1]);
    if (marker == frame) put_size(head, at + 5, std::size_t(height));
    if (marker != start_of_scan &&
        std::find(std::begin(usual), std::end(usual), marker) == std::end(usual))
      refuse_switches();
  }
  return head;
}

/// Pixels across and down an inch, or only as they are to each other, into the first segment (JFIF).
void put_shape(std::string& head, const Image& image) {
  constexpr std::size_t unit_at = 13;
  const double across = image.dpi > 0 ? image.dpi : 10000 / std::max(1.0, image.pixel_aspect);
  const auto whole = [](double pixels) {
    return static_cast<std::size_t>(std::clamp(std::floor(pixels + 0.5), 1.0, 65535.0));
  };
  const std::size_t x = whole(across), y = whole(across * image.pixel_aspect);
  const std::size_t common = image.dpi > 0 ? 1 : std::gcd(x, y);
  head[unit_at] = image.dpi > 0 ? 1 : 0;
  put_size(head, unit_at + 1, x / common);
  put_size(head, unit_at + 3, y / common);
}

int threads_of(const Saving& saving) {
  return saving.threads > 0 ? saving.threads : usable_cores();
}

/// Takes the next bytes of the file.
using Put = std::function<void(const std::string& bytes)>;

/// A JPEG whose rows come piece by piece.
class JpegStream {
 public:
  JpegStream(Put put, const Image& first_rows, int height, const FileTexts& texts,
             const Saving& saving)
      : put_(std::move(put)),
        shape_(first_rows),
        height_(height),
        threads_(threads_of(saving)),
        quality_(saving.jpeg_quality) {
    KILN_CHECK(
        shape_.bits() == 8 && shape_.opaque && std::max(shape_.width, height) <= jpeg_side_max,
        "a JPEG of {} x {} pixels, {} bits, {}", shape_.width, height, shape_.bits(),
        shape_.opaque ? "opaque" : "transparent");
    shape_.pixels = {};
    texts_ = color_segments(shape_) + text_segments(texts) + xmp_segment(texts);
  }

  void add(const Image& rows) {
    const std::size_t row_bytes = std::size_t(rows.width) * 4;
    const std::uint8_t* next = rows.pixels8().data();
    int left = rows.height;
    rows_ += rows.height;
    if (!rest_.empty()) {
      const int count = std::min(left, stripe_rows - int(rest_.size() / row_bytes));
      rest_.insert(rest_.end(), next, next + std::size_t(count) * row_bytes);
      next += std::size_t(count) * row_bytes;
      left -= count;
      const int there = int(rest_.size() / row_bytes);
      if (there < stripe_rows && rows_ < height_) return;
      put_stripes(rest_.data(), there);
      rest_.clear();
    }
    const int whole = rows_ == height_ ? left : left / stripe_rows * stripe_rows;
    put_stripes(next, whole);
    rest_.insert(rest_.end(), next + std::size_t(whole) * row_bytes,
                 next + std::size_t(left) * row_bytes);
  }

  void finish() { put_({'\xFF', static_cast<char>(end_of_image)}); }

 private:
  void put_stripes(const std::uint8_t* rows, int count) {
    const int stripes = (count + stripe_rows - 1) / stripe_rows;
    if (stripes == 0) return;
    std::vector<std::string> made(static_cast<std::size_t>(stripes));
    ThreadPool(std::min(stripes, threads_)).run(stripes, [&](int i, int) {
      const int first = i * stripe_rows;
      made[std::size_t(i)] =
          compressed(rows + std::size_t(first) * std::size_t(shape_.width) * 4, shape_.width,
                     std::min(stripe_rows, count - first), quality_);
    });
    for (const std::string& jpeg : made) {
      const std::size_t scan = scan_at(jpeg);
      const std::string head = with_height(jpeg.substr(0, scan), height_);
      if (restarts_ < 0)
        put_(head_of(first_head_ = head));
      else
        put_({'\xFF', static_cast<char>(0xD0 + restarts_ % 8)});
      if (head != first_head_) refuse_switches();
      ++restarts_;
      put_(jpeg.substr(scan, jpeg.size() - scan - 2));  // without its end
    }
  }

  /// The library's segments, and ours among them.
  std::string head_of(std::string head) {
    constexpr int interval = 0xDD;
    put_shape(head, shape_);
    const std::size_t scan = head.size() - scan_bytes;
    std::string blocks(2, '\0'), restart;
    put_size(blocks, 0, std::size_t((shape_.width + 7) / 8) * (stripe_rows / 8));
    add_segment(restart, interval, blocks);
    head.insert(scan, restart);
    return head.insert(jfif_end, texts_);
  }

  const Put put_;
  Image shape_;  // without pixels
  const int height_, threads_, quality_;
  std::string texts_, first_head_;
  Bytes rest_;  // rows of the stripe that is not whole
  int rows_ = 0, restarts_ = -1;
};

void put_jpeg(const Put& put, const Image& image, const FileTexts& texts, const Saving& saving) {
  JpegStream jpeg(put, image, image.height, texts, saving);
  jpeg.add(image);
  jpeg.finish();
}

class JpegRows : public PictureRows {
 public:
  JpegRows(const std::string& path, const Image& first_rows, int height, const FileTexts& texts,
           const Saving& saving)
      : file_(path, saving.existing),
        stream_([this](const std::string& bytes) { file_.write(bytes.data(), bytes.size()); },
                first_rows, height, texts, saving),
        last_text_(texts.back()),
        last_text_at_(jfif_end + color_segments(first_rows).size() +
                      text_segments({texts.begin(), texts.end() - 1}).size()) {}
  void add(const Image& rows) override { stream_.add(rows); }
  void finish(const std::string& last_text) override {
    KILN_CHECK(last_text.size() == last_text_.value.size(), "{} bytes of text in the place of {}",
               last_text.size(), last_text_.value.size());
    last_text_.value = last_text;
    const std::string again = text_segments({last_text_});
    file_.write_again(last_text_at_, again.data(), again.size());
    stream_.finish();
    file_.commit();
  }

 private:
  AtomicFile file_;
  JpegStream stream_;
  FileText last_text_;
  const std::size_t last_text_at_;
};

}  // namespace

void write_jpeg(const std::string& path, const Image& image, const FileTexts& texts,
                const Saving& saving) {
  AtomicFile file(path, saving.existing);
  put_jpeg([&](const std::string& bytes) { file.write(bytes.data(), bytes.size()); }, image, texts,
           saving);
  file.commit();
}

std::unique_ptr<PictureRows> jpeg_rows(const std::string& path, const Image& first_rows, int height,
                                       const FileTexts& texts, const Saving& saving) {
  return std::make_unique<JpegRows>(path, first_rows, height, texts, saving);
}

std::string jpeg_bytes(const Image& image, const FileTexts& texts, const Saving& saving) {
  std::string all;
  put_jpeg([&](const std::string& bytes) { all += bytes; }, image, texts, saving);
  return all;
}

namespace {

/// The tables that the quality decides.
std::string_view tables_of(std::string_view jpeg) {
  constexpr std::string_view first_table{"\xFF\xDB\0\x43", 4};
  const std::size_t at = jpeg.find(first_table);
  return at == jpeg.npos ? std::string_view() : jpeg.substr(at, 2 * (first_table.size() + 65));
}

}  // namespace

int jpeg_quality_of(const std::string& path) {
  InputFile input(path);
  std::string file(jpeg_signature.size(), '\0');
  file.resize(input.read(file.data(), file.size()));
  if (file != jpeg_signature) return Saving().jpeg_quality;
  file = input.read_all(ImageLimits().bytes, std::move(file));
  const std::uint8_t pixel[4] = {};
  for (int quality = 1; quality <= 100; ++quality)
    if (tables_of(compressed(pixel, 1, 1, quality)) == tables_of(file)) return quality;
  return Saving().jpeg_quality;
}

#else

bool jpeg_supported() { return false; }

namespace {

[[noreturn]] void refuse_without_library(const std::string& path) {
  fail(ErrorKind::usage, "{}: this kiln was built without JPEG; take PNG files",
       printable_whole(path));
}

}  // namespace

Image read_jpeg(const std::string& path, const ImageLimits&) { refuse_without_library(path); }

void write_jpeg(const std::string& path, const Image&, const FileTexts&, const Saving&) {
  refuse_without_library(path);
}

std::unique_ptr<PictureRows> jpeg_rows(const std::string& path, const Image&, int, const FileTexts&,
                                       const Saving&) {
  refuse_without_library(path);
}

std::string jpeg_bytes(const Image&, const FileTexts&, const Saving&) {
  refuse_without_library("JPEG");
}

int jpeg_quality_of(const std::string&) { return Saving().jpeg_quality; }

#endif

}  // namespace kiln
