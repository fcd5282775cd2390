// SPDX-License-Identifier: MIT
// AVIF and JPEG XL stills: what comes back, what they say of themselves, and what is said where ffmpeg is not.
#include "engine/io/picture/still_by_ffmpeg.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/io/picture/picture_format.h"
#include "tests/cli/pictures.h"
#include "tests/cli/program.h"

namespace kiln {
namespace {

using namespace test;
using Names = std::vector<std::string>;

class still_by_ffmpeg : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_ffmpeg()) GTEST_SKIP() << "ffmpeg is not installed";
    write_file(folder / "a.flame", triangle());
  }
  Outcome render(const std::string& name, Names more = {}, const Start& start = {}) {
    more.insert(more.begin(), {"render", "a.flame", "--backend", "cpu", "-q", "-o", name});
    Start here = start;
    here.folder = folder.path();
    return run_program(more, here);
  }
  Image picture(const std::string& name) { return read_picture(folder / name); }
  ScratchFolder folder;
};

/// The largest difference of two samples, in 255ths.
double farthest(const Image& a, const Image& b) {
  int most = 0;
  for (std::size_t i = 0; i < a.pixels8().size(); ++i)
    most = std::max(most, std::abs(int(a.pixels8()[i]) - int(b.pixels8()[i])));
  return most;
}

TEST_F(still_by_ffmpeg, jpeg_xl_is_the_picture_of_a_png) {
  for (const Names& more : {Names{}, Names{"--bits", "16"}, Names{"--transparent"},
                            Names{"--bits", "16", "--transparent"}}) {
    Names forced = more;
    forced.emplace_back("--force");
    ASSERT_EQ(render("a.png", forced).code, 0);
    const Outcome made = render("a.jxl", forced);
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_TRUE(picture("a.jxl").pixels == picture("a.png").pixels);
    EXPECT_EQ(picture("a.jxl").opaque, picture("a.png").opaque);
  }
}

TEST_F(still_by_ffmpeg, avif_is_near_it_and_of_the_highest_quality_the_same) {
  ASSERT_EQ(render("a.png").code, 0);
  ASSERT_EQ(render("a.avif").code, 0);
  ASSERT_EQ(render("b.avif", {"--avif-quality", "100"}).code, 0);
  EXPECT_GT(farthest(picture("a.avif"), picture("a.png")), 0);
  EXPECT_LE(farthest(picture("a.avif"), picture("a.png")), 40);
  EXPECT_TRUE(picture("b.avif").pixels == picture("a.png").pixels);
  // twelve of sixteen bits
  ASSERT_EQ(render("c.png", {"--bits", "16"}).code, 0);
  ASSERT_EQ(render("c.avif", {"--bits", "16", "--avif-quality", "100"}).code, 0);
  const Words deep = picture("c.avif").pixels16(), wanted = picture("c.png").pixels16();
  for (std::size_t i = 0; i < deep.size(); ++i) ASSERT_NEAR(deep[i], wanted[i], 16) << i;
}

TEST_F(still_by_ffmpeg, a_lower_quality_is_smaller) {
  Image image = smooth_picture(200, 160);
  image.opaque = true;
  std::size_t avif = 0, jxl = 0;
  for (const int quality : {5, 40, 99, 100}) {
    const Saving saving{.avif_quality = quality, .jxl_quality = quality};
    const std::size_t avif_now = still_bytes(avif_still, image, saving).size(),
                      jxl_now = still_bytes(jxl_still, image, saving).size();
    // all of a smooth one may take less
    if (quality < 100) {
      EXPECT_GT(avif_now, avif) << quality;
    }
    EXPECT_GT(jxl_now, jxl) << quality;
    avif = avif_now;
    jxl = jxl_now;
  }
}

TEST_F(still_by_ffmpeg, says_that_it_is_srgb) {
  if (!has_program("ffprobe")) GTEST_SKIP() << "ffprobe is not installed";
  for (const char* name : {"a.avif", "a.jxl"}) {
    ASSERT_EQ(render(name, {"--bits", "16"}).code, 0);
    const std::string command =
        "ffprobe -v error -show_entries stream=pix_fmt,color_transfer,color_primaries"
        " -of csv=p=0 " +
        (folder / name) + " > " + (folder / "said");
    ASSERT_EQ(std::system(command.c_str()), 0);
    EXPECT_NE(read_file(folder / "said").find("iec61966-2-1"), std::string::npos)
        << name << read_file(folder / "said");
    EXPECT_NE(read_file(folder / "said").find("bt709"), std::string::npos) << name;
  }
}

TEST_F(still_by_ffmpeg, goes_into_a_pipe_as_others_do) {
  ASSERT_EQ(render("a.jxl").code, 0);
  EXPECT_TRUE(render("jxl:-").out == read_file(folder / "a.jxl"));
  const Outcome again = run_program({"compare", "a.jxl", "a.jxl"}, {folder.path(), "", {}, {}});
  EXPECT_EQ(again.code, 0) << again.err;
}

TEST_F(still_by_ffmpeg, what_it_cannot_hold_is_refused_before_the_render) {
  EXPECT_NE(render("a.avif", {"--transparent"}).err.find("AVIF has no transparency"),
            std::string::npos);
  EXPECT_EQ(render("a.avif", {"--transparent"}).code, 2);
  EXPECT_EQ(render("a.jxl", {"--width", "16001", "--quality", "1e-3"}).code, 2);
  EXPECT_EQ(render("a.jxl", {"--primaries", "p3"}).code, 2);
  EXPECT_EQ(render("a.avif", {"--avif-quality", "0"}).code, 2);
  EXPECT_FALSE(std::filesystem::exists(folder / "a.avif"));
  EXPECT_FALSE(std::filesystem::exists(folder / "a.jxl"));
}

