// SPDX-License-Identifier: MIT
// The table of picture formats: each row's reader, writers and texts belong together, and nothing
// beside the table knows what its files are called.
#include "engine/io/picture/picture_format.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "engine/base/error.h"
#include "engine/io/picture/jpeg.h"
#include "engine/io/picture/picture_file.h"
#include "engine/io/picture/png_writer.h"
#include "engine/io/picture/video_writer.h"
#include "engine/model/image.h"
#include "tests/cli/pictures.h"
#include "tests/cli/program.h"
#include "tests/places.h"

namespace kiln {
namespace {

using test::read_file;
using test::ScratchFolder;

/// A small picture that the format takes, of each of its depths.
std::vector<Image> pictures_for(const PictureFormat& format) {
  if (!format.has_alpha) {
    Image image = test::smooth_picture(5, 7);
    image.opaque = true;
    return {image};
  }
  if (format.most_bits == 8) return {test::pattern_picture(5, 7, 8)};
  if (!format.linear) return {test::pattern_picture(5, 7, 8), test::pattern_picture(5, 7, 16)};
  Image image;
  image.width = 5;
  image.height = 7;
  LinearLight& light = image.pixels.emplace<LinearLight>();
  for (int i = 0; i < 35; ++i) light.hits.push_back(float(i));
  for (int i = 0; i < 4 * 35; ++i) light.rgba.push_back(float(i) / 8);
  return {image};
}

/// Rows for formats that want the whole picture are that picture, and the last text says what came last.
TEST(KeptRows, AreTheWholePictureWithItsLastText) {
  for (const int bits : {8, 16}) {
    const Image whole = test::pattern_picture(5, 7, bits);
    const FileTexts texts = {{"first", "1"}, {"last", "?"}};
    Image upper = whole, lower = whole, written;
    FileTexts written_texts;
    crop(upper, {0, 0, 5, 3});
    crop(lower, {0, 3, 5, 4});
    const auto rows = kept_rows(upper, 7, texts, [&](const Image& image, const FileTexts& all) {
      written = image;
      written_texts = all;
    });
    rows->add(upper);
    rows->add(lower);
    rows->finish("!");
    EXPECT_EQ(written.height, 7);
    EXPECT_TRUE(written.pixels == whole.pixels) << bits;
    ASSERT_EQ(written_texts.size(), 2u);
    EXPECT_EQ(written_texts[0].value, "1");
    EXPECT_EQ(written_texts[1].value, "!");
  }
}

TEST(PictureFormat, IsFoundByNameBytesAndLight) {
  std::set<std::string> names, endings;
  for (const PictureFormat& format : picture_formats()) {
    EXPECT_TRUE(names.insert(format.name).second);
    EXPECT_TRUE(endings.insert(std::string(format.ending)).second);
    EXPECT_EQ(&format_named("some.where/a" + std::string(format.ending)), &format);
    EXPECT_EQ(format_with_ending(format.ending), &format);
    EXPECT_EQ(format_beginning(std::string(format.signature) + "more"), &format);
    EXPECT_EQ(format_beginning(format.signature.substr(1)), nullptr);
    EXPECT_EQ(format_for(format.linear).linear, format.linear);
    EXPECT_EQ(format_with_ending(format.or_ending), format.or_ending.empty() ? nullptr : &format);
  }
  EXPECT_STREQ(format_named("sheep.248").name, "PNG");
  EXPECT_STREQ(format_named("A.EXR").name, "OpenEXR");
  EXPECT_STREQ(format_named("a.JPEG").name, "JPEG");
  EXPECT_EQ(format_with_ending(".bmp"), nullptr);
  EXPECT_STREQ(format_named("exr:-").name, "OpenEXR");
  EXPECT_STREQ(format_named("a.tiff").name, "TIFF");
  EXPECT_EQ(format_with_ending(""), nullptr);
  EXPECT_EQ(picture_endings(), ".png, .jpg, .tif, .webp, .avif, .jxl, .exr or .ppm");
  EXPECT_EQ(picture_endings(false), ".png, .jpg, .tif, .webp, .avif, .jxl or .ppm");
  EXPECT_EQ(picture_endings(true), ".exr");
  EXPECT_EQ(picture_names(), "PNG, JPEG, TIFF, WebP, AVIF, JPEG XL, OpenEXR and PPM");
}

TEST(PictureFormat, HoldsWhatItsRowSays) {
  Image flat = test::smooth_picture(5, 7), deep = test::pattern_picture(5, 7, 16, true), light;
  flat.opaque = deep.opaque = true;
  light.pixels.emplace<LinearLight>();
  for (const PictureFormat& format : picture_formats()) {
    flat.opaque = true;
    flat.width = 5;
    EXPECT_EQ(can_hold(format, flat), !format.linear) << format.name;
    EXPECT_EQ(can_hold(format, deep), !format.linear && format.most_bits == 16) << format.name;
    light.opaque = false;
    EXPECT_EQ(can_hold(format, light), format.has_floats) << format.name;
    flat.opaque = false;
    EXPECT_EQ(can_hold(format, flat), !format.linear && format.has_alpha) << format.name;
    flat.opaque = true;
    flat.width = jpeg_side_max + 1;
    EXPECT_EQ(can_hold(format, flat), !format.linear && format.most_side == 0) << format.name;
  }
}

TEST(PictureFormat, ReadsWhatItWrites) {
  const ScratchFolder folder;
  const FileTexts texts = picture_texts("<flame/>", "{\"seed\":1}");
  for (const PictureFormat& format : picture_formats()) {
    if (!format.supported()) continue;
    const std::string path = folder / ("a" + std::string(format.ending)),
                      rows_path = folder / ("r" + std::string(format.ending));
    const Saving saving{.exr = {ExrPrecision::single_float}, .avif_quality = 100};
    for (const Image& image : pictures_for(format)) {
      EXPECT_EQ(&format_for(image, path), &format);
      EXPECT_EQ(format_for(image, "a.bmp").linear, format.linear);
      format.write(path, image, texts, saving);
      const std::string bytes = read_file(path);
      EXPECT_EQ(format_beginning(bytes), &format);
      EXPECT_TRUE(format.bytes(image, texts, saving) == bytes);
      const auto rows = format.write_rows(rows_path, image, image.height, texts, saving);
      rows->add(image);
      rows->finish("{\"seed\":1}");
      EXPECT_TRUE(read_file(rows_path) == bytes);
      const bool is_jpeg = format.signature == jpeg_signature;  // tests/cli/jpeg_test.cpp
      const bool is_exact = !is_jpeg;
      EXPECT_EQ(read_picture(path).pixels == image.pixels, is_exact) << format.name;
      EXPECT_EQ(format_of_file(path, InputFile::Opens::anything), &format);
      const PictureFileTexts said = read_picture_texts(path);
      EXPECT_EQ(!said.texts.empty(), format.has_texts) << format.name;
      if (!format.has_texts) continue;
      EXPECT_EQ(said.texts.at("flam3_genome"), "<flame/>");
      EXPECT_EQ(said.texts.at("kiln_record"), "{\"seed\":1}");
      EXPECT_TRUE(said.ends_there) << format.name;
      EXPECT_EQ(said.holds_pixels, is_exact) << format.name;
      EXPECT_EQ(said.is_whole, format.can_be_resumed) << format.name;
    }
  }
}

TEST(PictureFormat, PpmFilesMayHaveComments) {
  const test::ScratchFolder folder;
  test::write_file(folder / "a.ppm", std::string("P6\n# GIMP\n2 1 # wide\n255\n") + "abcdef");
  const Image image = read_picture(folder / "a.ppm");
  EXPECT_EQ(image.width, 2);
  EXPECT_EQ(image.pixels8(), (Bytes{'a', 'b', 'c', 255, 'd', 'e', 'f', 255}));
}

TEST(PictureFormat, TakesAsManyPixelsAsItSays) {
  for (const PictureFormat& format : picture_formats()) {
    if (format.most_side == 0) continue;
    const std::string name = "a" + std::string(format.ending);
    EXPECT_NO_THROW(check_fits(name, format.most_side, format.most_side, 8, false));
    EXPECT_THROW(check_fits(name, format.most_side + 1, 1, 8, false), Error);
    EXPECT_THROW(check_fits(name, 1, format.most_side + 1, 8, false), Error);
  }
}

TEST(PictureFormat, WhatIsNoPictureIsSaid) {
  const test::ScratchFolder folder;
  test::write_file(folder / "a.flam3", "<flame/>");
  try {
    read_picture(folder / "a.flam3");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what())
                  .find("is no picture; PNG, JPEG, TIFF, WebP, AVIF, JPEG XL, OpenEXR and PPM "
                        "are read (kiln render makes one of a flame)"),
              std::string::npos)
        << error.what();
  }
}

