// SPDX-License-Identifier: MIT
#include "engine/io/state/state_file.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <span>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/stop.h"
#include "engine/base/text.h"
#include "engine/io/file/input_file.h"
#include "engine/io/picture/picture_record.h"

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace kiln {
namespace {

// The tiles in which a state file holds a histogram. Each is cut into planes of bytes, channel by
// channel from the lowest byte up, and packed by Zstandard: the high bytes are zeros or nearly so
// and cost nothing, the low ones are noise, which nothing makes smaller. A frame says its own size
// and has its own checksum.

constexpr int sum_tile_side = 64;

/// A tile of a histogram [height][width][channels]; those at the right and the lower edge are cut.
struct SumTile {
  std::size_t first = 0;   // value of its upper left corner
  std::size_t stride = 0;  // values a row of the histogram
  int columns = 0, rows = 0, channels = 0;

  std::size_t bytes() const {
    return std::size_t(columns) * std::size_t(rows) * std::size_t(channels) * 8;
  }
};

/// Tile `column` of tile row `row`.
SumTile sum_tile(std::uint32_t width, std::uint32_t height, std::uint32_t channels, int column,
                 int row);
constexpr int sum_tiles_along(std::uint32_t side) {
  return int((side + sum_tile_side - 1) / sum_tile_side);
}

class SumTilePacker {
 public:
  SumTilePacker();
  /// Appends the packed tile to `out`. Throws std::bad_alloc.
  void pack(const std::uint64_t* sums, const SumTile& tile, std::vector<char>& out);

 private:
  std::unique_ptr<ZSTD_CCtx_s, std::size_t (*)(ZSTD_CCtx_s*)> context_;
  std::vector<char> planes_, packed_;
  std::vector<std::uint64_t> values_;  // of one channel
};

class SumTileUnpacker {
 public:
  SumTileUnpacker();
  /// Writes the tile into the histogram; false if the bytes are not exactly such a tile.
  [[nodiscard]] bool unpack(std::span<const char> packed, const SumTile& tile, std::uint64_t* sums);

 private:
  std::unique_ptr<ZSTD_DCtx_s, std::size_t (*)(ZSTD_DCtx_s*)> context_;
  std::vector<char> planes_;
  std::vector<std::uint64_t> values_;  // of one channel
};

constexpr int value_bytes = 8;

/// body(pixel of the tile from 0, its first value in the histogram).
template <class Body>
void each_bucket(const SumTile& tile, Body body) {
  std::size_t pixel = 0;
  for (int y = 0; y < tile.rows; ++y) {
    const std::size_t row = tile.first + std::size_t(y) * tile.stride;
    for (int x = 0; x < tile.columns; ++x)
      body(pixel++, row + std::size_t(x) * std::size_t(tile.channels));
  }
}

SumTile sum_tile(std::uint32_t width, std::uint32_t height, std::uint32_t channels, int column,
                 int row) {
  const std::uint32_t x = std::uint32_t(column) * sum_tile_side,
                      y = std::uint32_t(row) * sum_tile_side;
  SumTile tile;
  tile.stride = std::size_t(width) * channels;
  tile.first = y * tile.stride + std::size_t(x) * channels;
  tile.columns = int(std::min<std::uint32_t>(sum_tile_side, width - x));
  tile.rows = int(std::min<std::uint32_t>(sum_tile_side, height - y));
  tile.channels = int(channels);
  return tile;
}

SumTilePacker::SumTilePacker() : context_(ZSTD_createCCtx(), ZSTD_freeCCtx) {
  if (!context_) throw std::bad_alloc();
  constexpr int level = 1;  // higher ones take longer and find nothing in noise
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_compressionLevel, level);
  ZSTD_CCtx_setParameter(context_.get(), ZSTD_c_checksumFlag, 1);
}

void SumTilePacker::pack(const std::uint64_t* sums, const SumTile& tile, std::vector<char>& out) {
  const std::size_t pixels = tile.bytes() / value_bytes / std::size_t(tile.channels);
  planes_.assign(tile.bytes(), 0);
  values_.resize(pixels);
  char* plane = planes_.data();
  for (int c = 0; c < tile.channels; ++c) {
    std::uint64_t all = 0;
    each_bucket(tile, [&](std::size_t pixel, std::size_t value) {
      all |= values_[pixel] = sums[value + std::size_t(c)];
    });
    for (int byte = 0; byte < value_bytes; ++byte, plane += pixels) {
      if (all >> 8 * byte == 0) continue;  // most planes are zeros
      for (std::size_t i = 0; i < pixels; ++i) plane[i] = char(values_[i] >> 8 * byte);
    }
  }
  packed_.resize(ZSTD_compressBound(planes_.size()));
  const std::size_t size = ZSTD_compress2(context_.get(), packed_.data(), packed_.size(),
                                          planes_.data(), planes_.size());
  if (ZSTD_isError(size)) throw std::bad_alloc();  // nothing else can go wrong
  out.insert(out.end(), packed_.begin(), packed_.begin() + std::ptrdiff_t(size));
}

SumTileUnpacker::SumTileUnpacker() : context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {
  if (!context_) throw std::bad_alloc();
}

bool SumTileUnpacker::unpack(std::span<const char> packed, const SumTile& tile,
                             std::uint64_t* sums) {
  planes_.resize(tile.bytes());
  const std::size_t size = ZSTD_decompressDCtx(context_.get(), planes_.data(), planes_.size(),
                                               packed.data(), packed.size());
  if (ZSTD_isError(size) || size != planes_.size()) return false;
  const std::size_t pixels = tile.bytes() / value_bytes / std::size_t(tile.channels);
  values_.resize(pixels);
  const char* plane = planes_.data();
  for (int c = 0; c < tile.channels; ++c) {
    std::fill(values_.begin(), values_.end(), 0);
    for (int byte = 0; byte < value_bytes; ++byte, plane += pixels) {
      if (std::all_of(plane, plane + pixels, [](char b) { return b == 0; })) continue;
      for (std::size_t i = 0; i < pixels; ++i)
        values_[i] |= std::uint64_t(static_cast<unsigned char>(plane[i])) << 8 * byte;
    }
    each_bucket(tile, [&](std::size_t pixel, std::size_t value) {
      sums[value + std::size_t(c)] = values_[pixel];
    });
  }
  return true;
}

template <class Number>
Number number_at(const char* bytes) {
  Number number = 0;
  for (std::size_t i = 0; i < sizeof number; ++i)
    number |= Number(static_cast<unsigned char>(bytes[i])) << 8 * i;
  return number;
}

class StateReader {
 public:
  StateReader(const ReadBytes& read, const std::string& name)
      : read_(read), name_(printable(name, 240)) {
    char version[4];
    fill(version, sizeof version);
    const auto number = number_at<std::uint32_t>(version);
    if (number != state_version)
      refuse(
          "it has version {} of the format, this kiln reads version {}; use the kiln that made "
          "it, or a newer one",
          number, state_version);
  }

  SavedSums state(std::uint64_t most_bytes) {
    SavedSums state;
    read_head(section("HEAD", head_bytes), state);
    read_texts(state);
    read_done(section("DONE", most_done_bytes), state);
    read_pools(state);
    read_memory(state, most_bytes);
    for (std::vector<std::uint64_t>& sums : state.histograms) read_sums(state.shape, sums);
    char behind;
    if (read_(&behind, 1) != 0) refuse("bytes follow its end, {}", damaged);
    return state;
  }

  PictureTexts texts() {
    SavedSums state;
    read_head(section("HEAD", head_bytes), state);
    read_texts(state);
    PictureTexts texts;
    texts.emplace(genome_key, std::move(state.genome));
    texts.emplace(record_key, std::move(state.record));
    return texts;
  }

 private:
  static constexpr const char* damaged =
      "the file is damaged; use another copy, or render it again";

  /// Throws the fault at the place of the section that was read last.
  template <class... Args>
  [[noreturn]] void refuse(fmt::format_string<Args...> format, Args&&... args) const {
    fail(ErrorKind::input, "{}: byte {}: {}", name_, at_,
         fmt::format(format, std::forward<Args>(args)...));
  }

  void fill(char* buffer, std::size_t count) {
    const std::size_t got = read_(buffer, count);
    position_ += got;
    if (got != count) refuse("the file is cut off after {} bytes; use a whole copy", position_);
  }

  /// The payload of the next section, which has to be this one. Memory is taken as bytes come.
  const std::vector<char>& section(std::string_view letters, std::uint64_t most) {
    at_ = position_;
    char head[section_head_bytes];
    fill(head, sizeof head);
    if (std::string_view(head, 4) != letters) refuse("no section {}: {}", letters, damaged);
    const auto checksum = number_at<std::uint32_t>(head + 4);
    const auto length = number_at<std::uint64_t>(head + 8);
    if (length > most)
      refuse("section {} of {} bytes, at most {} make sense: {}", letters, length, most, damaged);
    constexpr std::uint64_t piece = 1 << 20;
    payload_.clear();
    while (payload_.size() < length) {
      const std::size_t before = payload_.size();
      payload_.resize(before + std::size_t(std::min(piece, length - before)));
      fill(payload_.data() + before, payload_.size() - before);
    }
    if (checksum != crc32_z(0, reinterpret_cast<const Bytef*>(payload_.data()), payload_.size()))
      refuse("the checksum of section {} is wrong: {}", letters, damaged);
    return payload_;
  }

  void read_head(const std::vector<char>& bytes, SavedSums& state) {
    SumsShape& shape = state.shape;
    if (bytes.size() != head_bytes) refuse("a head of {} bytes: {}", bytes.size(), damaged);
    const char* at = bytes.data();
    for (std::uint32_t* number :
         {&shape.width, &shape.height, &shape.channels, &shape.supersample, &shape.gutter,
          &shape.fraction_bits, &shape.halves, &shape.chains, &shape.pool_bytes}) {
      *number = number_at<std::uint32_t>(at);
      at += 4;
    }
    shape.unit_samples = number_at<std::uint64_t>(at);
    state.bad_values = number_at<std::uint64_t>(at + 8);
    state.next_look = number_at<std::uint64_t>(at + 16);
    for (const char* byte = at + 24; byte < bytes.data() + bytes.size(); ++byte)
      shape.digest += fmt::format("{:02x}", static_cast<unsigned char>(*byte));
    check(shape);
  }

  void check(const SumsShape& shape) const {
    constexpr std::uint32_t most_side = 1u << 26;  // a million pixels, supersample 16, gutters
    constexpr std::uint32_t most_supersample = 16, most_fraction_bits = 24;
    const auto between = [](auto value, auto least, auto most) {
      return value >= least && value <= most;
    };
    if (!between(shape.width, 1u, most_side) || !between(shape.height, 1u, most_side))
      refuse("sums of {} x {} buckets: {}", shape.width, shape.height, damaged);
    const bool sound =
        between(shape.channels, 4u, 5u) && between(shape.supersample, 1u, most_supersample) &&
        shape.gutter <= std::min(shape.width, shape.height) / 2 &&
        shape.fraction_bits <= most_fraction_bits && shape.chains <= most_state_chains &&
        shape.halves <= 1 && (shape.halves == 0 || shape.chains % 2 == 0) &&
        shape.pool_bytes <= most_pool_bytes && (shape.pool_bytes > 0) == (shape.chains > 0) &&
        between(shape.unit_samples, std::uint64_t(1), most_units);
    if (!sound) refuse("its head has numbers that kiln never writes: {}", damaged);
  }

  void read_texts(SavedSums& state) {
    const std::vector<char>& genome = section("FLAM", most_genome_bytes);
    state.genome.assign(genome.begin(), genome.end());
    const std::vector<char>& record = section("RECD", most_record_bytes);
    state.record.assign(record.begin(), record.end());
  }

  void read_done(const std::vector<char>& bytes, SavedSums& state) {
    constexpr std::size_t pair = 16;
    if (bytes.size() % pair != 0) refuse("a list of units is cut: {}", damaged);
    std::vector<UnitRange> ranges;
    for (std::size_t at = 0; at < bytes.size(); at += pair) {
      const UnitRange range{number_at<std::uint64_t>(bytes.data() + at),
                            number_at<std::uint64_t>(bytes.data() + at + 8)};
      if (range.first >= range.end || range.end > most_units ||
          (!ranges.empty() && ranges.back().end >= range.first))
        refuse("units {} to {} are out of order: {}", range.first, range.end, damaged);
      ranges.push_back(range);
    }
    for (const UnitRange& range : ranges) state.done.add(range);
    check_chains(state);
  }

  /// A unit that took up a pool needs the one before it.
  void check_chains(const SavedSums& state) const {
    const std::uint64_t chains = state.shape.chains;
    if (chains == 0) return;
    for (const UnitRange& range : state.done.ranges()) {
      if (range.end <= chains) continue;
      const std::uint64_t first = std::max(range.first, chains);
      if (!state.done.contains({first - chains, range.end - chains}))
        refuse("units {} to {} are done and those that they go on from are not: {}", first,
               range.end - 1, damaged);
    }
  }

  void read_pools(SavedSums& state) {
    for (std::uint32_t chain = 0; chain < state.shape.chains; ++chain) {
      if (!state.done.contains({chain, chain + 1})) continue;
      const std::vector<char>& bytes = section("POOL", 4 + state.shape.pool_bytes);
      if (bytes.size() != 4 + state.shape.pool_bytes ||
          number_at<std::uint32_t>(bytes.data()) != chain)
        refuse("it is not the pool of chain {}: {}", chain, damaged);
      state.pools[chain].assign(bytes.begin() + 4, bytes.end());
    }
  }

  /// Room for the histograms; it is touched only as their rows come.
  void read_memory(SavedSums& state, std::uint64_t most_bytes) const {
    const SumsShape& shape = state.shape;
    const std::uint64_t buckets = std::uint64_t(shape.width) * shape.height;
    if (buckets > most_bytes / (shape.channels * sizeof(std::uint64_t) * shape.histograms())) {
      fail(ErrorKind::device,
           "{}: sums of {} x {} buckets need {:.0f} MB of memory and there are {:.0f} MB; raise "
           "--max-memory, or use a machine with more",
           name_, shape.width, shape.height,
           double(buckets) * shape.channels * 8 * double(shape.histograms()) / 1e6,
           double(most_bytes) / 1e6);
    }
    state.histograms.resize(shape.histograms());
    for (std::vector<std::uint64_t>& sums : state.histograms) sums.reserve(shape.values());
  }

  void read_sums(const SumsShape& shape, std::vector<std::uint64_t>& sums) {
    const int across = sum_tiles_along(shape.width);
    for (int row = 0; row < sum_tiles_along(shape.height); ++row) {
      const std::uint64_t raw = std::uint64_t(shape.width) * sum_tile_side * shape.channels * 8;
      const std::vector<char>& bytes =
          section("SUMS", raw + raw / 64 + std::uint64_t(across) * 512);
      const std::size_t end = std::size_t(row + 1) * sum_tile_side * shape.width * shape.channels;
      sums.resize(std::min(end, shape.values()));
      std::size_t at = 0;
      for (int column = 0; column < across; ++column) {
        if (bytes.size() - at < 4) refuse("its row of tiles is cut: {}", damaged);
        const auto length = number_at<std::uint32_t>(bytes.data() + at);
        at += 4;
        if (bytes.size() - at < length) refuse("its row of tiles is cut: {}", damaged);
        const SumTile tile = sum_tile(shape.width, shape.height, shape.channels, column, row);
        if (!unpacker_.unpack({bytes.data() + at, length}, tile, sums.data()))
          refuse("tile {} of its row cannot be unpacked: {}", column, damaged);
        at += length;
      }
      if (at != bytes.size()) refuse("bytes follow its last tile: {}", damaged);
    }
  }

  const ReadBytes& read_;
  const std::string name_;
  std::uint64_t position_ = state_signature.size(), at_ = 0;
  std::vector<char> payload_;
  SumTileUnpacker unpacker_;
};

template <class Number>
void append(std::vector<char>& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) bytes.push_back(char(number >> 8 * i));
}

