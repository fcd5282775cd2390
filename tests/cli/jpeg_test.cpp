// SPDX-License-Identifier: MIT
// JPEG files: flame and record in their segments, pixels nearly those that were rendered, and damaged files.
#include "engine/io/picture/jpeg.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/measure/distance.h"
#include "engine/model/image.h"
#include "tests/cli/pictures.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::Outcome;
using test::read_file;
using test::ScratchFolder;
using test::write_file;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string segment(int marker, const std::string& data) {
  const std::size_t size = data.size() + 2;
  return {'\xFF', char(marker), char(size >> 8), char(size)};
}

/// A JPEG without pixels worth the name, whose texts are these pieces.
std::string bare_jpeg(const FileTexts& pieces) {
  std::string bytes = "\xFF\xD8";
  for (const FileText& piece : pieces) {
    const std::string data = std::string("kiln\0", 5) + piece.key + '\0' + piece.value;
    bytes += segment(0xEA, data) + data;
  }
  return bytes + segment(0xDA, "scan") + "scan" +
         std::string("pix\xFF\0els\xFF\xD3more\xFF\xD9", 16);
}

/// The flames in these bytes, or the message of what is wrong.
std::string outcome(const std::string& bytes) {
  try {
    return std::to_string(parse_flames(bytes, "p.jpg", {}).flames.size()) + " flames";
  } catch (const Error& error) {
    const bool about_the_file =
        error.kind == ErrorKind::input || error.kind == ErrorKind::unsupported;
    return about_the_file ? error.what() : "another kind";
  }
}

// No library is needed for this part.
TEST(jpeg_texts, flames_come_from_its_segments) {
  const std::string flame = test::triangle();
  EXPECT_EQ(outcome(bare_jpeg({{"flam3_genome", flame}})), "1 flames");
  EXPECT_EQ(outcome(bare_jpeg({{"flam3_genome", flame.substr(0, 30)},
                               {"kiln_record", "{\"seed\":9}"},
                               {"flam3_genome", flame.substr(30)}})),
            "1 flames");
  // a marker may have any number of FF before it, the first too
  EXPECT_EQ(outcome("\xFF\xD8\xFF\xFF" + bare_jpeg({{"flam3_genome", flame}}).substr(2)),
            "1 flames");
  EXPECT_EQ(outcome(bare_jpeg({})),
            "p.jpg: the picture carries no flame (no text flam3_genome); give the .flam3 file it "
            "was made from");
}

TEST(jpeg_texts, damaged_files_are_refused) {
  const std::string whole = bare_jpeg({{"flam3_genome", test::triangle()}});
  for (std::size_t size = 3; size < whole.size(); ++size)
    EXPECT_EQ(outcome(whole.substr(0, size)),
              "p.jpg: the JPEG file is cut off; get an undamaged copy");
  const std::string start = "\xFF\xD8";
  EXPECT_EQ(outcome(start + "\xFF\xD9"), "p.jpg: the JPEG file holds no picture");
  EXPECT_EQ(outcome(start + std::string("\xFF\xE0\0\1", 4) + whole),
            "p.jpg: the JPEG file is damaged: this is no segment");
  EXPECT_EQ(outcome(start + segment(0xE0, "abc") + "abcd" + whole),
            "p.jpg: the JPEG file is damaged: this is no segment");
  FileTexts many;
  for (int i = 0; i < 300; ++i) many.push_back({"flam3_genome", std::string(60000, ' ')});
  EXPECT_EQ(outcome(bare_jpeg(many)), "p.jpg: the JPEG file has more than 16 MB of text");
  many.clear();  // names that are texts of their own
  for (int i = 0; i < 300; ++i) many.push_back({std::to_string(i) + std::string(60000, 'k'), ""});
  EXPECT_EQ(outcome(bare_jpeg(many)), "p.jpg: the JPEG file has more than 16 MB of text");
}

