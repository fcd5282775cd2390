// SPDX-License-Identifier: MIT
// A print's resolution: the file says it, the pixels do not know it.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "engine/api/kiln.h"
#include "engine/api/kiln_c.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/picture/picture_format.h"
#include "engine/model/image.h"
#include "tests/cli/pictures.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using test::Outcome;

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// "11811 11811 1": pixels across and down, and their unit, of a PNG's pHYs.
std::string shape_of(const std::string& png) {
  const std::size_t at = png.find("pHYs");
  if (at == std::string::npos || png.find("pHYs", at + 1) != std::string::npos) return "none";
  const auto number = [&](std::size_t from) {
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
      value = value << 8 | static_cast<unsigned char>(png[at + from + i]);
    return value;
  };
  return fmt::format("{} {} {}", number(4), number(8), int(png[at + 12]));
}

/// The value of a float attribute of an OpenEXR file; -1: it has none.
float attribute(const std::string& exr, const std::string& name) {
  const std::string head = name + '\0' + "float" + '\0' + std::string("\4\0\0\0", 4);
  const std::size_t at = exr.find(head);
  float value = -1;
  if (at != std::string::npos) std::memcpy(&value, exr.data() + at + head.size(), 4);
  return value;
}

class dpi : public testing::Test {
 protected:
  dpi() { test::write_file(folder / "a.flame", test::triangle()); }

