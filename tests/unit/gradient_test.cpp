// SPDX-License-Identifier: MIT
// Palettes in gradient files and color maps.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "engine/base/error.h"
#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/palette_library.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/palette.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

std::vector<NamedPalette> read(const std::string& text) {
  const ReaderOptions options;
  return read_gradients(text, Messages("colors.ugr", options));
}
std::string refusal(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    return error.what();
  }
  return "";
}
using Color = std::array<std::uint8_t, 3>;

TEST(Gradients, go_straight_from_point_to_point_around_the_circle) {
  const auto palettes = read(
      "; made by hand\nDusk {\r\ngradient:\r\n  title=\"Red dusk\" smooth=no\r\n"
      "  index=100 color=255\r\n  index=300 color=16711680\r\nopacity:\r\n"
      "  smooth=no index=0 opacity=255\r\n}\r\n");
  ASSERT_EQ(palettes.size(), 1u);
  EXPECT_EQ(palettes[0].name, "Red dusk");
  const auto& colors = palettes[0].colors;
  EXPECT_EQ(colors[64], (Color{255, 0, 0}));   // 100 of 400
  EXPECT_EQ(colors[192], (Color{0, 0, 255}));  // 300 of 400
  EXPECT_EQ(colors[128], (Color{128, 0, 128}));
  EXPECT_EQ(colors[0], (Color{128, 0, 128}));
  EXPECT_EQ(colors[32], (Color{191, 0, 64}));
}

TEST(Gradients, are_several_with_names_and_places_beyond_the_circle) {
  const auto palettes = read(
      "one {\ngradient:\n index=0 color=1 index=0 color=2\n}\n\n"
      "two {\ngradient:\nindex=-100 color=65280\nindex=500 color=255\n}\nempty {\n}\n");
  ASSERT_EQ(palettes.size(), 2u);
  EXPECT_EQ(palettes[0].name, "one");
  for (const Color& color : palettes[0].colors) ASSERT_EQ(color, (Color{2, 0, 0}));
  EXPECT_EQ(palettes[1].name, "two");
  EXPECT_EQ(palettes[1].colors[192], (Color{0, 255, 0}));
  EXPECT_EQ(palettes[1].colors[64], (Color{255, 0, 0}));
}

TEST(Gradients, that_are_wrong_are_refused_with_their_line) {
  EXPECT_EQ(refusal("a {\ngradient:\nindex=0 color=x\n}\n"),
            "colors.ugr:3: color=x: must be a whole number between 0 and 16777215");
  EXPECT_EQ(refusal("a {\ngradient:\nindex=0.5\n}\n"),
            "colors.ugr:3: index=0.5: must be a whole number between -1000000 and 1000000");
  EXPECT_EQ(refusal("gradient:\n"),
            "colors.ugr:1: \"gradient:\" is not the beginning of a "
            "gradient: NAME {");
  EXPECT_EQ(refusal("a {\ngradient:\nwords\n}\n"),
            "colors.ugr:3: \"words\" is no setting such as index=0");
  EXPECT_EQ(refusal("a {\ngradient:\nindex=0 color=1\n"),
            "colors.ugr:1: this gradient is never closed; a line with } is missing");
  EXPECT_EQ(refusal("a {\ngradient:\n}\n"),
            "colors.ugr: this gradient file has no points, as in \"index=0 color=255\"");
}

TEST(ColorMaps, are_three_numbers_a_line) {
  const auto palettes = read("0 0 0 black\n\n255 127.5 0\r\n");
  ASSERT_EQ(palettes.size(), 1u);
  EXPECT_EQ(palettes[0].name, "");
  EXPECT_EQ(palettes[0].colors[0], (Color{0, 0, 0}));
  EXPECT_EQ(palettes[0].colors[51], (Color{51, 25, 0}));
  EXPECT_EQ(palettes[0].colors[255], (Color{255, 127, 0}));
}