TEST(jpeg_texts, only_texts_that_somebody_asks_for_are_kept) {
  const std::string bytes =
      bare_jpeg({{"flam3_nickname", "me"}, {"else", "nobody"}, {"kiln_record", "{}"}});
  std::size_t at = 3;
  const PictureFileTexts found = read_jpeg_texts(
      [&](char* buffer, std::size_t count) {
        const std::size_t part = bytes.copy(buffer, count, at);
        at += part;
        return part;
      },
      "p.jpg");
  EXPECT_EQ(found.texts, (PictureTexts{{"flam3_nickname", "me"}, {"kiln_record", "{}"}}));
}

TEST(jpeg_texts, mutated_files_end_in_an_answer) {
  const std::string whole =
      bare_jpeg({{"flam3_genome", test::triangle()}, {"kiln_record", "{\"seed\":9}"}});
  std::uint32_t state = 5;
  const auto random = [&](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return std::size_t(state >> 8) % below;
  };
  for (int round = 0; round < 3000; ++round) {
    std::string bytes = whole;
    for (std::size_t edits = 1 + random(4); edits > 0; --edits) {
      const std::size_t at = 3 + random(bytes.size() - 3);
      if (random(3) == 0)
        bytes.erase(at, random(20));
      else
        bytes[at] = static_cast<char>(random(256));
      if (bytes.size() < 40) break;
    }
    EXPECT_NE(outcome(bytes), "another kind") << "round " << round;
  }
}

struct jpeg : testing::Test {
  void SetUp() override {
    if (!jpeg_supported()) GTEST_SKIP() << "without libturbojpeg";
  }

  Outcome kiln(std::vector<std::string> arguments) const {
    return test::run_program(arguments,
                             {.folder = folder / "", .input = {}, .out_path = {}, .prepare = {}});
  }

  const ScratchFolder folder;
};

Image opaque_smooth(int width, int height) {
  Image image = test::smooth_picture(width, height);
  image.opaque = true;
  return image;
}

