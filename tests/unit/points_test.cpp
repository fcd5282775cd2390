// SPDX-License-Identifier: MIT
// Points out: how many, which, the same with any number of threads; and the layers that are made of them.
#include "engine/render/points.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

#include "engine/api/kiln.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/render/density_volume.h"
#include "engine/render/layers.h"
#include "engine/render/share_levels.h"
#include "tests/cli/scratch.h"

namespace kiln {
namespace {

using test::read_file;
using test::ScratchFolder;

/// Three maps to the corners of a triangle, of which one is drawn as often as both others.
const std::string triangle =
    R"(<flame name="t" size="100 80" center="0.5 0.5" scale="60" quality="50">
<xform weight="2" color="0" color_speed="1" linear="1" coefs="0.5 0 0 0.5 0 0"/>
<xform weight="1" color="0.5" color_speed="1" linear="1" coefs="0.5 0 0 0.5 0.5 0"/>
<xform weight="1" color="1" color_speed="1" linear="1" coefs="0.5 0 0 0.5 0 0.5"MORE/>
<palette count="256" format="RGB">)" +
    [] {
      std::string colors;
      for (int i = 0; i < 256; ++i) colors += i < 100 ? "FF0000" : i < 200 ? "00FF00" : "0000FF";
      return colors;
    }() +
    "</palette></flame>";

std::string xml_of(const std::string& more, const std::string& in_flame) {
  std::string xml = triangle;
  xml.replace(xml.find("MORE"), 4, more);
  xml.insert(xml.find(" quality"), in_flame);
  return xml;
}
Scene scene(const std::string& more = "", const std::string& in_flame = "") {
  return parse_scenes(xml_of(more, in_flame)).at(0);
}
Flame flame_of(const std::string& more = "") {
  return parse_flames(xml_of(more, ""), "a test", {}).flames.at(0);
}

Points of(const Scene& flame, std::uint64_t count, int threads = 1, std::uint64_t seed = 0,
          bool inside = false) {
  return points(flame, {.count = count, .seed = seed, .inside = inside, .threads = threads});
}

TEST(Points, AreAsManyAsWantedAndTheSameOfAnyThreads) {
  for (const std::uint64_t count :
       {std::uint64_t(1), std::uint64_t(2047), std::uint64_t(2049), std::uint64_t(700001)}) {
    const Points one = of(scene(), count, 1), three = of(scene(), count, 3);
    EXPECT_EQ(one.xforms.size(), count);
    EXPECT_EQ(one.places.size(), 3 * count);
    EXPECT_EQ(one.colors.size(), 4 * count);
    EXPECT_TRUE(one.places == three.places && one.colors == three.colors &&
                one.xforms == three.xforms);
  }
  EXPECT_NE(of(scene(), 1000).places, of(scene(), 1000, 1, 7).places);
}

TEST(Points, LieInTheFlameInTheColorsOfTheirXforms) {
  const Points made = of(scene(), 400000);
  std::map<int, double> share;
  for (std::size_t i = 0; i < made.xforms.size(); ++i) {
    const float x = made.places[3 * i], y = made.places[3 * i + 1];
    ASSERT_TRUE(x >= -1e-6f && y >= -1e-6f && x + y <= 1 + 1e-6f) << x << " " << y;
    ASSERT_EQ(made.places[3 * i + 2], 0);
    const int xform = made.xforms[i];
    share[xform] += 1.0 / 400000;
    if (xform == 0) {
      ASSERT_LE(std::max(x, y), 0.5f + 1e-6f);
    } else {
      ASSERT_GE(xform == 1 ? x : y, 0.5f - 1e-6f);
    }
    ASSERT_EQ(made.colors[4 * i + std::size_t(xform)], 255);
    ASSERT_EQ(made.colors[4 * i + 3], 255);
  }
  EXPECT_NEAR(share[0], 0.5, 0.003);
  EXPECT_NEAR(share[1], 0.25, 0.003);
  EXPECT_NEAR(share[2], 0.25, 0.003);
}

TEST(Points, OfAnInvisibleXformAreNotThereAndAFaintOneSaysSo) {
  const Points without = of(scene(R"( opacity="0")"), 10000);
  EXPECT_EQ(without.xforms.size(), 10000u);
  EXPECT_EQ(std::count(without.xforms.begin(), without.xforms.end(), 2), 0);
  const Points faint = of(scene(R"( opacity="0.5")"), 10000);
  for (std::size_t i = 0; i < 10000; ++i)
    ASSERT_EQ(faint.colors[4 * i + 3] == 255, faint.xforms[i] != 2);
  Scene nothing = scene();
  nothing.set("xform.*.opacity", "0");
  try {
    of(nothing, 10);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find("invisible"), std::string::npos) << error.what();
  }
}

