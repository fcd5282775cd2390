// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/measure/distance.h"
#include "tests/cli/pictures.h"

namespace kiln {
namespace {

using test::pattern_picture;
using test::smooth_picture;

Image with_gamma_error(Image image) {  // gamma 3.8 instead of 4
  for (std::size_t i = 0; i < image.pixels8().size(); ++i) {
    if (i % 4 != 3)
      image.pixels8()[i] =
          static_cast<std::uint8_t>(255 * std::pow(image.pixels8()[i] / 255.0, 4 / 3.8));
  }
  return image;
}

Image shifted(const Image& image, int pixels) {
  Image moved = image;
  const std::size_t samples = static_cast<std::size_t>(pixels) * 4;
  std::copy(image.pixels8().begin(), image.pixels8().end() - static_cast<std::ptrdiff_t>(samples),
            moved.pixels8().begin() + static_cast<std::ptrdiff_t>(samples));
  return moved;
}

Image with_swapped_colors(Image image) {
  for (std::size_t i = 0; i < image.pixels8().size(); i += 4)
    std::swap(image.pixels8()[i], image.pixels8()[i + 2]);
  return image;
}

TEST(compare, equal_pictures) {
  for (int bits : {8, 16}) {
    const Comparison c = compare(pattern_picture(31, 17, bits), pattern_picture(31, 17, bits));
    EXPECT_TRUE(c.same_size);
    EXPECT_EQ(c.rms, 0);
    EXPECT_EQ(c.largest, 0);
    EXPECT_EQ(c.differing, 0);
    EXPECT_TRUE(std::isinf(c.psnr_db));
    EXPECT_NEAR(c.ssim, 1, 1e-12);
  }
}

TEST(compare, sizes_that_differ) {
  EXPECT_FALSE(compare(pattern_picture(4, 4, 8), pattern_picture(4, 5, 8)).same_size);
  EXPECT_FALSE(compare(pattern_picture(2, 8, 8), pattern_picture(8, 2, 8)).same_size);
}

TEST(compare, one_known_difference) {
  const Image a{2, 2, Bytes(16, 255)};
  Image b = a;
  b.pixels8()[4] = 204;  // one of 12 color samples off by 0.2
  const Comparison c = compare(a, b);
  EXPECT_DOUBLE_EQ(c.rms, std::sqrt(0.04 / 12));
  EXPECT_DOUBLE_EQ(c.mean, 0.2 / 12);
  EXPECT_DOUBLE_EQ(c.largest, 0.2);
  EXPECT_DOUBLE_EQ(c.differing, 0.25);
  EXPECT_NEAR(c.psnr_db, -10 * std::log10(0.04 / 12), 1e-9);
  EXPECT_EQ(compare(a, b, 0.21).differing, 0);
  EXPECT_EQ(compare(a, b, 0.19).differing, 0.25);
}

TEST(compare, alpha_counts_unless_both_are_opaque) {
  const Image a{1, 1, Bytes{10, 20, 30, 255}};
  Image b = a;
  b.pixels8()[3] = 0;
  EXPECT_DOUBLE_EQ(compare(a, b).rms, 0.5);  // one of four samples off by 1
  EXPECT_EQ(compare(a, b).differing, 1);
}

TEST(compare, depths_mix) {
  const Image a = pattern_picture(9, 9, 8, true);
  Image b = a;
  b.pixels.emplace<Words>();
  for (std::uint8_t sample : a.pixels8())
    b.pixels16().push_back(static_cast<std::uint16_t>(sample * 257));
  EXPECT_EQ(compare(a, b).differing, 0);
  b.pixels16()[0] ^= 1;
  EXPECT_GT(compare(a, b).differing, 0);
}

Image linear(std::vector<float> values) {
  Image image;
  image.width = static_cast<int>(values.size() / 4);
  image.height = 1;
  image.pixels = LinearLight{std::move(values), {}};
  return image;
}

TEST(compare, linear_light_as_it_is) {
  const Image a = linear({2, 0.5f, 0, 1, 0, 0, 0, 1}), b = linear({2.5f, 0.5f, 0, 1, 0, 0, 0, 1});
  const Comparison c = compare(a, b);
  EXPECT_DOUBLE_EQ(c.largest, 0.5);
  EXPECT_DOUBLE_EQ(c.mean, 0.5 / 6);
  EXPECT_DOUBLE_EQ(c.differing, 0.5);
  EXPECT_EQ(compare(a, a).differing, 0);
  EXPECT_TRUE(comparable(a, b));
  EXPECT_FALSE(comparable(a, pattern_picture(2, 1, 8)));
  EXPECT_TRUE(comparable(pattern_picture(2, 1, 8), pattern_picture(2, 1, 16)));
}

TEST(compare, what_is_no_number_is_never_the_same_as_a_number) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float infinity = std::numeric_limits<float>::infinity();
  const Image a = linear({1, 1, 1, 1}), b = linear({nan, 1, 1, 1}), c = linear({infinity, 1, 1, 1});
  for (const Image* other : {&b, &c}) {
    EXPECT_EQ(compare(a, *other).differing, 1);
    EXPECT_EQ(compare(*other, a).differing, 1);
    EXPECT_TRUE(std::isinf(compare(a, *other).rms));
    EXPECT_LT(compare(a, *other).psnr_db, 0);
    EXPECT_EQ(compare(*other, *other).differing, 0);
    EXPECT_TRUE(std::isfinite(compare(a, *other).ssim));
  }
  EXPECT_EQ(compare(b, c).differing, 1);
}

TEST(compare, the_gain_brings_differences_into_view) {
  EXPECT_EQ(difference_gain(0), 1);
  EXPECT_EQ(difference_gain(1), 1);
  EXPECT_EQ(difference_gain(0.6), 1);
  EXPECT_EQ(difference_gain(0.5), 2);
  EXPECT_EQ(difference_gain(1 / 255.0), 128);
  EXPECT_EQ(difference_gain(3), 0.25);
  EXPECT_EQ(difference_gain(std::numeric_limits<double>::infinity()), 1);
}

TEST(compare, the_difference_picture_by_hand) {
  const Image a{2, 1, Bytes{10, 20, 30, 255, 0, 0, 0, 255}};
  Image b = a;
  b.pixels8() = {13, 18, 30, 255, 0, 0, 0, 254};
  const Image d = difference_picture(a, b, 64);
  EXPECT_TRUE(d.opaque);
  EXPECT_EQ(d.pixels8(), (std::vector<std::uint8_t>{192, 128, 0, 255, 64, 64, 64, 255}));
  EXPECT_EQ(difference_picture(a, b, 256).pixels8()[0], 255);  // cut at white
  const Image same = difference_picture(a, a, 1);
  EXPECT_EQ(same.pixels8(), (std::vector<std::uint8_t>{0, 0, 0, 255, 0, 0, 0, 255}));
}

TEST(compare, ssim_of_one_window_by_hand) {
  // Two flat 8x8 pictures: variances and covariance vanish, only the luminance term stays.
  Image a = pattern_picture(8, 8, 8), b = a;
  for (std::size_t i = 0; i < a.pixels8().size(); ++i) {
    a.pixels8()[i] = i % 4 == 3 ? 255 : 51;   // 0.2
    b.pixels8()[i] = i % 4 == 3 ? 255 : 102;  // 0.4
  }
  EXPECT_NEAR(compare(a, b).ssim, (2 * 0.2 * 0.4 + 1e-4) / (0.04 + 0.16 + 1e-4), 1e-9);
}

TEST(compare, ssim_of_all_windows_as_a_plain_loop_finds_it) {
  const Image a = pattern_picture(21, 13, 8, true), b = with_gamma_error(a);
  const auto luma = [](const Image& image, int x, int y) {
    const std::uint8_t* p = image.pixels8().data() + 4 * (y * image.width + x);
    return (0.299 * p[0] + 0.587 * p[1] + 0.114 * p[2]) / 255;
  };
  double total = 0;
  for (int top = 0; top + 8 <= 13; ++top) {
    for (int left = 0; left + 8 <= 21; ++left) {
      double mx = 0, my = 0, vx = 0, vy = 0, cov = 0;
      for (int i = 0; i < 64; ++i) {
        mx += luma(a, left + i % 8, top + i / 8) / 64;
        my += luma(b, left + i % 8, top + i / 8) / 64;
      }
      for (int i = 0; i < 64; ++i) {
        const double dx = luma(a, left + i % 8, top + i / 8) - mx,
                     dy = luma(b, left + i % 8, top + i / 8) - my;
        vx += dx * dx / 64;
        vy += dy * dy / 64;
        cov += dx * dy / 64;
      }
      total +=
          (2 * mx * my + 1e-4) * (2 * cov + 9e-4) / ((mx * mx + my * my + 1e-4) * (vx + vy + 9e-4));
    }
  }
  EXPECT_NEAR(compare(a, b).ssim, total / (6 * 14), 1e-9);
}

TEST(compare, prepared_wrong_pictures_fail_the_usual_limits) {  // SSIM >= 0.98 and PSNR >= 40 dB
  const Image right = smooth_picture(64, 48);
  Image barely = right;
  for (std::size_t i = 0; i < barely.pixels8().size(); i += 7) {
    if (i % 4 != 3 && barely.pixels8()[i] > 0) --barely.pixels8()[i];
  }
  const auto passes = [&](const Image& other) {
    const Comparison c = compare(right, other);
    return c.ssim >= 0.98 && c.psnr_db >= 40;
  };
  EXPECT_TRUE(passes(right));
  EXPECT_TRUE(passes(barely));
  EXPECT_FALSE(passes(with_swapped_colors(right)));
  EXPECT_FALSE(passes(shifted(right, 1)));
  EXPECT_FALSE(passes(with_gamma_error(right)));
}

}  // namespace
}  // namespace kiln