std::vector<char> head_of(const SavedSums& state) {
  const SumsShape& shape = state.shape;
  std::vector<char> bytes;
  for (const std::uint32_t number :
       {shape.width, shape.height, shape.channels, shape.supersample, shape.gutter,
        shape.fraction_bits, shape.halves, shape.chains, shape.pool_bytes})
    append(bytes, number);
  append(bytes, shape.unit_samples);
  append(bytes, state.bad_values);
  append(bytes, state.next_look);
  KILN_CHECK(shape.digest.size() == 64, "a digest of {} digits", shape.digest.size());
  for (std::size_t i = 0; i < shape.digest.size(); i += 2) {
    unsigned char byte = 0;
    std::from_chars(shape.digest.data() + i, shape.digest.data() + i + 2, byte, 16);
    bytes.push_back(char(byte));
  }
  KILN_CHECK(bytes.size() == head_bytes, "a head of {} bytes", bytes.size());
  return bytes;
}

std::vector<char> done_of(const UnitSet& units) {
  std::vector<char> bytes;
  for (const UnitRange& range : units.ranges()) {
    append(bytes, range.first);
    append(bytes, range.end);
  }
  return bytes;
}

class StateWriter {
 public:
  using Put = std::function<void(const void* data, std::size_t size)>;
  explicit StateWriter(Put put) : put_(std::move(put)) {}