/// Pieces of any height, and any number of threads, give the file of the whole; it decodes to nearly the
/// same pixels, at sizes around a stripe.
TEST_F(jpeg, pixels_and_long_texts_come_back) {
  const std::string longest(200'000, 'x');  // four segments
  const FileTexts texts = picture_texts(longest, "{\"seed\":1}");
  for (const auto& [width, height] : {std::pair{1, 1}, {17, 63}, {40, 64}, {9, 65}, {301, 203}}) {
    const Image image = opaque_smooth(width, height);
    const std::string path = folder / "a.jpg";
    write_jpeg(path, image, texts, {.threads = 3});
    const std::string bytes = read_file(path);
    EXPECT_TRUE(jpeg_bytes(image, texts, {.threads = 1}) == bytes) << width;
    for (const int piece : {1, 50, 64, 100}) {
      FileTexts expected = texts;
      expected.back().value = "{\"seed\":0}";
      const auto rows = jpeg_rows(folder / "r.jpg", image, height, expected, {});
      for (int row = 0; row < height; row += piece) {
        Image part = image;
        part.height = std::min(piece, height - row);
        const std::size_t row_bytes = std::size_t(width) * 4;
        const auto from = image.pixels8().begin() + std::ptrdiff_t(std::size_t(row) * row_bytes);
        part.pixels8().assign(from, from + std::ptrdiff_t(std::size_t(part.height) * row_bytes));
        rows->add(part);
      }
      rows->finish("{\"seed\":1}");
      EXPECT_TRUE(read_file(folder / "r.jpg") == bytes) << width << " in pieces of " << piece;
    }
    const Image back = read_picture(path);
    ASSERT_EQ(back.width, width);
    ASSERT_EQ(back.height, height);
    EXPECT_TRUE(back.opaque);
    const Comparison distance = compare(back, image);
    EXPECT_LT(distance.largest, 0.06) << width;  // 15 of 255, at the edges of blocks
    EXPECT_LT(distance.rms, 0.01) << width;
    const PictureFileTexts said = read_picture_texts(path);
    EXPECT_TRUE(said.texts.at("flam3_genome") == longest);
    EXPECT_EQ(said.texts.at("kiln_record"), "{\"seed\":1}");
    EXPECT_FALSE(said.holds_pixels);
  }
}

TEST_F(jpeg, says_the_shape_of_its_pixels) {
  const auto shape = [](double dpi, double aspect) {
    Image image = opaque_smooth(8, 8);
    image.dpi = dpi;
    image.pixel_aspect = aspect;
    return jpeg_bytes(image, {}).substr(13, 5);
  };
  EXPECT_EQ(shape(0, 1), std::string("\0\0\1\0\1", 5));
  EXPECT_EQ(shape(300, 1), std::string("\1\1\x2C\1\x2C", 5));
  EXPECT_EQ(shape(0, 2), std::string("\0\0\1\0\2", 5));  // a pixel twice as wide as high
  EXPECT_EQ(shape(100, 0.5), std::string("\1\0\x64\0\x32", 5));
}

TEST_F(jpeg, damaged_pixels_are_refused) {
  const std::string path = folder / "a.jpg";
  const std::string whole = jpeg_bytes(opaque_smooth(90, 70), {});
  const auto reading = [&](const std::string& bytes) {
    write_file(path, bytes);
    try {
      read_picture(path);
      return std::string("read");
    } catch (const Error& error) {
      return error.kind == ErrorKind::input ? std::string(error.what()) : "another kind";
    }
  };
  EXPECT_EQ(reading(whole), "read");
  for (std::size_t size = 3; size < whole.size(); size += 7)
    EXPECT_TRUE(contains(reading(whole.substr(0, size)), "a.jpg: this JPEG cannot be read"))
        << size;
  std::string vast = whole;  // the size that its frame promises
  const std::size_t frame = vast.find("\xFF\xC0");
  vast.replace(frame + 5, 4, "\xFF\xDC\xFF\xDC");
  EXPECT_TRUE(contains(reading(vast), "of memory, the limit is")) << reading(vast);
  vast.replace(frame + 5, 4, "\x7F\xDC\x7F\xDC");
  EXPECT_TRUE(contains(reading(vast), "bytes cannot hold 32732 x 32732 pixels")) << reading(vast);
}

TEST_F(jpeg, is_rendered_checked_and_repeated) {
  write_file(folder / "a.flame", test::triangle("supersample=\"2\""));
  const std::vector<std::string> words = {"render", "a.flame", "-q", "--seed",
                                          "7",      "--width", "200"};
  const auto render = [&](std::vector<std::string> more) {
    std::vector<std::string> all = words;
    all.insert(all.end(), more.begin(), more.end());
    return kiln(all);
  };
  std::filesystem::create_directory(folder / "out");
  ASSERT_EQ(render({"-o", "out/a.jpg"}).code, 0);
  ASSERT_EQ(render({"-o", "a.png"}).code, 0);
  const Comparison distance =
      compare(read_picture(folder / "out/a.jpg"), read_picture(folder / "a.png"));
  EXPECT_GT(distance.psnr_db, 30);
  const auto record = parse_picture_record(
      read_picture_texts(folder / "out/a.jpg").texts.at("kiln_record"), "a.jpg", nullptr);
  ASSERT_TRUE(record);
  EXPECT_EQ(record->pixel_hash,
            pixel_hash(read_picture(folder / "a.png")));  // of what was rendered

  ASSERT_EQ(kiln({"render", "out/a.jpg", "-q", "-o", "again.png"}).code, 0);
  EXPECT_TRUE(read_file(folder / "again.png") == read_file(folder / "a.png"));
  ASSERT_EQ(kiln({"convert", "out/a.jpg", "-o", "b.flam3"}).code, 0);
  ASSERT_EQ(kiln({"convert", "a.png", "-o", "c.flam3"}).code, 0);
  EXPECT_EQ(read_file(folder / "b.flam3"), read_file(folder / "c.flam3"));

  const Outcome checked = kiln({"check", "out"});
  EXPECT_EQ(checked.code, 0) << checked.out;
  EXPECT_TRUE(contains(checked.out, "1 has rounded pixels (JPEG, halves)")) << checked.out;
  const Outcome again = kiln({"check", "out", "--render", "1", "--backend", "cpu"});
  EXPECT_TRUE(contains(again.out, "1 with the same pixels, 1 to the byte")) << again.out;
  std::string other = read_file(folder / "out/a.jpg");
  other[other.size() - 40] ^= 1;
  write_file(folder / "out/a.jpg", other);
  EXPECT_EQ(kiln({"check", "out", "--render", "1", "--backend", "cpu"}).code, 1);
}

/// The library's switches change what stripes are made of: no file is better than one nobody can open.
TEST_F(jpeg, switches_of_the_library_break_no_file) {
  write_file(folder / "a.flame", test::triangle());
  for (const char* name : {"TJ_OPTIMIZE", "TJ_ARITHMETIC", "TJ_PROGRESSIVE", "TJ_RESTART"}) {
    const Outcome outcome =
        test::run_program({"render", "a.flame", "-q", "-o", "a.jpg", "--size", "90x200"},
                          {.folder = folder / "", .input = {}, .out_path = {}, .prepare = [=] {
                             setenv(name, "1", 1);
                           }});
    EXPECT_EQ(outcome.code, 2) << name;
    EXPECT_TRUE(contains(outcome.err, std::string(name))) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "a.jpg")) << name;
  }
}