TEST(Points, GoThroughTheFinalXform) {
  Scene flame = scene();
  flame.insert("final.0", R"(<finalxform linear="1" coefs="1 0 0 1 10 20" color_speed="0"/>)");
  const Points plain = of(scene(), 5000), moved = of(flame, 5000);
  for (std::size_t i = 0; i < 5000; ++i) {
    ASSERT_NEAR(moved.places[3 * i], plain.places[3 * i] + 10, 1e-5);
    ASSERT_NEAR(moved.places[3 * i + 1], plain.places[3 * i + 1] + 20, 1e-5);
  }
}

TEST(Points, HaveDepthWhereTheFlameMakesSome) {
  const Points made = of(scene(R"( zcone="1")"), 20000);
  float deepest = 0;
  for (std::size_t i = 2; i < made.places.size(); i += 3)
    deepest = std::max(deepest, std::fabs(made.places[i]));
  EXPECT_GT(deepest, 0.1f);
}

TEST(Points, OfThePictureAloneFallIntoIt) {
  const Scene close = scene("", R"( zoom="2")");  // 100 x 80 pixels of 240 a unit about (0.5, 0.5)
  const Points all = of(close, 100000), inside = of(close, 100000, 2, 0, true);
  const auto is_inside = [](const Points& points, std::size_t i) {
    return std::fabs(points.places[3 * i] - 0.5f) <= 50.0f / 240 + 1e-5f &&
           std::fabs(points.places[3 * i + 1] - 0.5f) <= 40.0f / 240 + 1e-5f;
  };
  std::size_t count = 0;
  for (std::size_t i = 0; i < 100000; ++i) count += is_inside(all, i);
  EXPECT_LT(count, 60000u);
  ASSERT_EQ(inside.xforms.size(), 100000u);
  for (std::size_t i = 0; i < 100000; ++i) ASSERT_TRUE(is_inside(inside, i));
  EXPECT_TRUE(inside.places == of(close, 100000, 1, 0, true).places);
  EXPECT_THROW(of(scene("", R"( rotate="0" hue="0")"), 0), Error);
  Scene away = scene();
  away.set("center", "1000 1000");
  EXPECT_THROW(of(away, 10, 1, 0, true), Error);
}

TEST(Points, ThatAreRareInThePictureAreWaitedFor) {
  Scene close = scene();  // no launch has more than a few of them, some have none
  close.set("center", "0 0");
  close.set("zoom", "11.6");
  const Points rare = of(close, 30, 2, 0, true);
  EXPECT_EQ(rare.xforms.size(), 30u);
}

TEST(Points, AreWrittenPieceByPiece) {
  const ScratchFolder folder;
  const Points made = of(scene(), 300000);
  save_points(scene(), folder / "a.ply", {.count = 300000, .threads = 2});
  const std::string ply = read_file(folder / "a.ply");
  const std::size_t end = ply.find("end_header\n") + 11;
  ASSERT_EQ(ply.size() - end, 18u * 300000);
  for (const std::size_t i : {std::size_t(0), std::size_t(65536), std::size_t(299999)}) {
    const char* const at = ply.data() + end + 18 * i;
    EXPECT_EQ(std::memcmp(at, &made.places[3 * i], 12), 0);
    EXPECT_EQ(std::memcmp(at + 12, &made.colors[4 * i], 4), 0);
    EXPECT_EQ(std::memcmp(at + 16, &made.xforms[i], 2), 0);
  }
  save_points(scene(), folder / "a.csv", {.count = 10});
  const std::string csv = read_file(folder / "a.csv");
  EXPECT_TRUE(csv.starts_with("x,y,z,red,green,blue,alpha,xform\n"));
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 11);
  EXPECT_THROW(save_points(scene(), folder / "a.obj"), Error);
  test::write_file(folder / "b.ply", triangle);
  EXPECT_THROW(save_points(scene(), folder / "b.ply"), Error);
  EXPECT_EQ(read_file(folder / "b.ply"), triangle);
}

