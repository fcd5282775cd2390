// SPDX-License-Identifier: MIT
// Prints by their size on paper, and files that say what their colors mean and who made them: what other programs read
// of them is taken apart here by hand, by the formats' own rules.
#include <gtest/gtest.h>
#include <png.h>
#include <zlib.h>

#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/io/picture/exr.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/primaries.h"
#include "engine/model/image.h"
#include "engine/model/transfer.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::Outcome;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::uint32_t big_endian(const std::string& bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value = value << 8 | static_cast<unsigned char>(bytes[at + i]);
  return value;
}

/// The data of a PNG's chunks of this type.
std::vector<std::string> chunks(const std::string& png, const std::string& type) {
  std::vector<std::string> found;
  for (std::size_t at = 8; at + 12 <= png.size(); at += 12 + big_endian(png, at))
    if (png.compare(at + 4, 4, type) == 0) found.push_back(png.substr(at + 8, big_endian(png, at)));
  return found;
}

/// The value of an attribute of an OpenEXR file; empty: it has none.
std::string attribute(const std::string& exr, const std::string& name, const std::string& type) {
  const std::string head = name + '\0' + type + '\0';
  const std::size_t at = exr.find(head);
  if (at == std::string::npos) return "";
  std::uint32_t size = 0;
  std::memcpy(&size, exr.data() + at + head.size(), 4);
  return exr.substr(at + head.size() + 4, size);
}

std::vector<float> floats(const std::string& bytes) {
  std::vector<float> values(bytes.size() / 4);
  std::memcpy(values.data(), bytes.data(), 4 * values.size());
  return values;
}

const std::string wide_flame =
    "<flame name=\"a\" size=\"60 40\" center=\"0 0\" scale=\"20\" quality=\"5\" "
    "estimator_radius=\"4\">"
    "<xform weight=\"1\" color=\"0\" linear=\"1\" coefs=\"0.5 0 0 0.5 0.7 0\"/>"
    "<xform weight=\"1\" color=\"1\" linear=\"1\" coefs=\"0.5 0 0 0.5 -0.7 0\"/>"
    "<color index=\"0\" rgb=\"255 200 80\"/><color index=\"255\" rgb=\"20 60 230\"/></flame>";

class print : public testing::Test {
 protected:
  print() { test::write_file(folder / "a.flame", wide_flame); }