TEST_F(jpeg, any_quality_is_known_again) {
  for (int quality = 1; quality <= 100; ++quality) {
    write_jpeg(folder / "a.jpg", opaque_smooth(20, 20), picture_texts("<flame/>", "{}"),
               {.jpeg_quality = quality});
    const int found = jpeg_quality_of(folder / "a.jpg");
    EXPECT_TRUE(jpeg_bytes(opaque_smooth(20, 20), picture_texts("<flame/>", "{}"),
                           {.jpeg_quality = found}) == read_file(folder / "a.jpg"))
        << quality;
  }
  write_file(folder / "a.jpg", "none");
  EXPECT_EQ(jpeg_quality_of(folder / "a.jpg"), 92);
}

TEST_F(jpeg, files_are_rendered_again_as_they_were_saved_whatever_their_name) {
  write_file(folder / "a.flame", test::triangle());
  std::filesystem::create_directory(folder / "out");
  const auto render = [&](std::vector<std::string> more) {
    more.insert(more.begin(), {"render", "a.flame", "-q", "--seed", "7"});
    ASSERT_EQ(kiln(more).code, 0);
  };
  render({"-o", "out/low.jpg", "--jpeg-quality", "40"});
  render({"-o", "deep.png", "--bits", "16"});
  render({"-o", "flat.png"});
  render({"-o", "clear.png", "--transparent"});
  for (const char* name : {"deep", "flat", "clear"})
    std::filesystem::rename(folder / (name + std::string(".png")),
                            folder / ("out/" + std::string(name) + ".jpg"));
  const Outcome again =
      kiln({"check", "out", "--render", "1", "--backend", "cpu", "--ignore", "settings"});
  EXPECT_EQ(again.code, 0) << again.out << again.err;
  EXPECT_TRUE(contains(again.out, "4 with the same pixels, 4 to the byte")) << again.out;
  // a record of what no JPEG can hold
  std::string bytes = read_file(folder / "out/low.jpg");
  const std::size_t bits = bytes.find("\"bits\":8");
  ASSERT_NE(bits, bytes.npos);
  write_file(folder / "out/low.jpg",
             bytes.substr(0, bits) + "\"bits\":16" + bytes.substr(bits + 8));
  bytes = read_file(folder / "out/low.jpg");
  const std::size_t size_at = bytes.rfind("\xFF\xEA", bits) + 2;
  ASSERT_LT(std::uint8_t(bytes[size_at + 1]), 255);
  ++bytes[size_at + 1];
  write_file(folder / "out/low.jpg", bytes);
  const Outcome forged =
      kiln({"check", "out", "--render", "1", "--backend", "cpu", "--ignore", "settings"});
  EXPECT_EQ(forged.code, 1) << forged.out << forged.err;
  EXPECT_TRUE(contains(forged.out, "out/low.jpg: rendered: ")) << forged.out << forged.err;
}