TEST(Layers, HaveSharesThatAreOneTogether) {
  const Flame flame = parse_flames(scene().xml(), "t", {}).flames.at(0);
  const std::vector<PixelLayer> layers = flame_layers(flame, {.threads = 2});
  ASSERT_EQ(layers.size(), 5u);
  EXPECT_EQ(layers[0].channel, "Z");
  EXPECT_EQ(layers[1].channel, "hits.X");
  EXPECT_EQ(layers[4].channel, "xform2.X");
  double hits = 0, first = 0;
  for (std::size_t i = 0; i < 8000; ++i) {
    float sum = 0;
    for (std::size_t layer = 2; layer < 5; ++layer) sum += layers[layer].values[i];
    ASSERT_NEAR(sum, 1, 1e-5) << i;
    const bool empty = layers[1].values[i] == 0;
    ASSERT_EQ(layers[0].values[i], empty ? nothing_there : 0.0f);
    hits += double(layers[1].values[i]);
    first += double(layers[1].values[i]) * double(layers[2].values[i]);
  }
  EXPECT_NEAR(hits, 400000, 5);  // all of it is in the picture
  EXPECT_NEAR(first / hits, 0.5, 0.01);
  EXPECT_TRUE(flame_layers(flame, {.threads = 1})[2].values == layers[2].values);
  Flame around = flame;
  around.depth_camera.projection = Projection::sphere;
  EXPECT_THROW(flame_layers(around, {}), Error);
}