  Outcome kiln(std::vector<std::string> arguments) {
    if (arguments[0] == "render") arguments.insert(arguments.end(), {"--backend", "cpu"});
    test::Start start;
    start.folder = folder.path();
    return test::run_program(arguments, start);
  }
  Outcome done(const std::vector<std::string>& arguments) {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  /// "60 x 40" of the picture, with these options.
  std::string size(std::vector<std::string> options) {
    options.insert(options.begin(), {"info", "a.flame", "--json"});
    const std::string json = done(options).out;
    const auto number = [&](const std::string& name) {
      return std::stod(json.substr(json.find("\"" + name + "\":") + name.size() + 3));
    };
    return fmt::format("{} x {}, {:.4f}", number("width"), number("height"), number("scale"));
  }
  std::string bytes(const std::string& name) { return test::read_file(folder / name); }

  const test::ScratchFolder folder;
};

TEST_F(print, sizes_on_paper_become_pixels) {
  EXPECT_EQ(size({"--size", "24x36in", "--dpi", "300"}), "7200 x 10800, 2400.0000");
  EXPECT_EQ(size({"--size", "2inx3in", "--dpi", "10"}), "20 x 30, 6.6667");
  EXPECT_EQ(size({"--size", "210x297mm", "--dpi", "300"}), "2480 x 3508, 826.6667");
  EXPECT_EQ(size({"--size", "21x29.7cm", "--dpi", "300"}), "2480 x 3508, 826.6667");
  EXPECT_EQ(size({"--width", "5.08cm", "--dpi", "100"}), "200 x 133, 66.6667");
  EXPECT_EQ(size({"--height", "1in", "--dpi", "80"}), "120 x 80, 40.0000");
  EXPECT_EQ(size({"--fill", "1x1in", "--dpi", "100"}), "100 x 100, 50.0000");
  // pixels twice as wide as high: as many again down an inch
  EXPECT_EQ(size({"--size", "1x1in", "--dpi", "100", "--pixel-aspect", "2"}), "100 x 200, 33.3333");
}

TEST_F(print, an_inch_that_was_forgotten_is_noticed) {
  const Outcome slip =
      done({"render", "a.flame", "-o", "s.png", "--size", "24x36", "--dpi", "300"});
  EXPECT_TRUE(contains(slip.err,
                       "--size 24x36 are pixels, less than an inch at --dpi 300; for "
                       "inches: --size 24x36in"))
      << slip.err;
  const Outcome width = done({"render", "a.flame", "-o", "s.png", "--width", "8", "--dpi", "300"});
  EXPECT_TRUE(contains(width.err, "for inches: --width 8in")) << width.err;
  const Outcome wide = done({"render", "a.flame", "-o", "s.png", "--size", "60x40", "--dpi", "30"});
  EXPECT_FALSE(contains(wide.err, "inch")) << wide.err;
}

TEST_F(print, bleed_is_more_of_the_flame_around_the_same_picture) {
  EXPECT_EQ(size({"--size", "24x36in", "--dpi", "300", "--bleed", "3mm"}),
            "7270 x 10870, 2400.0000");
  EXPECT_EQ(size({"--bleed", "10"}), "80 x 60, 20.0000");
  EXPECT_EQ(size({"--bleed", "10", "--scale", "2"}), "140 x 100, 40.0000");
  EXPECT_EQ(size({"--bleed", "0mm", "--dpi", "300"}), "60 x 40, 20.0000");
  // as wide on paper on all sides: more of the rows where they are closer
  EXPECT_EQ(size({"--bleed", "5mm", "--dpi", "100", "--pixel-aspect", "2"}), "100 x 118, 20.0000");
  done({"render", "a.flame", "-o", "x.png", "--size", "1x1in", "--dpi", "60", "--bleed", "0.1in"});
  EXPECT_EQ(big_endian(bytes("x.png"), 16), 72u);
  EXPECT_EQ(big_endian(bytes("x.png"), 20), 72u);
  // what the file says and what repeats it
  EXPECT_TRUE(contains(done({"info", "x.png"}).out,
                       "    on paper: 1.20 x 1.20 in, 3.0 x 3.0 cm at 60 dpi\n"));
  EXPECT_TRUE(contains(done({"info", "x.png", "--json"}).out, "\"dpi\":60"));
  done({"render", "x.png", "-o", "y.png"});
  EXPECT_TRUE(bytes("y.png") == bytes("x.png"));
}

/// Gray of a pixel of a sheet, of which all channels are alike; -1: they are not.
int gray(const Image& image, int x, int y) {
  const std::uint8_t* p =
      &image.pixels8()[4 * (std::size_t(y) * std::size_t(image.width) + std::size_t(x))];
  return p[0] == p[1] && p[1] == p[2] ? p[0] : -1;
}

TEST_F(print, a_part_of_a_picture_has_its_own_size_on_paper) {
  EXPECT_TRUE(contains(
      kiln({"info", "a.flame", "--size", "100x80", "--dpi", "100", "--crop", "9,8,50x20"}).out,
      "on paper: 0.50 x 0.20 in, 1.3 x 0.5 cm at 100 dpi\n"));
}

TEST_F(print, crop_marks_are_on_paper_around_the_bleed) {
  const std::vector<std::string> words = {"render", "a.flame", "-o",  "plain.png", "--size",
                                          "1x1in",  "--dpi",   "300", "--bleed",   "0.1in"};
  done(words);
  std::vector<std::string> marked = words;
  marked[3] = "x.png";
  marked.push_back("--crop-marks");
  done(marked);
  // at 300 dpi: 12 pixels of paper, 59 of mark, 12 of paper; then 30 of bleed, 300 of picture
  const Image plain = read_picture(folder / "plain.png"), sheet = read_picture(folder / "x.png");
  constexpr int margin = 83, side = 360, whole = side + 2 * margin;
  ASSERT_EQ(plain.width, side);
  ASSERT_EQ(sheet.width, whole);
  ASSERT_EQ(sheet.height, whole);
  constexpr int edges[] = {margin + 30 - 1, margin + 330};  // of 0.25 pt, a pixel, outside the cut
  const auto is_edge = [&](int place) { return place == edges[0] || place == edges[1]; };
  const auto is_mark = [&](int place) {
    return (place >= 12 && place < 71) || (place >= whole - 71 && place < whole - 12);
  };
  int marks = 0;
  for (int y = 0; y < whole; ++y) {
    for (int x = 0; x < whole; ++x) {
      const int left = x - margin, top = y - margin;
      if (left >= 0 && left < side && top >= 0 && top < side) {
        const std::size_t at = 4 * (std::size_t(top) * side + std::size_t(left)),
                          here = 4 * (std::size_t(y) * whole + std::size_t(x));
        ASSERT_TRUE(
            std::equal(&plain.pixels8()[at], &plain.pixels8()[at] + 4, &sheet.pixels8()[here]))
            << x << " " << y;
        continue;
      }
      const bool black = (is_edge(x) && is_mark(y)) || (is_edge(y) && is_mark(x));
      ASSERT_EQ(gray(sheet, x, y), black ? 0 : 255) << x << " " << y;
      marks += black;
    }
  }
  EXPECT_EQ(marks, 8 * 59);
  EXPECT_TRUE(contains(done({"info", "x.png"}).out,
                       "on paper: 1.20 x 1.20 in, 3.0 x 3.0 cm at 300 dpi, to be cut at its marks "
                       "to 1.00 x 1.00 in\n"));
}

TEST_F(print, crop_marks_are_repeated_and_made_in_stripes_alike) {
  std::vector<std::string> words = {"render",       "a.flame", "-o",  "x.png",   "--width",
                                    "3in",          "--dpi",   "300", "--bleed", "3mm",
                                    "--crop-marks", "--bits",  "16"};
  done(words);
  words[3] = "y.png";
  words.insert(words.end(), {"--max-memory", "20M"});
  done(words);
  EXPECT_TRUE(bytes("y.png") == bytes("x.png"));
  done({"render", "x.png", "-o", "z.png"});
  EXPECT_TRUE(bytes("z.png") == bytes("x.png"));
  done({"check", ".", "--ignore", "settings,duplicate,missing"});
  // another size has another bleed, and a window or linear light has no sheet
  done({"render", "x.png", "-o", "w.png", "--width", "100"});
  EXPECT_EQ(big_endian(bytes("w.png"), 16), 100u);
  done({"render", "x.png", "-o", "v.png", "--crop", "0,0,50x40"});
  EXPECT_EQ(big_endian(bytes("v.png"), 16), 50u);
}

TEST_F(print, crop_marks_need_a_bleed_and_a_size_on_paper) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"no.png", "--crop-marks"}, "--crop-marks goes with --bleed"},
      {{"no.png", "--crop-marks", "--bleed", "0"}, "inside of its bleed; give one, --bleed 3mm"},
      {{"no.png", "--crop-marks", "--bleed", "9"}, "say how many pixels are an inch, --dpi 300"},
      {{"no.png", "--crop-marks", "--bleed", "9", "--crop", "0,0,5x5"}, "exclude each other"},
      {{"no.png", "--crop-marks", "--bleed", "9", "--dpi", "90", "--pixel-aspect", "2"},
       "as wide as high"},
      {{"no.png", "--crop-marks", "--bleed", "9", "--dpi", "900"}, "more room than the picture"},
      {{"no.exr", "--crop-marks", "--bleed", "9", "--dpi", "90"}, "ink on paper"}};
  for (const auto& [options, message] : wrong) {
    std::vector<std::string> words = {"render", "a.flame", "-o"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
  }
}