TEST_F(jpeg, sheets_larger_than_a_jpeg_are_refused) {
  std::string many;  // of a strip of 28 rows
  for (int i = 0; i < 2400; ++i)
    many += "p" + std::to_string(i) + " {\ngradient:\n title=\"p\"\n index=0 color=255\n}\n";
  write_file(folder / "many.ugr", many);
  const Outcome palettes = kiln({"palettes", "many.ugr", "-o", "x.jpg", "--columns", "1"});
  EXPECT_EQ(palettes.code, 2) << palettes.err;
  EXPECT_TRUE(contains(palettes.err, "x.jpg: 264 x 67204 pixels; a JPEG has at most 65500 a side"))
      << palettes.err;
  many.clear();
  for (int i = 0; i < 34; ++i) many += test::triangle();
  write_file(folder / "many.flam3", "<flames>" + many + "</flames>");
  const Outcome sheet = kiln({"sheet", "many.flam3", "-o", "x.jpg", "--columns", "1", "--size",
                              "2x2000", "--quality", "1"});
  EXPECT_EQ(sheet.code, 2) << sheet.err;
  EXPECT_TRUE(contains(sheet.err, "a JPEG has at most 65500 a side")) << sheet.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "x.jpg"));
}

TEST_F(jpeg, what_it_cannot_hold_is_refused_before_the_render) {
  write_file(folder / "a.flame", test::triangle());
  const auto refused = [&](std::vector<std::string> more, const std::string& part) {
    std::vector<std::string> all = {"render", "a.flame", "-o", "a.jpg"};
    all.insert(all.end(), more.begin(), more.end());
    const Outcome outcome = kiln(all);
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(folder / "a.jpg"));
  };
  refused({"--transparent"},
          "a JPEG has no transparency, for which --transparent or the input's record asks; name it "
          ".png");
  refused({"--bits", "16"}, "a JPEG has 8 bits a channel; leave --bits 16 out, or name it .png");
  refused({"--size", "65501x2"}, "65501 x 2 pixels; a JPEG has at most 65500 a side");
  // a part of a picture that is too large as a whole, and the depth of a picture that is repeated
  EXPECT_EQ(kiln({"render", "a.flame", "-q", "-o", "part.jpg", "--size", "65501x20", "--quality",
                  "0.001", "--crop", "10,0,20x20"})
                .code,
            0);
  ASSERT_EQ(kiln({"render", "a.flame", "-q", "-o", "deep.png", "--bits", "16"}).code, 0);
  const Outcome shallow = kiln({"render", "deep.png", "-o", "shallow.jpg"});
  EXPECT_EQ(shallow.code, 0) << shallow.err;
  EXPECT_FALSE(contains(shallow.err, "other pixels")) << shallow.err;

  ASSERT_EQ(kiln({"render", "a.flame", "-q", "-o", "clear.png", "--transparent"}).code, 0);
  const Outcome clear = kiln({"render", "clear.png", "-o", "m.jpg"});
  EXPECT_EQ(clear.code, 2);
  EXPECT_TRUE(
      contains(clear.err, "leave --transparent out (kiln render --ignore-record: the record)"))
      << clear.err;
  EXPECT_EQ(kiln({"render", "clear.png", "-q", "-o", "m.jpg", "--ignore-record"}).code, 0);

  write_file(folder / "keys.flame", test::two_keys());
  const Outcome film = kiln({"animate", "keys.flame", "-o", "##.jpg", "--resume"});
  EXPECT_EQ(film.code, 2);
  EXPECT_TRUE(contains(film.err, "JPEG frames cannot be resumed")) << film.err;
  ASSERT_EQ(kiln({"animate", "keys.flame", "-q", "-o", "##.jpg", "--frames", "0-2"}).code, 0);
  EXPECT_EQ(read_picture(folder / "02.jpg").width, 32);
}

}  // namespace
}  // namespace kiln