TEST(Layers, OfMorePointsThanThirtyTwoBitsHaveAddUp) {
  const ShareLevel large{2, 2, {3'000'000'000, 3'000'000'000, 0, 1, 7, 0, 0, 0}};
  const ShareLevel small = half_of(large, 2);
  EXPECT_EQ(small.counts, (std::vector<std::uint64_t>{6'000'000'001, 7}));
}

/// The most that this process has taken so far; 0: nobody says.
std::uint64_t most_resident() {
  const std::string status = read_file("/proc/self/status");
  const std::size_t at = status.find("VmHWM:");
  return at == std::string::npos ? 0 : std::stoull(status.substr(at + 6)) << 10;
}

TEST(Layers, TakeNoMoreMemoryThanForecast) {
  Flame flame = parse_flames(scene().xml(), "t", {}).flames.at(0);
  flame.width = 3000, flame.height = 2000, flame.quality = 0.1;
  const std::uint64_t before = most_resident();
  if (before == 0) GTEST_SKIP() << "no /proc/self/status";
  flame_layers(flame, {.threads = 2});
  EXPECT_LE(most_resident(), before + layers_bytes(6'000'000, 3));
}

TEST(Layers, OfMorePointsThanAreMadeSayWhatHelps) {
  Flame flame = parse_flames(scene().xml(), "t", {}).flames.at(0);
  flame.quality = 2e7;  // of 8000 pixels
  try {
    flame_layers(flame, {});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("--quality"), std::string::npos) << error.what();
  }
}

TEST(Layers, HaveTheDistanceFromTheEye) {
  Flame flame = parse_flames(scene().xml(), "t", {}).flames.at(0);
  flame.depth_camera.perspective = 0.25;
  flame.depth_camera.z =
      -1;  // all points are 1 in front of the plane in focus, whose eye is 4 away
  const std::vector<PixelLayer> layers = flame_layers(flame, {});
  double nearest = 1e10;
  for (const float z : layers[0].values) nearest = std::min(nearest, double(z));
  EXPECT_NEAR(nearest, 3, 1e-4);
}

/// The counts of a volume's file behind its head, which ends there.
std::vector<std::uint32_t> counts_of(const std::string& file, std::size_t head) {
  std::vector<std::uint32_t> counts((file.size() - head) / 4);
  std::memcpy(counts.data(), file.data() + head, counts.size() * 4);
  return counts;
}

TEST(DensityVolume, CountsThePointsOfEachCell) {
  const Flame flame = flame_of(R"( zcone="1")");
  PointOptions options{.count = 200000, .threads = 1};
  options.cells = 20;
  const DensityVolume made = density_of(flame, options);
  options.threads = 3;
  const DensityVolume again = density_of(flame, options);
  EXPECT_TRUE(made.counts == again.counts);
  EXPECT_EQ(*std::max_element(made.cells.begin(), made.cells.end()), 20);
  EXPECT_GT(made.cells[2], 1);
  // the same by hand, of the points themselves
  std::vector<std::uint32_t> wanted(made.counts.size());
  std::uint64_t beyond = 0;
  const Points all = of(scene(R"( zcone="1")"), 200000);
  for (std::size_t i = 0; i < all.xforms.size(); ++i) {
    int cell[3];
    bool is_inside = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      cell[axis] = int(std::floor((all.places[3 * i + axis] - made.low[axis]) / made.side));
      is_inside = is_inside && cell[axis] >= 0 && cell[axis] < made.cells[axis];
    }
    beyond += !is_inside;
    if (is_inside)
      ++wanted[(std::size_t(cell[2]) * std::size_t(made.cells[1]) + std::size_t(cell[1])) *
                   std::size_t(made.cells[0]) +
               std::size_t(cell[0])];
  }
  EXPECT_EQ(made.beyond, beyond);
  EXPECT_LT(beyond, 2000u);
  std::uint64_t elsewhere = 0;  // a point on a border may round to its other side
  for (std::size_t i = 0; i < wanted.size(); ++i)
    elsewhere += std::uint64_t(std::abs(std::int64_t(wanted[i]) - std::int64_t(made.counts[i])));
  EXPECT_LT(elsewhere, 20u);
}

TEST(DensityVolume, OfAFlatFlameIsOneCellDeepAndItsFilesSaySo) {
  const ScratchFolder folder;
  PointOptions options{.count = 50000, .threads = 2};
  options.cells = 32;
  save_points(scene(), folder / "a.nrrd", options);
  const std::string nrrd = read_file(folder / "a.nrrd");
  EXPECT_TRUE(nrrd.starts_with("NRRD0004\n"));
  EXPECT_NE(nrrd.find("\nsizes: 32 32 1\n"), std::string::npos) << nrrd.substr(0, 300);
  const std::size_t head = nrrd.find("\n\n") + 2;
  ASSERT_EQ(nrrd.size() - head, 32u * 32 * 4);
  save_points(scene(), folder / "a.npy", options);
  const std::string npy = read_file(folder / "a.npy");
  EXPECT_EQ(npy.substr(1, 5), "NUMPY");
  const std::size_t words = std::size_t(std::uint8_t(npy[8])) + 256 * std::size_t(npy[9]);
  EXPECT_EQ((words + 10) % 64, 0u);
  EXPECT_NE(npy.find("'shape': (1, 32, 32)"), std::string::npos);
  EXPECT_TRUE(counts_of(nrrd, head) == counts_of(npy, words + 10));
  std::uint64_t sum = 0;
  for (const std::uint32_t count : counts_of(npy, words + 10)) sum += count;
  EXPECT_GT(sum, 49000u);
  EXPECT_LE(sum, 50000u);
}

TEST(DensityVolume, RefusesNumbersThatNobodyHas) {
  const Flame flame = flame_of();
  for (const int cells : {1, 1025}) {
    PointOptions options{.count = 100};
    options.cells = cells;
    EXPECT_THROW(density_of(flame, options), Error) << cells;
  }
  EXPECT_THROW(density_of(flame, {.count = most_points_of_volume + 1}), Error);
  const ScratchFolder folder;
  EXPECT_THROW(save_points(scene(), folder / "a.vdb", {.count = 100}), Error);
}

}  // namespace
}  // namespace kiln