TEST_F(print, crop_marks_have_room_beside_a_narrow_picture) {
  done({"render", "a.flame", "-o", "n.png", "--size", "50x400", "--bleed", "2", "--dpi", "300",
        "--crop-marks"});
  EXPECT_GT(big_endian(bytes("n.png"), 16), 150u);
}

TEST_F(print, flames_are_written_with_the_size_of_a_print) {
  done({"convert", "a.flame", "-o", "b.flame", "--size", "2x3in", "--dpi", "100"});
  EXPECT_TRUE(contains(bytes("b.flame"), "size=\"200 300\"")) << bytes("b.flame");
}

TEST_F(print, what_cannot_be_a_size_is_said_with_a_remedy) {
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"--size", "24x36in"}, "--size 24in: how many pixels are an inch? Say it in the same"},
      {{"--bleed", "3mm"}, "--bleed 3mm: how many pixels are an inch?"},
      {{"--size", "24inx36", "--dpi", "300"}, "on paper, such as 24x36in"},
      {{"--size", "24x36ft", "--dpi", "300"}, "on paper, such as 24x36in"},
      {{"--size", "0x3in", "--dpi", "300"}, "on paper, such as 24x36in"},
      {{"--size", "-1x3in", "--dpi", "300"}, "on paper, such as 24x36in"},
      {{"--width", "3.5"}, "whole pixels, or a length such as 8.5in"},
      {{"--width", "0in", "--dpi", "9"}, "whole pixels, or a length such as 8.5in"},
      {{"--size", "0.001x3in", "--dpi", "300"}, "are 0 pixels"},
      {{"--size", "9999x3in", "--dpi", "300"}, "are 2999700 pixels; 1 to 1000000 are possible"}};
  for (const auto& [options, message] : wrong) {
    std::vector<std::string> words = {"render", "a.flame", "-o", "no.png"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 2) << options[1];
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
  }
}

