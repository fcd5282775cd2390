// SPDX-License-Identifier: MIT
// Whose light lies in a place: against pictures of each xform alone, against places whose addresses are known, and where
// symmetry, final xforms, depth and colors that move points come between.
#include "engine/render/light_at.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/api/api_impl.h"
#include "engine/api/kiln.h"
#include "engine/api/kiln_c.h"
#include "engine/base/error.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/flame_reader.h"
#include "tests/places.h"

namespace kiln {
namespace {

/// Three maps to the corners of a triangle of 64 pixels; what lies in a corner was made by its map last.
const std::string triangle =
    R"(<flame name="t" size="80 80" center="0.5 0.5" scale="64" quality="50">
<xform weight="2" color="0" color_speed="0.5" linear="1" coefs="0.5 0 0 0.5 0 0"FIRST/>
<xform weight="1" color="0.5" color_speed="0.5" linear="1" coefs="0.5 0 0 0.5 0.5 0"/>
<xform weight="1" color="1" color_speed="0.5" linear="1" coefs="0.5 0 0 0.5 0 0.5"LAST/>
AFTER<palette count="256" format="RGB">)" +
    [] {
      std::string colors;
      for (int i = 0; i < 256; ++i) colors += "FFFFFF";
      return colors;
    }() +
    "</palette></flame>";

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  return text.replace(text.find(what), what.size(), by);
}
std::string xml_of(const std::string& first = "", const std::string& last = "",
                   const std::string& after = "") {
  return replaced(replaced(replaced(triangle, "FIRST", first), "LAST", last), "AFTER", after);
}
Flame flame_of(const std::string& xml) { return parse_flames(xml, "a test", {}).flames.at(0); }

/// Of a point of the triangle's plane.
LightAt light_of(const Flame& flame, double x, double y, double radius, std::uint64_t seed = 0) {
  LightOptions options;
  options.x = (x - 0.5) * 64 + 40;
  options.y = (y - 0.5) * 64 + 40;
  options.radius = radius;
  options.seed = seed;
  options.enough = 3000;
  options.count = 8'000'000;
  return light_at(flame, options);
}

double sum_of(const std::vector<LightShare>& shares, double LightShare::*part) {
  double sum = 0;
  for (const LightShare& share : shares) sum += share.*part;
  return sum;
}

std::set<std::vector<int>> ways_of(const LightAt& light) {
  std::set<std::vector<int>> ways;
  for (const LightShare& way : light.ways) ways.insert(way.xforms);
  return ways;
}

TEST(LightAt, KnowsTheAddressOfEachSmallTriangle) {
  const Flame flame = flame_of(xml_of());
  const double corner[3][2] = {{0, 0}, {1, 0}, {0, 1}};
  for (int last = 0; last < 3; ++last)
    for (int before = 0; before < 3; ++before) {
      double at[2];  // the middle of the triangle of the two, which is a quarter as large
      for (int axis = 0; axis < 2; ++axis)
        at[axis] = ((1.0 / 3 + corner[before][axis]) / 2 + corner[last][axis]) / 2;
      const LightAt light = light_of(flame, at[0], at[1], 5);
      ASSERT_EQ(light.xforms.size(), 1u) << last << before;
      EXPECT_EQ(light.xforms[0].xforms, std::vector<int>{last});
      EXPECT_DOUBLE_EQ(light.xforms[0].light, 1);
      ASSERT_EQ(light.ways.size(), 1u) << last << before;
      EXPECT_EQ(light.ways[0].xforms, (std::vector<int>{last, before}));
      EXPECT_GE(light.points, 3000u);
    }
}

/// The light that pictures of each xform alone have in the disc, as shares. The logarithm is taken where it is a line.
std::vector<double> shares_of_layers(Flame flame, double x, double y, double radius) {
  flame.logscale_k2 = 1e-12;
  flame.brightness = 1e6;
  flame.estimator_radius = 0;
  flame.filter_radius_px = 0.1;
  flame.supersample = 1;
  flame.clean = 0;
  flame.effects = {};
  flame.vignette = 0;
  RenderOptions options;
  options.linear = options.transparent = true;
  Session session(options);
  std::vector<double> sums;
  double all = 0;
  for (const Flame& layer : layers(flame)) {
    const Image image = session.render(scene_of(layer), options).image;
    double sum = 0;
    const float* const pixels = image.linear().rgba.data();
    for (int row = 0; row < image.height; ++row)
      for (int column = 0; column < image.width; ++column) {
        if (std::hypot(column + 0.5 - x, row + 0.5 - y) > radius) continue;
        const float* const pixel =
            pixels + 4 * (std::size_t(row) * std::size_t(image.width) + std::size_t(column));
        sum += 0.2126 * double(pixel[0]) + 0.7152 * double(pixel[1]) + 0.0722 * double(pixel[2]);
      }
    sums.push_back(sum);
    all += sum;
  }
  for (double& sum : sums) sum /= all;
  return sums;
}

