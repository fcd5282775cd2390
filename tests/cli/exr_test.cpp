// SPDX-License-Identifier: MIT
#include "engine/io/picture/exr.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/image.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::ScratchFolder;

std::string le(std::uint32_t value) {
  std::string bytes;
  for (int shift = 0; shift < 32; shift += 8) bytes += static_cast<char>(value >> shift);
  return bytes;
}
const std::string nul(1, '\0');

std::string attribute(const std::string& name, const std::string& type, const std::string& value) {
  return name + nul + type + nul + le(static_cast<std::uint32_t>(value.size())) + value;
}
std::string window(int left, int top, int right, int bottom) {
  std::string value;
  for (int corner : {left, top, right, bottom}) value += le(static_cast<std::uint32_t>(corner));
  return attribute("dataWindow", "box2i", value);
}
std::string channel(const std::string& name, int type) {
  return name + nul + le(static_cast<std::uint32_t>(type)) + le(0) + le(1) + le(1);
}
std::string channels(const std::string& list) {
  return attribute("channels", "chlist", list + nul);
}
std::string exr(const std::string& attributes, std::uint32_t version = 2) {
  return std::string(exr_signature) + le(version) + attributes + nul;
}

/// The flames in these bytes, or the message of what is wrong.
std::string outcome(const std::string& bytes) {
  try {
    return std::to_string(parse_flames(bytes, "p.exr", {}).flames.size()) + " flames";
  } catch (const Error& error) {
    const bool about_the_file =
        error.kind == ErrorKind::input || error.kind == ErrorKind::unsupported;
    return about_the_file ? error.what() : "another kind";
  }
}

// No library is needed for this part.
TEST(exr_header, flames_come_from_its_texts) {
  const std::string genome = attribute("flam3_genome", "string", test::triangle());
  const std::string size = window(0, 0, 3, 2);
  EXPECT_EQ(outcome(exr(genome + size)), "1 flames");
  EXPECT_EQ(outcome(exr(size + channels(channel("R", 1)) + genome) + "pixels"), "1 flames");
  EXPECT_EQ(outcome(exr(size)),
            "p.exr: the picture carries no flame (no text flam3_genome); give the .flam3 file it "
            "was made from");
  const FlameFile file = parse_flames(
      exr(genome + size + attribute("kiln_record", "string", "{\"seed\":9,\"bits\":32}") +
          channels(channel("R", 2))),
      "p.exr", {});
  ASSERT_TRUE(file.record);
  EXPECT_EQ(file.record->options.seed, 9u);
  EXPECT_EQ(file.record->exr.precision, ExrPrecision::single_float);
}

TEST(exr_header, damaged_files_are_refused) {
  const std::string genome = attribute("flam3_genome", "string", test::triangle());
  const std::string whole = exr(genome + window(0, 0, 3, 2) + channels(channel("R", 1)));
  ASSERT_EQ(outcome(whole), "1 flames");
  const auto refused = [&](const std::string& bytes, const std::string& part) {
    const std::string got = outcome(bytes);
    EXPECT_NE(got.find("p.exr: the OpenEXR file " + part), std::string::npos)
        << got << "\nexpected: " << part;
  };
  for (std::size_t size = 4; size < whole.size(); size += 3)
    refused(whole.substr(0, size), "is cut off");
  refused(exr(genome), "is damaged: it has no data window");
  refused(exr(genome + window(0, 0, -1, 5)), "is damaged: its size is 0 x 6");
  refused(exr(genome + window(-2147483647 - 1, 0, 2147483647, 0)),
          "is damaged: its size is 4294967296 x 1");
  refused(exr(genome + attribute("dataWindow", "box2i", "short")), "is damaged: its data window");
  refused(exr(genome + window(0, 0, 1, 1), 3), "is of an OpenEXR version");
  refused(exr(attribute("channels", "chlist", "R")), "is damaged: its list of channels");
  refused(exr(attribute("channels", "chlist", "R" + nul + "few")), "is damaged: this is no list");
  refused(std::string(exr_signature) + le(2) + "a" + nul + "string" + nul + le(0x7fffffff),
          "has an attribute larger than 16 MB");
  refused(std::string(exr_signature) + le(2) + "a" + nul + "string" + nul + le((16 << 20) + 1),
          "has an attribute larger than 16 MB");
  refused(std::string(exr_signature) + le(2) + std::string(300, 'a'), "is damaged: an attribute");
  std::string many;
  for (int i = 0; i < 5000; ++i) many += attribute("a" + std::to_string(i), "int", le(1));
  refused(exr(many), "has more than 4096 attributes");
}

TEST(exr_header, mutated_headers_end_in_an_answer) {
  const std::string whole = exr(attribute("flam3_genome", "string", test::triangle()) +
                                window(0, 0, 3, 2) + channels(channel("R", 1) + channel("G", 1)) +
                                attribute("kiln_record", "string", "{\"seed\":9}"));
  std::uint32_t state = 3;
  const auto random = [&](std::size_t below) {
    state = state * 1664525u + 1013904223u;
    return std::size_t(state >> 8) % below;
  };
  for (int round = 0; round < 5000; ++round) {
    std::string bytes = whole;
    for (std::size_t edits = 1 + random(4); edits > 0; --edits) {
      const std::size_t at = 4 + random(bytes.size() - 4);
      if (random(3) == 0) {
        bytes.erase(at, random(20));
      } else {
        bytes[at] = static_cast<char>(random(2) ? random(256) : 0xff * random(2));
      }
      if (bytes.size() < 6) bytes = whole;
    }
    EXPECT_NE(outcome(bytes), "another kind");
  }
}

