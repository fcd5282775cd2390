// SPDX-License-Identifier: MIT
// TIFF files: floats, alpha of both kinds, and files that are damaged.
#include "engine/io/picture/tiff.h"

#include <gtest/gtest.h>

#include <cstring>

#include "engine/base/error.h"
#include "engine/io/picture/picture_format.h"
#include "tests/cli/pictures.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

using test::ScratchFolder;
using test::write_file;

Image light_of(int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  LinearLight& light = image.pixels.emplace<LinearLight>();
  const std::size_t pixels = std::size_t(width) * std::size_t(height);
  for (std::size_t i = 0; i < pixels; ++i) {
    light.hits.push_back(float(i));
    for (int c = 0; c < 4; ++c) light.rgba.push_back(float(i) * 0.37f - float(c) * 1e-4f);
  }
  light.rgba[5] = 1e30f;
  light.rgba[6] = -0.0f;
  return image;
}

/// Where a tag's entry is in the file.
std::size_t entry_of(const std::string& tiff, unsigned number) {
  const auto at = [&](std::size_t place, int count) {
    std::uint32_t value = 0;
    std::memcpy(&value, tiff.data() + place, std::size_t(count));
    return value;
  };
  const std::size_t tags = at(4, 4);
  for (std::uint32_t i = 0; i < at(tags, 2); ++i)
    if (at(tags + 2 + 12 * i, 2) == number) return tags + 2 + 12 * i;
  ADD_FAILURE() << "no tag " << number;
  return 0;
}

TEST(Tiff, FloatsComeBackAsTheyWere) {
  const ScratchFolder folder;
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {67, 130}}) {
    const Image image = light_of(width, height > 1 || width > 1 ? height : 2);
    write_tiff(folder / "a.tif", image, picture_texts("<flame/>", "{\"bits\":32}"));
    const Image back = read_tiff(folder / "a.tif");
    ASSERT_EQ(back.bits(), 32);
    EXPECT_TRUE(std::memcmp(back.linear().rgba.data(), image.linear().rgba.data(),
                            image.linear().rgba.size() * sizeof(float)) == 0);
    EXPECT_TRUE(back.linear().hits.empty());
    EXPECT_FALSE(read_picture_texts(folder / "a.tif").holds_pixels);  // hits were hashed, too
  }
}

TEST(Tiff, FloatsWhoseAlphaIsStraightAreMultiplied) {
  const ScratchFolder folder;
  Image image = light_of(2, 1);
  image.linear().rgba = {0.5f, 1, 2, 0.25f, 1, 2, 4, 0};
  std::string tiff = tiff_bytes(image, {});
  tiff[entry_of(tiff, 338) + 8] = 2;
  write_file(folder / "a.tif", tiff);
  EXPECT_EQ(read_tiff(folder / "a.tif").linear().rgba,
            (std::vector<float>{0.125f, 0.25f, 0.5f, 0.25f, 0, 0, 0, 0}));
}

TEST(Tiff, ColorsThatAreMultipliedByAlphaAreDividedAgain) {
  const ScratchFolder folder;
  Image image;
  image.width = 4;
  image.height = 1;
  image.pixels = Bytes{50, 100, 128, 128, 255, 7, 0, 255, 9, 9, 9, 0, 200, 1, 0, 100};
  std::string tiff = tiff_bytes(image, {});
  write_file(folder / "straight.tif", tiff);
  EXPECT_EQ(read_tiff(folder / "straight.tif").pixels, image.pixels);
  tiff[entry_of(tiff, 338) + 8] = 1;
  write_file(folder / "multiplied.tif", tiff);
  EXPECT_EQ(read_tiff(folder / "multiplied.tif").pixels8(),
            (Bytes{100, 199, 255, 128, 255, 7, 0, 255, 9, 9, 9, 0, 255, 3, 0, 100}));

  image.pixels = Words{10000, 20000, 30000, 40000, 5, 6, 7, 0, 65535, 0, 1, 65535, 3, 2, 1, 3};
  tiff = tiff_bytes(image, {});
  tiff[entry_of(tiff, 338) + 8] = 1;
  write_file(folder / "words.tif", tiff);
  EXPECT_EQ(
      read_tiff(folder / "words.tif").pixels16(),
      (Words{16384, 32768, 49151, 40000, 5, 6, 7, 0, 65535, 0, 1, 65535, 65535, 43690, 21845, 3}));
}

TEST(Tiff, WhatIsCutOffOrChangedIsRefusedOrRead) {
  const ScratchFolder folder;
  for (const Image& image : {light_of(5, 3), test::pattern_picture(5, 3, 8)}) {
    const std::string tiff = tiff_bytes(image, picture_texts("<flame/>", "{}"));
    for (std::size_t at = 0; at < tiff.size(); at += 3) {
      std::string cut = tiff.substr(0, at), changed = tiff;
      changed[at] = static_cast<char>(changed[at] ^ 0x41);
      for (const std::string& bytes : {cut, changed}) {
        write_file(folder / "a.tif", bytes);
        try {
          read_tiff(folder / "a.tif");
        } catch (const Error& error) {
          EXPECT_EQ(error.kind, ErrorKind::input) << error.what();
        }
      }
    }
  }
}

}  // namespace
}  // namespace kiln
