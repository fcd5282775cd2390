// SPDX-License-Identifier: MIT
// Between light and the numbers that files have for it: the curve of sRGB (IEC 61966-2-1) and PQ (SMPTE ST 2084). Without
// libm, so the same bits everywhere; tables take the place of powers where there are many pixels.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace kiln {

/// Light of a signal of sRGB, 1 is white; goes on above 1.
double light_of_srgb(double signal);
/// The signal of sRGB of such light.
double srgb_of(double light);

/// The PQ signal, 0..1, of light in cd/m2.
double pq_of(double light);
/// The light in cd/m2 of a PQ signal.
double light_of_pq(double signal);

/// cd/m2 of what files of 8 bits have as 255: graphics white of ITU-R BT.2408.
inline constexpr double hdr_white = 203;

/// A smooth function of numbers above 0 by its values at 256 places an octave, with lines between them; 0
/// at 0, and beyond its ends as there.
class LightTable {
 public:
  template <class Function>
  explicit LightTable(Function function) {
    for (std::size_t i = 0; i < values_.size(); ++i)
      values_[i] = static_cast<float>(
          function(double(std::bit_cast<float>(first + std::uint32_t(i << shift)))));
  }
  float operator()(float x) const {
    if (!(x > 0)) return 0;
    const std::uint32_t bits = std::clamp(std::bit_cast<std::uint32_t>(x), first, last);
    const std::size_t i = (bits - first) >> shift;
    const float share = float((bits - first) & ((1u << shift) - 1)) / float(1u << shift);
    return values_[i] + (values_[i + 1] - values_[i]) * share;
  }

 private:
  static constexpr int shift = 23 - 8;
  static constexpr std::uint32_t first = (127u - 40) << 23, last = ((127u + 20) << 23) - 1;
  std::array<float, ((last - first) >> shift) + 2> values_;
};

}  // namespace kiln
