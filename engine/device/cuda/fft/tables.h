// SPDX-License-Identifier: MIT
// The list of the FFT kernels: their shapes, and what each is for. The first of a table that fits a
// job is the best known. Each table has a .cu file with its kernels, since they compile long; both
// compilers read this.
#pragma once

#include <cstdint>

#include "engine/device/cuda/fft/shape.h"

KILN_BEGIN

/// The jobs that a kernel is for.
struct FftWhen {
  std::int64_t most_points = std::int64_t(1) << 62;                // all lines together
  std::int64_t least_step = 0, most_step = std::int64_t(1) << 62;  // from point to point
};

/// A shape with the uses (a sum of FftUse) that it is compiled for, and those of them that fetch
/// ahead what lies outside L2 and write streaming what shall go there; measured.
template <class Factors, FftLayout layout, int uses_, int ahead_ = 0, int streams_ = 0,
          FftWhen when_ = FftWhen{}>
struct Entry {
  using Shape = FftShape<Factors, layout>;
  static constexpr int uses = uses_, ahead = ahead_, streams = streams_;
  static constexpr FftWhen when = when_;
};
/// Little work: blocks that are done soon, and the next launch is under way meanwhile.
constexpr FftWhen small_jobs = {1 << 20};
/// Lines whose points lie close together, as columns of tiles do, or far apart.
constexpr FftWhen tiles = {std::int64_t(1) << 62, 0, 32};
constexpr FftWhen far_apart = {std::int64_t(1) << 62, 8192};
constexpr int any_use = 7, one_way = 3, there_and_back = 4;
constexpr int forward_use = 1, inverse_use = 2;

template <int index, class First, class... Rest>
struct FftEntryAt {
  using type = typename FftEntryAt<index - 1, Rest...>::type;
};
template <class First, class... Rest>
struct FftEntryAt<0, First, Rest...> {
  using type = First;
};
template <class... Entries>
struct FftTable {
  static constexpr int size = int(sizeof...(Entries));
  template <int index>
  using At = typename FftEntryAt<index, Entries...>::type;
};
/// The arguments of kernel `index` of a table.
template <class Table, int index>
using FftTaskOf = FftTask<Table::template At<index>::Shape::Sum ? fft_most_terms : 1>;