TEST(PictureFormat, AFilmIsSaidToBeNoPicture) {
  for (const VideoFormat& format : video_formats()) {
    for (const std::string_view ending : {format.ending, format.or_ending}) {
      EXPECT_EQ(video_format_with(ending), ending.empty() ? nullptr : &format);
      const PictureFormat* const still = format_with_ending(ending);
      if (ending.empty() || still) {
        EXPECT_TRUE(ending.empty() || ending == ".webp") << ending;  // of both
        continue;
      }
      try {
        check_picture_name("a" + std::string(ending));
        ADD_FAILURE() << ending;
      } catch (const Error& error) {
        EXPECT_NE(std::string(error.what()).find("animate --video makes films"), std::string::npos);
      }
    }
  }
}

TEST(PictureFormat, NobodyElseSpellsItsEnding) {
  namespace fs = std::filesystem;
  const fs::path root = source_dir();
  for (const char* top : {"engine", "cli", "view"}) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / top)) {
      const std::string extension = entry.path().extension();
      if ((extension != ".cpp" && extension != ".h") ||
          entry.path().filename() == "picture_format.cpp")
        continue;
      std::ifstream in(entry.path());
      std::stringstream text;
      text << in.rdbuf();
      const bool is_of_films = entry.path().filename().string().starts_with("video_");
      for (const PictureFormat& format : picture_formats())
        for (const std::string_view ending : {format.ending, format.or_ending})
          EXPECT_TRUE(ending.empty() || (is_of_films && video_format_with(ending)) ||
                      text.str().find("\"" + std::string(ending) + "\"") == std::string::npos)
              << entry.path() << " knows " << ending << ": ask picture_format.h";
    }
  }
}

}  // namespace
}  // namespace kiln