// ---- who made it ----

const std::vector<std::string> credits = {"--author",        "Anna Öz",          "--title",
                                          "Shells & <foam>", "--copyright",      "(c) 2026 Anna",
                                          "--source",        "https://a.example"};

TEST_F(print, a_png_says_who_made_it_and_only_if_told) {
  done({"render", "a.flame", "-o", "plain.png"});
  EXPECT_FALSE(contains(bytes("plain.png"), "Author"));
  EXPECT_FALSE(contains(bytes("plain.png"), "xmp"));
  std::vector<std::string> words = {"render", "a.flame", "-o", "x.png"};
  words.insert(words.end(), credits.begin(), credits.end());
  done(words);
  const auto plain = chunks(bytes("x.png"), "tEXt"), international = chunks(bytes("x.png"), "iTXt");
  const std::string nul(1, '\0'), head = std::string(5, '\0');
  EXPECT_EQ(std::count(plain.begin(), plain.end(), "Title" + nul + "Shells & <foam>"), 1);
  EXPECT_EQ(std::count(plain.begin(), plain.end(), "Copyright" + nul + "(c) 2026 Anna"), 1);
  EXPECT_EQ(std::count(plain.begin(), plain.end(), "Source" + nul + "https://a.example"), 1);
  ASSERT_EQ(international.size(), 2u);
  EXPECT_EQ(international[0], "Author" + head + "Anna Öz");
  EXPECT_TRUE(international[1].starts_with("XML:com.adobe.xmp" + head + "<?xpacket"));
  for (const char* part : {"<dc:creator><rdf:Seq><rdf:li>Anna Öz<", ">Shells &amp; &lt;foam&gt;<",
                           "<dc:rights><rdf:Alt><rdf:li xml:lang=\"x-default\">(c) 2026 Anna<",
                           "<dc:source>https://a.example<"})
    EXPECT_TRUE(contains(international[1], part)) << international[1];
  EXPECT_EQ(pixel_hash(read_picture(folder / "x.png")),
            pixel_hash(read_picture(folder / "plain.png")));
  // a picture made of it is somebody else's to sign
  done({"render", "x.png", "-o", "y.png"});
  EXPECT_TRUE(bytes("y.png") == bytes("plain.png"));
  done({"check", ".", "--ignore", "settings,duplicate,missing"});
}

TEST_F(print, a_jpeg_says_it_as_xmp) {
  if (!format_named("x.jpg").supported()) GTEST_SKIP() << "without JPEG";
  done({"render", "a.flame", "-o", "x.jpg", "--title", "Shells"});
  const std::string jpeg = bytes("x.jpg");
  const std::size_t at = jpeg.find(std::string("http://ns.adobe.com/xap/1.0/\0<?xpacket", 38));
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(jpeg.substr(at - 4, 2), "\xFF\xE1");
  EXPECT_TRUE(contains(jpeg, ">Shells</rdf:li>"));
  // the file tells by its bytes alone whether it is what its record says
  const Outcome again = done({"check", ".", "--render", "1", "--backend", "cpu"});
  EXPECT_TRUE(contains(again.out + again.err, "1 to the byte")) << again.out << again.err;
}