/// Its memory is that of the picture that is handed on, with alpha and the bytes of 16 bits.
TEST_F(still_by_ffmpeg, that_is_larger_than_memory_allows_is_refused) {
  ASSERT_EQ(render("a.jxl", {"--bits", "16"}).code, 0);  // 32 x 24 pixels of 8 bytes
  ImageLimits limits;
  const auto refused = [&](const std::string& name) {
    try {
      read_still(jxl_still, folder / name, limits);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input) << error.what();
      return std::string(error.what());
    }
    return std::string();
  };
  limits.bytes = 32 * 24 * 8;
  EXPECT_EQ(refused("a.jxl"), "");
  --limits.bytes;
  EXPECT_NE(refused("a.jxl").find("a.jxl: 32 x 24 pixels need"), std::string::npos)
      << refused("a.jxl");
  // one that not even ffmpeg may make
  Image large;
  large.width = 2304;
  large.height = 2048;
  large.opaque = true;
  large.pixels.emplace<Bytes>().resize(4 * std::size_t(large.width) * std::size_t(large.height));
  write_file(folder / "large.jxl", still_bytes(jxl_still, large, {}));
  limits.bytes = 1 << 20;
  EXPECT_NE(refused("large.jxl").find("need more memory than 1.0 MiB; raise it with --max-memory"),
            std::string::npos)
      << refused("large.jxl");
}

TEST_F(still_by_ffmpeg, that_is_damaged_is_said) {
  ASSERT_EQ(render("a.jxl").code, 0);
  const std::string bytes = read_file(folder / "a.jxl");
  for (const std::size_t size : {std::size_t(2), bytes.size() / 2}) {
    write_file(folder / "cut.jxl", bytes.substr(0, size));
    try {
      picture("cut.jxl");
      ADD_FAILURE() << size;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input) << error.what();
      EXPECT_NE(std::string(error.what()).find("cut.jxl"), std::string::npos) << error.what();
    }
  }
}

/// Who reads needs no encoder, and is told of an input.
TEST_F(still_by_ffmpeg, is_read_without_an_encoder) {
  ASSERT_EQ(render("a.jxl").code, 0);
  const auto compared = [&](const std::string& path) {
    return run_program({"compare", "a.jxl", "a.jxl"},
                       {folder.path(), "", {}, [&] { setenv("PATH", path.c_str(), 1); }});
  };
  const Outcome none = compared("/nowhere");
  EXPECT_EQ(none.code, 3) << none.err;
  EXPECT_NE(none.err.find("a.jxl: JPEG XL is read by the program ffmpeg, which is not in PATH"),
            std::string::npos)
      << none.err;
  std::filesystem::create_directory(folder / "bin");
  write_file(folder / "bin/ffmpeg",
             "#!/bin/sh\n[ \"$2\" = -h ] && echo 'is not recognized' && exit 0\n"
             "PATH=" +
                 std::string(std::getenv("PATH")) + " exec ffmpeg \"$@\"\n");
  std::filesystem::permissions(folder / "bin/ffmpeg", std::filesystem::perms::owner_all);
  const Outcome read = compared(folder / "bin:/usr/bin:/bin");
  EXPECT_EQ(read.code, 0) << read.err;
}

/// What ffmpeg leaves behind where it fails is no picture.
TEST_F(still_by_ffmpeg, that_ffmpeg_did_not_finish_is_none) {
  std::filesystem::create_directory(folder / "bin");
  write_file(folder / "bin/ffmpeg",
             "#!/bin/sh\n[ \"$2\" = -h ] && exit 0\nfor to; do :; done\n"
             "echo half > \"${to#file:}\"\necho 'no memory is left' >&2\nexit 1\n");
  std::filesystem::permissions(folder / "bin/ffmpeg", std::filesystem::perms::owner_all);
  const std::string path = folder / "bin:/usr/bin:/bin";
  const Outcome half = render("a.jxl", {}, {"", "", {}, [&] { setenv("PATH", path.c_str(), 1); }});
  EXPECT_EQ(half.code, 5);
  EXPECT_NE(half.err.find("no memory is left"), std::string::npos) << half.err;
  EXPECT_FALSE(std::filesystem::exists(folder / "a.jxl"));
}

TEST_F(still_by_ffmpeg, needs_ffmpeg_and_its_encoder_and_says_so) {
  const Start none{"", "", {}, [] { setenv("PATH", "/nowhere", 1); }};
  const Outcome missing = render("a.avif", {}, none);
  EXPECT_EQ(missing.code, 5);
  EXPECT_NE(missing.err.find("AVIF is made by the program ffmpeg, which is not in PATH"),
            std::string::npos)
      << missing.err;
  std::filesystem::create_directory(folder / "bin");
  write_file(folder / "bin/ffmpeg",
             "#!/bin/sh\necho \"Codec 'libjxl' is not recognized by FFmpeg.\"\n");
  std::filesystem::permissions(folder / "bin/ffmpeg", std::filesystem::perms::owner_all);
  const std::string path = folder / "bin";
  const Outcome poor = render("a.jxl", {}, {"", "", {}, [&] { setenv("PATH", path.c_str(), 1); }});
  EXPECT_EQ(poor.code, 5);
  EXPECT_NE(poor.err.find("built without the encoder libjxl"), std::string::npos) << poor.err;
}

}  // namespace
}  // namespace kiln
