// SPDX-License-Identifier: MIT
#include "cli/making/slides.h"

#include <algorithm>
#include <cmath>

#include "cli/options/sequence_words.h"
#include "engine/base/error.h"

namespace kiln::cli {
namespace {

/// The samples of another line that one sample is mixed of: from `first` on, with these weights.
struct Mix {
  int first = 0;
  std::vector<double> weights;
};

/// A triangle as wide as a sample of the coarser line: linear between samples, a mean of them where there are fewer.
std::vector<Mix> mixes(int from, int to) {
  const double ratio = double(from) / to, reach = std::max(1.0, ratio);
  std::vector<Mix> all(std::size_t(to), Mix{});
  for (int i = 0; i < to; ++i) {
    const double middle = (i + 0.5) * ratio - 0.5;
    Mix& mix = all[std::size_t(i)];
    mix.first = std::max(0, int(std::ceil(middle - reach)));
    const int last = std::min(from - 1, int(std::floor(middle + reach)));
    double sum = 0;
    for (int k = mix.first; k <= last; ++k) {
      mix.weights.push_back(std::max(0.0, 1 - std::fabs(k - middle) / reach));
      sum += mix.weights.back();
    }
    for (double& weight : mix.weights) weight /= sum;
  }
  return all;
}

Slide resampled_slide(const Slide& slide, int width, int height) {
  if (slide.width == width && slide.height == height) return slide;
  const std::size_t channels = std::size_t(slide.channels);
  const std::vector<Mix> across = mixes(slide.width, width), down = mixes(slide.height, height);
  std::vector<float> narrow(std::size_t(width) * std::size_t(slide.height) * channels);
  for (int y = 0; y < slide.height; ++y)
    for (int x = 0; x < width; ++x)
      for (std::size_t c = 0; c < channels; ++c) {
        const Mix& mix = across[std::size_t(x)];
        const std::size_t row = std::size_t(y) * std::size_t(slide.width);
        double sum = 0;
        for (std::size_t k = 0; k < mix.weights.size(); ++k)
          sum += mix.weights[k] * slide.samples[(row + std::size_t(mix.first) + k) * channels + c];
        narrow[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * channels + c] = float(sum);
      }
  Slide made{width, height, slide.channels, {}};
  const std::size_t row = std::size_t(width) * channels;
  made.samples.resize(row * std::size_t(height));
  for (int y = 0; y < height; ++y)
    for (std::size_t i = 0; i < row; ++i) {
      const Mix& mix = down[std::size_t(y)];
      double sum = 0;
      for (std::size_t k = 0; k < mix.weights.size(); ++k)
        sum += mix.weights[k] * double(narrow[(std::size_t(mix.first) + k) * row + i]);
      made.samples[std::size_t(y) * row + i] = std::uint16_t(std::lround(sum));
    }
  return made;
}

}  // namespace

Slide fitted(const Slide& slide, int width, int height) {
  const double scale = std::min(double(width) / slide.width, double(height) / slide.height);
  const auto side = [&](int own, int most) {
    return std::clamp(int(std::lround(own * scale)), 1, most);
  };
  const Slide inside = resampled_slide(slide, side(slide.width, width), side(slide.height, height));
  if (inside.width == width && inside.height == height) return inside;
  Slide made{width, height, slide.channels, {}};
  const std::size_t channels = std::size_t(slide.channels);
  made.samples.resize(std::size_t(width) * std::size_t(height) * channels);
  const int left = (width - inside.width) / 2, top = (height - inside.height) / 2;
  for (int y = 0; y < inside.height; ++y) {
    const std::size_t row = std::size_t(inside.width) * channels;
    const auto from = inside.samples.begin() + std::ptrdiff_t(std::size_t(y) * row);
    const std::size_t to =
        (std::size_t(top + y) * std::size_t(width) + std::size_t(left)) * channels;
    std::copy(from, from + std::ptrdiff_t(row), made.samples.begin() + std::ptrdiff_t(to));
  }
  return made;
}

std::vector<std::uint16_t> faded(const Slide& from, const Slide& to, double share) {
  std::vector<std::uint16_t> samples(from.samples.size());
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = std::uint16_t(std::lround((1 - share) * from.samples[i] + share * to.samples[i]));
  return samples;
}

void SlideWords::add_to(Command& command) {
  command.text("--fade", "T", fade,
               "The pictures are slides, of any size: each fades into the next for so long, 1s or "
               "30 frames");
  command.text("--show", "T", show, "How long a slide is shown, with its fades (default 3s)");
}

SlideWords::Frames SlideWords::frames(const std::string& fps) const {
  Frames frames;
  const double shown = length_in_frames("--show", show.empty() ? "3s" : show, fps, {});
  if (!fade.empty()) frames.fading = int(std::lround(length_in_frames("--fade", fade, fps, {})));
  frames.still = int(std::lround(shown)) - frames.fading;
  if (frames.still < 1)
    fail(ErrorKind::usage,
         "--show {}: a slide has to be shown for longer than it fades (--fade {}); make one longer "
         "or the other shorter",
         show.empty() ? "3s" : show, fade.empty() ? "0" : fade);
  return frames;
}

}  // namespace kiln::cli
