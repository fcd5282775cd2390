// SPDX-License-Identifier: MIT
// FLIP against a plain double loop written from the paper a second time (no separable filters, no
// shared code), and what has to hold whatever the formulas are.
#include "engine/measure/flip.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "tests/cli/pictures.h"

namespace kiln {
namespace {

using test::pattern_picture;
using test::smooth_picture;

using Triple = std::array<double, 3>;

/// A picture as functions of the pixel, edges repeated.
struct Reference {
  int width, height;
  double per_degree;
  std::vector<Triple> opponent;  // YCxCz

  static double light(double v) {
    return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
  }
  static Triple xyz(const Triple& rgb) {  // over white
    return {
        (0.4123907992659595 * rgb[0] + 0.35758433938387796 * rgb[1] + 0.1804807884018343 * rgb[2]) /
            0.9504559270516716,
        0.21263900587151036 * rgb[0] + 0.7151686787677559 * rgb[1] + 0.07219231536073371 * rgb[2],
        (0.01933081871559185 * rgb[0] + 0.11919477979462599 * rgb[1] +
         0.9505321522496606 * rgb[2]) /
            1.0890577507598784};
  }
  static Triple rgb(const Triple& over_white) {
    const double x = over_white[0] * 0.9504559270516716, y = over_white[1],
                 z = over_white[2] * 1.0890577507598784;
    return {3.2409699419045213 * x - 1.5373831775700935 * y - 0.4986107602930033 * z,
            -0.9692436362808798 * x + 1.8759675015077206 * y + 0.04155505740717561 * z,
            0.05563007969699361 * x - 0.20397695888897657 * y + 1.0569715142428786 * z};
  }

  Reference(const Image& image, double pixels_per_degree)
      : width(image.width), height(image.height), per_degree(pixels_per_degree) {
    for (std::size_t i = 0; i < image.pixels8().size(); i += 4) {
      Triple c;
      for (std::size_t k = 0; k < 3; ++k)
        c[k] = image.pixels8()[i + 3] / 255.0 * light(image.pixels8()[i + k] / 255.0);
      const Triple t = xyz(c);
      opponent.push_back({116 * t[1] - 16, 500 * (t[0] - t[1]), 200 * (t[1] - t[2])});
    }
  }
  double at(int x, int y, std::size_t channel) const {
    x = std::clamp(x, 0, width - 1);
    y = std::clamp(y, 0, height - 1);
    return opponent[std::size_t(y * width + x)][channel];
  }

  /// The channel as the eye resolves it: two terms a exp(-b f^2) of its contrast sensitivity.
  double seen(int x, int y, std::size_t channel) const {
    constexpr double terms[3][4] = {
        {1, 0.0047, 0, 1e-5}, {1, 0.0053, 0, 1e-5}, {34.1, 0.04, 13.5, 0.025}};
    const auto& t = terms[channel];
    const int radius = int(std::ceil(3 * std::sqrt(0.04 / (2 * M_PI * M_PI)) * per_degree));
    double sum = 0, weights = 0;
    for (int v = -radius; v <= radius; ++v) {
      for (int u = -radius; u <= radius; ++u) {
        const double d2 = (u * u + v * v) / (per_degree * per_degree);
        const double weight = t[0] * std::sqrt(M_PI / t[1]) * std::exp(-M_PI * M_PI * d2 / t[1]) +
                              t[2] * std::sqrt(M_PI / t[3]) * std::exp(-M_PI * M_PI * d2 / t[3]);
        sum += weight * at(x + u, y + v, channel);
        weights += weight;
      }
    }
    return sum / weights;
  }
  static Triple hunt_lab(Triple light_rgb) {
    for (double& c : light_rgb) c = std::clamp(c, 0.0, 1.0);
    Triple t = xyz(light_rgb);
    for (double& c : t) c = c > 216.0 / 24389 ? std::cbrt(c) : (841.0 / 108) * c + 4.0 / 29;
    const double l = 116 * t[1] - 16;
    return {l, 0.01 * l * 500 * (t[0] - t[1]), 0.01 * l * 200 * (t[1] - t[2])};
  }
  Triple color(int x, int y) const {
    const double l = (seen(x, y, 0) + 16) / 116;
    return hunt_lab(rgb({l + seen(x, y, 1) / 500, l, l - seen(x, y, 2) / 200}));
  }

