// SPDX-License-Identifier: MIT
// Pictures of flames of JWildfire beside those that the real program draws: means of 16 x 9 boxes, one flame for each
// rule of its dialect (tests/jwildfire/). What kiln does not draw as it does is not among them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "engine/io/picture/picture_format.h"
#include "tests/cli/program.h"
#include "tests/places.h"

namespace kiln {
namespace {

using namespace test;

constexpr int boxes_x = 16, boxes_y = 9;

std::vector<double> means_of(const Image& image) {
  std::vector<double> means(std::size_t(boxes_x * boxes_y * 3), 0.0);
  const Bytes& pixels = std::get<Bytes>(image.pixels);
  const int width = image.width / boxes_x, height = image.height / boxes_y;
  const std::size_t channels = pixels.size() / std::size_t(image.width * image.height);
  for (int y = 0; y < height * boxes_y; ++y)
    for (int x = 0; x < width * boxes_x; ++x)
      for (std::size_t c = 0; c < 3; ++c)
        means[std::size_t(y / height * boxes_x + x / width) * 3 + c] +=
            pixels[std::size_t(y * image.width + x) * channels + c] / double(width * height);
  return means;
}

TEST(jwildfire_program, pictures_are_those_of_the_real_one) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "tests/jwildfire";
  const auto expected = nlohmann::json::parse(read_file(folder / "expected.json"))["cases"]
                            .get<std::map<std::string, std::vector<double>>>();
  ASSERT_GE(expected.size(), 34u);
  const ScratchFolder scratch;
  for (const auto& [file, means] : expected) {
    const std::string picture = scratch / "a.png";
    const Outcome outcome = run_program({"render", (folder / file).string(), "-o", picture,
                                         "--seed", "1", "--force", "-q", "--quality-scale", "0.25"},
                                        {scratch.path(), "", {}, {}});
    ASSERT_EQ(outcome.code, 0) << file << ": " << outcome.err;
    const std::vector<double> made = means_of(read_png(picture));
    ASSERT_EQ(made.size(), means.size());
    double squares = 0;
    for (std::size_t i = 0; i < means.size(); ++i)
      squares += (made[i] - means[i]) * (made[i] - means[i]) / double(means.size());
    EXPECT_LT(std::sqrt(squares), file.starts_with("24-") ? 1.5 : 1) << file;  // of 255
  }
}

/// The flame of a file of tests/jwildfire/, with `from` made `to` in it.
std::string changed(const char* file, const std::string& from, const std::string& to) {
  std::string flame = read_file(std::filesystem::path(source_dir()) / "tests/jwildfire" / file);
  const std::size_t at = flame.find(from);
  EXPECT_NE(at, flame.npos) << file << ": " << from;
  return at == flame.npos ? flame : flame.replace(at, from.size(), to);
}

TEST(jwildfire_program, curves_of_an_xform_are_their_values_at_the_frame) {
  const ScratchFolder scratch;
  std::string curve = "weight=\"0.1\" weightCurve_enabled=\"true\" weightCurve_point_count=\"2\" ";
  curve += "weightCurve_interpolation=\"LINEAR\"";
  for (const char* point : {"x0=\"0\"", "y0=\"0.3\"", "x1=\"10\"", "y1=\"0.3\""})
    curve += std::string(" weightCurve_") + point;
  write_file(scratch / "a.flame", changed("13-colortypes.flame", "weight=\"1\"", curve));
  write_file(scratch / "b.flame", changed("13-colortypes.flame", "weight=\"1\"", "weight=\"0.3\""));
  std::vector<std::string> pictures;
  for (const char* name : {"a.flame", "b.flame"}) {
    const Outcome outcome =
        run_program({"render", name, "-o", "x.png", "--force", "--json", "--quality", "20"},
                    {scratch.path(), "", {}, {}});
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    pictures.push_back(nlohmann::json::parse(outcome.out).at("pictures").at(0).at("pixel_hash"));
  }
  EXPECT_EQ(pictures[0], pictures[1]);
}

/// What a layer of several cannot have is named, whatever its colors are.
TEST(jwildfire_program, finals_of_layers_with_color_types_are_named) {
  const ScratchFolder scratch;
  const std::string with_final =
      changed("28-layers.flame", "</layer>", "<finalxform linear=\"1\"/></layer>");
  std::string flame = with_final;
  const std::string xform = "<xform ";
  flame.replace(flame.find(xform), xform.size(), "<xform color_type=\"CYCLIC\" ");
  write_file(scratch / "a.flame", flame);
  const Outcome outcome = run_program({"validate", "a.flame"}, {scratch.path(), "", {}, {}});
  EXPECT_EQ(outcome.code, 4) << outcome.out;
  EXPECT_NE(outcome.out.find("finalxform of layer 1 of several"), std::string::npos) << outcome.out;
}

TEST(jwildfire_program, finals_and_layers_have_limits) {
  const ScratchFolder scratch;
  const auto validated = [&](const std::string& flame) {
    write_file(scratch / "a.flame", flame);
    return run_program({"validate", "a.flame"}, {scratch.path(), "", {}, {}});
  };
  const auto finals = [&](int count) {
    std::string all;
    for (int i = 0; i < count; ++i) all += "<finalxform linear=\"1\"/>";
    return validated(changed("01-flat.flame", "<palette", all + "<palette"));
  };
  EXPECT_EQ(finals(64).code, 0);
  EXPECT_EQ(finals(65).code, 3);
  const std::string layers = changed("28-layers.flame", "", "");
  const std::size_t begin = layers.find("<layer"), end = layers.find("</layer>") + 8;
  ASSERT_NE(begin, layers.npos);
  std::string many;
  for (int i = 0; i < 15; ++i) many += layers.substr(begin, end - begin);
  EXPECT_EQ(
      validated(std::string(layers).insert(begin, many.substr(0, many.size() / 15 * 14))).code, 0);
  EXPECT_EQ(validated(std::string(layers).insert(begin, many)).code, 4);
}

/// What kiln writes of a flame is drawn as the flame, also where an xform has pre_ forms alone.
TEST(jwildfire_program, a_flame_that_is_written_is_the_same_picture) {
  const ScratchFolder scratch;
  const std::string folder = std::string(source_dir()) + "/tests/jwildfire/";
  for (const char* file : {"06-gradient.flame", "08-balance-saturation.flame",
                           "11-two-finals.flame", "15-pre-only.flame", "28-layers.flame"}) {
    const auto kiln = [&](std::vector<std::string> words) {
      const Outcome outcome = run_program(words, {scratch.path(), "", {}, {}});
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return outcome.out;
    };
    kiln({"convert", folder + file, "-o", "a.flame", "--force"});
    const auto hash = [&](const std::string& flame) {
      return nlohmann::json::parse(
                 kiln({"render", flame, "-o", "x.png", "--force", "--json", "--quality", "10"}))
          .at("pictures")
          .at(0)
          .at("pixel_hash");
    };
    EXPECT_EQ(hash(folder + file), hash("a.flame")) << file;
  }
}

/// A background that is asked for is there also where the flame has several colors.
TEST(jwildfire_program, a_gradient_gives_way_to_a_color) {
  const ScratchFolder scratch;
  write_file(
      scratch / "plain.flame",
      "<flame background=\"0.5 0.25 1\"><xform weight=\"1\" linear=\"1\"/><color index=\"0\" "
      "rgb=\"1 2 3\"/></flame>");
  write_file(scratch / "a.flame", changed("06-gradient.flame", "", ""));
  const auto corners = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"render", "a.flame", "-o", "x.png", "--force", "-q"});
    const Outcome outcome = run_program(options, {scratch.path(), "", {}, {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    const Image image = read_png(scratch / "x.png");
    const Bytes& pixels = std::get<Bytes>(image.pixels);
    const std::size_t channels = pixels.size() / std::size_t(image.width * image.height);
    const auto at = [&](std::size_t i) {
      return std::vector<int>{pixels[i], pixels[i + 1], pixels[i + 2]};
    };
    return std::pair(at(0), at((std::size_t(image.width) - 1) * channels));
  };
  const std::vector<int> red = {255, 0, 0}, green = {0, 255, 0}, color = {128, 64, 255};
  EXPECT_EQ(corners({}), std::pair(red, green));
  EXPECT_EQ(corners({"--crop", "0,0,160x20"}), std::pair(red, green));
  EXPECT_EQ(corners({"--background", "0.5,0.25,1"}), std::pair(color, color));
  EXPECT_EQ(corners({"--template", "plain.flame"}), std::pair(color, color));
  EXPECT_EQ(corners({"--set", "background_ul=0.5 0.25 1"}), std::pair(color, green));
}

/// Frame k of the film is the still whose `frame` is k + 1, with noise of its own, for each of `frame_count`.
TEST(jwildfire_program, a_film_of_curves_has_the_stills_of_its_frames) {
  const ScratchFolder scratch;
  std::string flame = changed("30-curve-on.flame", "quality=\"2000.0\"", "quality=\"200\"");
  const std::string frame = "frame=\"5\"";
  const auto run = [&](const std::string& said, std::vector<std::string> words) {
    std::string text = flame;
    write_file(scratch / "a.flame", text.replace(text.find(frame), frame.size(), said));
    words.insert(words.begin() + 1, {"a.flame", "--json", "-q"});
    const Outcome outcome = run_program(words, {scratch.path(), "", {}, {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("pictures");
  };
  const auto frames = run("frame_count=\"3\"", {"animate", "-o", "#.png"});
  ASSERT_EQ(frames.size(), 3u);
  for (int k = 0; k < 3; ++k) {
    const std::string still = fmt::format("still{}.png", k);
    const auto made = run(fmt::format("frame=\"{}\"", k + 1), {"render", "-o", still});
    EXPECT_EQ(made.at(0).at("samples"), frames.at(std::size_t(k)).at("samples"));
  }
  const auto apart = [&](int film, int still) {
    const auto a = means_of(read_png(scratch / fmt::format("{}.png", film)));
    const auto b = means_of(read_png(scratch / fmt::format("still{}.png", still)));
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
  };
  for (int k = 0; k < 3; ++k)
    for (int still = 0; still < 3; ++still)
      if (still == k)
        EXPECT_LT(apart(k, still), 2) << k;  // of 255
      else
        EXPECT_GT(apart(k, still), 6) << k << " " << still;
}

/// A color type has the color of a point to itself, and so has the mark of one that is hidden.
TEST(jwildfire_program, color_types_beside_crops_are_named) {
  const ScratchFolder scratch;
  const std::string flame =
      changed("13-colortypes.flame", "linear=\"1\"/>", "linear=\"1\" post_crop_box=\"1\"/>");
  write_file(scratch / "a.flame", flame);
  const Outcome outcome = run_program({"validate", "a.flame"}, {scratch.path(), "", {}, {}});
  EXPECT_EQ(outcome.code, 4);
  EXPECT_NE(outcome.out.find("variation that hides points beside color types"), std::string::npos)
      << outcome.out;
}

/// The glow of lone samples depends on the quality: here the one that it came to.
TEST(jwildfire_program, what_ends_by_its_noise_is_the_picture_of_its_quality) {
  const ScratchFolder scratch;
  std::string flame =
      read_file(std::filesystem::path(source_dir()) / "tests/jwildfire/25-antialias.flame");
  const std::string none = "low_density_brightness=\"0.0\"";
  ASSERT_NE(flame.find(none), std::string::npos);
  flame.replace(flame.find(none), none.size(), "low_density_brightness=\"0.24\"");
  write_file(scratch / "a.flame", flame);
  const auto kiln = [&](std::vector<std::string> words) {
    words.insert(words.begin(), {"render", "a.flame", "--force", "--backend", "cpu", "--json"});
    const Outcome outcome = run_program(words, {scratch.path(), "", {}, {}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return nlohmann::json::parse(outcome.out).at("pictures").at(0);
  };
  const auto ended = kiln({"-o", "a.png", "--until-noise", "6%"});
  const double quality = ended.at("quality").get<double>();
  EXPECT_LT(quality, 2000);
  const auto whole = kiln({"-o", "b.png", "--quality", fmt::format("{}", quality)});
  EXPECT_EQ(ended.at("pixel_hash"), whole.at("pixel_hash"));
}

}  // namespace
}  // namespace kiln
