// SPDX-License-Identifier: MIT
#include "engine/sound/spectrum.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>

#include "engine/device/device.h"
#include "engine/fft/transform.h"
#include "engine/model/exact_math.h"
#include "engine/model/sound.h"

namespace kiln {
namespace {

/// Points of a window of about 46 ms.
int window_points(int rate) {
  int points = 128;
  while (points < 0.04 * rate) points *= 2;
  return points;
}

/// Spectra of a song around times that are `rate` a second, in their order.
class ShortSpectra {
 public:
  ShortSpectra(const SongSamples& samples, int points, double rate)
      : samples_(samples), points_(points), rate_(rate), window_(std::size_t(points)) {
    for (int i = 0; i < points; ++i)
      window_[std::size_t(i)] =
          float(0.5 - 0.5 * exact::cos(exact::two_pi * (i + 0.5) / points)) / 32768.0f;
  }

  std::size_t count() const { return std::size_t(samples_.seconds() * rate_) + 1; }

  /// Calls `take` with each time's number and its powers: points / 2 + 1 of them, of whole multiples of the lowest
  /// frequency. A full tone has 1/2 in all.
  void each(const std::function<void(std::size_t, const std::vector<double>&)>& take) const {
    constexpr int lines = 64;  // transforms at once
    const std::unique_ptr<Device> device = open_cpu(1);
    const Fft fft(*device, points_, lines);
    const auto size = std::size_t(points_) * lines;
    std::vector<Complex> host(size);
    DeviceArray<Complex> points(*device, size);
    std::vector<double> power(std::size_t(points_) / 2 + 1);
    for (std::size_t first = 0; first < count(); first += 2 * lines) {
      for (std::size_t line = 0; line < lines; ++line)
        fill(first + 2 * line, &host[line * std::size_t(points_)]);
      device->upload(points.data(), host.data(), size * sizeof(Complex));
      fft.forward(points.data(), points.data());
      device->download(host.data(), points.data(), size * sizeof(Complex));
      for (std::size_t i = first; i < std::min(first + 2 * lines, count()); ++i) {
        split(&host[(i - first) / 2 * std::size_t(points_)], (i - first) % 2 == 1, power);
        take(i, power);
      }
    }
  }

 private:
  /// Two neighboring times as one line of complex numbers.
  void fill(std::size_t i, Complex* line) const {
    const auto sample = [&](std::size_t time, int k) {
      const auto center = std::int64_t(double(time) * samples_.rate / rate_);
      const std::int64_t at = center - points_ / 2 + k;
      const bool is_there = at >= 0 && at < std::int64_t(samples_.mono.size());
      return is_there ? float(samples_.mono[std::size_t(at)]) * window_[std::size_t(k)] : 0.0f;
    };
    for (int k = 0; k < points_; ++k) line[k] = {sample(i, k), sample(i + 1, k)};
  }

  /// The powers of the first or the second: the even and odd halves of the spectrum.
  void split(const Complex* line, bool second, std::vector<double>& power) const {
    const double scale = 16.0 / 3 / (double(points_) * points_);  // of Hann's window, both sides
    for (int k = 0; k <= points_ / 2; ++k) {
      const Complex a = line[k], b = line[(points_ - k) % points_];
      const double ar = double(a.re), ai = double(a.im), br = double(b.re), bi = double(b.im);
      const double re = second ? ai + bi : ar + br, im = second ? br - ar : ai - bi;
      power[std::size_t(k)] = 0.25 * scale * (re * re + im * im);
    }
  }

  const SongSamples& samples_;
  const int points_;
  const double rate_;
  std::vector<float> window_;
};

/// The share of a frequency's power that each narrow band gets: it stands for the frequencies around it.
struct Share {
  int frequency, band;
  double part;
};

std::vector<Share> shares_of(int points, int rate) {
  std::vector<Share> shares;
  const double width = double(rate) / points;
  for (int k = 1; k <= points / 2; ++k) {
    const double low = (k - 0.5) * width, high = (k + 0.5) * width;
    for (int band = 0; band < narrow_bands; ++band) {
      const double common =
          std::min(high, narrow_band_begin(band + 1)) - std::max(low, narrow_band_begin(band));
      if (common > 0) shares.push_back({k, band, common / width});
    }
  }
  return shares;
}

void add_bands(const SongSamples& samples, SongSpectrum& spectrum) {
  const int points = window_points(samples.rate);
  const ShortSpectra spectra(samples, points, band_rate);
  const std::vector<Share> shares = shares_of(points, samples.rate);
  spectrum.power.resize(spectra.count());
  spectra.each([&](std::size_t time, const std::vector<double>& power) {
    std::array<double, narrow_bands> sums = {};
    for (const Share& share : shares)
      sums[std::size_t(share.band)] += share.part * power[std::size_t(share.frequency)];
    for (std::size_t band = 0; band < sums.size(); ++band)
      spectrum.power[time][band] = float(sums[band]);
  });
}

void add_rises(const SongSamples& samples, SongSpectrum& spectrum) {
  constexpr std::size_t back = 2;  // of the times that are compared: 10 ms
  const int points = window_points(samples.rate) / 2;
  const ShortSpectra spectra(samples, points, onset_rate);
  const double width = double(samples.rate) / points;
  std::array<int, rhythm_bands.size()> begins = {};
  for (std::size_t b = 0; b < begins.size(); ++b)
    begins[b] = std::clamp(int(rhythm_bands[b] / width + 0.5), 1, points / 2 + 1);
  for (auto& rise : spectrum.rise) rise.resize(spectra.count());
  std::array<std::vector<double>, back + 1> roots;
  for (auto& one : roots) one.assign(std::size_t(points) / 2 + 1, 0.0);
  spectra.each([&](std::size_t time, const std::vector<double>& power) {
    std::vector<double>& now = roots[time % roots.size()];
    const std::vector<double>& before = roots[(time + 1) % roots.size()];
    for (std::size_t k = 0; k < power.size(); ++k) now[k] = std::sqrt(std::sqrt(power[k]));
    for (std::size_t b = 0; b + 1 < begins.size(); ++b) {
      double sum = 0;
      for (int k = begins[b]; k < begins[b + 1]; ++k)
        sum += std::max(0.0, now[std::size_t(k)] - before[std::size_t(k)]);
      const int count = std::max(1, begins[b + 1] - begins[b]);
      spectrum.rise[b][time] = float(sum / count);
    }
  });
}

}  // namespace

double narrow_band_begin(int i) { return least_sound_hz * exact::exp2(i / 5.0); }

SongSpectrum spectrum_of(const SongSamples& samples) {
  SongSpectrum spectrum;
  add_bands(samples, spectrum);
  add_rises(samples, spectrum);
  return spectrum;
}

}  // namespace kiln
