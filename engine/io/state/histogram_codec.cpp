#include "engine/io/state/histogram_codec.h"

#include <zstd.h>

#include <algorithm>
#include <new>

namespace kiln {
namespace {

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

}  // namespace

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

}  // namespace kiln
