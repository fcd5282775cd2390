#include "engine/io/parallel_deflate.h"

#include <zlib.h>

#include <algorithm>
#include <exception>
#include <memory>
#include <mutex>

#include "engine/base/error.h"
#include "engine/base/thread_pool.h"

namespace kiln {
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

}  // namespace

void parallel_deflate(std::size_t size, const DataSource& source, const DeflateSettings& settings,
                      int threads,
                      const std::function<void(const std::vector<std::uint8_t>&)>& piece) {
  const std::size_t bands = std::max<std::size_t>(1, (size + band_bytes - 1) / band_bytes);
  const int workers = int(std::clamp<std::size_t>(std::size_t(std::max(threads, 1)), 1, bands));
  ThreadPool pool(workers);
  struct Worker {
    std::unique_ptr<Deflater> deflater;
    std::vector<std::uint8_t> data;
  };
  std::vector<Worker> states(static_cast<std::size_t>(workers));
  for (Worker& state : states) {
    state.deflater = std::make_unique<Deflater>(settings);
    state.data.resize(window_bytes + std::min(size, band_bytes));
  }
  std::vector<Band> round(std::min<std::size_t>(bands, std::size_t(workers) * 4));
  uLong adler = adler32(0, nullptr, 0);
  for (std::size_t first = 0; first < bands; first += round.size()) {
    const std::size_t count = std::min(round.size(), bands - first);
    std::exception_ptr thrown;
    std::mutex mutex;
    pool.run(int(count), [&](int i, int w) {
      try {
        const std::size_t begin = (first + std::size_t(i)) * band_bytes;
        const std::size_t end = std::min(size, begin + band_bytes);
        const std::size_t dictionary = std::min(begin, window_bytes);
        Worker& state = states[std::size_t(w)];
        source(begin - dictionary, end, state.data.data());
        const std::uint8_t* data = state.data.data() + dictionary;
        Band& band = round[std::size_t(i)];
        band.bytes.clear();
        if (begin == 0) add_header(band.bytes);
        state.deflater->run(data, end - begin, dictionary, end == size, band.bytes);
        band.adler = adler32(adler32(0, nullptr, 0), data, uInt(end - begin));
        band.size = end - begin;
      } catch (...) {
        const std::lock_guard lock(mutex);
        thrown = std::current_exception();
      }
    });
    if (thrown) std::rethrow_exception(thrown);
    for (std::size_t i = 0; i < count; ++i) {
      adler = adler32_combine(adler, round[i].adler, z_off_t(round[i].size));
      if (first + i + 1 == bands) add_big_endian(round[i].bytes, adler);
      piece(round[i].bytes);
    }
  }
}

}  // namespace kiln
