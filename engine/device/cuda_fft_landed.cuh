// Columns of 1024 points in a tile in shared memory, times a real spectrum: forward, the factors,
// inverse, in place. The copy engine brings tiles and fetches them (cuda_fft_landing.cu), so all
// that a thread reads and writes is shared memory.
//
// A tile is four pixels wide: a row of 64 bytes for each point of its columns. 64 threads transform
// a pixel, 32 for each half; they keep to its 16 bytes of every row and wait for nobody else. Both
// passes are butterflies of 32 points, and between them each thread's 32 points go to 32 threads:
// point q of thread t waits in row 32 t + (q ^ t % 8), so that threads of eight neighbouring t
// write and read rows which differ modulo 8. The engine puts pixel p of row r at p ^ (r / 2 % 4)
// (its 64-byte swizzle), and so a pixel's 16 bytes of eight such rows fill the banks once.
#pragma once

#include "engine/device/cuda_fft_thread.cuh"

KILN_BEGIN

struct FftLandedTile {
  static constexpr int radix = 32, n = radix * radix;
  static constexpr int pixels = 4, lines = 2 * pixels;
  static constexpr int row_bytes = lines * int(sizeof(Complex)), bytes = n * row_bytes;
  static constexpr int factors = n * pixels;
  static constexpr int pixel_threads = 2 * radix, threads = pixels * pixel_threads;

  /// Bytes from the beginning of a tile to a pixel of a row: place(r ^ c, p) is
  /// place(r, p) ^ place(c, 0), and place(r + 8, p) is place(r, p) + 8 row_bytes.
  static KILN_CONSTEXPR u32 place(u32 row, u32 pixel) {
    return row * u32(row_bytes) ^ (pixel ^ row / 2 % 4) * 16;
  }
};

#if KILN_CUDA_CODE || KILN_EMULATES_CUDA

/// One thread's part of the same columns of any number of tiles.
class FftLandedColumn {
 public:
  /// `thread` is one of FftLandedTile::threads; those of a pixel follow each other.
  KILN_FN FftLandedColumn(u32 thread, const Complex* twiddles, float scale) : scale_(scale) {
    t_ = thread / 2 % radix;
    pixel_ = thread / Tile::pixel_threads;
    const u32 half = thread % 2 * u32(sizeof(Complex));
    mine_ = Tile::place(t_, pixel_) ^ half;
    run_ = Tile::place(t_ * radix + t_ % 8, pixel_) ^ half;
    const Complex* const second = twiddles + Radices<radix, radix>::table(1) + t_;
    unrolled<radix - 1>([&](auto q) { twiddles_[q] = read_constant(second + q * radix); });
  }

  /// `factors` waits for the tile's factors, [point, pixel]; `multiplied` says that this thread no
  /// longer needs them.
  template <class Factors, class Multiplied>
  KILN_FN void run(char* tile, const Factors& factors, const Multiplied& multiplied) {
    // points t, t + 32, ... of the column, in its order
    const auto landed = [&](auto q) -> Complex& {
      return *reinterpret_cast<Complex*>(tile + mine_ + q * distance);
    };
    // the same points on their way to others, and what others have for this thread
    const auto sent = [&](auto q) -> Complex& {
      return *reinterpret_cast<Complex*>(tile + (run_ ^ Tile::place(q % 8, 0)) +
                                         q / 8 * (8 * Tile::row_bytes));
    };
    const auto received = [&](auto q) -> Complex& {
      return *reinterpret_cast<Complex*>(tile + (mine_ ^ Tile::place(q % 8, 0)) + q * distance);
    };
    each_point([&](auto q) { v_[q] = landed(q); });
    butterfly<radix>(v_);
    wait();
    each_point([&](auto q) { sent(q) = v_[q]; });
    wait();
    each_point([&](auto q) { v_[q] = received(q); });
    turn();
    butterfly<radix>(v_);
    const float* const mine = factors() + t_ * Tile::pixels + pixel_;
    each_point([&](auto q) { v_[q] = exchanged(v_[q] * mine[q * (radix * Tile::pixels)]); });
    multiplied();
    butterfly<radix>(v_);
    turn();
    each_point([&](auto q) { received(q) = v_[q]; });  // where only this thread has read
    wait();
    each_point([&](auto q) { v_[q] = sent(q); });
    butterfly<radix>(v_);
    if (scale_ != 1) each_point([&](auto q) { v_[q] = v_[q] * scale_; });
    wait();
    each_point([&](auto q) { landed(q) = exchanged(v_[q]); });
  }

 private:
  using Tile = FftLandedTile;
  static constexpr int radix = Tile::radix;
  static constexpr int distance = radix * Tile::row_bytes;  // of a thread's rows

  template <class Body>
  KILN_FN void each_point(const Body& body) {
    unrolled<radix>(body);
  }
  KILN_FN void turn() {
    twiddle<radix>(v_, [&](int q) KILN_INLINE { return twiddles_[q - 1]; });
  }
  /// For the threads of this pixel.
  KILN_FN void wait() const { group_barrier<Tile::pixels, Tile::pixel_threads>(int(pixel_)); }

  float scale_;
  u32 t_, pixel_;
  u32 mine_;  // bytes to row t
  u32 run_;   // and to row 32 t + t % 8
  Complex twiddles_[radix - 1];
  Complex v_[radix];
};

#endif

KILN_END
