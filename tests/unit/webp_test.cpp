// SPDX-License-Identifier: MIT
// WebP stills: alpha, quality, texts, and files that are damaged.
#include "engine/io/picture/webp.h"

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/io/picture/picture_format.h"
#include "engine/measure/distance.h"
#include "tests/cli/pictures.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

using test::read_file;
using test::ScratchFolder;
using test::write_file;

const FileTexts some_texts = picture_texts("<flame/>", "{\"seed\":1}", {"Rose", "A", "", ""});

class Webp : public testing::Test {
 protected:
  void SetUp() override {
    if (!webp_supported()) GTEST_SKIP() << "built without libwebp";
  }
  std::string said(const std::string& bytes) const {
    write_file(folder / "a.webp", bytes);
    try {
      read_picture_texts(folder / "a.webp");
      return "";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      return error.what();
    }
  }
  const ScratchFolder folder;
};

TEST_F(Webp, KeepsEveryBitAlsoBelowAlphaZero) {
  Image image = test::pattern_picture(33, 20, 8);
  for (std::size_t i = 3; i < image.pixels8().size(); i += 12) image.pixels8()[i] = 0;
  write_webp(folder / "a.webp", image, some_texts);
  const Image back = read_webp(folder / "a.webp");
  EXPECT_EQ(back.pixels, image.pixels);
  EXPECT_FALSE(back.opaque);
  image.opaque = true;
  for (std::size_t i = 3; i < image.pixels8().size(); i += 4) image.pixels8()[i] = 255;
  write_webp(folder / "b.webp", image, some_texts);
  EXPECT_TRUE(read_webp(folder / "b.webp").opaque);
  EXPECT_EQ(read_webp(folder / "b.webp").pixels, image.pixels);
  EXPECT_EQ(webp_quality_of(folder / "b.webp"), 0);
}

TEST_F(Webp, AQualityMakesItSmallerAndIsKnownLater) {
  Image image = test::smooth_picture(200, 160);
  image.opaque = true;
  std::size_t last = 0;
  for (const int quality : {10, 60, 100}) {
    const std::string bytes = webp_bytes(image, some_texts, {.webp_quality = quality});
    write_file(folder / "a.webp", bytes);
    EXPECT_GT(bytes.size(), last);
    last = bytes.size();
    EXPECT_EQ(webp_quality_of(folder / "a.webp"), quality);
    const PictureFileTexts texts = read_picture_texts(folder / "a.webp");
    EXPECT_FALSE(texts.holds_pixels);
    EXPECT_EQ(texts.texts.at("flam3_genome"), "<flame/>");
    const Image back = read_webp(folder / "a.webp");
    EXPECT_EQ(back.width, 200);
  }
  image.opaque = false;
  for (std::size_t i = 3; i < image.pixels8().size(); i += 4)
    image.pixels8()[i] = std::uint8_t(i / 64);
  write_webp(folder / "t.webp", image, some_texts, {.webp_quality = 50});
  EXPECT_FALSE(read_webp(folder / "t.webp").opaque);
}

TEST_F(Webp, SaysItsTextsAndItsProfile) {
  const std::string bytes = webp_bytes(test::pattern_picture(5, 7, 8), some_texts);
  for (const char* part : {"VP8X", "ICCP", "KILN", "XMP ", "Rose"})
    EXPECT_NE(bytes.find(part), std::string::npos) << part;
  EXPECT_EQ(said(bytes), "");
  const PictureFileTexts texts = read_picture_texts(folder / "a.webp");
  EXPECT_EQ(credits_in(texts.texts).author, "A");
  EXPECT_TRUE(texts.holds_pixels && texts.ends_there);
  EXPECT_EQ(said(bytes + "x"), "");
  EXPECT_FALSE(read_picture_texts(folder / "a.webp").ends_there);
}

TEST_F(Webp, WhatIsDamagedIsSaid) {
  const std::string bytes = webp_bytes(test::pattern_picture(5, 7, 8), some_texts);
  EXPECT_NE(said("RIFF\4\0\0\0WAVE").find("another RIFF file"), std::string::npos);
  EXPECT_NE(said(std::string("RIFF\4\0\0\0WEBP", 12)).find("holds no still"), std::string::npos);
  EXPECT_NE(said(bytes.substr(0, bytes.size() - 1)).find("cut off"), std::string::npos);
  for (std::size_t at = 4; at < bytes.size(); ++at) {
    EXPECT_NE(said(bytes.substr(0, at)), "") << at;
    std::string changed = bytes;
    changed[at] = static_cast<char>(changed[at] ^ 0x81);
    said(changed);
    try {
      read_webp(folder / "a.webp");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input) << error.what();
    }
  }
}

}  // namespace
}  // namespace kiln
