#include "tests/parity/fft_emulation.h"

// after it: threads are emulated
#include "engine/device/cuda_fft_landed.cuh"

namespace kiln::test {
namespace {

TEST(FftEmulation, ColumnsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 4, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 16, 16>, 64, 4, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 32, 4, 1, 2>>(*device);  // threads with unequal shares
  check_shape<FftShape<Radices<16, 12, 12>, 48, 2, 1, 2>>(*device);
  check_shape<FftShape<Radices<8, 24, 24>, 192, 2, 1, 2>>(*device);
  // within warps: more points of a first butterfly than lanes, and two groups
  check_shape<FftShape<Radices<32, 16, 16>, 256, 2, 1, 1>>(*device);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 4, 2, 1>>(*device);
  check_shape<FftShape<Radices<32, 32>, 32, 8, 1, 2>>(*device, 32);
  check_shape<FftShape<Radices<32, 32>, 32, 4, 1, 2>>(*device, 32);
  check_shape<FftShape<Radices<16, 16>, 16, 8, 1, 2, 0, 1, true>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 48, 4, 1, 2, 0, 1, true>>(*device);
}

TEST(FftEmulation, PairsOfColumnsHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  check_shape<FftShape<Radices<8, 8>, 8, 8, 2, 4, 0, 1, false, 2>>(*device);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 4, 1, 2, 0, 1, false, 2>>(*device);
  check_shape<FftShape<Radices<8, 12, 12>, 48, 4, 1, 2, 0, 1, false, 2>>(*device);
  check_shape<FftShape<Radices<8, 8, 16>, 64, 2, 1, 2, 0, 1, false, 2, false>>(*device);
}

TEST(FftEmulation, EightRowsOfALandedPixelFillTheBanks) {
  using Tile = FftLandedTile;
  for (u32 row = 0; row < Tile::n; ++row) {
    for (u32 pixel = 0; pixel < Tile::pixels; ++pixel) {
      EXPECT_EQ(Tile::place(row, pixel) / Tile::row_bytes, row);
      EXPECT_EQ(Tile::place(row + 8, pixel), Tile::place(row, pixel) + 8 * Tile::row_bytes);
      u32 banks = 0;  // by fours, as 16 bytes reach them
      for (u32 c = 0; c < 8; ++c) {
        EXPECT_EQ(Tile::place(row ^ c, pixel), Tile::place(row, pixel) ^ Tile::place(c, 0));
        banks |= 1u << Tile::place(row ^ c, pixel) / 16 % 8;
      }
      EXPECT_EQ(banks, 0xffu) << "row " << row << ", pixel " << pixel;
    }
  }
}

TEST(FftEmulation, ColumnsThatLandHaveTheBitsOfTheCpu) {
  const auto device = open_cpu(1);
  using Tile = FftLandedTile;
  const FftPlan plan(*device, Tile::n, Tile::radix);
  constexpr i32 tiles = 2;
  check_landing(*device, plan.line(), tiles * Tile::lines, [](const FftLines& job) {
    std::vector<Complex> memory(std::size_t(tiles * Tile::bytes) / sizeof(Complex));
    const auto tile = [&](i32 t) {
      return reinterpret_cast<char*>(memory.data()) + t * Tile::bytes;
    };
    const auto each_point = [&](const auto& body) {
      for (i32 line = 0; line < tiles * Tile::lines; ++line) {
        for (i32 p = 0; p < Tile::n; ++p) {
          const u32 pixel = u32(line % Tile::lines / 2);
          Complex* const halves =
              reinterpret_cast<Complex*>(tile(line / Tile::lines) + Tile::place(u32(p), pixel));
          body(halves[line % 2], p, line);
        }
      }
    };
    each_point([&](Complex& point, i32 p, i32 line) {
      const bool there = p < job.from.extent;
      point = there ? job.in[0][p * job.from.point_step + line] : Complex{0, 0};
    });
    // one pixel after the other: none waits for another
    for (int first = 0; first < Tile::threads; first += Tile::pixel_threads) {
      kiln_emulated::run(1, Tile::pixel_threads, [&] {
        FftLandedColumn column(u32(first) + threadIdx.x, job.plan.twiddles, job.scale);
        for (i32 t = 0; t < tiles; ++t) {
          column.run(
              tile(t), [&] { return job.spectrum[0].real + t * Tile::factors; }, [] {});
        }
      });
    }
    each_point([&](Complex point, i32 p, i32 line) {
      Complex* const out = static_cast<Complex*>(job.out);
      if (p < job.to.extent) out[p * job.to.point_step + line] = point;
    });
  });
}

}  // namespace
}  // namespace kiln::test