  void write(const SavedSums& state) {
    put_(state_signature.data(), state_signature.size());
    std::vector<char> version;
    append(version, state_version);
    put_(version.data(), version.size());
    section("HEAD", head_of(state));
    section("FLAM", {state.genome.begin(), state.genome.end()});
    section("RECD", {state.record.begin(), state.record.end()});
    section("DONE", done_of(state.done));
    for (const auto& [chain, pool] : state.pools) {
      std::vector<char> bytes;
      append(bytes, chain);
      bytes.insert(bytes.end(), pool.begin(), pool.end());
      section("POOL", bytes);
    }
    for (const std::vector<std::uint64_t>& sums : state.histograms) write_sums(state.shape, sums);
  }

 private:
  void section(const char* letters, const std::vector<char>& payload) {
    std::vector<char> head(letters, letters + 4);
    append(head, std::uint32_t(
                     crc32_z(0, reinterpret_cast<const Bytef*>(payload.data()), payload.size())));
    append(head, std::uint64_t(payload.size()));
    put_(head.data(), head.size());
    put_(payload.data(), payload.size());
  }

  void write_sums(const SumsShape& shape, const std::vector<std::uint64_t>& sums) {
    KILN_CHECK(sums.size() == shape.values(), "{} sums of {} x {} buckets", sums.size(),
               shape.width, shape.height);
    std::vector<char> row, length;
    for (int y = 0; y < sum_tiles_along(shape.height); ++y) {
      row.clear();
      for (int x = 0; x < sum_tiles_along(shape.width); ++x) {
        const std::size_t at = row.size();
        row.resize(at + 4);
        packer_.pack(sums.data(), sum_tile(shape.width, shape.height, shape.channels, x, y), row);
        length.clear();
        append(length, std::uint32_t(row.size() - at - 4));
        std::copy(length.begin(), length.end(), row.begin() + std::ptrdiff_t(at));
      }
      section("SUMS", row);
    }
  }