TEST_F(print, a_file_in_stripes_is_signed_alike) {
  std::vector<std::string> words = {"render", "a.flame", "-o", "x.png", "--width", "900"};
  words.insert(words.end(), credits.begin(), credits.end());
  done(words);
  words[3] = "y.png";
  words.insert(words.end(), {"--max-memory", "20M"});
  done(words);
  EXPECT_TRUE(bytes("y.png") == bytes("x.png"));
}

TEST_F(print, a_credit_is_one_line_of_text) {
  for (const std::string& wrong :
       {std::string("a\nb"), std::string("\xC3"), std::string(4001, 'a')}) {
    const Outcome outcome = kiln({"render", "a.flame", "-o", "no.png", "--author", wrong});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "--author")) << outcome.err;
  }
}

// ---- what the colors mean ----

TEST(primaries, white_stays_white_and_known_matrices_come_out) {
  // BT.2087-0, equation for BT.709 to BT.2020
  const double bt2087[3][3] = {
      {0.6274, 0.3293, 0.0433}, {0.0691, 0.9195, 0.0114}, {0.0164, 0.0880, 0.8956}};
  // ACES' own, from Rec. 709 to AP1 by Bradford
  const double aces[3][3] = {{0.61309732, 0.33952285, 0.04737928},
                             {0.07019422, 0.91635557, 0.01345259},
                             {0.02061560, 0.10956983, 0.86981512}};
  const Chromaticities& from = chromaticities_of(Primaries::rec709);
  for (const Primaries primaries : {Primaries::rec2020, Primaries::p3, Primaries::acescg}) {
    const ColorMatrix m = color_matrix(from, chromaticities_of(primaries)),
                      back = color_matrix(chromaticities_of(primaries), from);
    for (std::size_t i = 0; i < 3; ++i) {
      EXPECT_NEAR(m[i][0] + m[i][1] + m[i][2], 1, 1e-12);
      for (std::size_t j = 0; j < 3; ++j) {
        const double one = m[i][0] * back[0][j] + m[i][1] * back[1][j] + m[i][2] * back[2][j];
        EXPECT_NEAR(one, i == j, 1e-12);
        if (primaries == Primaries::rec2020) {
          EXPECT_NEAR(m[i][j], bt2087[i][j], 6e-5);
        } else if (primaries == Primaries::acescg) {
          EXPECT_NEAR(m[i][j], aces[i][j], 2e-5);
        }
      }
    }
  }
}

double at(const std::string& bytes, std::size_t place, double unit) {
  return big_endian(bytes, place) * unit;
}

std::string unpacked(const std::string& packed, std::size_t size) {
  std::string bytes(size, '\0');
  uLongf length = size;
  uncompress(reinterpret_cast<Bytef*>(bytes.data()), &length,
             reinterpret_cast<const Bytef*>(packed.data()), packed.size());
  bytes.resize(length);
  return bytes;
}

