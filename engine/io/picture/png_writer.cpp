// SPDX-License-Identifier: MIT
#include "engine/io/picture/png_writer.h"

#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <condition_variable>
#include <cstring>
#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <numeric>
#include <optional>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/ordered_work.h"
#include "engine/base/thread_pool.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/png_colors.h"

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

/// `height`: of the whole picture, of which `image` may be some rows.
void write_header(const Put& put, const Image& image, int height) {
  constexpr char rgb = 2, rgb_alpha = 6, deflate = 0, adaptive = 0, no_interlace = 0;
  std::string header;
  add_big_endian(header, static_cast<std::uint32_t>(image.width));
  add_big_endian(header, static_cast<std::uint32_t>(height));
  header += {static_cast<char>(image.bits()), image.opaque ? rgb : rgb_alpha, deflate, adaptive,
             no_interlace};
  write_chunk(put, "IHDR", header.data(), header.size());
}

void put_chunk(const Put& put, const char* type, const std::string& data) {
  write_chunk(put, type, data.data(), data.size());
}

/// Writes the chunks of the samples' colors: sRGB, or those of the saving.
void write_colors(const Put& put, const Saving& saving) {
  const std::string cicp = cicp_of(saving.exr);
  if (cicp.empty()) return put_chunk(put, "sRGB", std::string(1, '\0'));  // perceptual
  put_chunk(put, "cICP", cicp);
  if (saving.exr.hdr_peak > 0) {
    put_chunk(put, "mDCV", mdcv_of(saving.exr.hdr_peak));
    put_chunk(put, "cLLI", clli_of(saving.brightest, saving.brightest_mean));
  } else {
    put_chunk(put, "iCCP", p3_profile());
  }
}

/// Pixels across and down a meter, or one unnamed length.
void write_shape(const Put& put, const Image& image) {
  constexpr char unit_unknown = 0, meter = 1;
  const bool is_print = image.dpi > 0;
  const double down = is_print ? image.dpi / 0.0254 * image.pixel_aspect : 10000;
  const auto whole = [](double pixels) {
    return static_cast<std::uint32_t>(std::clamp(std::floor(pixels + 0.5), 1.0, 1e9));
  };
  const std::uint32_t x = whole(down / image.pixel_aspect), y = whole(down);
  const std::uint32_t common = is_print ? 1 : std::gcd(x, y);
  std::string shape;
  add_big_endian(shape, x / common);
  add_big_endian(shape, y / common);
  shape += is_print ? meter : unit_unknown;
  write_chunk(put, "pHYs", shape.data(), shape.size());
}

/// UTF-8, as XMP has to be and tEXt, which is Latin-1, cannot be.
void write_international(const Put& put, std::string_view key, std::string_view text) {
  std::string data(key);
  data.append(5, '\0');  // end of key, not packed, method, no language, no other key
  data += text;
  write_chunk(put, "iTXt", data.data(), data.size());
}