  const Put put_;
  SumTilePacker packer_;
};

}  // namespace

bool is_state_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    InputFile file(path);
    std::string start(state_signature.size(), '\0');
    start.resize(file.read(start.data(), start.size()));
    return start == state_signature;
  } catch (const Error&) {
    return false;
  }
}

SavedSums read_state(const std::string& path, std::uint64_t most_bytes,
                     const std::stop_token& stop) {
  InputFile file(path);
  std::string start(state_signature.size(), '\0');
  start.resize(file.read(start.data(), start.size()));
  if (start != state_signature)
    fail(ErrorKind::input,
         "{}: is no state file of kiln's; those are made by --checkpoint and --shard",
         printable(path, 240));
  const ReadBytes read = [&](char* buffer, std::size_t count) {
    check_stop(stop);
    return file.read(buffer, count);
  };
  return read_state(read, path, most_bytes);
}

SavedSums read_state(const ReadBytes& read, const std::string& name, std::uint64_t most_bytes) {
  return StateReader(read, name).state(most_bytes);
}

PictureTexts read_state_texts(const ReadBytes& read, const std::string& name) {
  return StateReader(read, name).texts();
}

void write_state(const std::string& path, const SavedSums& state, AtomicFile::Existing existing,
                 const std::stop_token& stop) {
  AtomicFile file(path, existing);
  StateWriter([&](const void* data, std::size_t size) {
    check_stop(stop);
    file.write(data, size);
  }).write(state);
  file.commit();
}

std::string state_bytes(const SavedSums& state) {
  std::string bytes;
  StateWriter([&](const void* data, std::size_t size) {
    bytes.append(static_cast<const char*>(data), size);
  }).write(state);
  return bytes;
}

}  // namespace kiln