  /// Length of the gradient by the first or second derivative of a Gaussian.
  double feature(int x, int y, bool second) const {
    const double s = 0.5 * 0.082 * per_degree;
    const int radius = int(std::ceil(3 * s));
    double above = 0, below = 0;
    const auto weight = [&](int u, int v) {
      const double g = std::exp(-(u * u + v * v) / (2 * s * s));
      return second ? (u * u / (s * s) - 1) * g : -u * g;
    };
    for (int v = -radius; v <= radius; ++v)
      for (int u = -radius; u <= radius; ++u) (weight(u, v) > 0 ? above : below) += weight(u, v);
    double across = 0, down = 0;
    for (int v = -radius; v <= radius; ++v) {
      for (int u = -radius; u <= radius; ++u) {
        const double w = weight(u, v), tap = w > 0 ? w / above : -w / below;
        across += tap * (at(x + u, y + v, 0) + 16) / 116;
        down += tap * (at(x + v, y + u, 0) + 16) / 116;
      }
    }
    return std::hypot(across, down);
  }
};

double hyab(const Triple& p, const Triple& q) {
  return std::pow(std::fabs(p[0] - q[0]) + std::hypot(p[1] - q[1], p[2] - q[2]), 0.7);
}

double reference_error(const Reference& a, const Reference& b, int x, int y) {
  const double most = hyab(Reference::hunt_lab({0, 1, 0}), Reference::hunt_lab({0, 0, 1}));
  double color = hyab(a.color(x, y), b.color(x, y));
  color = color < 0.4 * most ? 0.95 / (0.4 * most) * color
                             : 0.95 + (color - 0.4 * most) / (0.6 * most) * 0.05;
  const double feature = std::max(std::fabs(a.feature(x, y, false) - b.feature(x, y, false)),
                                  std::fabs(a.feature(x, y, true) - b.feature(x, y, true)));
  return std::pow(color, 1 - std::sqrt(feature / std::sqrt(2)));
}

Image plain(int width, int height, std::array<int, 3> color, int alpha = 255) {
  Image image;
  image.width = width;
  image.height = height;
  for (int i = 0; i < width * height; ++i) {
    for (const int value : color) image.pixels8().push_back(static_cast<std::uint8_t>(value));
    image.pixels8().push_back(static_cast<std::uint8_t>(alpha));
  }
  return image;
}

TEST(flip, is_the_papers_formula_at_every_pixel) {
  for (const double per_degree : {67.0, 20.0}) {
    const Image a = smooth_picture(23, 17), b = pattern_picture(23, 17, 8, per_degree < 30);
    const Flip got = flip(a, b, per_degree);
    const Reference ra(a, per_degree), rb(b, per_degree);
    double sum = 0;
    for (int y = 0; y < 17; ++y) {
      for (int x = 0; x < 23; ++x) {
        const double expected = reference_error(ra, rb, x, y);
        // planes are floats: 1e-7 of 100, to a power below 1 where colors are close
        EXPECT_NEAR(got.map[std::size_t(y * 23 + x)], expected, 2e-4) << x << " " << y;
        sum += expected;
      }
    }
    EXPECT_NEAR(got.mean, sum / (23 * 17), 5e-5);
  }
}

TEST(flip, equal_pictures_have_none_and_order_does_not_matter) {
  const Image a = pattern_picture(31, 9, 8), b = smooth_picture(31, 9);
  EXPECT_EQ(flip(a, a).mean, 0);
  EXPECT_EQ(flip(a, b).map, flip(b, a).map);
  EXPECT_GT(flip(a, b).mean, 0.05);
}

TEST(flip, black_and_white_are_as_far_apart_as_can_be) {
  const Flip f = flip(plain(16, 16, {0, 0, 0}), plain(16, 16, {255, 255, 255}));
  const double most = hyab(Reference::hunt_lab({0, 1, 0}), Reference::hunt_lab({0, 0, 1}));
  EXPECT_NEAR(f.mean, 0.95 + 0.05 * (std::pow(100, 0.7) - 0.4 * most) / (0.6 * most), 1e-6);
  EXPECT_GT(f.mean, 0.96);
  EXPECT_NEAR(flip(plain(8, 8, {0, 255, 0}), plain(8, 8, {0, 0, 255})).mean, 1, 1e-6);
}

TEST(flip, a_larger_error_is_more_and_a_finer_screen_shows_less) {
  const Image gray = plain(32, 32, {100, 100, 100});
  double before = 0;
  for (const int value : {101, 105, 120, 160, 255}) {
    const double now = flip(gray, plain(32, 32, {value, value, value})).mean;
    EXPECT_GT(now, before) << value;
    before = now;
  }
  EXPECT_LT(flip(gray, plain(32, 32, {101, 101, 101})).mean, 0.05);
  const Image noise = pattern_picture(32, 32, 8, true);
  EXPECT_LT(flip(noise, gray, 134).mean, flip(noise, gray, 30).mean);
}

TEST(flip, depth_and_alpha_are_as_a_screen_shows_them) {
  const Image eight = smooth_picture(19, 11);
  Image sixteen = eight, light = eight;
  sixteen.pixels.emplace<Words>();
  for (const std::uint8_t v : eight.pixels8())
    sixteen.pixels16().push_back(static_cast<std::uint16_t>(v * 257));
  EXPECT_LT(flip(eight, sixteen).mean, 1e-6);
  LinearLight linear;
  for (std::size_t i = 0; i < eight.pixels8().size(); ++i)
    linear.rgba.push_back(i % 4 == 3 ? 1 : float(Reference::light(eight.pixels8()[i] / 255.0)));
  light.pixels = std::move(linear);
  EXPECT_LT(flip(eight, light).mean, 1e-4);
  EXPECT_EQ(flip(plain(4, 4, {255, 0, 0}, 0), plain(4, 4, {0, 0, 0})).mean, 0);
}

}  // namespace
}  // namespace kiln
