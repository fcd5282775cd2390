// SPDX-License-Identifier: MIT
// A window of a picture has the pixels of the whole picture, whatever happens around it.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/image.h"
#include "engine/render/renderer.h"
#include "tests/cli/pictures.h"
#include "tests/places.h"

namespace kiln {
namespace {

template <class Sample>
std::vector<Sample> cut_by_hand(const std::vector<Sample>& samples, int width, int channels,
                                const Window& w) {
  std::vector<Sample> part;
  for (int y = w.y; y < w.y + w.height; ++y) {
    for (int i = w.x * channels; i < (w.x + w.width) * channels; ++i)
      part.push_back(samples.at(static_cast<std::size_t>(y * width * channels + i)));
  }
  return part;
}

Image::Pixels pixels_cut_by_hand(const Image& whole, const Window& w) {
  if (whole.bits() == 8) return cut_by_hand(whole.pixels8(), whole.width, 4, w);
  if (whole.bits() == 16) return cut_by_hand(whole.pixels16(), whole.width, 4, w);
  return LinearLight{cut_by_hand(whole.linear().rgba, whole.width, 4, w),
                     cut_by_hand(whole.linear().hits, whole.width, 1, w)};
}

TEST(Crop, every_window_of_a_small_picture) {
  constexpr int width = 5, height = 4;
  for (int bits : {8, 16}) {
    const Image whole = test::pattern_picture(width, height, bits);
    for (int x = 0; x < width; ++x)
      for (int y = 0; y < height; ++y)
        for (int w = 1; x + w <= width; ++w)
          for (int h = 1; y + h <= height; ++h) {
            Image part = whole;
            const Window window{x, y, w, h};
            crop(part, window);
            EXPECT_EQ(part.width, w);
            EXPECT_EQ(part.height, h);
            EXPECT_TRUE(part.pixels == pixels_cut_by_hand(whole, window));
          }
  }
}

TEST(Crop, a_window_has_to_be_inside) {
  for (const Window& window :
       {Window{0, 0, 6, 4}, Window{1, 0, 5, 1}, Window{0, 4, 1, 1}, Window{-1, 0, 1, 1},
        Window{0, 0, 0, 1}, Window{0, 0, 1, 5}, Window{2147483647, 0, 2147483647, 1}}) {
    try {
      check_window(window, 5, 4);
      ADD_FAILURE() << window_text(window);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find("5 x 4"), std::string::npos) << error.what();
    }
  }
  EXPECT_NO_THROW(check_window({0, 0, 5, 4}, 5, 4));
  EXPECT_NO_THROW(check_window({4, 3, 1, 1}, 5, 4));
}

TEST(Crop, rendering_a_window_gives_the_pixels_of_the_whole) {
  Flame flame = read_flames(std::string(source_dir()) + "/flames/conch.flam3", {}).flames.at(0);
  flame.width = 64;
  flame.height = 48;
  flame.scale = 18;
  flame.quality = 10;
  flame.effects.bloom.strength = 0.4;  // light from outside of the window
  const Window window{13, 7, 30, 21};
  struct Case {
    int bits;
    bool linear, transparent, earlyclip;
  };
  for (const Case& c : {Case{8, false, false, false}, Case{8, false, true, true},
                        Case{16, false, true, false}, Case{8, true, false, false}}) {
    RenderOptions options;
    options.backend = Backend::cpu;
    options.bits = c.bits;
    options.linear = c.linear;
    options.transparent = c.transparent;
    options.earlyclip = c.earlyclip;
    const Image whole = render(flame, options);
    options.crop = window;
    const Image part = render(flame, options);
    EXPECT_EQ(part.width, window.width);
    EXPECT_EQ(part.height, window.height);
    EXPECT_EQ(part.bits(), c.linear ? 32 : c.bits);
    EXPECT_TRUE(part.pixels == pixels_cut_by_hand(whole, window));
  }
}

}  // namespace
}  // namespace kiln