TEST(LightAt, HasTheSharesOfPicturesOfEachXformAlone) {
  for (const char* name : {"halo", "gauze", "indra"}) {
    Flame flame =
        read_flames(std::string(source_dir()) + "/flames/" + name + ".flam3", {}).flames.at(0);
    const double shrink = 200.0 / flame.width;
    flame.width = 200;
    flame.height = int(std::lround(flame.height * shrink));
    flame.scale *= shrink;
    flame.quality = 400;
    int tried = 0;
    for (const auto& [across, down] :
         {std::pair(0.5, 0.5), std::pair(0.3, 0.6), std::pair(0.62, 0.35)}) {
      const double x = across * flame.width, y = down * flame.height, radius = 12;
      LightOptions options;
      options.x = x, options.y = y, options.radius = radius;
      const LightAt light = light_at(flame, options);
      if (light.points < 2000) continue;  // dark
      ++tried;
      const std::vector<double> wanted = shares_of_layers(flame, x, y, radius);
      std::vector<double> found(wanted.size());
      for (const LightShare& share : light.xforms)
        found.at(std::size_t(share.xforms[0])) = share.light;
      for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_NEAR(found[i], wanted[i], 0.05) << name << " xform " << i << " at " << x << "," << y;
    }
    EXPECT_GE(tried, 2) << name;
  }
}

TEST(LightAt, IsTheSameOfAnyThreads) {
  const Flame flame = flame_of(xml_of());
  std::string first;
  for (const int threads : {1, 2, 3, 7}) {
    LightOptions options;
    options.x = 40, options.y = 40, options.radius = 20, options.threads = threads;
    options.map_width = 16;
    const std::string json = light_json(light_at(flame, options));
    if (first.empty()) first = json;
    EXPECT_EQ(json, first) << threads;
  }
}

TEST(LightAt, SumsToOneAndFollowsXaos) {
  const LightAt light = light_of(flame_of(xml_of(R"( chaos="0 1 1")")), 0.5, 0.5, 60);
  EXPECT_NEAR(sum_of(light.xforms, &LightShare::light), 1, 1e-9);
  EXPECT_NEAR(sum_of(light.xforms, &LightShare::hits), 1, 1e-9);
  EXPECT_NEAR(sum_of(light.ways, &LightShare::light), 1, 1e-9);
  EXPECT_EQ(light.xforms.size(), 3u);
  EXPECT_EQ(light.ways.size(), 8u) << "xform 0 never goes to itself";
  EXPECT_FALSE(ways_of(light).contains({0, 0}));
}

TEST(LightAt, CountsOpacityAsLightAndNotWhatIsNotSeen) {
  const LightAt half = light_of(flame_of(xml_of("", R"( opacity="0.5")")), 0.5, 0.5, 60);
  const LightAt whole = light_of(flame_of(xml_of()), 0.5, 0.5, 60);
  const auto share_of = [](const LightAt& light, int xform) {
    for (const LightShare& share : light.xforms)
      if (share.xforms[0] == xform) return share;
    return LightShare{};
  };
  EXPECT_NEAR(share_of(whole, 2).light, 0.25, 0.02);
  EXPECT_NEAR(share_of(half, 2).hits, 0.25, 0.02);
  EXPECT_NEAR(share_of(half, 2).light, 0.025 / 0.775, 0.01)
      << "half an opacity is a tenth of the light";
  const LightAt none = light_of(flame_of(xml_of("", R"( opacity="0")")), 0.5, 0.5, 60);
  EXPECT_EQ(none.xforms.size(), 2u);
  EXPECT_EQ(ways_of(none).size(), 6u);
  EXPECT_TRUE(ways_of(none).contains({0, 2})) << "one that is not seen still sends points on";
}

