// SPDX-License-Identifier: MIT
// Bloom, glare, --psf and OpenEXR as a user meets them: attributes and flags, what survives in the
// genome, messages, and the linear picture read back by OpenEXR's own library.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/exr.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/png_writer.h"
#include "engine/render/renderer.h"
#include "tests/cli/program.h"

#if KILN_HAS_EXR
#include <ImathBox.h>
#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfStringAttribute.h>
#endif

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

Flame parsed(const std::string& xml) { return parse_flames(xml, "test.flame", {}).flames.at(0); }

class effects_program : public testing::Test {
 protected:
  Outcome kiln(Names arguments) const {
    arguments.insert(arguments.begin(), {"render", "a.flame", "--backend", "cpu"});
    return run_program(arguments, {folder.path(), "", {}, {}});
  }
  void put(const std::string& flame) const { write_file(folder / "a.flame", flame); }
  /// The pixels of a file, to compare.
  std::vector<std::uint8_t> pixels(const std::string& name) const {
    return read_png(folder / name).pixels8();
  }

  ScratchFolder folder;
};

// ---- the flame ----

TEST(effects_attributes, are_read_and_written_back) {
  const Flame flame = parsed(triangle("kiln_bloom=\"0.25 3.5 1\" kiln_glare=\"6 -15.5 0.125\""));
  EXPECT_EQ(flame.effects.bloom, (Bloom{0.25, 3.5, 1}));
  EXPECT_EQ(flame.effects.glare, (Glare{6, -15.5, 0.125}));
  const Flame again = parsed(genome_xml(flame));
  EXPECT_EQ(again.effects.bloom, flame.effects.bloom);
  EXPECT_EQ(again.effects.glare, flame.effects.glare);

  const Flame few = parsed(triangle("kiln_bloom=\"0.3\" kiln_glare=\"4\""));
  EXPECT_EQ(few.effects.bloom, (Bloom{0.3, 2, 0}));
  EXPECT_EQ(few.effects.glare, (Glare{4, 0, 0.1}));
  EXPECT_FALSE(contains(genome_xml(parsed(triangle())), "kiln_"));
  // switched off, but not forgotten
  const Flame off = parsed(genome_xml(parsed(triangle("kiln_bloom=\"0 7 2\""))));
  EXPECT_EQ(off.effects.bloom, (Bloom{0, 7, 2}));
}

TEST(effects_attributes, bad_ones_are_named_with_their_line) {
  for (const auto& [attribute, part] :
       {std::pair{"kiln_bloom=\"\"", "one to three numbers"},
        {"kiln_bloom=\"1.5\"", "strength 1.5 must be 0 to 1"},
        {"kiln_bloom=\"0.5 0\"", "radius 0 must be"},
        {"kiln_bloom=\"0.5 2 -1\"", "threshold -1"},
        {"kiln_bloom=\"0.5 2 0 4\"", "one to three numbers"},
        {"kiln_bloom=\"much\"", "kiln_bloom"},
        {"kiln_glare=\"5\"", "number is even"},
        {"kiln_glare=\"18\"", "star of 18 points"},
        {"kiln_glare=\"6 0 2\"", "strength 2 must be"},
        {"kiln_bloom=\"0.6\" kiln_glare=\"6 0 0.5\"", "add up to more than 1"}}) {
    try {
      parsed(triangle(attribute));
      ADD_FAILURE() << attribute << " was taken";
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      EXPECT_TRUE(contains(error.what(), "test.flame:1: ")) << error.what();
      EXPECT_TRUE(contains(error.what(), part)) << error.what();
    }
  }
}

