// How much a quick picture may cost, found by what the last ones took: few samples and few pixels
// on a slow machine, all the pixels and many samples on a fast one. Samples and pixels follow one
// number, so there is nothing to balance: a picture has as many pixels as get four samples each,
// and where there are no more pixels to be had the samples go on growing. A third of the width is
// the least: of a smaller picture nobody can judge an edit, so it rather has fewer samples a pixel,
// and may take a tenth of a second.
#pragma once

#include <algorithm>
#include <cmath>

namespace kiln {

class Effort {
 public:
  struct Size {
    double pixels, samples;
  };

  /// Of a picture that shows at most `most_pixels`.
  Size size(double most_pixels) const {
    const double samples = std::min(samples_, most_a_pixel * most_pixels);
    const double least = least_pixels(most_pixels);
    return {std::min(most_pixels, std::max(least, samples / usual_a_pixel)), samples};
  }
  /// A picture of size(most_pixels) took so many seconds of `budget_s`.
  void took(double seconds, double budget_s, double most_pixels) {
    const double least = least_pixels(most_pixels);
    const Size made = size(most_pixels);
    const bool is_least = made.pixels <= least;
    const double limit_s = is_least ? std::max(budget_s, patience_s) : budget_s;
    const bool is_soon = seconds <= 0.65 * budget_s;
    if (!is_soon && seconds <= limit_s) return;  // good enough: sizes shall not flicker
    const double aim = 0.8 * (is_soon ? budget_s : limit_s) / std::max(seconds, 1e-4);
    const double fewest = is_least ? least : usual_a_pixel * least;
    samples_ = std::max(made.samples * std::clamp(aim, 0.4, 1.6), fewest);
  }

 private:
  static constexpr double usual_a_pixel = 4, most_a_pixel = 16, patience_s = 0.1;
  static double least_pixels(double most_pixels) {
    return std::min(most_pixels, std::max(96.0 * 54, most_pixels / 9));
  }
  double samples_ = 5e5;  // 50 ms of two cores, of which a GPU sees nothing
};

}  // namespace kiln
