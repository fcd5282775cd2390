#include "engine/io/state/state_writer.h"

#include <zlib.h>

#include <charconv>
#include <functional>

#include "engine/base/error.h"
#include "engine/base/stop.h"
#include "engine/io/state/state_format.h"
#include "engine/io/state/sum_tiles.h"

namespace kiln {
namespace {

template <class Number>
void append(std::vector<char>& bytes, Number number) {
  for (std::size_t i = 0; i < sizeof number; ++i) bytes.push_back(char(number >> 8 * i));
}

std::vector<char> head_of(const SavedSums& state) {
  const SumsShape& shape = state.shape;
  std::vector<char> bytes;
  for (const std::uint32_t number :
       {shape.width, shape.height, shape.channels, shape.supersample, shape.gutter,
        shape.fraction_bits, shape.halves, shape.lineages, shape.pool_bytes})
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
    for (const auto& [lineage, pool] : state.pools) {
      std::vector<char> bytes;
      append(bytes, lineage);
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
