// SPDX-License-Identifier: MIT
#include "engine/render/stages/effects/effects_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/fft/plan.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double pi_exact = 3.14159265358979323846;
constexpr int longest_side = 12288;  // leaves a quarter of the longest FFT line for the reach

// Bloom: each Gaussian is twice as wide as the one before and has half its light, so that the light
// falls as the cube of the distance, as in lenses and eyes. 0.572: half of it is within the radius.
constexpr int bloom_lobes = 5;
constexpr double bloom_narrowest = 0.572;

// Glare: the same along a ray, per cent of the height.
constexpr int glare_lobes = 5;
constexpr double glare_narrowest = 0.75, glare_width = 0.08;

/// Variances and covariance in pixels.
struct Covariance {
  double xx, xy, yy;
};

/// The sum of a Gaussian with integral 1 over a lattice, by Poisson's formula: narrow ones miss
/// light or have too much.
double lattice_sum(const Covariance& c) {
  double sum = 0;
  for (int ky = -3; ky <= 3; ++ky) {
    for (int kx = -3; kx <= 3; ++kx) {
      const double form = kx * kx * c.xx + 2 * kx * ky * c.xy + ky * ky * c.yy;
      sum += exact::exp(-2 * pi_exact * pi_exact * form);
    }
  }
  return sum;
}

/// A Gaussian with standard deviations `along` the angle and `across` it, in pixels of square
/// shape. Pixels are areas: light comes from one and falls on one, each adds its variance 1/12, so
/// that pictures of all sizes agree. What is narrower than half a pixel becomes half a pixel, or
/// lines would fall into beads.
GaussianLobe lobe(double light, double along, double across, double angle_deg, double aspect) {
  const exact::SinCos t = exact::sincos(angle_deg * pi_exact / 180);
  const double a = along * along, b = across * across, y_down = -1;
  const double own = 1.0 / 6 + std::max(0.0, 1.0 / 12 - std::min(a, b));
  const Covariance c = {(a * t.c * t.c + b * t.s * t.s) / (aspect * aspect) + own,
                        y_down * (a - b) * t.c * t.s / aspect, a * t.s * t.s + b * t.c * t.c + own};
  const double determinant = c.xx * c.yy - c.xy * c.xy;
  const double peak = light / (2 * pi_exact * std::sqrt(determinant) * lattice_sum(c));
  // half the inverse matrix is {{px^2, px py}, {px py, py^2 + qy^2}}
  const double px = std::sqrt(c.yy / (2 * determinant));
  const double py = -c.xy / (2 * determinant) / px, qy = std::sqrt(1 / (2 * c.yy));
  return {float(peak), float(px), float(py), float(qy)};
}

double shares(int lobes) { return 2 - std::ldexp(1.0, 1 - lobes); }  // 1 + 1/2 + 1/4 + ...

void add_bloom(const Bloom& bloom, const EffectsFrame& frame, std::vector<GaussianLobe>& lobes) {
  if (bloom.strength <= 0) return;
  for (int i = 0; i < bloom_lobes; ++i) {
    const double light = bloom.strength * std::ldexp(1.0, -i) / shares(bloom_lobes);
    const double width = bloom_narrowest * bloom.radius * frame.percent_px * std::ldexp(1.0, i);
    lobes.push_back(lobe(light, width, width, 0, frame.pixel_aspect));
  }
}

void add_glare(const Glare& glare, const EffectsFrame& frame, std::vector<GaussianLobe>& lobes) {
  const int rays = glare.points / 2;
  for (int ray = 0; ray < rays; ++ray) {
    const double angle = glare.angle_deg + 180.0 * ray / rays;
    for (int i = 0; i < glare_lobes; ++i) {
      const double light = glare.strength / rays * std::ldexp(1.0, -i) / shares(glare_lobes);
      const double along = glare_narrowest * frame.percent_px * std::ldexp(1.0, i);
      lobes.push_back(
          lobe(light, along, glare_width * frame.percent_px, angle, frame.pixel_aspect));
    }
  }
}

/// The share of source cell `from` that lies in target cell `to`; a target cell is as wide as
/// `scale` source cells.
double overlap(int from, int to, double scale, double offset) {
  const double begin = std::max(from / scale + offset, double(to));
  const double end = std::min((from + 1) / scale + offset, to + 1.0);
  return std::max(0.0, end - begin) * scale;
}

bool is_symmetric(const ResampledSpread& s, const std::vector<float>& values) {
  if (2 * s.center_x != s.width - 1 || 2 * s.center_y != s.height - 1) return false;
  return std::equal(values.begin(), values.end(), values.rbegin());
}

void add_spread(const PointSpread& spread, double strength, const EffectsFrame& frame,
                EffectsKernel& kernel) {
  const ResampledSpread taps = resampled(spread, frame);
  kernel.spread_width = taps.width;
  kernel.spread_height = taps.height;
  kernel.spread_x = taps.center_x;
  kernel.spread_y = taps.center_y;
  for (const double value : taps.values) kernel.spread.push_back(float(value * strength));
  kernel.symmetric = is_symmetric(taps, kernel.spread);
}

