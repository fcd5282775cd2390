// SPDX-License-Identifier: MIT
// Settings without editing the file, as a user meets them: the same in render, info, animate and
// sequence, and the picture is that of the edited file.
#include "tests/cli/settings.h"

#include "engine/io/picture/picture_format.h"

namespace kiln {
namespace {

using namespace test;

class settings : public Settings {};

// ---- --set ----

TEST_F(settings, set_gives_the_picture_of_the_edited_file) {
  const std::string plain = hash_of(triangle());
  for (const auto& [name, value] : {std::pair{"gamma", "2"},
                                    {"background", "0.2 0.4 0.6"},
                                    {"soloxform", "1"},
                                    {"palette", "2"},
                                    {"filter_shape", "box"},
                                    {"kiln_bloom", "0.5 9 0"},
                                    {"zoom", "0.5"},
                                    {"supersample", "2"}}) {
    const std::string edited = hash_of(triangle(fmt::format("{}=\"{}\"", name, value)));
    EXPECT_EQ(hash_of(triangle(), {"--set", fmt::format("{}={}", name, value)}), edited) << name;
    EXPECT_NE(edited, plain) << name;
  }
  const std::string palette = "palette=\"3\" ";
  EXPECT_EQ(hash_of(triangle(palette), {"--set", "hue=0.3", "--set", "vibrancy=0.5"}),
            hash_of(triangle(palette + "hue=\"0.3\" vibrancy=\"0.5\"")));
  std::string larger = triangle();
  larger.replace(larger.find("32 24"), 5, "40 30");
  EXPECT_EQ(hash_of(triangle(), {"--set", "size=40 30"}), hash_of(larger));
}

TEST_F(settings, set_works_in_animate_sequence_and_info) {
  put("plain.flame", two_keys());
  put("edited.flame", two_keys("gamma=\"2\" palette_mode=\"linear\""));
  const Names set = {"--set", "gamma=2", "--set", "palette_mode=linear"};
  const Names frames = {"--frames", "4,5"};
  const auto animated = [&](const std::string& file, const Names& options) {
    return hashes(joined(joined({"animate", file, "-o", "f##.png"}, frames), options));
  };
  EXPECT_EQ(animated("plain.flame", set), animated("edited.flame", {}));
  EXPECT_NE(animated("plain.flame", set), animated("plain.flame", {}));
  const auto sequence = [&](const std::string& file, const Names& options) {
    const Outcome outcome = kiln(joined({"sequence", file, "-o", "-", "--nframes", "3"}, options));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  };
  EXPECT_EQ(sequence("plain.flame", set), sequence("edited.flame", {}));
  EXPECT_NE(sequence("plain.flame", set), sequence("plain.flame", {}));
  EXPECT_EQ(info("plain.flame", "quality", {"--set", "quality=77"}), 77);
  EXPECT_EQ(info("plain.flame", "samples", {"--set", "quality=10", "--zoom", "1", "--size", "8x8"}),
            10 * 64 * 4);
}

TEST_F(settings, a_picture_keeps_them) {
  put("a.flame", triangle());
  const std::string made = hashes(
      {"render",  "a.flame", "-o",      "a.png", "--set",    "filter=1", "--palette",    "4",
       "--hue",   "0.2",     "--fill",  "20x30", "--rotate", "30",       "--background", "orange",
       "--gamma", "2.5",     "--glare", "4",     "--bloom",  "0.1"});
  EXPECT_EQ(hashes({"render", "a.png", "-o", "again.png"}), made);
}

// ---- names for what people reach for ----

TEST_F(settings, named_options_are_those_attributes) {
  const auto same = [&](const Names& options, const Names& set) {
    Names settings;
    for (const std::string& one : set) settings = joined(settings, {"--set", one});
    EXPECT_EQ(hash_of(triangle(), options), hash_of(triangle(), settings)) << options[0];
    EXPECT_NE(hash_of(triangle(), options), hash_of(triangle())) << options[0];
  };
  same({"--brightness", "8"}, {"brightness=8"});
  same({"--gamma", "2.5"}, {"gamma=2.5"});
  same({"--vibrancy", "0.25"}, {"vibrancy=0.25"});
  same({"--zoom", "0.5"}, {"zoom=0.5"});
  same({"--rotate", "-30"}, {"rotate=-30"});
  same({"--center", "0.25,-0.5"}, {"center=0.25 -0.5"});
  same({"--background", "0.1,0.2,0.3"}, {"background=0.1 0.2 0.3"});
  same({"--background", "navy"}, {"background=0 0 0.50196078431372548"});
}

TEST_F(settings, named_options_take_what_their_attributes_take) {
  put("a.flame", triangle());
  const std::vector<std::array<std::string, 2>> taken = {
      {"gamma", "0.005"},  {"gamma", "2000"},    {"brightness", "-1"}, {"brightness", "2e6"},
      {"vibrancy", "200"}, {"vibrancy", "-0.5"}, {"zoom", "-6.5"},     {"rotate", "1e9"},
      {"quality", "1e-9"}, {"supersample", "16"}};
  const std::vector<std::array<std::string, 2>> refused = {
      {"gamma", "0"},       {"gamma", "-1"},       {"brightness", "1e39"}, {"vibrancy", "nan"},
      {"zoom", "64.5"},     {"zoom", "-65"},       {"rotate", "-1.1e9"},   {"quality", "0"},
      {"quality", "1.1e9"}, {"supersample", "17"}, {"supersample", "0"}};
  const auto codes = [&](const auto& one) {
    const Names info = {"info", "a.flame", "-q"};
    return std::pair(kiln(joined(info, {"--" + one[0], one[1]})).code == 2,
                     kiln(joined(info, {"--set", one[0] + "=" + one[1]})).code == 2);
  };
  for (const auto& one : taken)
    EXPECT_EQ(codes(one), std::pair(false, false)) << one[0] << " " << one[1];
  for (const auto& one : refused)
    EXPECT_EQ(codes(one), std::pair(true, true)) << one[0] << " " << one[1];
}

TEST_F(settings, a_background_has_exactly_its_bytes) {
  put("a.flame", triangle());
  const auto corner = [&](const std::string& color) {
    EXPECT_EQ(kiln({"render", "a.flame", "-q", "-o", "x.png", "--background", color}).code, 0);
    const Image image = read_png(folder / "x.png");
    return std::vector<int>{image.pixels8()[0], image.pixels8()[1], image.pixels8()[2]};
  };
  EXPECT_EQ(corner("#0a80ff"), (std::vector<int>{10, 128, 255}));
  EXPECT_EQ(corner("#FE017F"), (std::vector<int>{254, 1, 127}));
  EXPECT_EQ(corner("orange"), (std::vector<int>{255, 165, 0}));
  EXPECT_EQ(corner("0,0.5,1"), (std::vector<int>{0, 128, 255}));
}

TEST_F(settings, palettes_by_number_name_file_and_turned) {
  const auto edited = [&](const std::string& attributes) { return hash_of(triangle(attributes)); };
  const auto chosen = [&](const std::string& palette, const Names& more = {}) {
    return hash_of(triangle("hue=\"0.4\""), joined({"--palette", palette}, more));
  };
  const std::string glacier = edited("palette=\"1\"");
  EXPECT_NE(glacier, edited(""));
  EXPECT_EQ(chosen("1"), glacier);
  EXPECT_EQ(chosen("glacier"), glacier);
  EXPECT_EQ(chosen("Glacier"), glacier);
  EXPECT_EQ(chosen(library + "#1"), glacier);
  EXPECT_EQ(chosen(library + "#glacier"), glacier);
  EXPECT_EQ(chosen("1", {"--hue", "1.3"}), edited("palette=\"1\" hue=\"1.3\""));
  put("other.flame", triangle("palette=\"1\""));
  EXPECT_EQ(chosen("other.flame"), glacier);
  ASSERT_EQ(kiln({"render", "other.flame", "-q", "--palettes", library}).code, 0);
  EXPECT_EQ(chosen("other.png"), glacier);
  EXPECT_TRUE(contains(
      usage_error({"render", "h.flame", "--palette", "other.png", "-o", "other.png"}), "is read"));
  std::string bare = triangle();  // has no palette of its own
  bare = std::regex_replace(bare, std::regex("<color [^>]*>"), "");
  EXPECT_EQ(hash_of(bare, {"--palette", "1"}), glacier);
}

TEST_F(settings, hue_turns_any_palette) {
  const std::string red = "<color index=\"0\" rgb=\"200 0 0\"/>";
  const std::string green = "<color index=\"0\" rgb=\"0 200 0\"/>";
  const auto with = [&](const std::string& color) {
    return std::regex_replace(triangle("kiln_bloom=\"0 2 0\"", color),
                              std::regex("<color [^>]*(\"255 128|\"0 128)[^>]*>"), "");
  };
  EXPECT_EQ(hash_of(with(red), {"--hue", "0.3333333333333333333"}), hash_of(with(green)));
  EXPECT_NE(hash_of(with(red)), hash_of(with(green)));
  EXPECT_EQ(hash_of(with(red), {"--hue", "0"}), hash_of(with(red)));
}

// ---- size and framing ----

TEST_F(settings, a_projection_gives_the_picture_its_shape) {
  put("a.flame", triangle("cam_persp=\"0.3\""));  // 32 x 24
  const auto size = [&](const Names& options) {
    EXPECT_EQ(kiln(joined({"render", "a.flame", "-q", "-o", "x.png"}, options)).code, 0);
    const Image image = read_png(folder / "x.png");
    return std::pair(image.width, image.height);
  };
  EXPECT_EQ(size({"--projection", "sphere"}), std::pair(32, 16));
  EXPECT_EQ(size({"--projection", "sphere", "--width", "64"}), std::pair(64, 32));
  EXPECT_EQ(size({"--projection", "equirectangular"}), std::pair(32, 16));
  EXPECT_EQ(size({"--projection", "dome"}), std::pair(24, 24));
  EXPECT_EQ(size({"--projection", "dome", "--size", "40x30"}), std::pair(40, 30));
  EXPECT_EQ(size({"--projection", "stereo"}), std::pair(64, 24));
  EXPECT_EQ(size({"--set", "kiln_projection=stereo", "--projection", "plane"}), std::pair(16, 24));
  EXPECT_EQ(hash_of(triangle(), {"--projection", "sphere"}),
            hash_of(triangle(), {"--projection", "equirectangular"}));
  EXPECT_EQ(hash_of(triangle(), {"--projection", "dome"}),
            hash_of(triangle("kiln_projection=\"dome\""),
                    {"--width", "24", "--height", "24", "--set", "scale=26.666666666666668"}));
  put("flat.flame", triangle());
  const auto refused = kiln({"render", "flat.flame", "-o", "y.png", "--projection", "stereo"});
  EXPECT_EQ(refused.code, 3);
  EXPECT_TRUE(contains(refused.err, "flat.flame:")) << refused.err;
  EXPECT_TRUE(contains(refused.err, "set cam_persp")) << refused.err;
}

TEST_F(settings, sizes_keep_the_framing) {
  put("a.flame", triangle());  // 32 x 24, 20 pixels a unit
  EXPECT_EQ(framing({"--size", "64x24"}), "64x24 40");
  EXPECT_EQ(framing({"--fit", "64x24"}), "64x24 20");
  EXPECT_EQ(framing({"--fill", "64x24"}), "64x24 40");
  EXPECT_EQ(framing({"--fit", "16x24"}), "16x24 10");
  EXPECT_EQ(framing({"--fill", "16x24"}), "16x24 20");
  EXPECT_EQ(framing({"--fit", "64x48"}), framing({"--fill", "64x48"}));
  EXPECT_EQ(framing({"--fill", "16x24", "--scale", "2"}), "32x48 40");
  EXPECT_EQ(framing({"--fit", "16x24", "--set", "size=64 48"}), "16x24 5");
  // pixels twice as wide as high: 16 of them are as wide as the old 32
  EXPECT_EQ(framing({"--fit", "16x24", "--pixel-aspect", "2"}), "16x24 20");
}

TEST_F(settings, the_side_that_follows_is_rounded) {
  put("a.flame", "<flame size=\"1280 720\" " + triangle().substr(21));
  EXPECT_EQ(info("a.flame", "height", {"--width", "42"}), 24);  // 23.625
  EXPECT_EQ(info("a.flame", "height", {"--width", "41"}), 23);  // 23.0625
  EXPECT_EQ(info("a.flame", "width", {"--height", "23"}), 41);  // 40.9
  EXPECT_EQ(info("a.flame", "height", {"--width", "1"}), 1);    // 0.56
  EXPECT_EQ(info("a.flame", "height", {"--width", "1280"}), 720);
}

TEST_F(settings, pictures_of_more_than_2_to_the_34_pixels_are_wrong_usage) {
  put("a.flame", triangle());
  for (const Names& size :
       {Names{"--width", "200000", "--height", "100000"}, Names{"--size", "200000x100000"},
        Names{"--fit", "200000x100000"}, Names{"--fill", "200000x100000"}}) {
    for (const char* command : {"render", "info"})
      EXPECT_TRUE(contains(usage_error(joined({command, "a.flame"}, size)), "200000 x 100000"));
  }
  usage_error({"render", "a.flame", "--size", "131072x131072", "--scale", "1.1"});
  EXPECT_EQ(info("a.flame", "width", {"--size", "131072x131072"}), 131072);  // 2^34
}

// ---- errors ----

TEST_F(settings, options_that_exclude_each_other) {
  put("a.flame", triangle());
  const std::vector<Names> pairs = {
      {"--size", "--fit"},    {"--size", "--fill"},  {"--size", "--width"},
      {"--size", "--height"}, {"--fit", "--fill"},   {"--fit", "--width"},
      {"--fit", "--height"},  {"--fill", "--width"}, {"--fill", "--height"}};
  for (const Names& pair : pairs) {
    Names arguments = {"info", "a.flame"};
    for (const std::string& name : pair)
      arguments = joined(arguments, {name, name == "--width" || name == "--height" ? "8" : "8x8"});
    EXPECT_TRUE(contains(usage_error(arguments), pair[0] + " and " + pair[1])) << pair[1];
  }
}

TEST_F(settings, wrong_values_name_the_option) {
  put("a.flame", triangle());
  put("keys.flame", two_keys());
  const std::vector<Names> wrong = {{"--set", "gama=2"},
                                    {"--set", "gamma"},
                                    {"--set", "gamma=0"},
                                    {"--size", "8"},
                                    {"--size", "8x"},
                                    {"--size", "0x8"},
                                    {"--size", "8X8"},
                                    {"--size", "1000001x1"},
                                    {"--fit", "-8x8"},
                                    {"--fill", "8x8x8"},
                                    {"--center", "1"},
                                    {"--center", "1,2,3"},
                                    {"--center", "1,nan"},
                                    {"--zoom", "65"},
                                    {"--zoom", "near"},
                                    {"--rotate", "1e10"},
                                    {"--brightness", "1e39"},
                                    {"--gamma", "0"},
                                    {"--vibrancy", "inf"},
                                    {"--hue", "red"},
                                    {"--background", "0.1,0.2"},
                                    {"--background", "2,0,0"},
                                    {"--background", "#12345"},
                                    {"--background", "#12345g"},
                                    {"--background", "grean"},
                                    {"--palette", "no-such-name"},
                                    {"--palette", "99999"},
                                    {"--palette", library},
                                    {"--palette", library + "#99"},
                                    {"--crop", "1,2"},
                                    {"--crop", "1,2,3"},
                                    {"--crop", "-1,2,3x4"},
                                    {"--crop", "1,2,0x4"},
                                    {"--crop", "1.5,2,3x4"}};
  for (const Names& option : wrong) {
    const Names all = joined(option, {"--palettes", library});
    EXPECT_TRUE(contains(usage_error(joined({"render", "a.flame"}, all)), option[0])) << option[1];
    if (option[0] == "--crop") continue;
    EXPECT_TRUE(
        contains(usage_error(joined({"sequence", "a.flame", "-o", "s.flame"}, all)), option[0]));
  }
  EXPECT_TRUE(contains(usage_error({"info", "a.flame", "--set", "gama=2"}), "\"gamma\""));
  EXPECT_TRUE(contains(usage_error({"info", "a.flame", "--background", "grean"}), "\"green\""));
  EXPECT_TRUE(contains(usage_error({"animate", "keys.flame", "--zoom", "60"}), "pixels per unit"));
  EXPECT_TRUE(contains(usage_error({"render", "a.flame", "--set", "estimator_radius=1", "--set",
                                    "estimator_minimum=2"}),
                       "estimator_minimum"));
  EXPECT_EQ(kiln({"render", "a.flame", "--palette", "none.flame"}).code, 3);
  EXPECT_EQ(folder.entries(), (Names{"a.flame", "keys.flame"}));
}

}  // namespace
}  // namespace kiln