TEST(effects_attributes, blend_between_key_flames) {
  std::vector<Flame> keys = {
      parsed(triangle("time=\"0\" kiln_bloom=\"0.4 3 1\" kiln_glare=\"6 10 0.2\"")),
      parsed(triangle("time=\"1\" kiln_glare=\"4 40 0.4\"")), parsed(triangle("time=\"2\""))};
  const Effects half = interpolate(keys, 0.5).effects;
  EXPECT_DOUBLE_EQ(half.bloom.strength, 0.2);
  EXPECT_DOUBLE_EQ(half.bloom.radius, 3);  // the other flame has no bloom to have a radius of
  EXPECT_DOUBLE_EQ(half.bloom.threshold, 1);
  EXPECT_DOUBLE_EQ(half.glare.strength, 0.3);
  EXPECT_DOUBLE_EQ(half.glare.angle_deg, 30);  // 10 and 40 by their light
  EXPECT_EQ(half.glare.points, 4);
  const Effects later = interpolate(keys, 1.75).effects;
  EXPECT_EQ(later.bloom_strength(), 0);
  EXPECT_DOUBLE_EQ(later.glare_strength(), 0.1);
  EXPECT_EQ(later.glare.points, 4);
  EXPECT_EQ(interpolate(keys, 2).effects.glare_strength(), 0);
  EXPECT_GE(interpolate(keys, 3).effects.glare_strength(), 0);  // outside nothing is clamped
}

// ---- the flags ----

TEST_F(effects_program, flags_override_the_file_and_travel_with_the_picture) {
  put(triangle("kiln_bloom=\"0.3 4\""));
  ASSERT_EQ(kiln({"-o", "file.png"}).code, 0);
  ASSERT_EQ(kiln({"-o", "off.png", "--bloom", "0"}).code, 0);
  ASSERT_EQ(kiln({"-o", "other.png", "--bloom", "0.3,8%", "--glare", "4,45,0.2"}).code, 0);
  const Flame kept = read_flames(folder / "other.png", {}).flames.at(0);
  EXPECT_EQ(kept.effects.bloom, (Bloom{0.3, 8, 0}));
  EXPECT_EQ(kept.effects.glare, (Glare{4, 45, 0.2}));
  put(triangle());
  ASSERT_EQ(kiln({"-o", "plain.png"}).code, 0);
  ASSERT_EQ(kiln({"-o", "flag.png", "--bloom", "0.3,4"}).code, 0);
  ASSERT_EQ(kiln({"-o", "none.png", "--glare", "6,0,0"}).code, 0);
  EXPECT_EQ(pixels("off.png"), pixels("plain.png"));
  EXPECT_EQ(pixels("none.png"), pixels("plain.png"));
  EXPECT_EQ(pixels("flag.png"), pixels("file.png"));
  EXPECT_NE(pixels("file.png"), pixels("plain.png"));
  EXPECT_NE(pixels("file.png"), pixels("other.png"));
}

TEST_F(effects_program, every_format_and_order_takes_effects) {
  put(triangle("supersample=\"2\""));
  for (const Names& how : {Names{"--earlyclip"}, Names{"--transparent", "--bits", "16"},
                           Names{"--pixel-aspect", "1.5"}}) {
    Names plain = {"-o", "plain.png"}, bloom = {"-o", "bloom.png", "--bloom", "0.4,5"};
    plain.insert(plain.end(), how.begin(), how.end());
    bloom.insert(bloom.end(), how.begin(), how.end());
    ASSERT_EQ(kiln(plain).code, 0);
    ASSERT_EQ(kiln(bloom).code, 0);
    const Image a = read_png(folder / "plain.png"), b = read_png(folder / "bloom.png");
    EXPECT_FALSE(a.pixels == b.pixels) << how[0];
    const auto lit = [](const Image& image) {
      std::size_t count = 0;
      const auto add = [&](const auto& pixels) {
        for (std::size_t i = 0; i < pixels.size(); ++i) count += i % 4 != 3 && pixels[i] > 0;
      };
      image.bits() == 8 ? add(image.pixels8()) : add(image.pixels16());
      return count;
    };
    EXPECT_GT(lit(b), lit(a)) << how[0];  // light around what was black
  }
}

