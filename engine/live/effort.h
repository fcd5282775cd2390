// How much a quick picture may cost, found by what the last ones took: few samples and few pixels
// on a slow machine, all the pixels and many samples on a fast one. Samples and pixels follow one
// number, so there is nothing to balance: a picture has as many pixels as get four samples each,
// and where there are no more pixels to be had the samples go on growing.
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
    return {std::min(most_pixels, std::max(least_pixels, samples / usual_a_pixel)), samples};
  }
  /// A picture of size(most_pixels) took so many seconds of `budget_s`.
  void took(double seconds, double budget_s, double most_pixels) {
    const double share = std::max(seconds, 1e-4) / budget_s;
    if (share > 0.65 && share <= 1) return;  // good enough: sizes shall not flicker
    samples_ = size(most_pixels).samples * std::clamp(0.8 / share, 0.4, 1.6);
    samples_ = std::max(samples_, least_pixels);
  }

 private:
  static constexpr double usual_a_pixel = 4, most_a_pixel = 16, least_pixels = 96 * 54;
  double samples_ = 5e5;  // 50 ms of two cores, of which a GPU sees nothing
};

}  // namespace kiln
