// SPDX-License-Identifier: MIT
// Pictures that are written row by row are the files of the whole pictures, byte for byte.
#include <gtest/gtest.h>

#include <algorithm>

#include "engine/io/picture/exr.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/image.h"
#include "tests/cli/pictures.h"
#include "tests/cli/settings.h"

namespace kiln {
namespace {

using namespace test;

/// Some rows of a picture.
Image rows_of(const Image& image, int first_row, int rows) {
  Image part = image;
  crop(part, {0, first_row, image.width, rows});
  return part;
}

/// Calls body with pieces of the picture, few rows and many.
template <class Body>
void in_pieces(const Image& image, Body&& body) {
  const int heights[] = {1, 2, 700, 5, 1, 900};
  for (int row = 0, i = 0; row < image.height; ++i) {
    const int rows = std::min(heights[i % 6], image.height - row);
    body(rows_of(image, row, rows));
    row += rows;
  }
}

TEST(rows, a_png_is_that_of_the_whole_picture) {
  const ScratchFolder folder;
  for (int bits : {8, 16}) {
    for (bool opaque : {false, true}) {
      Image image = pattern_picture(411, 1800, bits, opaque);  // some bands of the compressor
      image.opaque = opaque;
      image.pixel_aspect = 1.5;
      write_png(folder / "whole.png", image, picture_texts("genome", "record 9"));
      const auto file = png_rows(folder / "rows.png", rows_of(image, 0, 1), image.height,
                                 picture_texts("genome", "record 0"), {.threads = 2});
      PixelHash hash(image.width, image.height, bits);
      in_pieces(image, [&](const Image& rows) {
        file->add(rows);
        hash.add(rows);
      });
      EXPECT_EQ(folder.entries(), Names{"whole.png"});
      file->finish("record 9");
      EXPECT_TRUE(read_file(folder / "rows.png") == read_file(folder / "whole.png"));
      EXPECT_EQ(hash.hex(), pixel_hash(image));
      std::filesystem::remove(folder / "rows.png");
    }
  }
}

TEST(rows, an_exr_is_that_of_the_whole_picture) {
  if (!exr_supported()) GTEST_SKIP() << "built without OpenEXR";
  const ScratchFolder folder;
  Image image;
  image.width = 211;
  image.height = 1703;
  LinearLight& light = image.pixels.emplace<LinearLight>();
  for (int i = 0; i < image.width * image.height; ++i) {
    light.hits.push_back(float(i % 1001));
    for (int c = 0; c < 4; ++c) light.rgba.push_back(float(i % 77 + c) / 31);
  }
  for (const ExrPrecision precision : {ExrPrecision::half_float, ExrPrecision::single_float}) {
    write_exr(folder / "whole.exr", image, picture_texts("genome", "record 9"),
              {.exr = {precision}});
    const auto file = exr_rows(folder / "rows.exr", rows_of(image, 0, 1), image.height,
                               picture_texts("genome", "record 0"), {.exr = {precision}});
    PixelHash hash(image.width, image.height, 32);
    in_pieces(image, [&](const Image& rows) {
      file->add(rows);
      hash.add(rows);
    });
    file->finish("record 9");
    EXPECT_TRUE(read_file(folder / "rows.exr") == read_file(folder / "whole.exr"));
    EXPECT_EQ(hash.hex(), pixel_hash(image));
  }
}

class rows_program : public Settings {};

TEST_F(rows_program, a_picture_in_stripes_is_the_same_file) {
  put("a.flame", triangle());
  std::vector<Names> formats = {
      {"x.png"}, {"x.png", "--bits", "16", "--transparent"}, {"x.png", "--crop", "30,250,200x600"}};
  if (exr_supported()) formats.push_back({"x.exr"});
  for (const Names& format : formats) {
    SCOPED_TRACE(format.back());
    const Names render = joined({"render", "a.flame", "--size", "300x1000", "-o"}, format);
    ASSERT_EQ(kiln(render).code, 0);
    const std::string whole = read_file(folder / format[0]);
    std::filesystem::remove(folder / format[0]);
    const Names limit = {"--max-memory", "6M"};
    const std::string plan = kiln(joined(joined(render, limit), {"--dry-run"})).out;
    EXPECT_TRUE(contains(plan, "in 3 stripes")) << plan;
    const Outcome striped = kiln(joined(render, limit));
    EXPECT_EQ(striped.code, 0) << striped.err;
    EXPECT_EQ(striped.out, format[0] + "\n");
    EXPECT_TRUE(read_file(folder / format[0]) == whole);
  }
  const Names stripes = {"render", "a.flame", "--size", "300x1000", "--max-memory", "6M", "-o"};
  ASSERT_EQ(kiln(joined(stripes, {"y.png"})).code, 0);
  EXPECT_TRUE(kiln(joined(stripes, {"-"})).out == read_file(folder / "y.png"));
}

}  // namespace
}  // namespace kiln