TEST_F(print, a_png_of_p3_says_so_to_new_and_old_programs) {
  done({"render", "a.flame", "-o", "plain.png"});
  done({"render", "a.flame", "-o", "x.png", "--primaries", "p3"});
  const std::string plain = bytes("plain.png"), png = bytes("x.png");
  EXPECT_EQ(chunks(plain, "sRGB").size(), 1u);
  EXPECT_TRUE(chunks(plain, "cICP").empty() && chunks(plain, "iCCP").empty());
  EXPECT_EQ(chunks(png, "cICP"), std::vector<std::string>{std::string("\x0C\x0D\x00\x01", 4)});
  EXPECT_TRUE(chunks(png, "sRGB").empty());
  EXPECT_LT(png.find("cICP"), png.find("iCCP"));
  EXPECT_LT(png.find("iCCP"), png.find("IDAT"));
  const std::string icc = chunks(png, "iCCP").at(0), name("Display P3\0\0", 12);
  ASSERT_TRUE(icc.starts_with(name));
  const std::string profile = unpacked(icc.substr(name.size()), 4096);
  ASSERT_EQ(profile.size(), big_endian(profile, 0));
  EXPECT_EQ(profile.substr(36, 4), "acsp");
  // red, green and blue in XYZ at D50, as Apple's profile has them
  const double colorants[3][3] = {
      {0.51512, 0.24120, -0.00105}, {0.29198, 0.69225, 0.04189}, {0.15710, 0.06657, 0.78407}};
  const char* names[] = {"rXYZ", "gXYZ", "bXYZ"};
  for (std::size_t c = 0; c < 3; ++c) {
    const std::size_t data = big_endian(profile, profile.find(names[c]) + 4);
    EXPECT_EQ(profile.substr(data, 4), "XYZ ");
    for (std::size_t i = 0; i < 3; ++i)
      EXPECT_NEAR(std::int32_t(big_endian(profile, data + 8 + 4 * i)) / 65536.0, colorants[c][i],
                  1e-4);
  }
}

TEST_F(print, p3_is_the_same_picture_by_other_numbers) {
  for (const std::string& bits : {std::string("8"), std::string("16")}) {
    done({"render", "a.flame", "-o", "plain.png", "--bits", bits});
    done({"render", "a.flame", "-o", "x.png", "--bits", bits, "--primaries", "p3"});
    const Image plain = read_picture(folder / "plain.png"), other = read_picture(folder / "x.png");
    double worst = 0;
    const auto compare = [&](const auto& a, const auto& b) {
      ASSERT_EQ(a.size(), b.size());
      for (std::size_t i = 0; i < a.size(); ++i)
        worst = std::max(worst, std::fabs(double(a[i]) - double(b[i])));
    };
    bits == "8" ? compare(plain.pixels8(), other.pixels8())
                : compare(plain.pixels16(), other.pixels16());
    EXPECT_GT(worst, 0) << "they are sRGB's numbers";
    EXPECT_LE(worst, 8);
    EXPECT_FALSE(read_picture_texts(folder / "x.png").holds_pixels);
  }
  // in stripes, again, and held against its bytes
  done({"render", "a.flame", "-o", "large.png", "--width", "900", "--primaries", "p3"});
  done({"render", "a.flame", "-o", "y.png", "--width", "900", "--primaries", "p3", "--max-memory",
        "20M"});
  EXPECT_TRUE(bytes("y.png") == bytes("large.png"));
  done({"render", "large.png", "-o", "z.png"});
  EXPECT_TRUE(bytes("z.png") == bytes("large.png"));
  const Outcome again = done({"check", ".", "--ignore", "settings,duplicate,missing", "--render",
                              "1", "--backend", "cpu"});
  EXPECT_TRUE(contains(again.out + again.err, "to the byte")) << again.out << again.err;
  for (const char* name : {"no.png", "no.jpg"}) {
    const Outcome outcome = kiln({"render", "a.flame", "-o", name, "--primaries", "rec2020"});
    EXPECT_EQ(outcome.code, 2);
    EXPECT_TRUE(contains(outcome.err, "name it .exr, or leave --primaries out")) << outcome.err;
  }
}