#if KILN_HAS_EXR

Image linear_picture(int width, int height) {
  Image image;
  image.width = width;
  image.height = height;
  LinearLight& light = image.pixels.emplace<LinearLight>();
  std::uint32_t state = 5;
  for (int i = 0; i < width * height; ++i) {
    for (int c = 0; c < 4; ++c) {
      state = state * 1664525u + 1013904223u;
      light.rgba.push_back(static_cast<float>(state >> 20) / 1024);  // exact as halves
    }
    light.hits.push_back(static_cast<float>(i));
  }
  return image;
}

TEST(exr, pictures_come_back_to_the_bit) {
  const ScratchFolder folder;
  const Image image = linear_picture(13, 7);
  for (ExrPrecision precision : {ExrPrecision::single_float, ExrPrecision::half_float}) {
    write_exr(folder / "a.exr", image, picture_texts("g", "r"), {.exr = {precision}});
    const Image back = read_picture(folder / "a.exr");
    EXPECT_EQ(back.bits(), 32);
    EXPECT_EQ(back.width, 13);
    EXPECT_EQ(back.height, 7);
    EXPECT_EQ(back.linear().hits, image.linear().hits);
    if (precision == ExrPrecision::single_float) {
      EXPECT_EQ(pixel_hash(back), pixel_hash(image));
    } else {
      const std::vector<float>&got = back.linear().rgba, &all = image.linear().rgba;
      for (std::size_t i = 0; i < all.size(); ++i) ASSERT_NEAR(got[i], all[i], all[i] * 0x1p-11);
    }
  }
}

TEST(exr, carries_its_flame_and_its_record) {
  const ScratchFolder folder;
  const Flame flame = parse_flames(test::triangle(), "t", {}).flames.at(0);
  RenderOptions options;
  options.seed = 77;
  options.bits = 32;
  write_exr(folder / "a.exr", linear_picture(4, 4),
            picture_texts(genome_xml(flame), render_record(flame, options, {}, "")),
            {.exr = {ExrPrecision::single_float}});
  const FlameFile file = read_flames(folder / "a.exr", {});
  EXPECT_EQ(genome_xml(file.flames.at(0)), genome_xml(flame));
  ASSERT_TRUE(file.record);
  EXPECT_EQ(file.record->options.seed, 77u);
  EXPECT_EQ(file.record->options.bits, 32);
  EXPECT_EQ(file.record->exr.precision, ExrPrecision::single_float);
}

TEST(exr, what_a_header_promises_is_held_against_limits) {
  const ScratchFolder folder;
  const auto refused = [&](const std::string& bytes, const std::string& part) {
    test::write_file(folder / "bad.exr", bytes);
    try {
      read_picture(folder / "bad.exr");
      ADD_FAILURE() << part;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
    }
  };
  const std::string rgb = channels(channel("B", 1) + channel("G", 1) + channel("R", 1));
  refused(exr(window(0, 0, 99999, 99999) + rgb), "the limit is 4.0 GiB; raise it with");
  refused(exr(window(0, 0, 2000000, 1) + rgb), "at most 1000000 a side");
  refused(exr(window(0, 0, 9, 9) + channels(channel("Z", 2))), "has neither R G B nor Y");
  refused(exr(window(0, 0, 9, 9) + rgb, 2 | 0x200), "has tiles, deep data or several parts");
  refused(exr(window(0, 0, 9, 9) + rgb), "damaged OpenEXR file");  // lacks what it must have

  write_exr(folder / "a.exr", linear_picture(9, 9), {});
  const std::string whole = test::read_file(folder / "a.exr");
  refused(whole.substr(0, whole.size() - 40), "damaged OpenEXR file");
}

#endif

TEST(exr_layers, on_standard_output_are_nothing_else) {
  if (!format_for(true).supported()) GTEST_SKIP() << "built without OpenEXR";
  const ScratchFolder folder;
  test::write_file(folder / "t.flame", test::triangle());
  const auto layers = [&](const std::string& output, const std::vector<std::string>& more = {}) {
    std::vector<std::string> words = {"layers",  "t.flame", "-o",        output, "--force",
                                      "--width", "40",      "--quality", "5"};
    words.insert(words.end(), more.begin(), more.end());
    test::Start start;
    start.folder = folder.path();
    const test::Outcome outcome = test::run_program(words, start);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(layers("l.exr"), "l.exr\n");
  EXPECT_EQ(layers("l.exr", {"-q"}), "l.exr\n");
  EXPECT_EQ(layers("exr:-"), test::read_file(folder / "l.exr"));
}

}  // namespace
}  // namespace kiln
