// SPDX-License-Identifier: MIT
// One radix for all passes, as far as the length allows: what `fft_bench --radix` compares.
#pragma once

#include "engine/device/cuda/fft/tables.h"

KILN_BEGIN

/// Rows, then columns.
struct FftRadix
    : FftTable<
          Entry<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2>,
                FftLayout{.threads = 64, .groups = 4, .resident = 2}, any_use>,
          Entry<Radices<4, 4, 4, 4, 4>, FftLayout{.threads = 64, .groups = 4, .resident = 2},
                any_use>,
          Entry<Radices<2, 8, 8, 8>, FftLayout{.threads = 64, .groups = 4, .resident = 2}, any_use>,
          Entry<Radices<4, 16, 16>, FftLayout{.threads = 64, .groups = 4, .resident = 2}, any_use>,
          Entry<Radices<32, 32>, FftLayout{.threads = 32, .groups = 8}, any_use>,
          Entry<Radices<16, 64>, FftLayout{.threads = 16, .groups = 8}, any_use>,
          Entry<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2>, FftLayout{.threads = 64, .side_by_side = 8},
                any_use>,
          Entry<Radices<4, 4, 4, 4, 4>, FftLayout{.threads = 64, .side_by_side = 8}, any_use>,
          Entry<Radices<2, 8, 8, 8>, FftLayout{.threads = 64, .side_by_side = 8}, any_use>,
          Entry<Radices<4, 16, 16>, FftLayout{.threads = 64, .side_by_side = 8}, any_use>,
          Entry<Radices<32, 32>, FftLayout{.threads = 32, .side_by_side = 8}, any_use>,
          Entry<Radices<16, 64>, FftLayout{.threads = 16, .side_by_side = 8}, any_use>,
          Entry<Radices<2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2>,
                FftLayout{.threads = 256, .resident = 2}, any_use>,
          Entry<Radices<4, 4, 4, 4, 4, 4>, FftLayout{.threads = 256, .resident = 2}, any_use>,
          Entry<Radices<8, 8, 8, 8>, FftLayout{.threads = 256, .resident = 2}, any_use>,
          Entry<Radices<4, 32, 32>, FftLayout{.threads = 128, .groups = 2}, any_use>,
          Entry<Radices<64, 64>, FftLayout{.threads = 64, .groups = 2}, any_use>> {
  static constexpr const char* name = "fft_radix";
};

KILN_END