TEST(LightAt, OfSymmetryBelongsToWhatWasTurned) {
  const Flame flame = flame_of(xml_of("", "", R"(<symmetry kind="3"/>)"));
  ASSERT_EQ(flame.xforms.size(), 5u);
  const LightAt light = light_of(flame, 0.5, 0.5, 60);
  EXPECT_NEAR(sum_of(light.xforms, &LightShare::hits), 1, 1e-9);
  std::uint64_t turned = 0;
  for (const LightShare& share : light.xforms) {
    EXPECT_LT(share.xforms[0], 3);
    turned += share.by_symmetry;
  }
  EXPECT_GT(turned, light.points / 10);
  EXPECT_LT(turned, light.points);
  for (const LightShare& way : light.ways)
    EXPECT_TRUE(way.xforms[0] < 3 && way.xforms[1] < 3) << "copies are no part of ways";
}

TEST(LightAt, GoesThroughFinalXformsAndMotion) {
  const std::string shift =
      R"(<finalxform linear="1" color="0.7" color_speed="0.6" coefs="1 0 0 1 0.25 0"/>)";
  const LightAt light = light_of(flame_of(xml_of("", "", shift)), 0.125 + 0.25, 0.125, 3);
  ASSERT_EQ(light.ways.size(), 1u);
  EXPECT_EQ(light.ways[0].xforms, (std::vector<int>{0, 0}));
  const std::string motion = xml_of("", "", "");
  Flame moved = flame_of(motion);
  Motion wave;
  wave.frequency = 1;
  wave.color = 0.3;
  wave.color_speed = 0.2;
  moved.xforms[0].motions.push_back(wave);
  const LightAt other = light_of(moved, 0.125, 0.125, 3);
  ASSERT_EQ(other.ways.size(), 1u);
  EXPECT_EQ(other.ways[0].xforms, (std::vector<int>{0, 0}));
}

TEST(LightAt, SaysWhereWaysAreNotKnown) {
  const std::string moves = R"( dc_ztransl="1" dc_ztransl_factor="2")";
  const LightAt light = light_of(flame_of(xml_of("", moves)), 0.5, 0.5, 60);
  EXPECT_GT(light.points, 1000u);
  EXPECT_NEAR(sum_of(light.xforms, &LightShare::hits), 1, 1e-9);
  EXPECT_EQ(light.xforms.size(), 3u);
  EXPECT_TRUE(light.ways.empty()) << "colors move its points";
}

/// Where colors move a few points, most ways are known: they are told as long as next to none is missing.
TEST(LightAt, TellsWaysWhereNextToAllAreKnown) {
  const std::string shifts = R"( dc_ztransl="0.0001" dc_ztransl_factor="1")";
  const LightAt rare = light_of(flame_of(replaced(xml_of("", shifts), R"(weight="1" color="1")",
                                                  R"(weight="0.0002" color="1")")),
                                0.5, 0.5, 60);
  const double known = sum_of(rare.ways, &LightShare::hits);
  EXPECT_GT(known, 0.99);
  EXPECT_LT(known, 0.999) << "some are not known";
}

TEST(LightAt, OfADarkPlaceHasNoShares) {
  const LightAt light = light_of(flame_of(xml_of()), 1.05, 1.05, 3);
  EXPECT_EQ(light.points, 0u);
  EXPECT_TRUE(light.xforms.empty() && light.ways.empty());
  const LightAt unseen = light_of(
      flame_of(replaced(xml_of(), "weight=\"2\"", "weight=\"2\" opacity=\"0\"")), 0.125, 0.125, 3);
  EXPECT_EQ(unseen.points, 0u);
  std::string nothing = xml_of();
  for (std::size_t at = 0; (at = nothing.find("<xform ", at)) != std::string::npos; at += 20)
    nothing.insert(at + 7, "opacity=\"0\" ");
  const LightAt invisible = light_of(flame_of(nothing), 0.125, 0.125, 3);
  EXPECT_EQ(invisible.played, 0u) << "it is known before";
}

TEST(LightAt, RefusesWhatNobodyCanPointAt) {
  const Flame flame = flame_of(xml_of());
  const auto refuses = [&](const char* word, auto change, Flame of) {
    LightOptions options;
    options.x = options.y = 40;
    change(options);
    try {
      light_at(of, options);
      ADD_FAILURE() << word;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::usage);
      EXPECT_NE(std::string(error.what()).find(word), std::string::npos) << error.what();
    }
  };
  refuses(
      "outside", [](LightOptions& o) { o.x = -1; }, flame);
  refuses(
      "80 x 80", [](LightOptions& o) { o.y = 80.5; }, flame);
  refuses(
      "outside", [](LightOptions& o) { o.y = std::nan(""); }, flame);
  refuses(
      "radius", [](LightOptions& o) { o.radius = -2; }, flame);
  refuses(
      "map", [](LightOptions& o) { o.map_width = 513; }, flame);
  refuses(
      "seconds", [](LightOptions& o) { o.seconds = -1; }, flame);
  refuses(
      "light of 0", [](LightOptions& o) { o.count = 0; }, flame);
  Flame around = flame;
  around.depth_camera.projection = Projection::dome;
  refuses(
      "--projection", [](LightOptions&) {}, around);
  LightOptions edge;
  edge.x = edge.y = 80;
  edge.count = 1'000'000;
  EXPECT_EQ(light_at(flame, edge).points, 0u) << "the corner itself is of the picture";
}