/// Lines whose points are neighbors in memory.
struct FftRows
    : FftTable<
          Entry<Radices<8, 8, 8>, FftLayout{.threads = 64, .groups = 2, .resident = 8, .step = 1},
                any_use, any_use, any_use>,
          Entry<Radices<8, 8, 16>, FftLayout{.threads = 128, .groups = 2, .resident = 4, .step = 1},
                forward_use, 0, 0, small_jobs>,
          Entry<Radices<8, 8, 16>, FftLayout{.threads = 64, .groups = 2, .resident = 8, .step = 1},
                any_use, one_way, one_way>,
          Entry<Radices<8, 16, 16>,
                FftLayout{.threads = 128, .groups = 2, .resident = 4, .step = 1}, any_use, one_way,
                one_way>,
          Entry<Radices<16, 16, 16>, FftLayout{.threads = 256, .resident = 4, .step = 1}, any_use,
                any_use, any_use>,
          Entry<Radices<32, 16, 16>, FftLayout{.threads = 256, .resident = 2, .step = 1}, any_use,
                any_use, any_use>,
          Entry<Radices<32, 32, 16>, FftLayout{.threads = 512, .step = 1},
                forward_use | there_and_back, any_use, any_use>,
          // 35 KB of shared memory, for GPUs whose blocks get less than 139
          Entry<Radices<32, 32, 16>, FftLayout{.threads = 512, .step = 1, .parts = 4}, any_use, 0,
                any_use>,
          Entry<Radices<8, 12, 12>, FftLayout{.threads = 48, .groups = 4, .resident = 3, .step = 1},
                forward_use>,
          Entry<Radices<16, 12, 12>, FftLayout{.threads = 192, .resident = 5, .step = 1},
                forward_use>,
          Entry<Radices<8, 24, 24>, FftLayout{.threads = 192, .resident = 3, .step = 1},
                forward_use>> {
  static constexpr const char* name = "rows";
};
/// Rows of pictures of four channels: the two halves of a pixel, (r, g) and (b, a), are two lines.
struct FftPixelRows
    : FftTable<
          Entry<Radices<8, 8, 8>,
                FftLayout{.threads = 64, .side_by_side = 2, .groups = 2, .resident = 4, .step = 2},
                one_way>,
          Entry<Radices<8, 8, 16>,
                FftLayout{.threads = 64, .side_by_side = 2, .groups = 2, .resident = 4, .step = 2},
                one_way>,
          Entry<Radices<8, 16, 16>,
                FftLayout{.threads = 128, .side_by_side = 2, .resident = 4, .step = 2}, one_way>,
          Entry<Radices<16, 16, 16>,
                FftLayout{.threads = 256, .side_by_side = 2, .resident = 2, .step = 2}, one_way,
                forward_use, one_way>,
          Entry<Radices<32, 16, 16>, FftLayout{.threads = 256, .side_by_side = 2, .step = 2},
                one_way, one_way, one_way>,
          Entry<Radices<8, 12, 12>,
                FftLayout{.threads = 48, .side_by_side = 2, .groups = 2, .resident = 3, .step = 2},
                one_way>,
          Entry<Radices<16, 12, 12>,
                FftLayout{.threads = 192, .side_by_side = 2, .resident = 2, .step = 2}, one_way>,
          Entry<Radices<8, 24, 24>,
                FftLayout{.threads = 192, .side_by_side = 2, .resident = 2, .step = 2}, one_way>> {
  static constexpr const char* name = "pixel_rows";
};
/// Lines whose first points are neighbors: columns of pictures and of long lines.
struct FftColumns
    : FftTable<
          // of long lines
          Entry<Radices<8, 8>,
                FftLayout{.threads = 8, .side_by_side = 16, .groups = 2, .resident = 4}, one_way,
                one_way, one_way>,
          Entry<Radices<16, 16>, FftLayout{.threads = 8, .side_by_side = 16, .resident = 4},
                one_way, 0, one_way, far_apart>,
          Entry<Radices<16, 16>, FftLayout{.threads = 16, .side_by_side = 16, .resident = 4},
                one_way>,
          Entry<Radices<8, 8, 16>, FftLayout{.threads = 32, .side_by_side = 16}, one_way, one_way,
                one_way, far_apart>,
          // of complex pictures, and of the estimator's kernels
          Entry<Radices<8, 8, 8>, FftLayout{.threads = 32, .side_by_side = 16, .resident = 2},
                forward_use, 0, forward_use>,
          Entry<Radices<8, 8, 16>, FftLayout{.threads = 128, .side_by_side = 4, .resident = 2},
                forward_use, 0, 0, small_jobs>,
          Entry<Radices<8, 8, 16>, FftLayout{.threads = 32, .side_by_side = 8, .resident = 2},
                forward_use, forward_use, forward_use>,
          Entry<Radices<8, 16, 16>, FftLayout{.threads = 128, .side_by_side = 8}, forward_use,
                forward_use, forward_use>,
          Entry<Radices<16, 16, 16>,
                FftLayout{.threads = 128, .side_by_side = 4, .within_warps = false}, forward_use, 0,
                forward_use>,
          Entry<Radices<8, 12, 12>, FftLayout{.threads = 48, .side_by_side = 8, .resident = 2},
                forward_use>,
          Entry<Radices<16, 12, 12>, FftLayout{.threads = 192, .side_by_side = 4}, forward_use>,
          Entry<Radices<8, 24, 24>, FftLayout{.threads = 192, .side_by_side = 4}, forward_use>,
          // of convolutions
          Entry<Radices<8, 8, 8>, FftLayout{.threads = 64, .side_by_side = 8, .resident = 2},
                there_and_back>,
          Entry<Radices<32, 32>, FftLayout{.threads = 32, .side_by_side = 8, .resident = 2},
                there_and_back>,
          Entry<Radices<8, 12, 12>,
                FftLayout{.threads = 48, .side_by_side = 4, .resident = 2, .carried = 2},
                there_and_back>,
          Entry<Radices<8, 16, 16>,
                FftLayout{.threads = 128, .side_by_side = 2, .resident = 2, .carried = 2},
                there_and_back, there_and_back, there_and_back, tiles>,
          Entry<Radices<8, 16, 16>, FftLayout{.threads = 128, .side_by_side = 4, .carried = 2},
                there_and_back, there_and_back>,
          Entry<Radices<16, 12, 12>, FftLayout{.threads = 48, .side_by_side = 4, .resident = 2},
                there_and_back>,
          Entry<Radices<16, 16, 16>,
                FftLayout{.threads = 256, .side_by_side = 2, .carried = 2, .within_warps = false},
                there_and_back, there_and_back, there_and_back>,
          Entry<Radices<8, 24, 24>,
                FftLayout{.threads = 96, .side_by_side = 4, .within_warps = false}, there_and_back,
                there_and_back, there_and_back>,
          // too long for AnyLine's shared memory
          Entry<Radices<32, 16, 16>, FftLayout{.threads = 256, .side_by_side = 2},
                forward_use | there_and_back>,
          Entry<Radices<32, 32, 16>, FftLayout{.threads = 512, .parts = 4}, any_use>> {
  static constexpr const char* name = "columns";
};
/// Columns with several products and one inverse: twice the registers a point.
struct FftSums
    : FftTable<Entry<Radices<8, 8, 8>,
                     FftLayout{.threads = 64, .side_by_side = 4, .resident = 2, .sum = true},
                     there_and_back>,
               Entry<Radices<8, 8, 16>,
                     FftLayout{.threads = 64, .side_by_side = 4, .resident = 2, .sum = true},
                     there_and_back>,
               Entry<Radices<8, 16, 16>, FftLayout{.threads = 128, .side_by_side = 4, .sum = true},
                     there_and_back>,
               Entry<Radices<16, 16, 16>, FftLayout{.threads = 256, .side_by_side = 2, .sum = true},
                     there_and_back>,
               Entry<Radices<8, 12, 12>,
                     FftLayout{.threads = 48, .side_by_side = 4, .resident = 2, .sum = true},
                     there_and_back>,
               Entry<Radices<16, 12, 12>, FftLayout{.threads = 192, .side_by_side = 2, .sum = true},
                     there_and_back>,
               Entry<Radices<8, 24, 24>, FftLayout{.threads = 192, .side_by_side = 2, .sum = true},
                     there_and_back>> {
  static constexpr const char* name = "sums";
};

KILN_END
