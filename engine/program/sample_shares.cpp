// SPDX-License-Identifier: MIT
#include "engine/program/sample_shares.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

/// Samples a pixel of a flame: quality * 4^zoom.
double density(double quality, double zoom) {
  return quality * exact::exp(2 * zoom * 0.693147180559945309417);
}

constexpr double most_samples = 7e16;  // of a pass: 255 of each fit into sums of 64 bits

/// A picture of too many samples would never end, one of none would be black without a word.
void check_samples(const Flame& flame, double samples, double quality, double zoom) {
  if (!(samples < most_samples)) {
    fail(ErrorKind::input,
         "{}: {:.3g} samples at quality {:.3g} and zoom {:.3g} are too many; zoom multiplies them "
         "by 4^zoom: lower the quality, or use scale instead of zoom",
         flame.place(), samples, quality, zoom);
  }
  if (!(samples >= 1)) {
    fail(ErrorKind::input,
         "{}: quality {:.3g} and zoom {:.3g} give {} x {} pixels not one sample{}; raise the "
         "quality",
         flame.place(), quality, zoom, flame.width, flame.height,
         flame.passes > 1 ? fmt::format(" in each of {} passes", flame.passes) : "");
  }
}

}  // namespace

double rough_samples(const Flame& flame) {
  return density(flame.quality, std::clamp(flame.zoom, -100.0, 100.0)) * flame.width * flame.height;
}

void share_samples(const std::vector<CompiledTimeSamples::View>& views, const Flame& flame,
                   CompiledFlame& out) {
  const double pixels = double(flame.width) * flame.height;
  out.passes = flame.passes;
  const double of_a_pass =
      density(flame.quality, flame.zoom) * flame.width * flame.height / flame.passes;
  constexpr double rounding = 1e-9;  // of a blend of equal numbers
  const auto same = [](double a, double b) { return std::fabs(a - b) <= rounding * std::fabs(b); };
  const auto as_frame = [&](const CompiledTimeSamples::View& view) {
    return same(view.quality, flame.quality) && std::fabs(view.zoom - flame.zoom) <= rounding;
  };
  if (std::all_of(views.begin(), views.end(), as_frame)) {
    check_samples(flame, of_a_pass, flame.quality, flame.zoom);
    out.sample_count = std::uint64_t(of_a_pass);
    return;
  }
  const std::size_t in_a_pass = views.size() / std::size_t(flame.passes);
  double sum = 0;
  out.sample_count = 0;
  for (std::size_t m = 0; m < views.size(); ++m) {
    if (m % in_a_pass == 0) sum = 0;
    // before the first key and after the last a falling quality may go below 0
    sum += std::max(0.0, density(views[m].quality, views[m].zoom)) * pixels / double(views.size());
    if (!(sum < most_samples)) check_samples(flame, sum, views[m].quality, views[m].zoom);
    out.time_sample_ends.push_back(std::uint64_t(sum * (1 + 1e-12)));  // whole sums stay whole
    out.sample_count = std::max(out.sample_count, out.time_sample_ends.back());
  }
  check_samples(flame, double(out.sample_count), flame.quality, flame.zoom);
}

double quality_of_samples(const Flame& flame, std::uint64_t samples) {
  const auto samples_at = [&](double quality) {
    return std::uint64_t(density(quality, flame.zoom) * flame.width * flame.height);
  };
  // half a sample more, so that rounding either way stays at this many
  const double quality =
      (double(samples) + 0.5) / (density(1, flame.zoom) * flame.width * flame.height);
  for (int digits = 3; digits < 17; ++digits) {
    const std::string text = fmt::format("{:.{}g}", quality, digits);
    double shorter = 0;
    std::from_chars(text.data(), text.data() + text.size(), shorter);
    if (samples_at(shorter) == samples) return shorter;
  }
  return quality;
}

std::uint64_t CompiledFlame::samples_of_pass(int pass) const {
  if (time_sample_ends.empty()) return sample_count;
  const std::size_t in_a_pass = time_sample_ends.size() / std::size_t(passes);
  return time_sample_ends[std::size_t(pass + 1) * in_a_pass - 1];
}

}  // namespace kiln