  Outcome kiln(std::vector<std::string> arguments) {
    if (arguments[0] != "merge") arguments.insert(arguments.end(), {"--backend", "cpu"});
    test::Start start;
    start.folder = folder.path();
    return test::run_program(arguments, start);
  }
  Outcome done(const std::vector<std::string>& arguments) {
    const Outcome outcome = kiln(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  std::string bytes(const std::string& name) { return test::read_file(folder / name); }
  std::string shape(const std::string& name) { return shape_of(bytes(name)); }
  std::string hash(const std::string& name) { return pixel_hash(read_picture(folder / name)); }

  const test::ScratchFolder folder;
};

TEST_F(dpi, a_png_says_it_in_metres_and_has_the_same_pixels) {
  done({"render", "a.flame", "-o", "plain.png"});
  EXPECT_EQ(shape("plain.png"), "1 1 0");
  EXPECT_FALSE(contains(bytes("plain.png"), "\"dpi\""));
  done({"render", "a.flame", "-o", "print.png", "--dpi", "300"});
  EXPECT_EQ(shape("print.png"), "11811 11811 1");
  EXPECT_TRUE(contains(bytes("print.png"), ",\"dpi\":300,")) << bytes("print.png");
  EXPECT_EQ(hash("print.png"), hash("plain.png"));
  done({"render", "a.flame", "-o", "fine.png", "--dpi", "72.5", "--bits", "16"});
  EXPECT_EQ(shape("fine.png"), "2854 2854 1");
  // pixels twice as wide as high: 300 an inch across, 600 down
  done({"render", "a.flame", "-o", "wide.png", "--dpi", "300", "--pixel-aspect", "2"});
  EXPECT_EQ(shape("wide.png"), "11811 23622 1");
}

TEST_F(dpi, is_repeated_from_pictures) {
  done({"render", "a.flame", "-o", "x.png", "--dpi", "300", "--seed", "5"});
  const Outcome again = done({"render", "x.png", "-o", "y.png"});
  EXPECT_EQ(bytes("y.png"), bytes("x.png"));
  EXPECT_TRUE(contains(again.err, "x.png: repeating seed 5, 8 bits, dpi 300\n")) << again.err;
  const Outcome other = done({"render", "x.png", "-o", "z.png", "--dpi", "72"});
  EXPECT_EQ(shape("z.png"), "2835 2835 1");
  EXPECT_EQ(hash("z.png"), hash("x.png"));
  EXPECT_TRUE(contains(other.err, "seed 5, 8 bits, dpi 72 (--dpi given)\n")) << other.err;
  EXPECT_FALSE(contains(other.err, "warning")) << other.err;
  done({"render", "x.png", "-o", "flame.png", "--ignore-record"});
  EXPECT_EQ(shape("flame.png"), "1 1 0");
}

TEST_F(dpi, of_states_and_of_what_is_made_of_them) {
  for (const char* shard : {"1/2", "2/2"})
    done({"render", "a.flame", "-o", "s.png", "--dpi", "300", "--shard", shard});
  done({"merge", "s.1-2.kiln", "s.2-2.kiln", "-o", "merged.png"});
  EXPECT_EQ(shape("merged.png"), "11811 11811 1");
  done({"merge", "s.1-2.kiln", "s.2-2.kiln", "-o", "whole.kiln"});
  done({"grade", "whole.kiln", "-o", "graded.png", "--gamma", "2"});
  EXPECT_EQ(shape("graded.png"), "11811 11811 1");
  done({"grade", "whole.kiln", "-o", "other.png", "--dpi", "150"});
  EXPECT_EQ(shape("other.png"), "5906 5906 1");
}

TEST_F(dpi, of_frames_and_their_digest) {
  const std::vector<std::string> film = {"animate", "a.flame",   "-o", "f##.png", "--sequence",
                                         "--loop",  "--nframes", "1",  "--loops", "1"};
  const auto with = [&](std::vector<std::string> more) {
    std::vector<std::string> all = film;
    all.insert(all.end(), more.begin(), more.end());
    return done(all);
  };
  with({"--dpi", "300"});
  EXPECT_EQ(shape("f00.png"), "11811 11811 1");
  const std::string first = bytes("f00.png"), pixels = hash("f00.png");
  with({"--dpi", "300", "--resume"});
  EXPECT_EQ(bytes("f00.png"), first);
  with({"--dpi", "150", "--resume"});
  EXPECT_EQ(shape("f00.png"), "5906 5906 1");
  EXPECT_EQ(hash("f00.png"), pixels);
}

TEST_F(dpi, of_stripes) {
  done({"render", "a.flame", "-o", "whole.png", "--width", "700", "--dpi", "300"});
  done({"render", "a.flame", "-o", "parts.png", "--width", "700", "--dpi", "300", "--max-memory",
        "12M"});
  EXPECT_EQ(bytes("parts.png"), bytes("whole.png"));
}

TEST_F(dpi, an_exr_has_the_standard_attribute) {
  if (!format_named("x.exr").supported()) GTEST_SKIP() << "without OpenEXR";
  done({"render", "a.flame", "-o", "plain.exr"});
  EXPECT_EQ(attribute(bytes("plain.exr"), "xDensity"), -1);
  done({"render", "a.flame", "-o", "print.exr", "--dpi", "300", "--pixel-aspect", "2"});
  EXPECT_EQ(attribute(bytes("print.exr"), "xDensity"), 300);
  EXPECT_EQ(attribute(bytes("print.exr"), "pixelAspectRatio"), 2);
  done({"render", "print.exr", "-o", "again.exr"});
  EXPECT_EQ(bytes("again.exr"), bytes("print.exr"));
}

TEST_F(dpi, has_a_range) {
  for (const char* wrong : {"0", "0.5", "100001", "-300", "nan", "many"}) {
    const Outcome outcome = kiln({"render", "a.flame", "-o", "no.png", "--dpi", wrong});
    EXPECT_EQ(outcome.code, 2) << wrong;
    EXPECT_TRUE(contains(outcome.err, "--dpi")) << outcome.err;
  }
  const Scene scene = parse_scenes(test::triangle()).at(0);
  RenderOptions options;
  options.backend = Backend::cpu;
  for (const double wrong : {0.5, 1e6, -1.0, std::nan("")}) {
    options.dpi = wrong;
    try {
      render(scene, options);
      ADD_FAILURE() << wrong;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::usage);
      EXPECT_STREQ(error.what(), "dpi must be 1 to 100000");
    }
  }
}

TEST_F(dpi, of_the_library_and_of_c) {
  RenderOptions options;
  options.backend = Backend::cpu;
  options.dpi = 300;
  const Picture picture = render(parse_scenes(test::triangle()).at(0), options);
  EXPECT_EQ(picture.image.dpi, 300);
  EXPECT_EQ(shape_of(encode(picture)), "11811 11811 1");

  kiln_options c = kiln_usual_options();
  c.backend = KILN_CPU;
  c.dpi = 300;
  kiln_scenes* scenes = nullptr;
  kiln_session* session = nullptr;
  kiln_picture* made = nullptr;
  const void* file = nullptr;
  std::size_t size = 0;
  ASSERT_EQ(kiln_parse(test::triangle().c_str(), 0, nullptr, nullptr, &scenes), KILN_OK);
  ASSERT_EQ(kiln_open(&c, &session), KILN_OK);
  ASSERT_EQ(kiln_render(session, scenes, 0, nullptr, &made), KILN_OK) << kiln_message();
  ASSERT_EQ(kiln_encode(made, 0, &file, &size), KILN_OK);
  EXPECT_EQ(std::string(static_cast<const char*>(file), size), encode(picture));
  kiln_free_picture(made);
  kiln_close(session);
  kiln_free_scenes(scenes);
}

}  // namespace
}  // namespace kiln
