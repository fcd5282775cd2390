// The tiles in which a state file holds a histogram. Each is cut into planes of bytes, channel by
// channel from the lowest byte up, and packed by Zstandard: the high bytes are zeros or nearly so
// and cost nothing, the low ones are noise, which nothing makes smaller. A frame says its own size
// and has its own checksum.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

struct ZSTD_CCtx_s;
struct ZSTD_DCtx_s;

namespace kiln {

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

}  // namespace kiln