int padded_side(int side) { return next_fft_length(std::min(2 * side - 1, fft_longest)); }

}  // namespace

ResampledSpread resampled(const PointSpread& spread, const EffectsFrame& frame) {
  // source pixels a target pixel
  const double scale_y = spread.size > 0 ? spread.height / (spread.size * frame.percent_px) : 1;
  const double scale_x = spread.size > 0 ? scale_y * frame.pixel_aspect : 1;
  // A side of an odd number of pixels around the source's middle; the middle pixel of an even
  // side is the one right of (below) the middle, as FFT programs center their kernels.
  const auto half = [](int size, double scale) { return int(std::ceil((size / 2 + 1) / scale)); };
  const int most_x = half(spread.width, scale_x), most_y = half(spread.height, scale_y);
  if (double(most_x) * most_y > 1e8) {
    fail(ErrorKind::usage, "--psf: {:.0f} % of the height are too many taps; use a smaller SIZE",
         spread.size);
  }
  ResampledSpread out;
  out.center_x = most_x;
  out.center_y = most_y;
  out.width = 2 * most_x + 1;
  out.height = 2 * most_y + 1;
  out.values.assign(std::size_t(out.width) * std::size_t(out.height), 0.0);
  const double offset_x = most_x + 0.5 - (spread.width / 2 + 0.5) / scale_x;
  const double offset_y = most_y + 0.5 - (spread.height / 2 + 0.5) / scale_y;
  double sum = 0;
  for (const double value : spread.values) sum += value;
  for (int v = 0; v < spread.height; ++v) {
    const int first_y = std::max(0, int(std::floor(v / scale_y + offset_y)));
    const int last_y = std::min(out.height - 1, int(std::floor((v + 1) / scale_y + offset_y)));
    for (int u = 0; u < spread.width; ++u) {
      const double value =
          spread.values[std::size_t(v) * std::size_t(spread.width) + std::size_t(u)];
      if (value == 0) continue;
      const int first_x = std::max(0, int(std::floor(u / scale_x + offset_x)));
      const int last_x = std::min(out.width - 1, int(std::floor((u + 1) / scale_x + offset_x)));
      for (int y = first_y; y <= last_y; ++y) {
        for (int x = first_x; x <= last_x; ++x) {
          out.values[std::size_t(y) * std::size_t(out.width) + std::size_t(x)] +=
              value / sum * overlap(u, x, scale_x, offset_x) * overlap(v, y, scale_y, offset_y);
        }
      }
    }
  }
  return out;
}

std::uint64_t EffectsPlan::bytes() const {
  if (!active()) return 0;
  const std::uint64_t padded =
      std::uint64_t(kernel.padded_width) * std::uint64_t(kernel.padded_height);
  const std::uint64_t spectrum = padded * (kernel.symmetric ? 4 : 8), taps = padded * 8;
  const std::uint64_t rows =
      std::uint64_t(kernel.padded_width) * std::uint64_t(kernel.height) * sizeof(Vec4);
  // the taps are gone when the rows of the picture come, which take their place where they fit
  const bool again = rows <= taps && taps <= rows + rows / 8;
  return spectrum + (again ? taps : taps + rows) + kernel.spread.size() * 4;
}

EffectsPlan plan_effects(const Effects& effects, const PointSpread* spread,
                         const EffectsFrame& frame) {
  EffectsPlan plan;
  if (const char* reason = refusal(effects)) throw Error(ErrorKind::usage, reason);
  double strength = effects.bloom_strength() + effects.glare_strength();
  const double of_spread = spread ? (spread->strength < 0 ? 1 - strength : spread->strength) : 0;
  if (strength + of_spread > 1) {
    fail(ErrorKind::usage,
         "--psf: strength {} and {} of bloom and glare add up to more than 1, all the light there "
         "is",
         of_spread, strength);
  }
  strength += of_spread;
  if (strength <= 0) return plan;
  if (frame.width > longest_side || frame.height > longest_side) {
    fail(ErrorKind::usage,
         "bloom, glare and --psf work on pictures of at most {} pixels a side{}, not {} x {}",
         longest_side, " (with earlyclip, times supersample)", frame.width, frame.height);
  }
  plan.strength = float(strength);
  plan.threshold = float(effects.bloom.threshold);
  plan.may_be_negative = frame.may_be_negative;
  EffectsKernel& kernel = plan.kernel;
  kernel.width = frame.width;
  kernel.height = frame.height;
  kernel.padded_width = padded_side(frame.width);
  kernel.padded_height = padded_side(frame.height);
  kernel.reach_x = std::min(frame.width - 1, kernel.padded_width - frame.width);
  kernel.reach_y = std::min(frame.height - 1, kernel.padded_height - frame.height);
  add_bloom(effects.bloom, frame, kernel.lobes);
  if (effects.glare_strength() > 0) add_glare(effects.glare, frame, kernel.lobes);
  if (of_spread > 0) add_spread(*spread, of_spread, frame, kernel);
  return plan;
}

}  // namespace kiln
