// Palettes in gradient files and color maps.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/io/flame/palette_library.h"

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

}  // namespace
}  // namespace kiln
