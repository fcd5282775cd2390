// Prints by their size on paper, and files that say what their colors mean and who made them: what other programs read
// of them is taken apart here by hand, by the formats' own rules.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/base/error.h"
#include "engine/io/picture/exr.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/primaries.h"
#include "engine/model/image.h"
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

TEST_F(print, bleed_is_more_of_the_flame_around_the_same_picture) {
  EXPECT_EQ(size({"--size", "24x36in", "--dpi", "300", "--bleed", "3mm"}),
            "7270 x 10870, 2400.0000");
  EXPECT_EQ(size({"--bleed", "10"}), "80 x 60, 20.0000");
  EXPECT_EQ(size({"--bleed", "10", "--scale", "2"}), "140 x 100, 40.0000");
  EXPECT_EQ(size({"--bleed", "0mm", "--dpi", "300"}), "60 x 40, 20.0000");
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
