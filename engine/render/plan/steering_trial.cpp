// SPDX-License-Identifier: MIT
#include "engine/render/plan/steering_trial.h"

#include <bit>
#include <cmath>
#include <utility>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

constexpr double most_pixels = 1 << 21;
constexpr double known_points = 8;  // from so many on a pixel is known by itself

}  // namespace

double BrightnessCurve::at(double samples) const {
  const double light = double(log_.k1) * exact::log1p(double(log_.k2) * 255 * samples) / 255;
  return double(tone_.opacity(float(light)));
}

double BrightnessCurve::slope(double samples) const {
  const double step = 0.01 * samples;
  return (std::min(1.0, at(samples + step)) - std::min(1.0, at(samples - step))) / (2 * step);
}

double BrightnessCurve::noise(double mean, double weight) const {
  constexpr double many_hits = 30;
  const double hits = mean / weight;
  if (hits > many_hits) {
    const double step = 0.01 * mean, slope = (at(mean + step) - at(mean - step)) / (2 * step);
    return slope * slope * mean * weight;
  }
  constexpr int most_hits = 80;
  double part = exact::exp(-hits), sum = 0;
  const double shown = at(mean);
  for (int n = 0; n < most_hits; ++n) {
    const double off = at(n * weight) - shown;
    sum += part * off * off;
    part *= hits / (n + 1);
  }
  return sum;
}

TrialGrid::TrialGrid(int width, int height) {
  side = std::max(1, int(std::ceil(std::sqrt(double(width) * height / most_pixels))));
  columns = (width + side - 1) / side;
  rows = (height + side - 1) / side;
}

double TrialPlot::all_of(std::size_t half) const {
  std::uint64_t sum = 0;
  for (const auto& light : of_half_[half]) sum += light.load(std::memory_order_relaxed);
  return double(sum);
}

GameTrial::GameTrial(const BrightnessCurve& curve, const TrialGrid& grid,
                     const TrialSquares& squares, const TrialPlot& plain, double samples)
    : curve_(curve),
      grid_(grid),
      plain_(plain),
      points_(plain.all_of(0) + plain.all_of(1)),
      samples_of_picture_(samples),
      last_(grid.pixels()) {
  find_classes(squares);
  classes_of_plain_ = classes_of(plain_, points_);
}

/// Two of each power of two.
std::uint8_t GameTrial::class_of(float mean) {
  const std::uint32_t bits = std::bit_cast<std::uint32_t>(mean);
  constexpr std::uint32_t root_of_2 = 0x3504f4, one = 127;  // the fraction; the exponent of 1
  const int exponent = int(bits >> 23) - int(one), upper = (bits & 0x7fffff) >= root_of_2;
  constexpr int count = int(classes);
  return std::uint8_t(std::clamp(2 * exponent + upper + 2 + count / 2, 0, count - 1));
}

void GameTrial::find_classes(const TrialSquares& squares) {
  struct Few {
    double light = 0, pixels = 0;
  };
  std::vector<Few> few(squares.count());
  squares.each_pixel([&](std::size_t pixel, std::size_t square) {
    const double points = plain_.both(pixel);
    if (points >= known_points) return;
    few[square].light += points;
    ++few[square].pixels;
  });
  const double of_bucket = samples_of_picture_ / points_ / (double(grid_.side) * grid_.side);
  std::vector<std::uint8_t> of_few(few.size());
  for (std::size_t square = 0; square < few.size(); ++square) {
    Few all{0.5, 0};
    squares.around(square, [&](std::size_t near) {
      all.light += few[near].light;
      all.pixels += few[near].pixels;
    });
    of_few[square] = class_of(float(all.light / std::max(1.0, all.pixels) * of_bucket));
  }
  class_of_.resize(grid_.pixels());
  squares.each_pixel([&](std::size_t pixel, std::size_t square) {
    const double points = plain_.both(pixel);
    class_of_[pixel] =
        points >= known_points ? class_of(float(points * of_bucket)) : of_few[square];
  });
}

void GameTrial::see_color(std::size_t pixel, const Increment* entry) {
  if (pixel >= class_of_.size() || entry->v[3] == 0) return;
  auto& bins = colors_[class_of_[pixel]];
  const auto channel = [](const Increment& color, std::size_t k) {
    return double(color.v[k]) / double(color.v[3]);
  };
  const Increment* const other = std::exchange(last_[pixel], entry);
  for (std::size_t k = 0; k < 3; ++k) {
    const double one = channel(*entry, k), two = other ? channel(*other, k) : one;
    const double middle = (one + two) / 2;
    Channels& mine = bins[std::size_t(std::clamp(middle * color_bins, 0.0, color_bins - 1.0))];
    ++mine.count;
    ++bins[0].seen;
    mine.squared += middle * middle;
    if (other) ++mine.pairs;
    mine.apart += (one - two) * (one - two) / 2;
  }
}

GameTrial::Classes GameTrial::classes_of(const TrialPlot& plot, double points) const {
  Classes sums;
  const double factor[2] = {points / 2 / plot.all_of(0), points / 2 / plot.all_of(1)};
  for (std::size_t pixel = 0; pixel < class_of_.size(); ++pixel) {
    const double one = factor[0] * plot.at(0, pixel), other = factor[1] * plot.at(1, pixel);
    Class& mine = sums[class_of_[pixel]];
    ++mine.pixels;
    mine.light += one + other;
    mine.off += (one - other) * (one - other);
  }
  return sums;
}

double GameTrial::noise_of(const Class& noise, double mean, std::size_t index) const {
  const double light = curve_.at(mean), of_light = curve_.noise(mean, noise.weight());
  const double of_color = light * light * std::min(1.0, noise.weight() / mean);
  while (index + 1 < classes && colors_[index][0].seen == 0) ++index;  // as in brighter ones
  double sum = 0, count = 0;
  for (std::size_t bin = 0; bin < color_bins; ++bin) {
    const Channels& some = colors_[index][bin];
    count += some.count;
    if (some.count == 0 || light * (double(bin) + 0.5) / double(color_bins) >= 1)
      continue;  // white
    sum += of_light * some.squared;
    if (some.pairs > 0) sum += of_color * some.apart / some.pairs * some.count;
  }
  return count > 0 ? sum / count : of_light;
}

double GameTrial::gain_of(const TrialPlot& plot, double points) const {
  // the plain plot has chosen the classes, so the means of the other are better
  const Classes& plain = classes_of_plain_;
  const Classes other = classes_of(plot, points);
  const double of_bucket = samples_of_picture_ / points / (double(grid_.side) * grid_.side);
  double of_plain = 0, of_other = 0;
  for (std::size_t i = 0; i < classes; ++i) {
    const Class& known = other[i];
    if (!(known.light > 0)) continue;
    const double mean = known.light / known.pixels * of_bucket;
    of_plain += known.pixels * noise_of(plain[i], mean, i);
    of_other += known.pixels * noise_of(known, mean, i);
  }
  return of_other > 0 ? of_plain / of_other : 0;
}

}  // namespace kiln
