// SPDX-License-Identifier: MIT
// What an FFT does, decided from its length and use alone, so that every device does the same
// operations: the factors of a line, the twiddles of its passes, how a long line is cut in two.
#pragma once

#include <vector>

#include "engine/device/device.h"

namespace kiln {

/// True for 2^a 3^b 5^c, the lengths that exist here.
bool is_fft_length(i64 n);
/// The shortest such length >= n that has a fast kernel of its own on CUDA (powers of two, 9 2^k),
/// or, if `any`, the shortest of all.
i32 next_fft_length(i32 n, bool any = false);

/// The radices of a line of n points, first pass first. Fewest passes, then the smallest sum; some
/// lengths are stated because a whole number of their butterflies fits a thread's registers.
/// `largest` forces the largest radix (2, 4, 8, 16, 32 or 64) for powers of two; 0: none.
std::vector<int> fft_radices(i32 n, int largest = 0);
/// The largest radix of columns of a convolution by one filter; 0: whatever fft_radices takes. 1024
/// points meet once each way as 32 x 32.
inline int convolution_column_radix(i32 points) { return points == 1024 ? 32 : 0; }
/// True if n points are one line, not rows and columns.
bool is_one_line(i64 n);
/// n = columns x rows: how a long line is cut. `rows` is the length of the second, contiguous one.
struct LongSplit {
  i32 columns, rows;
};
LongSplit split_long_line(i64 n);

/// exp(-2 pi i k / n), rounded from double.
Complex unit_root(i64 k, i64 n);

/// The plan of a line with its twiddles in a device's memory.
class FftPlan {
 public:
  FftPlan(Device& device, i32 points, int largest_radix = 0);
  const LinePlan& line() const { return line_; }

 private:
  LinePlan line_;
  DeviceArray<Complex> twiddles_;
};

/// The rotation between the columns and the rows of a long line.
class FftRotation {
 public:
  FftRotation(Device& device, const LinePlan& columns, i32 rows);
  const Rotation& rotation() const { return rotation_; }

 private:
  DeviceArray<Complex> low_, high_;
  Rotation rotation_;
};

}  // namespace kiln