TEST(ColorMaps, that_are_wrong_are_refused_with_their_line) {
  EXPECT_EQ(refusal("0 0 0\n1 2\n"),
            "colors.ugr:2: \"1 2\" is no color; a line of a color map is three numbers, red "
            "green blue, 0 to 255");
  for (const char* wrong : {"0 0 256", "0 0 nan", "-1 0 0", "0 255.5 0"})
    EXPECT_EQ(refusal("0 0 255\n" + std::string(wrong) + "\n0 0 0\n"),
              "colors.ugr:2: \"" + std::string(wrong) +
                  "\" is no color; a line of a color map is three numbers, red green blue, 0 to "
                  "255");
  EXPECT_EQ(refusal("1 2 3\n"), "colors.ugr: a color map needs two colors at least");
  EXPECT_EQ(refusal(""), "colors.ugr: a color map needs two colors at least");
  std::string long_map;
  for (int i = 0; i < 257; ++i) long_map += "1 2 3\n";
  EXPECT_EQ(refusal(long_map), "colors.ugr:257: a color map has 256 colors at most");
}

TEST(GimpPalettes, gradients_are_blended_as_they_say) {
  const auto palettes = read(
      "GIMP Gradient\nName: Two and a step\n3\n"
      "0 0.125 0.25 1 0 0 1 0 0 1 1 0 0\n"
      "0.25 0.375 0.5 0 0 1 1 1 1 1 1 5 0\n"
      "0.5 0.9 1 0 0 0 1 1 1 1 1 0 0 0 0\n");
  ASSERT_EQ(palettes.size(), 1u);
  EXPECT_EQ(palettes[0].name, "Two and a step");
  const auto& colors = palettes[0].colors;
  EXPECT_EQ(colors[0], (Color{255, 0, 0}));
  EXPECT_EQ(colors[32], (Color{127, 0, 128}));  // near the middle of the first
  EXPECT_EQ(colors[80], (Color{0, 0, 255}));    // before the step at 0.375
  EXPECT_EQ(colors[100], (Color{255, 255, 255}));
  EXPECT_EQ(colors[230][0], 130);  // the middle of the last is at 0.9, 229.5 of 255
  EXPECT_EQ(colors[255], (Color{255, 255, 255}));
}

TEST(GimpPalettes, hues_go_the_way_that_is_asked_for) {
  // from red to blue: by green against the clock, by violet with it
  EXPECT_EQ(read("GIMP Gradient\nName: a\n1\n0 .5 1 1 0 0 1 0 0 1 1 0 1\n")[0].colors[127][0], 2);
  const Color violet = read("GIMP Gradient\n1\n0 .5 1 1 0 0 1 0 0 1 1 0 2\n")[0].colors[128];
  EXPECT_EQ(violet[1], 0);
  EXPECT_GT(violet[0], 200);
}

TEST(GimpPalettes, lists_of_colors_are_stretched) {
  const auto palettes = read(
      "GIMP Palette\r\nName: p\r\nColumns: 2\r\n# c\r\n  0   0   0\tBlack: of night\r\n255 0 "
      "10\r\n");
  ASSERT_EQ(palettes.size(), 1u);
  EXPECT_EQ(palettes[0].colors[0], (Color{0, 0, 0}));
  EXPECT_EQ(palettes[0].colors[255], (Color{255, 0, 10}));
  EXPECT_EQ(palettes[0].colors[51], (Color{51, 0, 2}));
}

TEST(GimpPalettes, gradients_have_lines_of_windows_too) {
  const auto palettes = read("GIMP Gradient\r\nName: w\r\n1\r\n0 .5 1 0 0 0 1 1 1 1 1 0 0\r\n\r\n");
  ASSERT_EQ(palettes.size(), 1u);
  EXPECT_EQ(palettes[0].name, "w");
  EXPECT_EQ(palettes[0].colors[255], (Color{255, 255, 255}));
}

TEST(GimpPalettes, that_are_wrong_are_refused_with_their_line) {
  EXPECT_NE(refusal("GIMP Palette\nName: p\n1 2\n").find("colors.ugr:3: \"1 2\" is no color"),
            std::string::npos);
  EXPECT_NE(refusal("GIMP Palette\n300 0 0\n").find("0 to 255"), std::string::npos);
  EXPECT_NE(refusal("GIMP Gradient\nName: p\n1\n0 .5 1 x\n").find("colors.ugr:4:"),
            std::string::npos);
  EXPECT_NE(refusal("GIMP Gradient\n1\n0 .5 .4 0 0 0 0 0 0 0 0 0 0\n").find("do not go up"),
            std::string::npos);
  EXPECT_NE(refusal("GIMP Gradient\nName: p\n").find("no segments"), std::string::npos);
}

