// SPDX-License-Identifier: MIT
// Packing: truncation, the 16-bit scale, alpha, and values that no integer holds.
#include <gtest/gtest.h>

#include "kernels/tonemap.h"
#include "tests/kernels/output_reference.h"

namespace kiln {
namespace {

using namespace kiln::testing;

template <class Channel>
std::array<int, 4> packed(Vec4 display, bool transparent) {
  Channel pixels[4];
  run_kernel(Pack<Channel>{&display, pixels, 1, transparent});
  return {pixels[0], pixels[1], pixels[2], pixels[3]};
}

using Rgba = std::array<int, 4>;

TEST(Pack, cuts_instead_of_rounding) {
  EXPECT_EQ(packed<u8>({0.999f, 254.9999f, 255, 0.999f}, true), (Rgba{0, 254, 255, 254}));
  EXPECT_EQ(packed<u16>({0.999f, 254.9999f, 255, 0.5f}, true), (Rgba{255, 65279, 65280, 32767}));
  EXPECT_EQ(packed<u16>({0, 1, 128.5f, 1}, true), (Rgba{0, 256, 32896, 65535}));
}

TEST(Pack, opaque_pictures_have_full_alpha) {
  EXPECT_EQ(packed<u8>({1, 2, 3, 0.25f}, false), (Rgba{1, 2, 3, 255}));
  EXPECT_EQ(packed<u16>({1, 2, 3, 0.25f}, false), (Rgba{256, 512, 768, 65535}));
  EXPECT_EQ(packed<u8>({1, 2, 3, 0.25f}, true), (Rgba{1, 2, 3, 63}));
}

TEST(Pack, clamps_what_no_integer_holds) {
  const float inf = __builtin_huge_valf(), nan = __builtin_nanf("");
  EXPECT_EQ(packed<u8>({nan, inf, -inf, nan}, true), (Rgba{0, 255, 0, 0}));
  EXPECT_EQ(packed<u8>({-0.5f, 300, 1e30f, 7}, true), (Rgba{0, 255, 255, 255}));
  EXPECT_EQ(packed<u16>({nan, inf, -1, -1}, true), (Rgba{0, 65280, 0, 0}));
}

TEST(Pack, every_pixel_of_any_size) {
  for (int count : {1, 7, 255, 256, 257, 1021}) {
    std::vector<Vec4> display;
    for (int i = 0; i < count; ++i) display.push_back({float(i % 256), float(i / 256), 3.5f, 1});
    std::vector<u8> pixels(std::size_t(count) * 4 + 4, 99);
    run_kernel(Pack8{display.data(), pixels.data(), count, 0});
    for (int i = 0; i < count; ++i) {
      ASSERT_EQ(pixels[i * 4], i % 256);
      ASSERT_EQ(pixels[i * 4 + 1], i / 256);
      ASSERT_EQ(pixels[i * 4 + 2], 3);
    }
    for (int i = 0; i < 4; ++i) ASSERT_EQ(pixels[count * 4 + i], 99);
  }
}

}  // namespace
}  // namespace kiln
