// SPDX-License-Identifier: MIT
// --crop as a user meets it: a window of the picture has the pixels of the whole, in render,
// animate and videos, and a cropped picture repeats itself.
#include <algorithm>

#include "engine/io/picture/picture_format.h"
#include "tests/cli/settings.h"

namespace kiln {
namespace {

using namespace test;

class crop_program : public Settings {};

TEST_F(crop_program, a_crop_has_the_pixels_of_the_whole) {
  std::string flame = triangle("kiln_bloom=\"0.3 9 0\"");
  flame.replace(flame.find("estimator_radius=\"0\""), 20, "estimator_radius=\"5\"");
  put("a.flame", flame);
  for (const Names& format : {Names{}, Names{"--bits", "16", "--transparent"}}) {
    const Names options = joined({"-q", "--size", "40x30"}, format);
    ASSERT_EQ(kiln(joined({"render", "a.flame", "-o", "whole.png"}, options)).code, 0);
    const Outcome cut = kiln(
        joined({"render", "a.flame", "-o", "part.png", "--json", "--crop", "9,4,20x21"}, options));
    EXPECT_TRUE(contains(cut.out, "\"width\":20,\"height\":21,")) << cut.out << cut.err;
    EXPECT_TRUE(contains(read_file(folder / "part.png"), "\"crop\":[9,4,20,21],"));
    EXPECT_FALSE(contains(read_file(folder / "whole.png"), "\"crop\""));
    const Image whole = read_png(folder / "whole.png"), part = read_png(folder / "part.png");
    ASSERT_EQ(part.width, 20);
    ASSERT_EQ(part.height, 21);
    const auto sample = [](const Image& image, int x, int y, int channel) {
      const auto at = static_cast<std::size_t>((y * image.width + x) * 4 + channel);
      return image.bits() == 8 ? image.pixels8().at(at) : image.pixels16().at(at);
    };
    int lit = 0;
    for (int i = 0; i < 20 * 21 * 4; ++i) {
      const int x = i / 4 % 20, y = i / 80, channel = i % 4;
      ASSERT_EQ(sample(part, x, y, channel), sample(whole, x + 9, y + 4, channel)) << i;
      lit += sample(part, x, y, 0) > 0;
    }
    EXPECT_GT(lit, 100);
  }
}

TEST_F(crop_program, a_cropped_picture_repeats_itself) {
  put("a.flame", triangle());
  const Names crop = {"--crop", "3,4,20x10"};
  const std::string made =
      hashes(joined({"render", "a.flame", "-o", "a.png", "--seed", "5"}, crop));
  const Outcome again = kiln({"render", "a.png", "-o", "b.png"});
  EXPECT_TRUE(contains(again.err, "seed 5, 8 bits, crop 3,4,20x10")) << again.err;
  EXPECT_FALSE(contains(again.err, "warning")) << again.err;
  EXPECT_EQ(hashes({"render", "a.png", "-o", "c.png"}), made);
  EXPECT_EQ(hashes({"render", "b.png", "-o", "c.png"}), made);
  EXPECT_TRUE(contains(kiln({"info", "a.png", "--json"}).out, "\"crop\":[3,4,20,10]"));
  EXPECT_FALSE(contains(kiln({"info", "a.png", "--json", "--scale", "2"}).out, "\"crop\""));
  // another window; the whole in another size; other settings of the file, of which nobody expects
  // the same pixels
  const auto size_of = [&](const Names& options) {
    const Outcome outcome = kiln(joined({"render", "a.png", "-o", "c.png"}, options));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(contains(outcome.err, "warning")) << outcome.err;
    const Image image = read_png(folder / "c.png");
    return fmt::format("{}x{}", image.width, image.height);
  };
  EXPECT_EQ(size_of({"--crop", "0,0,5x6"}), "5x6");
  EXPECT_EQ(size_of({"--scale", "2"}), "64x48");
  EXPECT_EQ(size_of({"--set", "size=16 12"}), "16x12");
  EXPECT_EQ(size_of({"--scale", "2", "--crop", "40,30,8x9"}), "8x9");
  EXPECT_EQ(size_of({"--set", "gamma=2"}), "20x10");
  EXPECT_EQ(size_of({"--palette", library + "#1"}), "20x10");
}

TEST_F(crop_program, a_crop_outside_of_the_picture_names_its_size) {
  put("a.flame", triangle());
  put("keys.flame", two_keys());
  const Names crop = {"--crop", "20,0,20x20"};
  for (const Names& command :
       {Names{"render", "a.flame"}, Names{"info", "a.flame"}, Names{"animate", "keys.flame"}})
    EXPECT_TRUE(contains(usage_error(joined(command, crop)), "32 x 24")) << command[0];
  EXPECT_EQ(kiln(joined({"info", "a.flame", "--scale", "2"}, crop)).code, 0);
  EXPECT_TRUE(contains(kiln(joined({"info", "a.flame", "--size", "64x48", "--json"}, crop)).out,
                       "\"crop\":[20,0,20,20]"));
  EXPECT_TRUE(contains(kiln(joined({"info", "a.flame", "--size", "64x48"}, crop)).out,
                       "64 x 48 pixels, of them the window 20,0,20x20"));
}

TEST_F(crop_program, all_frames_are_cut_alike) {
  put("keys.flame", two_keys());
  const Names animate = {"animate", "keys.flame", "-o",        "f#.png", "--frames",
                         "2,3",     "-q",         "--backend", "cpu"};
  const Names crop = {"--crop", "4,6,20x12"};
  ASSERT_EQ(kiln(joined(animate, {"--size", "32x24"})).code, 0);
  const Image whole = read_png(folder / "f3.png");
  ASSERT_EQ(kiln(joined(animate, crop)).code, 0);
  const Image part = read_png(folder / "f3.png");
  ASSERT_EQ(part.width, 20);
  ASSERT_EQ(part.height, 12);
  for (std::size_t y = 0; y < 12; ++y) {
    const auto row = whole.pixels8().begin() + std::ptrdiff_t(((y + 6) * 32 + 4) * 4);
    EXPECT_TRUE(std::equal(row, row + 80, part.pixels8().begin() + std::ptrdiff_t(y * 80))) << y;
  }
  // frames with another window are not those that were asked for
  const auto kept = [&](const Names& options) {
    return kiln(joined(joined(animate, options), {"--resume", "--json"})).out;
  };
  EXPECT_TRUE(contains(kept(crop), "\"kept\":2"));
  EXPECT_FALSE(contains(kept({"--crop", "5,6,20x12"}), "\"kept\""));
}

TEST_F(crop_program, a_video_has_the_size_of_the_crop) {
  if (!has_program("ffmpeg") || !has_program("ffprobe")) GTEST_SKIP() << "no ffmpeg";
  put("keys.flame", two_keys());
  const Outcome made = kiln({"animate", "keys.flame", "--video", "v.mkv", "--frames", "0-3", "-q",
                             "--size", "128x96", "--crop", "8,6,64x80"});
  ASSERT_EQ(made.code, 0) << made.err;
  const std::string probe = "cd " + folder.path() +
                            " && ffprobe -v error -count_frames -show_entries "
                            "stream=width,height,nb_read_frames -of csv=p=0 v.mkv > size";
  ASSERT_EQ(std::system(probe.c_str()), 0);
  EXPECT_EQ(read_file(folder / "size").substr(0, 7), "64,80,4");
}

}  // namespace
}  // namespace kiln