TEST_F(effects_program, wrong_effects_are_wrong_usage) {
  put(triangle("kiln_glare=\"6 0 0.5\""));
  for (const auto& [arguments, part] :
       {std::pair{Names{"--bloom", "much"}, "\"much\" is not a number"},
        {Names{"--bloom", "0.2,"}, "\"\" is not a number"},
        {Names{"--bloom", "0.2%"}, "\"0.2%\" is not a number"},
        {Names{"--bloom", "2"}, "strength 2 must be 0 to 1"},
        {Names{"--bloom", "0.6"}, "add up to more than 1"},
        {Names{"--bloom", "0.1,500%"}, "radius 500"},
        {Names{"--glare", "3"}, "number is even"},
        {Names{"--glare", "nan"}, "not a number"},
        {Names{"--exr", "double"}, "--exr"},
        {Names{"-o", "x.exr", "--earlyclip"}, "--earlyclip"},
        {Names{"-o", "x.bmp"}, "PNG, JPEG, TIFF, WebP, AVIF, JPEG XL, OpenEXR and PPM only"}}) {
    if (!exr_supported() && contains(part, "earlyclip")) continue;
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 2) << arguments[1] << outcome.err;
    EXPECT_TRUE(contains(outcome.err, part)) << outcome.err;
  }
  EXPECT_EQ(folder.entries(), Names{"a.flame"});
}

