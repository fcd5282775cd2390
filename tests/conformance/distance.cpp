// SPDX-License-Identifier: MIT
#include "tests/conformance/distance.h"

#include <cmath>
#include <stdexcept>

namespace conformance {
namespace {

// Reference values noise must exceed to mean something: flam3 truncates to 1/256 of a level.
constexpr double quantum = 1.0 / 256;

/// Mean squares over all values: noise of both sides and the (unbiased) squared bias.
struct Moments {
  double ours = 0, reference = 0, bias = 0;
};

Moments moments(const std::vector<Plane>& ours, const std::vector<Plane>& reference) {
  const size_t count = ours[0].values.size();
  const double n = double(ours.size());
  Moments sum;
  for (size_t i = 0; i < count; ++i) {
    double mean_x = 0, mean_a = 0, square_x = 0, square_a = 0;
    for (const Plane& plane : ours) mean_x += plane.values[i] / n;
    for (const Plane& plane : reference) mean_a += plane.values[i] / n;
    for (const Plane& plane : ours) square_x += std::pow(plane.values[i] - mean_x, 2);
    for (const Plane& plane : reference) square_a += std::pow(plane.values[i] - mean_a, 2);
    const double variance_x = square_x / (n - 1), variance_a = square_a / (n - 1);
    sum.ours += variance_x;
    sum.reference += variance_a;
    sum.bias += std::pow(mean_x - mean_a, 2) - (variance_x + variance_a) / n;
  }
  return {sum.ours / count, sum.reference / count, sum.bias / count};
}

double ratio(const Moments& m) {
  const double floor = quantum * quantum;  // both zero (an exact picture): ratio 1
  return std::sqrt((std::fmax(0, m.ours + m.reference + m.bias) + floor) /
                   (2 * m.reference + floor));
}

// Averages over all 8x8 windows, not only the disjoint ones: the same quantity, half as much
// spread.
Plane box_averages(const Plane& in) {
  constexpr int side = 8;
  const int channels = in.channels, stride = in.width * channels;
  Plane out{in.width - side + 1, in.height - side + 1, channels, {}};
  if (out.width < 1 || out.height < 1) throw std::runtime_error("picture smaller than a box");
  std::vector<double> columns(stride);  // sums over the window's rows
  out.values.reserve(size_t(out.width) * out.height * channels);
  for (int y = 0; y < in.height; ++y) {
    for (int i = 0; i < stride; ++i) {
      columns[i] += in.values[size_t(y) * stride + i];
      if (y >= side) columns[i] -= in.values[size_t(y - side) * stride + i];
    }
    if (y < side - 1) continue;
    for (int x = 0; x < out.width; ++x) {
      for (int c = 0; c < channels; ++c) {
        double sum = 0;
        for (int k = 0; k < side; ++k) sum += columns[(x + k) * channels + c];
        out.values.push_back(float(sum / (side * side)));
      }
    }
  }
  return out;
}

std::vector<Plane> box_averages(const std::vector<Plane>& planes) {
  std::vector<Plane> boxes;
  for (const Plane& plane : planes) boxes.push_back(box_averages(plane));
  return boxes;
}

double mean(const std::vector<Plane>& planes) {
  double sum = 0;
  for (const Plane& plane : planes) {
    for (float value : plane.values) sum += value;
  }
  return sum / (double(planes.size()) * double(planes[0].values.size()));
}

}  // namespace

Limits Limits::of_part(double part) const {
  const auto excess = [part](double ratio) { return std::sqrt(1 + part * (ratio * ratio - 1)); };
  return {excess(pixel_ratio), excess(box_ratio), part * bias, light};
}

bool Distance::within(const Limits& limits) const {
  return pixel_ratio <= limits.pixel_ratio && box_ratio <= limits.box_ratio &&
         bias <= limits.bias && std::fabs(light) <= limits.light;
}

bool Distance::within(const Limits& limits, const Distance& error) const {
  constexpr double errors = 2;
  Distance nearest = *this;
  nearest.pixel_ratio -= errors * error.pixel_ratio;
  nearest.box_ratio -= errors * error.box_ratio;
  nearest.bias -= errors * error.bias;
  nearest.light = std::fmax(0, std::fabs(light) - errors * error.light);
  return nearest.within(limits);
}

bool Distance::hopeful() const {
  return pixel_ratio < 1.12 && box_ratio < 1.5 && bias < 0.25 && std::fabs(light) < 0.01;
}

Distance measure(const std::vector<Plane>& ours, const std::vector<Plane>& reference) {
  if (ours.size() < 2 || ours.size() != reference.size()) {
    throw std::runtime_error("a distance needs two seeds or more, as many of ours");
  }
  for (const std::vector<Plane>* planes : {&ours, &reference}) {
    for (const Plane& plane : *planes) {
      if (plane.width != ours[0].width || plane.height != ours[0].height ||
          plane.channels != ours[0].channels) {
        throw std::runtime_error("the pictures differ in size");
      }
    }
  }
  const Moments pixels = moments(ours, reference);
  Distance distance;
  distance.mean = mean(reference);
  distance.noise = std::sqrt(pixels.reference);
  distance.pixel_ratio = ratio(pixels);
  distance.box_ratio = ratio(moments(box_averages(ours), box_averages(reference)));
  distance.bias = pixels.bias / (pixels.reference + quantum * quantum);
  distance.light = (mean(ours) - distance.mean) / std::fmax(distance.mean, quantum);
  return distance;
}

Distance standard_error(const std::vector<Plane>& ours, const std::vector<Plane>& reference) {
  const double n = double(ours.size());
  std::vector<Distance> all;
  for (size_t out = 0; out < ours.size(); ++out) {
    std::vector<Plane> x = ours, a = reference;
    x.erase(x.begin() + long(out));
    a.erase(a.begin() + long(out));
    all.push_back(measure(x, a));
  }
  const auto error_of = [&](double Distance::*value) {
    double sum = 0, squares = 0;
    for (const Distance& d : all) sum += d.*value / n;
    for (const Distance& d : all) squares += std::pow(d.*value - sum, 2);
    return std::sqrt(squares * (n - 1) / n);
  };
  Distance error;
  error.pixel_ratio = error_of(&Distance::pixel_ratio);
  error.box_ratio = error_of(&Distance::box_ratio);
  error.bias = error_of(&Distance::bias);
  error.light = error_of(&Distance::light);
  return error;
}

}  // namespace conformance
