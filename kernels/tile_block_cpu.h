// SPDX-License-Identifier: MIT
// The Block of AccumulateTiles on the CPU: one thread sums one tile's records, or a share of them.
#pragma once

#include "kernels/accumulate.h"
#include "kernels/bins.h"

KILN_BEGIN

/// One tile: its records wait in the bins of every worker. Where others sum some of them meanwhile the frame is added
/// to as it stands.
template <bool is_shared>
struct CpuTileBlock {
  int index;
  Bins* bins;
  int bin_count;

  KILN_FN bool is_empty() const {
    for (int b = 0; b < bin_count; ++b)
      if (bins[b].cursor[index]) return false;
    return true;
  }
  KILN_FN int tile() const { return index; }
  template <class Body>
  KILN_FN void each_strided(int count, Body&& body) {
    for (int i = 0; i < count; ++i) body(i);
  }
  KILN_FN void wait() {}
  KILN_FN void add_shared(u32& target, u32 n) { target += n; }
  KILN_FN void add(u64& target, u64 n) {
    if constexpr (is_shared)
      __atomic_fetch_add(&target, n, __ATOMIC_RELAXED);
    else
      target += n;
  }

  /// sums: r g b last of each pixel in a row, so that a record is one vector addition.
  KILN_FN void add_increment(u32* sums, int pixel, const Increment& increment) {
    sum_at(sums, pixel) += vector_of(increment);
  }
  KILN_FN void add_between(u32* sums, int pixel, const PalettePlace& place, i32 fraction_bits) {
    sum_at(sums, pixel) +=
        between(vector_of(*place.low), vector_of(*place.high), place, fraction_bits);
  }
  /// Moves the sums of a tile into the frame.
  KILN_FN void fold(u32* sums, u32* hits, const TileInFrame& place) {
    for (int y = 0; y < place.rows; ++y) {
      u64* to = place.first + y * place.stride;
      const int row = place.tiling.columns();
      u32 *from = sums + y * row * 4, *from_hits = hits + y * row;
      if (is_shared) {
        add_row(to, from, from_hits, place);
      } else if (place.channels == 4) {
        for (int i = 0; i < place.columns * 4; ++i) to[i] += from[i];
      } else {
        for (int x = 0; x < place.columns; ++x) {
          for (int c = 0; c < 4; ++c) to[x * 5 + c] += from[x * 4 + c];
          to[x * 5 + 4] += from_hits[x];
        }
      }
      if (place.channels == 5)
        for (int i = 0; i < row; ++i) from_hits[i] = 0;
      for (int i = 0; i < row * 4; ++i) from[i] = 0;
    }
  }

  KILN_FN void add_row(u64* to, const u32* from, const u32* from_hits, const TileInFrame& place) {
    for (int x = 0; x < place.columns; ++x, to += place.channels) {
      for (int c = 0; c < 4; ++c)
        if (from[x * 4 + c]) add(to[c], from[x * 4 + c]);
      if (place.channels == 5 && from_hits[x]) add(to[4], from_hits[x]);
    }
  }

  using Vector = u32 __attribute__((vector_size(16), may_alias));
  KILN_FN static Vector& sum_at(u32* sums, int pixel) {
    return *reinterpret_cast<Vector*>(sums + pixel * 4);
  }
  KILN_FN static Vector vector_of(const Increment& increment) {
    return *reinterpret_cast<const Vector*>(increment.v);
  }

  template <class Body, class Fold>
  KILN_FN void each_record(u32 limit, Body&& body, Fold&& fold) {
    u32 done = 0;
    const auto some = [&](const u32* records, int count) KILN_INLINE {
      if (done + u32(count) > limit) {
        fold();
        done = 0;
      }
      done += u32(count);
      for (int i = 0; i < count; ++i) body(records[i]);
    };
    for (int b = 0; b < bin_count; ++b) {
      const BinPage* page = bins[b].last_page(index);
      const u32* end = bins[b].cursor[index];
      for (; page; page = page->previous, end = page ? page->records + page_records : nullptr)
        some(page->records, int(end - page->records));
      bins[b].cursor[index] = nullptr;
    }
  }
};

KILN_END
