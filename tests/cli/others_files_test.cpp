// SPDX-License-Identifier: MIT
// What other programs read: TIFF, JPEG with its profile and Exif, palettes, triangles, and pictures in a mirror.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <map>

#include "engine/io/flame/flame_options.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/png_colors.h"
#include "engine/io/picture/tiff.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

class files_of_others : public testing::Test {
 protected:
  files_of_others() { write_file(folder / "t.flame", triangle("name=\"tri\"")); }
  Outcome kiln(const Names& words) const { return run_program(words, {folder.path(), "", {}, {}}); }
  void render(Names words) const {
    words.insert(words.begin(), "render");
    words.insert(words.end(), {"--backend", "cpu", "-q"});
    const Outcome outcome = kiln(words);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  std::string bytes(const std::string& name) const { return read_file(folder / name); }
  Image picture(const std::string& name) const { return read_picture(folder / name); }

  ScratchFolder folder;
};

TEST_F(files_of_others, tiff_has_the_pixels_and_is_made_again) {
  struct Row {
    const char* name;
    Names more;
  };
  const Row rows[] = {{"8", {}},
                      {"16", {"--bits", "16"}},
                      {"a", {"--transparent"}},
                      {"a16", {"--transparent", "--bits", "16", "--height", "150"}}};
  for (const Row& row : rows) {
    Names png = {"t.flame", "-o", std::string(row.name) + ".png"}, tiff = png;
    tiff.back() = std::string(row.name) + ".tif";
    png.insert(png.end(), row.more.begin(), row.more.end());
    tiff.insert(tiff.end(), row.more.begin(), row.more.end());
    render(png);
    render(tiff);
    const Image one = picture(png[2]), other = picture(tiff[2]);
    EXPECT_TRUE(one.pixels == other.pixels) << row.name;
    EXPECT_EQ(one.opaque, other.opaque);
    render({tiff[2], "-o", "again.tif"});
    EXPECT_TRUE(bytes("again.tif") == bytes(tiff[2])) << row.name;
  }
  EXPECT_EQ(kiln({"compare", "8.png", "8.tif"}).code, 0);
  EXPECT_EQ(kiln({"check", "."}).code, 1);  // they are no frames, but none is damaged
  EXPECT_EQ(kiln({"check", "."}).out.find("truncated"), std::string::npos);
}

TEST_F(files_of_others, tiff_says_its_colors_its_size_and_who_made_it) {
  render({"t.flame", "-o", "p.tif", "--dpi", "300", "--author", "Anna", "--title", "Tri"});
  const std::string tiff = bytes("p.tif");
  EXPECT_NE(tiff.find(srgb_profile()), std::string::npos);
  EXPECT_NE(tiff.find(std::string("Anna\0", 5)), std::string::npos);
  EXPECT_NE(tiff.find("<dc:creator>"), std::string::npos);
  EXPECT_NE(tiff.find(std::string("\xE0\x93\x04\0\xE8\x03\0\0", 8)),
            std::string::npos);  // 300000/1000
  if (!has_program("ffprobe")) GTEST_SKIP() << "no ffmpeg";
  const std::string command =
      "cd " + folder.path() +
      " && ffmpeg -v error -nostdin -y -i p.tif -f rawvideo -pix_fmt rgb24 d.rgb";
  ASSERT_EQ(std::system(command.c_str()), 0);
  const Image own = picture("p.tif");
  std::string pixels;
  for (std::size_t i = 0; i < own.pixels8().size(); ++i)
    if (i % 4 != 3) pixels += char(own.pixels8()[i]);
  EXPECT_TRUE(bytes("d.rgb") == pixels);
}

TEST_F(files_of_others, a_tiff_is_the_same_in_pieces_and_no_damaged_one_is_believed) {
  Image image;
  image.width = 7;
  image.height = 200;
  Words& words = image.pixels.emplace<Words>(std::size_t(7) * 200 * 4);
  for (std::size_t i = 0; i < words.size(); ++i) words[i] = std::uint16_t(i * 40503u);
  const FileTexts texts = {{"flam3_genome", "<flame/>", true}, {"kiln_record", "{\"a\":1}", false}};
  const std::string whole = tiff_bytes(image, texts);
  const std::string path = folder / "rows.tif";
  const auto rows = tiff_rows(path, image, 200, texts, {});
  for (int y = 0; y < 200; y += 33) {
    Image piece = image;
    piece.height = std::min(33, 200 - y);
    piece.pixels = Words(words.begin() + y * 28, words.begin() + (y + piece.height) * 28);
    rows->add(piece);
  }
  rows->finish("{\"a\":1}");
  EXPECT_TRUE(read_file(path) == whole);
  EXPECT_TRUE(read_tiff(path).pixels == image.pixels);
  EXPECT_EQ(read_picture_texts(path).texts.at("kiln_record"), "{\"a\":1}");
  int refused = 0;
  for (std::size_t end = 8; end < whole.size(); end += whole.size() / 40) {
    write_file(folder / "cut.tif", whole.substr(0, end));
    try {
      read_tiff(folder / "cut.tif");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      ++refused;
    }
  }
  EXPECT_GE(refused, 39);
  for (std::size_t at = 4; at < whole.size(); at += 19) {  // any byte may be wrong
    std::string wrong = whole;
    wrong[at] = char(wrong[at] ^ 0x55);
    write_file(folder / "wrong.tif", wrong);
    try {
      read_tiff(folder / "wrong.tif");
      read_picture_texts(folder / "wrong.tif");
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
    }
  }
}

/// What other programs go by: the number behind each tag, or where its numbers are.
std::map<int, std::uint32_t> tags_of(const std::string& tiff) {
  const auto number = [&](std::size_t at, std::size_t size) {
    std::uint32_t value = 0;
    for (std::size_t i = size; i-- > 0;)
      value = value << 8 | static_cast<unsigned char>(tiff.at(at + i));
    return value;
  };
  std::map<int, std::uint32_t> tags;
  const std::size_t list = number(4, 4), count = number(list, 2);
  for (std::size_t at = list + 2; at < list + 2 + 12 * count; at += 12)
    tags[int(number(at, 2))] =
        number(at + 8, number(at + 2, 2) == 3 && number(at + 4, 4) == 1 ? 2 : 4);
  return tags;
}

Image seven_wide(int height, int bits) {
  Image image;
  image.width = 7;
  image.height = height;
  const std::size_t samples = std::size_t(7 * height * 4);
  if (bits == 8)
    image.pixels.emplace<Bytes>(samples);
  else
    image.pixels.emplace<Words>(samples);
  for (std::size_t i = 0; i < samples; ++i)
    if (bits == 8)
      image.pixels8()[i] = std::uint8_t(i * 37);
    else
      image.pixels16()[i] = std::uint16_t(i * 40503u);
  return image;
}

TEST_F(files_of_others, a_tiff_says_what_its_numbers_mean) {
  for (const int bits : {8, 16})
    for (const bool opaque : {false, true}) {
      Image image = seven_wide(70, bits);
      image.opaque = opaque;
      image.dpi = opaque ? 300 : 0;
      const auto tags = tags_of(tiff_bytes(image, {{"kiln_record", "{}", false}}));
      const std::pair<int, std::uint32_t> wanted[] = {
          {256, 7},  {257, 70}, {262, 2}, {277, opaque ? 3 : 4},
          {278, 64}, {284, 1},  {317, 2}, {296, opaque ? 2 : 1}};  // an inch, or none
      for (const auto& [tag, value] : wanted) EXPECT_EQ(tags.at(tag), value) << tag;
      EXPECT_EQ(tags.contains(338), !opaque);
      if (!opaque) {
        EXPECT_EQ(tags.at(338), 2u) << "colors are not multiplied by alpha";
      }
    }
}

/// Other programs write two short numbers into their tag where kiln has a list of long ones.
TEST_F(files_of_others, a_tiff_with_short_lists_is_read) {
  const Image image = seven_wide(100, 8);  // of two strips
  std::string tiff = tiff_bytes(image, {{"kiln_record", "{}", false}});
  const auto byte = [&](std::size_t at) {
    return std::size_t(static_cast<unsigned char>(tiff[at]));
  };
  const std::size_t list = byte(4) | byte(5) << 8;
  int changed = 0;
  for (std::size_t at = list + 2; at + 12 <= tiff.size(); at += 12) {
    const std::size_t tag = byte(at) | byte(at + 1) << 8;
    if (tag != 273 && tag != 279) continue;
    const std::size_t place = byte(at + 8) | byte(at + 9) << 8;
    ASSERT_EQ(byte(at + 4), 2u);
    const std::string two = tiff.substr(place, 2) + tiff.substr(place + 4, 2);
    ASSERT_EQ(byte(place + 2) + byte(place + 3) + byte(place + 6) + byte(place + 7), 0u);
    tiff[at + 2] = 3;
    tiff.replace(at + 8, 4, two);
    ++changed;
  }
  ASSERT_EQ(changed, 2);
  write_file(folder / "short.tif", tiff);
  EXPECT_TRUE(read_tiff(folder / "short.tif").pixels == image.pixels);
}

TEST_F(files_of_others, jpeg_says_that_it_is_srgb_and_how_large_on_paper) {
  if (!format_with_ending(".jpg")->supported()) GTEST_SKIP() << "built without JPEG";
  render({"t.flame", "-o", "a.jpg"});
  render({"t.flame", "-o", "b.jpg", "--dpi", "300"});
  EXPECT_NE(bytes("a.jpg").find(std::string("ICC_PROFILE\0\1\1", 14) + srgb_profile()),
            std::string::npos);
  EXPECT_EQ(bytes("a.jpg").find("Exif"), std::string::npos);
  const std::string with_size = bytes("b.jpg");
  const std::size_t exif = with_size.find(std::string("Exif\0\0II*\0", 10));
  ASSERT_NE(exif, std::string::npos);
  EXPECT_NE(with_size.find(std::string("\xE0\x93\x04\0\xE8\x03\0\0", 8), exif), std::string::npos);
  EXPECT_TRUE(picture("a.jpg").pixels == picture("b.jpg").pixels);
  render({"b.jpg", "-o", "c.jpg"});
  EXPECT_TRUE(bytes("c.jpg") == with_size);
  // pixels that are not square: 300 an inch across, 600 down
  for (const char* name : {"d.jpg", "d.tif"}) {
    render({"t.flame", "-o", name, "--dpi", "300", "--pixel-aspect", "2"});
    const std::string file = bytes(name);
    const std::size_t across = file.find(std::string("\xE0\x93\x04\0\xE8\x03\0\0", 8));
    ASSERT_NE(across, std::string::npos) << name;
    EXPECT_NE(file.find(std::string("\xC0\x27\x09\0\xE8\x03\0\0", 8), across), std::string::npos)
        << name;
  }
}

TEST_F(files_of_others, palettes_come_back_as_they_were) {
  const Palette own = chosen_palette(folder / "t.flame", 0, "");
  struct Row {
    const char* ending;
    double apart;  // levels
  };
  constexpr Row rows[] = {{".gpl", 1}, {".ggr", 1}, {".map", 1}, {".ugr", 3}};
  for (const Row& row : rows) {
    const std::string name = std::string("p") + row.ending;
    const Outcome outcome = kiln({"palettes", "t.flame", "-o", name});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Palette again = chosen_palette(folder / name, 0, "");
    ASSERT_EQ(again.size(), own.size());
    for (std::size_t i = 0; i < own.size(); ++i) {
      EXPECT_NEAR(again[i].r * 255, own[i].r * 255, row.apart) << row.ending << i;
      EXPECT_NEAR(again[i].g * 255, own[i].g * 255, row.apart) << row.ending << i;
      EXPECT_NEAR(again[i].b * 255, own[i].b * 255, row.apart) << row.ending << i;
    }
  }
  ASSERT_EQ(kiln({"palettes", "t.flame", "-o", "p.act"}).code, 0);
  const std::string table = bytes("p.act");
  ASSERT_EQ(table.size(), 768u);
  EXPECT_EQ(table.substr(0, 3), "\xFF\x80" + std::string(1, '\0'));
  const std::string library = std::string(source_dir()) + "/flames/palettes.xml";
  EXPECT_EQ(kiln({"palettes", library, "-o", "all.gpl"}).code, 2);
  EXPECT_EQ(kiln({"palettes", library + "#0", "-o", "one.gpl"}).code, 0);
  EXPECT_EQ(kiln({"palettes", library, "-o", "all.ugr"}).code, 0);
  EXPECT_EQ(kiln({"palettes", "all.ugr"}).out.empty(), false);
  // what is read is not replaced, whatever it is called
  for (const char* name : {"one.gpl", "./one.gpl"})
    for (const bool force : {false, true}) {
      Names words = {"palettes", "one.gpl", "-o", name};
      if (force) words.push_back("--force");
      const std::string before = bytes("one.gpl");
      EXPECT_EQ(kiln(words).code, 2) << name << force;
      EXPECT_TRUE(bytes("one.gpl") == before);
    }
}

TEST_F(files_of_others, a_mirror_turns_the_picture_over) {
  // not alike under either mirror, off the middle and turned
  const std::string flame = triangle("rotate=\"20\" oversample=\"1\"",
                                     "<finalxform color=\"0\" color_speed=\"0\" linear=\"1\" "
                                     "coefs=\"1 0.2 0 1 0.1 0\"/>");
  write_file(folder / "own.flame", flame);
  const Names size = {"--width", "96", "--quality", "2000"};
  const auto made = [&](const Names& words, const std::string& name) {
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    Names more = {words.size() > 4 ? words[4] : "own.flame", "-o", name};
    more.insert(more.end(), size.begin(), size.end());
    render(more);
    return picture(name);
  };
  const Image own = made({"validate", "own.flame"}, "own.png");
  const Image across = made({"genome", "mirror", "own.flame", "-o", "x.flam3"}, "x.png");
  const Image down =
      made({"genome", "mirror", "own.flame", "-o", "y.flam3", "--axis", "up-down"}, "y.png");
  double across_off = 0, down_off = 0, same = 0;
  for (int y = 0; y < own.height; ++y)
    for (int x = 0; x < own.width; ++x) {
      const auto at = [&](const Image& image, int column, int row) {
        return double(image.pixels8()[std::size_t(row * own.width + column) * 4]);
      };
      across_off += std::fabs(at(own, x, y) - at(across, own.width - 1 - x, y));
      down_off += std::fabs(at(own, x, y) - at(down, x, own.height - 1 - y));
      same += std::fabs(at(own, x, y) - at(across, x, y));
    }
  EXPECT_LT(across_off, 0.1 * same);
  EXPECT_LT(down_off, 0.1 * same);
}

TEST_F(files_of_others, triangles_lie_where_their_xforms_draw) {
  const Outcome outcome = kiln({"info", "t.flame", "--triangles", "t.svg", "-q"});
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const std::string svg = bytes("t.svg");
  EXPECT_NE(svg.find("width=\"32\" height=\"24\""), std::string::npos);
  // coefs 0.5 0 0 0.5 0.25 0.5 about (0.5, 0.5) at 20 pixels a unit
  EXPECT_NE(svg.find("points=\"11.00,12.00 21.00,12.00 11.00,22.00\""), std::string::npos) << svg;
  EXPECT_NE(svg.find("stroke=\"#ff8000\""), std::string::npos);
  const auto third = [&](const std::string& attributes) {
    write_file(folder / "z.flame", triangle(attributes));
    EXPECT_EQ(kiln({"info", "z.flame", "--triangles", "z.svg", "-q"}).code, 0);
    const std::string all = bytes("z.svg");
    const std::size_t at = all.find("points=", all.find("id=\"xform-2\""));
    return all.substr(at + 8, all.find('"', at + 8) - at - 8);
  };
  EXPECT_EQ(third(""), "11.00,12.00 21.00,12.00 11.00,22.00");
  EXPECT_EQ(third("zoom=\"1\""), "6.00,12.00 26.00,12.00 6.00,32.00");
  // as the renderer turns the picture
  EXPECT_EQ(third("rotate=\"90\""), "16.00,7.00 16.00,17.00 6.00,7.00");
  EXPECT_EQ(kiln({"info", "t.flame", "--triangles", "t.png"}).code, 2);
  EXPECT_EQ(kiln({"info", "t.flame", "--triangles", "t.svg", "--projection", "sphere"}).code, 2);
}

}  // namespace
}  // namespace kiln