TEST_F(print, a_still_of_hdr_is_pq_with_its_light_as_measured) {
  done({"render", "a.flame", "-o", "x.png", "--hdr", "pq", "--brightness", "40"});
  const std::string png = bytes("x.png");
  EXPECT_EQ(png.substr(24, 2), std::string("\x10\x02", 2));  // 16 bits, RGB
  EXPECT_EQ(chunks(png, "cICP"), std::vector<std::string>{std::string("\x09\x10\x00\x01", 4)});
  EXPECT_TRUE(chunks(png, "sRGB").empty());
  const std::string display = chunks(png, "mDCV").at(0), light = chunks(png, "cLLI").at(0);
  ASSERT_EQ(display.size(), 24u);
  EXPECT_EQ(display.substr(0, 16),
            std::string("\x7D\x00\x40\x74\x3A\x98\x75\x30\x1D\x4C\x0B\xB8\x3D\x13\x40\x42", 16));
  EXPECT_EQ(at(display, 16, 1e-4), 1000);
  EXPECT_EQ(big_endian(display, 20), 1u);
  // what the pixels say themselves
  std::FILE* const file = std::fopen((folder / "x.png").c_str(), "rb");
  png_structp reader = png_create_read_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(reader);
  png_init_io(reader, file);
  png_read_png(reader, info, PNG_TRANSFORM_SWAP_ENDIAN, nullptr);
  double most = 0, sum = 0;
  for (int y = 0; y < 40; ++y) {
    const auto* row = reinterpret_cast<const std::uint16_t*>(png_get_rows(reader, info)[y]);
    for (int x = 0; x < 60; ++x) {
      const double brightest =
          light_of_pq(*std::max_element(row + 3 * x, row + 3 * x + 3) / 65535.0);
      most = std::max(most, brightest);
      sum += brightest;
    }
  }
  png_destroy_read_struct(&reader, &info, nullptr);
  std::fclose(file);
  EXPECT_GT(most, 1.2 * hdr_white) << "nothing is above white";
  EXPECT_LT(most, 1000);
  EXPECT_NEAR(at(light, 0, 1e-4), most, 1e-3 * most);
  EXPECT_NEAR(at(light, 4, 1e-4), sum / 2400, 1e-3 * most);
}

TEST_F(print, a_still_of_hdr_is_repeated_and_read_as_the_usual_picture) {
  done({"render", "a.flame", "-o", "x.png", "--hdr", "pq", "--hdr-peak", "400"});
  const Outcome again = done({"render", "x.png", "-o", "y.png"});
  EXPECT_TRUE(contains(again.err, "linear (PQ, 400 cd/m2)")) << again.err;
  EXPECT_TRUE(bytes("y.png") == bytes("x.png"));
  done({"check", ".", "--ignore", "settings,duplicate", "--render", "1", "--backend", "cpu"});
  done({"render", "x.png", "-o", "usual.png", "--hdr", "none"});
  EXPECT_EQ(chunks(bytes("usual.png"), "cICP").size(), 0u);
  done({"compare", "x.png", "usual.png", "--min-psnr", "35"});
  if (format_with_ending(".jpg")->supported()) {  // which has no HDR, and nobody asked for it
    done({"render", "x.png", "-o", "usual.jpg"});
    done({"compare", "usual.png", "usual.jpg", "--min-psnr", "30"});
  }
  done({"render", "a.flame", "-o", "z.png", "--hdr", "pq", "--max-memory", "1G"});
  const std::vector<std::pair<std::vector<std::string>, std::string>> wrong = {
      {{"no.jpg", "--hdr", "pq"}, "HDR as PNG only"},
      {{"no.exr", "--hdr", "pq"}, "all light without it"},
      {{"no.png", "--hdr", "pq", "--transparent"}, "leave --transparent out"},
      {{"no.png", "--hdr", "pq", "--earlyclip"}, "--earlyclip"},
      {{"no.png", "--hdr-peak", "500"}, "--hdr-peak goes with --hdr"}};
  for (const auto& [options, message] : wrong) {
    std::vector<std::string> words = {"render", "a.flame", "-o"};
    words.insert(words.end(), options.begin(), options.end());
    const Outcome outcome = kiln(words);
    EXPECT_EQ(outcome.code, 2) << message;
    EXPECT_TRUE(contains(outcome.err, message)) << outcome.err;
  }
}

TEST(primaries, pq_and_srgb_come_back) {
  for (const double light : {0.0, 0.01, 1.0, 100.0, 203.0, 1000.0, 10000.0})
    EXPECT_NEAR(light_of_pq(pq_of(light)), light, 1e-6 * (1 + light));
  EXPECT_NEAR(pq_of(203), 0.5807, 1e-4);  // BT.2408: 58 %
  for (const double signal : {0.0, 0.01, 0.0405, 0.5, 1.0})
    EXPECT_NEAR(srgb_of(light_of_srgb(signal)), signal, 1e-6);
}

class exr_colors : public print {
 protected:
  void SetUp() override {
    if (!exr_supported()) GTEST_SKIP() << "without OpenEXR";
  }
};

