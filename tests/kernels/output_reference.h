// SPDX-License-Identifier: MIT
// The stages after the histogram once more, as plain double loops straight from flam3-pipeline.md
// sections 8-11: what the kernels of kernels/ are compared with. Scatter instead of gather, tables
// in two dimensions, colors through HSV: nothing is shared with them.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "engine/render/stages/output_plan.h"
#include "kernels/block.h"

namespace kiln::testing {

using Pixel = std::array<double, 4>;

/// Runs every block of a kernel on this thread.
template <class Kernel>
void run_kernel(const Kernel& kernel) {
  typename Kernel::Shared shared;
  for (int index = 0; index < kernel.block_count(); ++index) {
    CpuBlock<Kernel::lanes> block;
    block.index = index;
    kernel(block, shared);
  }
}

/// A histogram in fixed point: [height, width, channels], every value a multiple of `unit`.
struct TestHistogram {
  int width, height, channels;
  float unit;
  std::vector<u64> sums;

  Buckets view() const { return {sums.data(), width, height, channels, unit}; }
  double value(int x, int y, int channel) const {
    return double(sums[(std::size_t(y) * width + x) * channels + channel]) * unit;
  }
  double alpha(int x, int y) const { return value(x, y, 3); }
  double hits(int x, int y) const { return value(x, y, channels - 1); }
};

/// Random buckets: a third empty, the others from one hit to some thousands. Five channels: alpha
/// differs from the hits.
inline TestHistogram random_histogram(int width, int height, int channels, float unit,
                                      unsigned seed) {
  std::mt19937 random(seed);
  TestHistogram h{width, height, channels, unit,
                  std::vector<u64>(std::size_t(width) * height * channels)};
  for (std::size_t i = 0; i < h.sums.size(); i += channels) {
    const unsigned hits = random() % 3 == 0 ? 0 : random() % 8 < 5 ? random() % 6 : random() % 2000;
    for (int c = 0; c < channels; ++c) {
      const bool whole = c == 3 && channels == 4;
      h.sums[i + c] = u64(double(hits) * (whole || c == 4 ? 255 : double(random() % 256)) / unit);
    }
  }
  return h;
}

/// Log-scaled bucket, section 8.
inline Pixel log_scaled(const TestHistogram& h, const LogCurve& curve, int x, int y) {
  const double a = h.alpha(x, y);
  if (a == 0) return {};
  const double m = double(curve.k1) * std::log1p(a * double(curve.k2)) / a;
  return {h.value(x, y, 0) * m, h.value(x, y, 1) * m, h.value(x, y, 2) * m, a * m};
}

/// Density estimation as a scatter, section 9. The kernel's width and coefficients come from the
/// radius formula here.
inline std::vector<Pixel> scatter_density(const TestHistogram& h, const LogCurve& curve,
                                          const DensityPlan& plan, double radius) {
  std::vector<Pixel> result(std::size_t(h.width) * h.height);
  const int os = plan.supersample, q = os / 2, reach = int(std::ceil(radius * os + 1)) - 1;
  for (int j = os - 1; j <= std::min(h.height - 1, h.height - os + 1); ++j) {
    for (int i = os - 1; i < h.width - (os - 1); ++i) {
      if (h.alpha(i, j) == 0 || h.hits(i, j) == 0) continue;
      double f = 0;
      for (int y = j - q; y <= j + q; ++y) {
        for (int x = i - q; x <= i + q; ++x) {
          if (x >= 0 && y >= 0 && x < h.width && y < h.height) f += h.hits(x, y) / 255;
        }
      }
      if (os % 2 == 0) f *= std::pow(os / (os + 1.0), 2);
      int id =
          f <= 100 ? int(std::ceil(f)) - 1 : 100 + int(std::floor(std::pow(f - 100, plan.curve)));
      if (f > plan.cutoff) id = plan.last;
      id = std::min(id, plan.last);

      const double width = plan.widths[id];
      double norm = 0;
      for (int y = -reach; y <= reach; ++y) {
        for (int x = -reach; x <= reach; ++x) {
          const double d = std::sqrt(double(x * x + y * y)) / width;
          if (d <= 1) norm += std::exp(-4.5 * d * d);
        }
      }
      const Pixel light = log_scaled(h, curve, i, j);
      const int span = int(std::ceil(width)) - 1;
      for (int y = -span; y <= span; ++y) {
        for (int x = -span; x <= span; ++x) {
          const double d = std::sqrt(double(x * x + y * y)) / width;
          if (d > 1 || i + x < 0 || j + y < 0 || i + x >= h.width || j + y >= h.height) continue;
          Pixel& to = result[std::size_t(j + y) * h.width + i + x];
          for (int c = 0; c < 4; ++c) to[c] += light[c] * std::exp(-4.5 * d * d) / norm;
        }
      }
    }
  }
  return result;
}

/// The spatial filter as one table of F x F products, section 10.
inline std::vector<Pixel> filtered(const std::vector<Pixel>& buffer, const OutputPlan& plan,
                                   FilterShape shape, double radius_px, double pixel_aspect) {
  const int os = plan.geometry.supersample, size = plan.filter.size;
  const double support = filter_support(shape), full = 2 * support * os * radius_px / pixel_aspect;
  const double adjust = full > 0 ? support * size / full : 1;
  std::vector<double> table;
  double sum = 0;
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const double x = ((2 * i + 1.0) / size - 1) * adjust, y = ((2 * j + 1.0) / size - 1) * adjust;
      table.push_back(filter_value(shape, x) * filter_value(shape, y / pixel_aspect));
      sum += table.back();
    }
  }
  std::vector<Pixel> result(std::size_t(plan.width) * plan.height);
  for (int y = 0; y < plan.height; ++y) {
    for (int x = 0; x < plan.width; ++x) {
      for (int j = 0; j < size; ++j) {
        for (int i = 0; i < size; ++i) {
          const int row = plan.geometry.filter_offset + y * os + j,
                    column = plan.geometry.filter_offset + x * os + i;
          const Pixel& from = buffer[std::size_t(row) * plan.geometry.width + column];
          for (int c = 0; c < 4; ++c) {
            result[std::size_t(y) * plan.width + x][c] +=
                table[std::size_t(j) * size + i] / sum * from[c];
          }
        }
      }
    }
  }
  return result;
}

