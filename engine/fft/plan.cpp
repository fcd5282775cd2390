// SPDX-License-Identifier: MIT
#include "engine/fft/plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr int radices[] = {2, 3, 4, 5, 6, 8, 9, 10, 12, 15, 16};

/// Lengths whose factors are stated. 8192 and 16384 save a pass with 32 points a thread; the
/// multiples of 9 share their points out evenly over threads of 16 or 24.
const std::map<i32, std::vector<int>> stated = {
    {1152, {8, 12, 12}},  {2304, {16, 12, 12}},  {4608, {8, 24, 24}},
    {8192, {32, 16, 16}}, {16384, {32, 32, 16}},
};

struct Best {
  int passes = 1000, sum = 0;
  std::vector<int> radices;  // smallest first
};

Best search(i32 n, int largest) {
  if (n == 1) return {0, 0, {}};
  Best best;
  for (const int radix : radices) {
    if (n % radix || radix > largest) continue;
    Best rest = search(n / radix, radix);
    if (rest.passes + 1 < best.passes ||
        (rest.passes + 1 == best.passes && rest.sum + radix < best.sum)) {
      rest.radices.push_back(radix);
      best = {rest.passes + 1, rest.sum + radix, std::move(rest.radices)};
    }
  }
  return best;
}

std::vector<int> forced_radices(i32 n, int largest) {
  std::vector<int> result;
  while (n >= largest) {
    result.push_back(largest);
    n /= largest;
  }
  if (n > 1) result.insert(result.begin(), n);
  return result;
}

}  // namespace

bool is_fft_length(i64 n) {
  if (n < 1 || n > (i64(1) << 24)) return false;
  for (const int factor : {2, 3, 5}) {
    while (n % factor == 0) n /= factor;
  }
  return n == 1;
}

i32 next_fft_length(i32 n, bool any) {
  if (any) {
    while (!is_fft_length(n)) ++n;
    return n;
  }
  i32 power = 64;
  while (power < n) power *= 2;
  const i32 with_nine = power / 16 * 9;  // 1152 lies between 1024 and 2048
  return with_nine >= n && with_nine >= 1152 && with_nine <= 4608 ? with_nine : power;
}

std::vector<int> fft_radices(i32 n, int largest) {
  if (largest > 0) return forced_radices(n, largest);
  if (const auto found = stated.find(n); found != stated.end()) return found->second;
  return search(n, 16).radices;
}

bool is_one_line(i64 n) { return n <= 8192 || n == fft_longest; }

LongSplit split_long_line(i64 n) {
  const i32 wanted_rows = n < 1 << 22 ? 4096 : fft_longest;  // columns beyond 1024 cost more
  LongSplit best{0, 0};
  for (i32 rows = 1; rows <= fft_longest; ++rows) {
    if (n % rows || !is_one_line(rows) || !is_one_line(n / rows) || n / rows > 4096) continue;
    if (rows <= wanted_rows || best.rows == 0) best = {i32(n / rows), rows};
  }
  if (best.rows == 0) {
    throw Error(ErrorKind::unsupported,
                fmt::format("there is no FFT of {} points; lengths are 2^a 3^b 5^c up to 2^24", n));
  }
  return best;
}

Complex unit_root(i64 k, i64 n) {
  // reduced to the first octant in integers, so that symmetric roots have equal digits
  k %= n;
  const bool below = 2 * k > n;
  if (below) k = n - k;
  const bool left = 4 * k > n;
  if (left) k = n - 2 * k, n *= 2;
  const bool steep = 8 * k > n;
  if (steep) k = n - 4 * k, n *= 4;
  const exact::SinCos t = exact::sincos(6.283185307179586476925 * double(k) / double(n));
  const double c = steep ? t.s : t.c, s = steep ? t.c : t.s;
  return {float(left ? -c : c), float(below ? s : -s)};
}

FftPlan::FftPlan(Device& device, i32 points, int largest_radix) {
  line_.points = points;
  if (!is_fft_length(points) || !is_one_line(points)) {
    throw Error(ErrorKind::unsupported, fmt::format("an FFT line cannot have {} points", points));
  }
  const std::vector<int> factors = fft_radices(points, largest_radix);
  line_.passes = i32(factors.size());
  std::vector<Complex> twiddles;
  i32 done = 1;
  for (std::size_t p = 0; p < factors.size(); ++p) {
    const int radix = factors[p], step = twiddle_step(radix);
    line_.radix[p] = radix;
    line_.table[p] = i32(twiddles.size());
    const auto rounded = [&](int q, i32 k) { return unit_root(i64(q) * k, i64(done) * radix); };
    for (int q = 1; q < radix; ++q) {
      for (i32 k = 0; k < done; ++k) {
        const int low = q % step, high = q - low;
        twiddles.push_back(low && high ? rounded(high, k) * rounded(low, k) : rounded(q, k));
      }
    }
    done *= radix;
  }
  twiddles_ = DeviceArray<Complex>(device, twiddles);
  line_.twiddles = twiddles_.data();
}

FftRotation::FftRotation(Device& device, const LinePlan& columns, i32 rows) {
  const i64 n = i64(columns.points) * rows;
  const i32 last = columns.passes ? columns.radix[columns.passes - 1] : 1;
  rotation_.count = columns.points / last;
  rotation_.columns = rows;
  std::vector<Complex> low, high;
  for (i64 k = 0; k < rotation_.count; ++k) {
    for (i64 j = 0; j < rows; ++j) low.push_back(unit_root(k * j, n));
  }
  for (i64 k = 0; k < last; ++k) {
    for (i64 j = 0; j < rows; ++j) high.push_back(unit_root(k * rotation_.count * j % n, n));
  }
  low_ = DeviceArray<Complex>(device, low);
  high_ = DeviceArray<Complex>(device, high);
  rotation_.low = low_.data();
  rotation_.high = high_.data();
}

}  // namespace kiln