TEST_F(exr_colors, the_header_says_which_and_how_they_are_packed) {
  done({"render", "a.flame", "-o", "x.exr"});
  std::string exr = bytes("x.exr");
  EXPECT_EQ(floats(attribute(exr, "chromaticities", "chromaticities")),
            (std::vector<float>{0.64f, 0.33f, 0.30f, 0.60f, 0.15f, 0.06f, 0.3127f, 0.3290f}));
  EXPECT_EQ(floats(attribute(exr, "whiteLuminance", "float")), std::vector<float>{203});
  EXPECT_EQ(attribute(exr, "compression", "compression"), "\3");
  EXPECT_EQ(attribute(exr, "owner", "string"), "");
  done({"render", "a.flame", "-o", "y.exr", "--exr", "half,dwaa", "--primaries", "acescg",
        "--author", "Anna", "--title", "Shells"});
  exr = bytes("y.exr");
  EXPECT_EQ(
      floats(attribute(exr, "chromaticities", "chromaticities")),
      (std::vector<float>{0.713f, 0.293f, 0.165f, 0.830f, 0.128f, 0.044f, 0.32168f, 0.33767f}));
  EXPECT_EQ(attribute(exr, "compression", "compression"), std::string(1, 8));
  EXPECT_EQ(attribute(exr, "owner", "string"), "Anna");
  EXPECT_EQ(attribute(exr, "comments", "string"), "Title: Shells; Author: Anna");
  const Outcome again =
      done({"render", "y.exr", "-o", "z.exr", "--author", "Anna", "--title", "Shells"});
  EXPECT_TRUE(contains(again.err, "linear (half, dwaa, acescg)")) << again.err;
  EXPECT_TRUE(bytes("z.exr") == exr);
  done({"check", ".", "--ignore", "settings", "--render", "1", "--backend", "cpu"});
}

TEST_F(exr_colors, other_primaries_are_the_same_light) {
  done({"render", "a.flame", "-o", "x.exr", "--exr", "float"});
  const Image plain = read_exr(folder / "x.exr");
  for (const char* name : {"rec2020", "p3", "acescg"}) {
    done({"render", "a.flame", "-o", "y.exr", "--exr", "float", "--primaries", name});
    const Image other = read_exr(folder / "y.exr");  // in Rec. 709 again
    EXPECT_TRUE(bytes("y.exr") != bytes("x.exr")) << name;
    EXPECT_EQ(other.linear().hits, plain.linear().hits);
    double worst = 0, most = 0;
    for (std::size_t i = 0; i < plain.linear().rgba.size(); ++i) {
      worst = std::max(worst, double(std::fabs(other.linear().rgba[i] - plain.linear().rgba[i])));
      most = std::max(most, double(plain.linear().rgba[i]));
    }
    EXPECT_GT(most, 0.1);
    EXPECT_LT(worst, 1e-6 * most) << name;
    EXPECT_FALSE(read_picture_texts(folder / "y.exr").holds_pixels);
  }
  EXPECT_TRUE(read_picture_texts(folder / "x.exr").holds_pixels);
}

TEST_F(exr_colors, every_packing_is_read_back) {
  done({"render", "a.flame", "-o", "x.exr", "--exr", "float"});
  const Image plain = read_exr(folder / "x.exr");
  for (const std::string& name : exr_compressions) {
    done({"render", "a.flame", "-o", "y.exr", "--exr", name + ",float"});
    const bool is_lossless =
        name != "pxr24" && !name.starts_with("b44") && !name.starts_with("dwa");
    EXPECT_EQ(read_picture_texts(folder / "y.exr").holds_pixels, is_lossless) << name;
    if (is_lossless)
      EXPECT_TRUE(read_exr(folder / "y.exr").linear() == plain.linear()) << name;
    else
      EXPECT_EQ(read_exr(folder / "y.exr").linear().hits.size(), plain.linear().hits.size());
  }
  for (const char* wrong : {"zap", "half,", "", "half,zip,dwaax"})
    EXPECT_EQ(kiln({"render", "a.flame", "-o", "no.exr", "--exr", wrong}).code, 2) << wrong;
  EXPECT_EQ(kiln({"render", "a.flame", "-o", "no.exr", "--primaries", "adobe"}).code, 2);
}

}  // namespace
}  // namespace kiln