/// Full-value color p with its HSV saturation multiplied: through hue, as the specification words
/// it.
inline std::array<double, 3> scale_saturation(std::array<double, 3> p, double factor) {
  const double high = std::max({p[0], p[1], p[2]}), low = std::min({p[0], p[1], p[2]});
  if (high == low) return p;
  double hue = p[0] == high   ? (p[1] - p[2]) / (high - low)
               : p[1] == high ? 2 + (p[2] - p[0]) / (high - low)
                              : 4 + (p[0] - p[1]) / (high - low);
  if (hue < 0) hue += 6;
  const double saturation = (high - low) / high * factor;
  const int sector = int(hue);
  const double part = hue - sector;
  const double least = high * (1 - saturation), falling = high * (1 - saturation * part),
               rising = high * (1 - saturation * (1 - part));
  switch (sector) {
    case 0:
      return {high, rising, least};
    case 1:
      return {falling, high, least};
    case 2:
      return {least, high, rising};
    case 3:
      return {least, falling, high};
    case 4:
      return {rising, least, high};
    default:
      return {high, least, falling};
  }
}

struct ToneSettings {
  double gamma = 4, threshold = 0.01, vibrancy = 1, highlight_power = -1;
  std::array<double, 3> background = {0, 0, 0};
  bool transparent = false;
};

inline double opacity_in_double(double d, double gamma, double threshold) {
  const double g = 1 / gamma;
  if (d <= 0) return 0;
  if (d >= threshold) return std::pow(d, g);
  const double f = d / threshold;
  return (1 - f) * d * (std::pow(threshold, g) / threshold) + f * std::pow(d, g);
}

/// newrgb of section 11.
inline std::array<double, 3> highlights_in_double(const Pixel& t, double ls,
                                                  double highlight_power) {
  if (ls == 0 || (t[0] == 0 && t[1] == 0 && t[2] == 0)) return {0, 0, 0};
  const double mc = std::max({t[0], t[1], t[2]}) / 255, ma = ls * mc, nl = 255 / mc;
  if (ma > 255 && highlight_power >= 0) {
    std::array<double, 3> p = {nl * t[0] / 255 / 255, nl * t[1] / 255 / 255, nl * t[2] / 255 / 255};
    p = scale_saturation(p, std::pow(nl / ls, highlight_power));
    return {255 * p[0], 255 * p[1], 255 * p[2]};
  }
  const double j = ma <= 255 ? 1 : std::min(1.0, -highlight_power);
  const double scale = ((1 - j) * nl + j * ls) / 255;
  return {scale * t[0], scale * t[1], scale * t[2]};
}

/// Section 11 for one pixel, channels below 0 counted as 0.
inline Pixel tone_mapped(const Pixel& light, const ToneSettings& s) {
  Pixel t;
  for (int c = 0; c < 4; ++c) t[c] = std::max(light[c], 0.0);
  const double d = t[3] / 255, full = opacity_in_double(d, s.gamma, s.threshold);
  const double ls = d > 0 ? s.vibrancy * 256 * full / d : 0, alpha = std::min(full, 1.0);
  const auto rgb = highlights_in_double(t, ls, s.highlight_power);
  Pixel out;
  for (int c = 0; c < 3; ++c) {
    out[c] = rgb[c] + (1 - s.vibrancy) * 256 * std::pow(t[c] / 255, 1 / s.gamma);
    if (s.transparent) {
      out[c] = alpha > 0 ? out[c] / alpha : 0;
    } else {
      out[c] += (1 - alpha) * 256 * s.background[c];
    }
    out[c] = std::clamp(out[c], 0.0, 255.0);
  }
  out[3] = alpha;
  return out;
}

}  // namespace kiln::testing