void write_text(const Put& put, const FileText& text) {
  const bool is_ascii = std::all_of(text.value.begin(), text.value.end(),
                                    [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  if (!text.compressed && !is_ascii) return write_international(put, text.key, text.value);
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
  /// `above`: [W, 4] the row above the first one in 8 bits; zeros above the picture.
  FilteredRows(const Image& image, const std::uint8_t* above)
      : image_(image),
        above_(above),
        width_(static_cast<std::size_t>(image.width)),
        channels_(image.opaque ? 3 : 4),
        row_bytes_(width_ * channels_ * static_cast<std::size_t>(image.bits() / 8)) {}

  /// Bytes of so many rows.
  std::size_t size(int rows) const { return static_cast<std::size_t>(rows) * (row_bytes_ + 1); }

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
    const std::uint8_t* here = image_.pixels8().data() + number * width_ * 4;
    const std::uint8_t* above = number == 0 ? above_ : here - width_ * 4;
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
  const std::uint8_t* const above_;
  const std::size_t width_, channels_, row_bytes_;
};

int threads_of(const Saving& saving) {
  return saving.threads > 0 ? saving.threads : usable_cores();
}

/// A PNG whose rows come piece by piece: all but the end of what came is deflated and put at once.
class PngStream {
 public:
  PngStream(Put put, const Image& first_rows, int height, const Saving& saving)
      : put_(std::move(put)),
        form_(saving.exr),
        above_(static_cast<std::size_t>(first_rows.width) * 4),
        deflate_(FilteredRows(first_rows, nullptr).size(height),
                 {1, first_rows.bits() == 16 ? Z_RLE : Z_DEFAULT_STRATEGY}, threads_of(saving),
                 [this](const std::vector<std::uint8_t>& piece) {
                   write_chunk(put_, "IDAT", piece.data(), piece.size());
                 }) {
    put_(png_signature.data(), png_signature.size());
    write_header(put_, first_rows, height);
    write_colors(put_, saving);
    write_shape(put_, first_rows);
  }
  void add(const FileText& text) { write_text(put_, text); }
  /// Adds XMP after the texts: it says again what others look for there.
  void add_xmp(const FileTexts& texts) {
    if (const std::string xmp = xmp_of(texts); !xmp.empty())
      write_international(put_, "XML:com.adobe.xmp", xmp);
  }
  /// Adds rows, after all texts.
  void add(const Image& rows) {
    if (form_.hdr_peak > 0 || form_.primaries != Primaries::p3) return add_as_they_are(rows);
    Image changed = rows;
    to_form(form_, changed);
    add_as_they_are(changed);
  }
  void finish() { write_chunk(put_, "IEND", "", 0); }

 private:
  void add_as_they_are(const Image& rows) {
    const std::size_t samples =
        static_cast<std::size_t>(rows.width) * static_cast<std::size_t>(rows.height) * 4;
    KILN_CHECK((rows.bits() == 8 ? rows.pixels8().size() : rows.pixels16().size()) == samples,
               "{} x {} picture of {} bits", rows.width, rows.height, rows.bits());
    const FilteredRows filtered(rows, above_.data());
    const std::size_t middle = rest_begin_ + rest_.size(),
                      end = middle + filtered.size(rows.height);
    const auto source = [&](std::size_t from, std::size_t to, std::uint8_t* out) {
      if (from < middle) {
        const std::size_t count = std::min(to, middle) - from;
        std::memcpy(out, rest_.data() + (from - rest_begin_), count);
        out += count;
        from += count;
      }
      if (from < to) filtered.copy(from - middle, to - middle, out);
    };
    deflate_.run(end, source);
    const std::size_t keep = std::max(deflate_.needs_from(), rest_begin_);
    std::vector<std::uint8_t> rest(end - std::min(keep, end));
    source(end - rest.size(), end, rest.data());
    rest_begin_ = end - rest.size();
    rest_.swap(rest);
    if (rows.bits() == 8)
      std::copy_n(rows.pixels8().end() - static_cast<std::ptrdiff_t>(above_.size()), above_.size(),
                  above_.begin());
  }

  const Put put_;
  const ExrForm form_;
  std::vector<std::uint8_t> above_;  // the last row, 8 bits
  ParallelDeflate deflate_;
  std::vector<std::uint8_t> rest_;  // filtered bytes that the deflater still needs
  std::size_t rest_begin_ = 0;
};

void put_png(const Put& put, const Image& image, const FileTexts& texts, const Saving& saving) {
  PngStream png(put, image, image.height, saving);
  for (const FileText& text : texts) png.add(text);
  png.add_xmp(texts);
  png.add(image);
  png.finish();
}

class PngRows : public PictureRows {
 public:
  PngRows(const std::string& path, const Image& first_rows, int height, const FileTexts& texts,
          const Saving& saving)
      : file_(path, saving.existing),
        stream_(
            [this](const void* data, std::size_t size) {
              file_.write(data, size);
              written_ += size;
            },
            first_rows, height, saving),
        last_text_(texts.back()) {
    for (const FileText& text : texts) {
      last_text_at_ = written_;
      stream_.add(text);
    }
    stream_.add_xmp(texts);
  }
  void add(const Image& rows) override { stream_.add(rows); }
  void finish(const std::string& last_text) override {
    KILN_CHECK(!last_text_.compressed && last_text.size() == last_text_.value.size(),
               "{} bytes of text in the place of {}", last_text.size(), last_text_.value.size());
    last_text_.value = last_text;
    std::size_t at = last_text_at_;
    write_text(
        [&](const void* data, std::size_t size) {
          file_.write_again(at, data, size);
          at += size;
        },
        last_text_);
    stream_.finish();
    file_.commit();
  }

 private:
  AtomicFile file_;
  std::size_t written_ = 0, last_text_at_ = 0;  // bytes
  PngStream stream_;
  FileText last_text_;
};

}  // namespace

void write_png(const std::string& path, const Image& image, const FileTexts& texts,
               const Saving& saving) {
  AtomicFile file(path, saving.existing);
  put_png([&](const void* data, std::size_t size) { file.write(data, size); }, image, texts,
          saving);
  file.commit();
}

std::unique_ptr<PictureRows> png_rows(const std::string& path, const Image& first_rows, int height,
                                      const FileTexts& texts, const Saving& saving) {
  return std::make_unique<PngRows>(path, first_rows, height, texts, saving);
}

std::string png_bytes(const Image& image, const FileTexts& texts, const Saving& saving) {
  std::string bytes;
  put_png([&](const void* data,
              std::size_t size) { bytes.append(static_cast<const char*>(data), size); },
          image, texts, saving);
  return bytes;
}

namespace {

constexpr std::size_t band_bytes = std::size_t(1) << 20;  // 5 bytes and a new Huffman block a band
constexpr std::size_t window_bytes = 32768;

struct Band {
  std::vector<std::uint8_t> bytes;
  uLong adler = 0;
  std::size_t size = 0;  // of its data
};

/// Raw deflate with state that is used again: setting it up costs as much as 100 KB of data.
class Deflater {
 public:
  explicit Deflater(const DeflateSettings& settings) {
    if (deflateInit2(&stream_, settings.level, Z_DEFLATED, -15, 8, settings.strategy) != Z_OK)
      fail(ErrorKind::device, "zlib: out of memory");
  }
  ~Deflater() { deflateEnd(&stream_); }
  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;

  /// Appends the band; `dictionary` lies right before `data`.
  void run(const std::uint8_t* data, std::size_t size, std::size_t dictionary, bool last,
           std::vector<std::uint8_t>& out) {
    deflateReset(&stream_);
    if (dictionary > 0) deflateSetDictionary(&stream_, data - dictionary, uInt(dictionary));
    stream_.next_in = const_cast<Bytef*>(data);
    stream_.avail_in = uInt(size);
    const std::size_t begin = out.size();
    out.resize(begin + deflateBound(&stream_, uLong(size)) + 16);
    stream_.next_out = out.data() + begin;
    stream_.avail_out = uInt(out.size() - begin);
    const int status = deflate(&stream_, last ? Z_FINISH : Z_SYNC_FLUSH);
    KILN_CHECK(
        status == (last ? Z_STREAM_END : Z_OK) && stream_.avail_in == 0 && stream_.avail_out > 0,
        "deflate gave {} for {} bytes", status, size);
    out.resize(out.size() - stream_.avail_out);
  }

 private:
  z_stream stream_{};
};

/// CMF and FLG of RFC 1950 for a window of 32 KiB; the level is only a hint.
void add_header(std::vector<std::uint8_t>& out) {
  out.push_back(0x78);
  out.push_back(0x01);
}

void add_big_endian(std::vector<std::uint8_t>& out, uLong value) {
  for (int shift = 24; shift >= 0; shift -= 8) out.push_back(std::uint8_t(value >> shift));
}

/// Finished bands on their way to the receiver, in order. Whoever finishes the band that is next
/// hands it on, and those behind it that are finished; the others compress meanwhile.
class BandOrder {
 public:
  /// Bands [first, end) of `all`; ahead: those that are begun before the first of them is handed
  /// on, at most. adler: of the data before.
  BandOrder(std::size_t first, std::size_t end, std::size_t all, std::size_t ahead, uLong adler,
            const DeflateReceiver& receiver)
      : all_(all), bands_(first, end, ahead), receiver_(receiver), adler_(adler) {}

  /// The number of the next band; none after a failure. Waits while too many are ahead of the receiver.
  std::optional<std::size_t> begin() {
    std::unique_lock lock(mutex_);
    moved_on_.wait(lock, [&] { return failed_ || bands_.may_begin(); });
    if (failed_) return {};
    return bands_.begin();
  }
  /// The place of a band that was begun.
  Band& band(std::size_t number) { return bands_.result(number); }
  void finish(std::size_t number) {
    std::unique_lock lock(mutex_);
    bands_.finish(number);
    while (!handing_on_ && bands_.is_next_done()) {
      const bool is_last = bands_.next() + 1 == all_;
      Band& band = bands_.take();
      handing_on_ = true;
      lock.unlock();
      adler_ = adler32_combine(adler_, band.adler, z_off_t(band.size));
      if (is_last) add_big_endian(band.bytes, adler_);
      receiver_(band.bytes);
      lock.lock();
      handing_on_ = false;
      bands_.pass();
      moved_on_.notify_all();
    }
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    moved_on_.notify_all();
  }
  /// The checksum of all the data, once the last band is handed on.
  uLong adler() const { return adler_; }

 private:
  const std::size_t all_;
  OrderedWork<Band> bands_;
  const DeflateReceiver& receiver_;
  std::mutex mutex_;
  std::condition_variable moved_on_;
  uLong adler_;  // its alone who hands on
  bool handing_on_ = false, failed_ = false;
};

}  // namespace

ParallelDeflate::ParallelDeflate(std::size_t size, const DeflateSettings& settings, int threads,
                                 DeflateReceiver receiver)
    : size_(size),
      settings_(settings),
      threads_(std::max(threads, 1)),
      receiver_(std::move(receiver)),
      adler_(adler32(0, nullptr, 0)) {}

std::size_t ParallelDeflate::needs_from() const {
  const std::size_t begin = bands_done_ * band_bytes;
  return begin - std::min(begin, window_bytes);
}

void ParallelDeflate::run(std::size_t end, const DataSource& source) {
  const std::size_t all = std::max<std::size_t>(1, (size_ + band_bytes - 1) / band_bytes);
  const std::size_t first = bands_done_, last = end == size_ ? all : end / band_bytes;
  if (first == last) return;
  const std::size_t bands = last - first;
  const int workers = int(std::min<std::size_t>(std::size_t(threads_), bands));
  struct Worker {
    std::unique_ptr<Deflater> deflater;
    std::vector<std::uint8_t> data;
  };
  std::vector<Worker> states(static_cast<std::size_t>(workers));
  for (Worker& state : states) {
    state.deflater = std::make_unique<Deflater>(settings_);
    state.data.resize(window_bytes + std::min(size_, band_bytes));
  }
  BandOrder order(first, last, all, std::min<std::size_t>(bands, std::size_t(workers) * 4), adler_,
                  receiver_);
  ThreadPool pool(workers);
  pool.run(int(bands), [&](int, int w) {
    try {
      const std::optional<std::size_t> number = order.begin();
      if (!number) return;
      Band& band = order.band(*number);
      const std::size_t from = *number * band_bytes, to = std::min(size_, from + band_bytes);
      const std::size_t dictionary = std::min(from, window_bytes);
      Worker& state = states[std::size_t(w)];
      source(from - dictionary, to, state.data.data());
      const std::uint8_t* data = state.data.data() + dictionary;
      band.bytes.clear();
      if (from == 0) add_header(band.bytes);
      state.deflater->run(data, to - from, dictionary, to == size_, band.bytes);
      band.adler = adler32(adler32(0, nullptr, 0), data, uInt(to - from));
      band.size = to - from;
      order.finish(*number);
    } catch (...) {
      order.fail();
      throw;
    }
  });
  bands_done_ = last;
  adler_ = order.adler();
}

void parallel_deflate(std::size_t size, const DataSource& source, const DeflateSettings& settings,
                      int threads, const DeflateReceiver& receiver) {
  ParallelDeflate(size, settings, threads, receiver).run(size, source);
}

}  // namespace kiln