TEST_F(effects_program, frames_of_an_animation_have_them_too) {
  write_file(folder / "a.flame", "<flames>" +
                                     triangle("time=\"0\" temporal_samples=\"2\" "
                                              "kiln_bloom=\"0.4 5\"") +
                                     triangle("time=\"2\" temporal_samples=\"2\"") + "</flames>");
  const auto animate = [&](const Names& more) {
    Names arguments = {"animate", "a.flame", "--backend", "cpu"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return run_program(arguments, {folder.path(), "", {}, {}});
  };
  ASSERT_EQ(animate({"-o", "with_#.png"}).code, 0);
  ASSERT_EQ(animate({"-o", "off_#.png", "--bloom", "0"}).code, 0);
  EXPECT_NE(pixels("with_0.png"), pixels("off_0.png"));
  EXPECT_NE(pixels("with_1.png"), pixels("off_1.png"));  // half as strong
  const Flame middle = read_flames(folder / "with_1.png", {}).flames.at(0);
  EXPECT_EQ(middle.effects.bloom, (Bloom{0.2, 5, 0}));
  EXPECT_EQ(animate({"-o", "x_#.exr", "--resume"}).code, 2);
  if (!exr_supported()) return;
  EXPECT_EQ(animate({"-o", "linear_#.exr"}).code, 0);
  EXPECT_TRUE(std::filesystem::exists(folder / "linear_1.exr"));
}

TEST_F(effects_program, psf_files) {
  put(triangle());
  Image black;
  black.width = black.height = 2;
  black.pixels8() = {0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255, 0, 0, 0, 0, 255};
  write_png(folder / "black.png", black, {});
  Image point = black;  // the middle of 2 x 2 is at the lower right
  point.pixels8() = {0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0, 255, 9, 9, 9, 255};
  write_png(folder / "point,1.png", point, {});
  Image shift = black;  // light goes one pixel to the left
  shift.pixels8() = {0, 0, 0, 255, 0, 0, 0, 255, 90, 90, 90, 255, 0, 0, 0, 255};
  write_png(folder / "shift.png", shift, {});
  for (const auto& [value, code] : {std::pair{"none.png", 3},
                                    {"black.png", 3},
                                    {"a.flame", 3},
                                    {"shift.png,2", 2},
                                    {"shift.png,0.5,0", 2}}) {
    EXPECT_EQ(kiln({"-o", "x.png", "--psf", value}).code, code) << value;
  }
  ASSERT_EQ(kiln({"-o", "plain.png"}).code, 0);
  ASSERT_EQ(kiln({"-o", "point.png", "--psf", "point,1.png"}).code, 0);
  ASSERT_EQ(kiln({"-o", "shifted.png", "--psf", "shift.png"}).code, 0);
  const Image plain = read_png(folder / "plain.png"), same = read_png(folder / "point.png"),
              shifted = read_png(folder / "shifted.png");
  for (int y = 0; y < plain.height; ++y) {
    for (int x = 0; x < 4 * plain.width; ++x) {
      const std::size_t i = std::size_t(y * plain.width * 4 + x);
      ASSERT_LE(std::abs(plain.pixels8()[i] - same.pixels8()[i]), 1) << x << " " << y;
      if (x >= 4) {
        ASSERT_LE(std::abs(plain.pixels8()[i] - shifted.pixels8()[i - 4]), 1) << x << " " << y;
      }
    }
  }
}

TEST_F(effects_program, says_what_left_the_frame) {
  put(triangle());
  const Outcome outcome = kiln({"-o", "x.png", "--bloom", "0.5,40", "--json"});
  ASSERT_EQ(outcome.code, 0);
  const std::size_t at = outcome.out.find("\"light_lost\":");
  ASSERT_NE(at, std::string::npos) << outcome.out;
  const double lost = std::stod(outcome.out.substr(at + 13));
  EXPECT_GT(lost, 0.1);
  EXPECT_LT(lost, 0.5);
  EXPECT_TRUE(contains(outcome.err, "of the light left the frame")) << outcome.err;
  EXPECT_FALSE(contains(kiln({"-o", "x.png"}).err, "left the frame"));
}

TEST_F(effects_program, of_several_pictures_the_most_that_left_is_said) {
  const auto with_bloom = [](const char* strength) {
    return triangle(std::string("kiln_bloom=\"") + strength + " 40\"");
  };
  const auto said = [&](const std::string& flames) {
    put(flames);
    const std::string err = kiln({"-o", "x{index}.png"}).err;
    const std::size_t end = err.find(" % of the light");
    return end == std::string::npos ? "nothing" : err.substr(err.rfind(' ', end - 1), 5);
  };
  const std::string most = said(with_bloom("0.5"));
  EXPECT_NE(said(with_bloom("0.01")), most);
  EXPECT_EQ(said("<a>" + with_bloom("0.5") + with_bloom("0.01") + "</a>"), most);
  EXPECT_EQ(said("<a>" + with_bloom("0.01") + with_bloom("0.5") + "</a>"), most);
}

// ---- OpenEXR ----

#if KILN_HAS_EXR

struct Exr {
  int width = 0, height = 0;
  std::vector<float> rgba, hits;
  std::string genome, record;
  bool half = false;
};

Exr read_exr(const std::string& path) {
  Imf::InputFile file(path.c_str());
  const Imath::Box2i box = file.header().dataWindow();
  Exr exr;
  exr.width = box.max.x + 1;
  exr.height = box.max.y + 1;
  const std::size_t pixels = std::size_t(exr.width) * std::size_t(exr.height);
  exr.rgba.resize(4 * pixels);
  exr.hits.resize(pixels);
  Imf::FrameBuffer frame;
  const std::size_t row = sizeof(float) * std::size_t(exr.width);
  const char* const names[] = {"R", "G", "B", "A"};
  for (std::size_t c = 0; c < 4; ++c)
    frame.insert(names[c],
                 Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(exr.rgba.data() + c), 16, 4 * row));
  frame.insert("hits.X", Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(exr.hits.data()), 4, row));
  file.setFrameBuffer(frame);
  file.readPixels(0, exr.height - 1);
  exr.half = file.header().channels()["R"].type == Imf::HALF;
  EXPECT_EQ(file.header().channels()["hits.X"].type, Imf::FLOAT);
  exr.genome = file.header().typedAttribute<Imf::StringAttribute>("flam3_genome").value();
  exr.record = file.header().typedAttribute<Imf::StringAttribute>("kiln_record").value();
  return exr;
}

