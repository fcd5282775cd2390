#include "engine/io/picture/parallel_deflate.h"

#include <zlib.h>

#include <algorithm>
#include <condition_variable>
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
  bool finished = false;
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
      : end_(end), all_(all), places_(ahead), receiver_(receiver), next_(first), adler_(adler) {}

  /// Where band `number` goes; null after a failure. Waits while too many are ahead of the
  /// receiver: bands are begun in order, so somebody is at work on the one that it waits for.
  Band* begin(std::size_t number) {
    std::unique_lock lock(mutex_);
    moved_on_.wait(lock, [&] { return failed_ || number < next_ + places_.size(); });
    return failed_ ? nullptr : &place(number);
  }
  void finish(std::size_t number) {
    std::unique_lock lock(mutex_);
    place(number).finished = true;
    while (!handing_on_ && next_ < end_ && place(next_).finished) {
      Band& band = place(next_);
      handing_on_ = true;
      lock.unlock();
      adler_ = adler32_combine(adler_, band.adler, z_off_t(band.size));
      if (next_ + 1 == all_) add_big_endian(band.bytes, adler_);
      receiver_(band.bytes);
      lock.lock();
      band.finished = handing_on_ = false;
      ++next_;
      moved_on_.notify_all();
    }
  }
  void fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    moved_on_.notify_all();
  }
  /// Of all the data, once the last band is handed on.
  uLong adler() const { return adler_; }

 private:
  Band& place(std::size_t number) { return places_[number % places_.size()]; }

  const std::size_t end_, all_;
  std::vector<Band> places_;
  const DeflateReceiver& receiver_;
  std::mutex mutex_;
  std::condition_variable moved_on_;
  std::size_t next_;  // band that the receiver gets; like adler_ its alone who hands on
  uLong adler_;
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
  pool.run(int(bands), [&](int i, int w) {
    try {
      const std::size_t number = first + std::size_t(i);
      Band* const band = order.begin(number);
      if (!band) return;
      const std::size_t from = number * band_bytes, to = std::min(size_, from + band_bytes);
      const std::size_t dictionary = std::min(from, window_bytes);
      Worker& state = states[std::size_t(w)];
      source(from - dictionary, to, state.data.data());
      const std::uint8_t* data = state.data.data() + dictionary;
      band->bytes.clear();
      if (from == 0) add_header(band->bytes);
      state.deflater->run(data, to - from, dictionary, to == size_, band->bytes);
      band->adler = adler32(adler32(0, nullptr, 0), data, uInt(to - from));
      band->size = to - from;
      order.finish(number);
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