TEST(LightAt, EndsWhereItIsStopped) {
  std::stop_source source;
  source.request_stop();
  LightOptions options;
  options.stop = source.get_token();
  try {
    light_at(flame_of(xml_of()), options);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::stopped);
  }
}

TEST(LightAt, TakesTheSecondsThatItMayTake) {
  const auto seconds_of = [](double seconds) {
    LightOptions options;
    options.x = options.y = 79, options.radius = 1;  // nothing is there
    options.seconds = seconds;
    options.count = 100'000'000'000;
    const auto start = std::chrono::steady_clock::now();
    EXPECT_EQ(light_at(flame_of(xml_of()), options).points, 0u);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  const double taken = seconds_of(0.4);
  EXPECT_GE(taken, 0.4);
  EXPECT_LT(taken, 20) << "all of its points take minutes";
}

TEST(LightAt, HasMapsOfWhatIsWhose) {
  LightOptions options;
  options.x = options.y = 40;
  options.radius = 40;
  options.map_width = 20;
  const LightAt light = light_at(flame_of(xml_of()), options);
  EXPECT_EQ(light.map_width, 20);
  EXPECT_EQ(light.map_height, 20);
  ASSERT_EQ(light.xforms.size(), 3u);
  int of_one = 0;
  for (int row = 0; row < 20; ++row)
    for (int column = 0; column < 20; ++column) {
      int all = 0;
      for (const LightShare& share : light.xforms) {
        ASSERT_EQ(share.map.size(), 400u);
        const int level = share.map[std::size_t(20 * row + column)];
        all += level;
        const bool is_corner[3] = {column < 10 && row < 10, column >= 10, row >= 10};
        EXPECT_TRUE(level == 0 || is_corner[share.xforms[0]]) << share.xforms[0];
        of_one += level == 255;
      }
      EXPECT_TRUE(all == 0 || (all >= 253 && all <= 255)) << all;
    }
  EXPECT_GT(of_one, 60);
  options.map_width = 200;
  const LightAt fine = light_at(flame_of(xml_of()), options);
  EXPECT_EQ(fine.map_width, 80) << "a column has a pixel at least";
  EXPECT_EQ(fine.map_height, 80);
  EXPECT_EQ(fine.xforms.at(0).map.size(), 6400u);
}

TEST(LightAt, SaysTheSameToEveryLanguage) {
  LightOptions options;
  options.x = options.y = 30;
  const std::string xml = xml_of();
  const LightAt light = light_at(parse_scenes(xml).at(0), options);
  kiln_scenes* scenes = nullptr;
  ASSERT_EQ(kiln_parse(xml.c_str(), 0, nullptr, nullptr, &scenes), KILN_OK) << kiln_message();
  const char* json = "";
  EXPECT_EQ(kiln_light_at(scenes, 0, 30, 30, 0, 0, 1, &json), KILN_OK) << kiln_message();
  EXPECT_EQ(json, light_json(light));
  options.seed = 6;
  options.radius = 20;
  const std::string other = light_json(light_at(parse_scenes(xml).at(0), options));
  EXPECT_EQ(kiln_light_at(scenes, 0, 30, 30, 20, 6, 1, &json), KILN_OK) << kiln_message();
  EXPECT_EQ(json, other);
  EXPECT_EQ(kiln_light_at(scenes, 0, 30, 30, 20, 0, 1, &json), KILN_OK) << kiln_message();
  EXPECT_NE(json, other) << "a seed has samples of its own";
  EXPECT_EQ(kiln_light_at(scenes, 0, 300, 30, 0, 0, 1, &json), KILN_USAGE);
  EXPECT_NE(std::string(kiln_message()).find("outside"), std::string::npos) << kiln_message();
  EXPECT_EQ(kiln_light_at(scenes, 0, 30, 30, 0, 0, 1, nullptr), KILN_USAGE);
  kiln_free_scenes(scenes);
}

}  // namespace
}  // namespace kiln