/// A picture of these colors, each a bar so many pixels wide.
Image bars(const std::vector<std::pair<Color, int>>& colors) {
  Image image;
  image.height = 10;
  for (const auto& [color, width] : colors) image.width += width;
  for (int y = 0; y < image.height; ++y)
    for (const auto& [color, width] : colors)
      for (int x = 0; x < width; ++x)
        for (const int value : {int(color[0]), int(color[1]), int(color[2]), 255})
          image.pixels8().push_back(std::uint8_t(value));
  return image;
}

Color at(const Palette& palette, std::size_t i) {
  const auto byte = [](double value) { return std::uint8_t(value * 255 + 0.5); };
  return {byte(palette[i].r), byte(palette[i].g), byte(palette[i].b)};
}

TEST(GimpPalettes, a_gradient_that_is_cut_is_refused) {
  EXPECT_NE(refusal("GIMP Gradient\nName: a\n2\n0 0.25 0.5 1 0 0 1 0 0 1 1 0 0\n")
                .find("says 2 segments and has 1"),
            std::string::npos);
}

/// A header may promise gigabytes of one color in a file of some bytes.
TEST(PicturePalette, takes_no_more_memory_than_it_may) {
  const test::ScratchFolder folder;
  Image image;
  image.width = 300;
  image.height = 200;
  image.pixels = Bytes(300 * 200 * 4, 255);
  format_named("a.png").write(folder / "a.png", image, {}, {});
  EXPECT_EQ(chosen_palette(folder / "a.png", 0, "")[0].r, 1);
  EXPECT_EQ(chosen_palette(folder / "a.png", 0, "", 300 * 200 * 4)[0].r, 1);
  const auto said = [&](const std::string& wanted, std::uint64_t most) -> std::string {
    try {
      chosen_palette(wanted, 0, "", most);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_NE(said(folder / "a.png", 300 * 200 * 4 - 1).find("give a smaller copy"),
            std::string::npos);
  // whose rows do not follow; where nothing is said
  test::write_file(folder / "ppm.ppm", "P6 10000 10000 255\n");
  EXPECT_NE(said(folder / "ppm.ppm", 0).find("the limit is 256"), std::string::npos)
      << said(folder / "ppm.ppm", 0);
  EXPECT_NE(said(folder / "a.png#dark", 0).find("#light"), std::string::npos);
  test::write_file(folder / "a.heic", "ftypheic");
  EXPECT_NE(said(folder / "a.heic", 0).find("reads the colors of PNG"), std::string::npos);
}

TEST(PicturePalette, has_the_colors_of_the_picture_by_light) {
  const Color dark{20, 10, 60}, red{200, 30, 40}, pale{250, 240, 210};
  const Palette palette =
      palette_of_picture(bars({{pale, 10}, {dark, 40}, {red, 10}}), ColorOrder::light);
  EXPECT_EQ(at(palette, 0), dark);
  EXPECT_EQ(at(palette, 255), pale);
  EXPECT_EQ(at(palette, 64), dark) << "the half that is dark has a half of the palette";
  std::size_t reddest = 0;
  for (std::size_t i = 0; i < palette.size(); ++i)
    if (palette[i].r - palette[i].g > palette[reddest].r - palette[reddest].g) reddest = i;
  EXPECT_NEAR(palette[reddest].r * 255, red[0], 8);
  EXPECT_NEAR(palette[reddest].g * 255, red[1], 8);
}

TEST(PicturePalette, goes_along_the_shortest_way) {
  // by light blue would stand between red and yellow
  const Color black{0, 0, 0}, red{180, 20, 20}, blue{40, 110, 250}, yellow{250, 230, 60};
  const Image image = bars({{black, 10}, {red, 10}, {blue, 10}, {yellow, 10}});
  const auto length = [](const Palette& palette) {
    double sum = 0;
    for (std::size_t i = 1; i < palette.size(); ++i) {
      const Lab a = lab_from_rgb(palette[i - 1]), b = lab_from_rgb(palette[i]);
      sum += std::hypot(a.l - b.l, a.a - b.a, a.b - b.b);
    }
    return sum;
  };
  const Palette by_light = palette_of_picture(image, ColorOrder::light);
  const Palette by_way = palette_of_picture(image, ColorOrder::way);
  EXPECT_LE(length(by_way), length(by_light));
  EXPECT_EQ(at(by_way, 0), black);
  const Palette one = palette_of_picture(bars({{red, 3}}), ColorOrder::way);
  EXPECT_EQ(at(one, 0), red);
  EXPECT_EQ(at(one, 255), red);
}

}  // namespace
}  // namespace kiln