TEST_F(effects_program, exr_is_the_linear_picture_with_its_counts) {
  put(triangle("filter_shape=\"box\" filter=\"0.5\" brightness=\"30\" kiln_bloom=\"0.2 3\""));
  ASSERT_EQ(kiln({"-o", "half.exr"}).code, 0);
  ASSERT_EQ(kiln({"-o", "float.EXR", "--exr", "float"}).code, 0);
  const Exr half = read_exr(folder / "half.exr"), whole = read_exr(folder / "float.EXR");
  EXPECT_TRUE(half.half);
  EXPECT_FALSE(whole.half);
  EXPECT_EQ(whole.width, 32);
  EXPECT_EQ(whole.height, 24);
  EXPECT_EQ(parsed(whole.genome).effects.bloom, (Bloom{0.2, 3, 0}));
  EXPECT_TRUE(contains(whole.record, "\"bits\":32")) << whole.record;

  // the library's own answer
  RenderOptions options;
  options.backend = Backend::cpu;
  options.linear = true;
  const Image image = render(read_flames(folder / "a.flame", {}).flames.at(0), options);
  EXPECT_EQ(image.linear().rgba, whole.rgba);
  EXPECT_EQ(image.linear().hits, whole.hits);
  double counted = 0, above = 0;
  for (const float hits : whole.hits) {
    EXPECT_EQ(hits, std::floor(hits));
    counted += hits;
  }
  EXPECT_NEAR(counted, 5 * 32 * 24, 5 * 32 * 24 * 0.02);  // the triangle is inside
  for (std::size_t i = 0; i < whole.rgba.size(); ++i) {
    above = std::max(above, double(whole.rgba[i]));
    ASSERT_NEAR(half.rgba[i], whole.rgba[i], whole.rgba[i] * 0x1p-11 + 1e-7);
    if (i % 4 != 3) {
      ASSERT_LE(whole.rgba[i], whole.rgba[i / 4 * 4 + 3] * 1.0001f) << "premultiplied";
    }
  }
  EXPECT_GT(above, 1.5) << "light above 1 is kept";
}

TEST_F(effects_program, exr_tone_mapped_is_the_png) {
  put(triangle("gamma=\"2\" gamma_threshold=\"0\" brightness=\"12\""));
  ASSERT_EQ(kiln({"-o", "a.exr", "--exr", "float"}).code, 0);
  ASSERT_EQ(kiln({"-o", "a.png"}).code, 0);
  const Exr linear = read_exr(folder / "a.exr");
  const Image png = read_png(folder / "a.png");
  for (std::size_t i = 0; i < linear.rgba.size(); i += 4) {
    const double a = double(linear.rgba[i + 3]);
    for (std::size_t c = 0; c < 3; ++c) {
      const double out = a > 0 ? 256 * std::sqrt(a) / a * double(linear.rgba[i + c]) : 0;
      ASSERT_NEAR(png.pixels8()[i + c], std::floor(std::min(out, 255.0)), 1) << i;
    }
  }
}

TEST(exr, half_precision_has_no_infinity) {
  const ScratchFolder folder;
  Image image;
  image.width = image.height = 1;
  image.pixels = LinearLight{{1e6f, 2.5f, -1e6f, 70000}, {12345678.0f}};
  write_exr(folder / "a.exr", image, picture_texts("g", "r"));
  const Exr exr = read_exr(folder / "a.exr");
  EXPECT_EQ(exr.rgba, (std::vector<float>{65504, 2.5f, -65504, 65504}));
  EXPECT_EQ(exr.hits, std::vector<float>{12345678.0f});
  EXPECT_THROW(write_exr(folder / "no/a.exr", image, {}), Error);
  EXPECT_EQ(folder.entries(), Names{"a.exr"});
}

#else

TEST_F(effects_program, exr_needs_the_library) {
  std::puts("skipped: built without OpenEXR");
  put(triangle());
  const Outcome outcome = kiln({"-o", "a.exr"});
  EXPECT_EQ(outcome.code, 2);
  EXPECT_TRUE(contains(outcome.err, "built without OpenEXR")) << outcome.err;
}

#endif

}  // namespace
}  // namespace kiln
