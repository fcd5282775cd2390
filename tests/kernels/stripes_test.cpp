// SPDX-License-Identifier: MIT
// A picture made in stripes is the picture made whole, to the last bit.
#include "engine/render/stripes.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

#include "engine/base/error.h"
#include "engine/model/image.h"
#include "engine/render/renderer.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"

namespace kiln::test {
namespace {

/// Three contractions over 70 x 1000 pixels, sparse above and dense below.
Flame tall_flame() {
  Flame flame = flame_over(70, 1000, -1, -1, 35);
  number_palette(flame);
  flame.quality = 20;
  flame.filter_radius_px = 1.3;
  for (const double y : {-0.5, 0.2, 13.5}) {
    flame.xforms.push_back(contraction(1, 0.5, y * 0.1, y));
    flame.xforms.back().color = y / 5 + 0.3;
  }
  return flame;
}

/// In this scope devices can sort no more than so many tiles; or not at once, or have so many bytes for it.
class FewTiles {
 public:
  explicit FewTiles(int most, const char* hook = "KILN_TEST_MOST_TILES") : hook_(hook) {
    setenv(hook_, std::to_string(most).c_str(), 1);
  }
  ~FewTiles() { unsetenv(hook_); }

 private:
  const char* hook_;
};

/// Pictures on the device, whole and in several stripes: because it can sort no more than so many
/// tiles, or has too little memory.
void expect_same_in_stripes(Device& device, const Flame& flame, RenderOptions options,
                            std::size_t least, std::optional<int> most_tiles = {}) {
  options.backend = device.describe().rfind("cuda", 0) == 0 ? Backend::cuda : Backend::cpu;
  options.threads = 2;
  const PreparedFrame frame = prepare({flame, {}, {}, 0}, options);
  RenderStatistics of_whole, of_stripes;
  const Image whole = Renderer(options).render(frame, &of_whole);
  std::optional<FewTiles> few;
  if (most_tiles)
    few.emplace(*most_tiles);
  else
    options.max_memory_bytes = memory_need(frame, options).picture / 2;
  EXPECT_GE(plan_memory(frame, options, device).stripes.size(), least);
  const Image striped = Renderer(options).render(frame, &of_stripes);
  EXPECT_EQ(striped.height, whole.height);
  EXPECT_TRUE(striped.pixels == whole.pixels);
  EXPECT_EQ(of_stripes.samples, of_whole.samples);
  EXPECT_EQ(of_stripes.bad_values, of_whole.bad_values);
}

TEST_ON_EVERY_DEVICE(Stripes, make_the_whole_picture) {
  for (const double radius : {0.0, 3.0}) {
    for (const int supersample : {1, 2, 3}) {
      SCOPED_TRACE(fmt::format("radius {}, supersample {}", radius, supersample));
      Flame flame = tall_flame();
      flame.estimator_radius = radius / supersample;
      flame.supersample = supersample;
      RenderOptions options;
      options.bits = 16;
      expect_same_in_stripes(device, flame, options, 3);
    }
  }
}

TEST_ON_EVERY_DEVICE(Stripes, with_all_that_a_picture_can_have) {
  Flame flame = tall_flame();
  flame.passes = 2;
  flame.palette[7].a = 0.5;  // five channels
  flame.xforms.push_back(bad_xform(0.01));
  flame.vignette = 0.5;
  RenderOptions options;
  expect_same_in_stripes(device, flame, options, 3);
  options.earlyclip = true;
  expect_same_in_stripes(device, flame, options, 3);
  options.earlyclip = false;
  options.linear = true;
  expect_same_in_stripes(device, flame, options, 3);
  options.linear = false;
  options.crop = Window{3, 100, 40, 650};
  options.transparent = true;
  expect_same_in_stripes(device, flame, options, 3);
}

/// A few samples everywhere over 150 x 600 pixels: every source is wide.
Flame thin_flame() {
  Flame flame = flame_over(150, 600, -1, -1, 75);
  number_palette(flame);
  flame.quality = 1;
  for (const double y : {-0.5, 3.5}) {
    for (const double x : {-0.5, 0.5}) {
      flame.xforms.push_back(contraction(1, 0.5, x, y));
      flame.xforms.back().color = x / 4 + y / 8 + 0.3;
    }
  }
  return flame;
}

TEST_ON_EVERY_DEVICE(Stripes, of_the_whole_sphere) {
  Flame flame = flame_over(1400, 700, -1, -1, 350);
  number_palette(flame);
  flame.depth_camera.projection = Projection::sphere;
  flame.filter_radius_px = 1.3;
  flame.estimator_radius = 3;
  for (const double x : {-8.0, 0.2, 30.0}) flame.xforms.push_back(contraction(1, 0.5, x, x / 3));
  expect_same_in_stripes(device, flame, {}, 2);
}

TEST_ON_EVERY_DEVICE(Stripes, with_wide_kernels_are_whole_bands) {
  const FewTiles bands(160, "KILN_TEST_BAND_BUCKETS");
  for (const int supersample : {1, 2}) {
    for (const double radius : {9.0, 25.0}) {
      SCOPED_TRACE(fmt::format("radius {}, supersample {}", radius, supersample));
      Flame flame = thin_flame();  // 4 x 10 tiles, with a margin of 25 pixels
      flame.estimator_radius = radius;
      flame.supersample = supersample;
      RenderOptions options;
      options.bits = 16;
      const int most = supersample == 1 ? 25 : 60;
      expect_same_in_stripes(device, flame, options, 2, most);
      if (supersample == 2) continue;
      options.earlyclip = true;
      flame.passes = 2;
      expect_same_in_stripes(device, flame, options, 2, most);
      options.earlyclip = false;
      options.linear = true;
      expect_same_in_stripes(device, flame, options, 2, most);
    }
  }
}

/// In bands the transforms are others: what they round shows in no picture. How far it is off at most, of 65535.
int off_in_bands(const Flame& flame, int most_buckets) {
  RenderOptions options;
  options.bits = 16;
  options.threads = 2;
  options.backend = Backend::cpu;
  const Image whole = render(flame, options);
  const FewTiles bands(most_buckets, "KILN_TEST_BAND_BUCKETS");
  EXPECT_EQ(prepare({flame, {}, {}, 0}, options).plan.bands.size(), 4u);
  const Image banded = render(flame, options);
  const std::size_t middle = 4 * std::size_t(flame.height / 2 * flame.width + flame.width / 2);
  EXPECT_GT(whole.pixels16()[middle], 5000) << "there is something to see";
  int most = 0;
  for (std::size_t i = 0; i < whole.pixels16().size(); ++i)
    most = std::max(most, std::abs(int(whole.pixels16()[i]) - int(banded.pixels16()[i])));
  return most;
}

TEST(Stripes, bands_are_the_picture_of_one_band) {
  Flame flame = thin_flame();
  flame.estimator_radius = 25;
  const int most = off_in_bands(flame, 160);
  EXPECT_GT(most, 0);
  EXPECT_LT(most, 65535 / 500);
}

/// Bloom of clipped colors spreads them over all of the picture, so there is one band however many rows it has.
TEST(Stripes, bloom_of_clipped_colors_sees_the_whole_picture) {
  Flame flame = thin_flame();
  flame.estimator_radius = 25;
  flame.effects.bloom.strength = 0.5;
  flame.effects.bloom.radius = 20;
  RenderOptions options;
  options.bits = 16;
  options.threads = 2;
  options.backend = Backend::cpu;
  options.earlyclip = true;
  const std::string whole = pixel_hash(render(flame, options));
  const FewTiles bands(160, "KILN_TEST_BAND_BUCKETS");
  EXPECT_EQ(pixel_hash(render(flame, options)), whole);
  options.earlyclip = false;
  EXPECT_GT(prepare({flame, {}, {}, 0}, options).plan.bands.size(), 1u);
}

/// A sphere's rows count differently from equator to pole, in every band.
TEST(Stripes, bands_of_the_sphere_are_the_picture_of_one_band) {
  Flame flame = flame_over(480, 240, -1, -1, 120);
  flame.center_x = flame.center_y = 0;
  flame.depth_camera.projection = Projection::sphere;
  flame.depth_camera.perspective = 1;
  flame.depth_camera.z = -1;  // the eye is in the middle of the ball
  flame.quality = 20;
  flame.brightness = 1;
  flame.estimator_radius = 25;
  flame.estimator_minimum = 20;  // every source is wide
  flame.xforms = {xform_of("sphereblur", 1, {0, 0, 0, 0, 0, 0})};
  EXPECT_LT(off_in_bands(flame, 60), 65535 / 500);
}

TEST_ON_EVERY_DEVICE(Stripes, of_cleaned_light) {
  for (const int supersample : {1, 3}) {
    Flame flame = tall_flame();
    flame.clean = 0.9;
    flame.supersample = supersample;
    expect_same_in_stripes(device, flame, {}, 3);
    flame.passes = 2;
    expect_same_in_stripes(device, flame, {}, 3);
  }
}

TEST(Stripes, of_several_devices) {
  const Flame flame = tall_flame();
  RenderOptions options;
  options.helpers = {{Backend::cpu, 0, 1}};
  const auto device = open_cpu(1);
  expect_same_in_stripes(*device, flame, options, 3);
}

TEST_ON_EVERY_DEVICE(Stripes, of_a_picture_with_more_tiles_than_can_be_sorted) {
  Flame flame = tall_flame();  // 2 x 16 tiles
  flame.estimator_radius = 2;
  for (const int most : {30, 7, 2}) {
    SCOPED_TRACE(fmt::format("{} tiles", most));
    expect_same_in_stripes(device, flame, {}, std::size_t(32 / most + 1), most);
  }
  flame.center_x = flame.center_y = 0;  // points lie beyond all four edges
  flame.rotate_deg = 30;
  flame.xforms.push_back(bad_xform(0.01));
  expect_same_in_stripes(device, flame, {}, 5, 7);
}

/// The same picture where records are sorted twice.
void expect_same_sorted_twice(const Flame& flame, RenderOptions options, int at_once) {
  SCOPED_TRACE(fmt::format("{} tiles at once", at_once));
  const Image plain = Renderer(options).render(prepare({flame, {}, {}, 0}, options));
  const FewTiles few(at_once, "KILN_TEST_TILES_AT_ONCE");
  EXPECT_TRUE(Renderer(options).render(prepare({flame, {}, {}, 0}, options)).pixels ==
              plain.pixels);
}

/// A GPU of a desktop has 99 KB of shared memory a block: less than the sums of large tiles take.
TEST(Tiles, are_finer_where_a_block_has_no_room_for_their_sums) {
  if (open_every_device().size() == 1) GTEST_SKIP() << "no CUDA device";
  RenderOptions options;
  options.backend = Backend::cuda;
  options.bits = 16;
  Flame flame = tall_flame();
  flame.width = 3840;  // tiles of 16384 pixels, or of 8192 where a pixel's sums are wider
  flame.height = 2160;
  flame.scale = 600;
  flame.quality = 2;
  for (const PaletteMode mode : {PaletteMode::step, PaletteMode::linear}) {
    flame.palette_mode = mode;
    for (const double opacity : {1.0, 0.3}) {
      flame.xforms[0].opacity = opacity;
      flame.palette[7].a = opacity;
      const Image plain = Renderer(options).render(prepare({flame, {}, {}, 0}, options));
      SCOPED_TRACE(fmt::format("opacity {}, mode {}", opacity, int(mode)));
      const FewTiles few(101376, "KILN_TEST_SHARED_BYTES");
      EXPECT_TRUE(Renderer(options).render(prepare({flame, {}, {}, 0}, options)).pixels ==
                  plain.pixels);
    }
  }
}

/// The CPU sorts all tiles at once.
TEST(Tiles, are_sorted_twice_where_they_are_many) {
  if (open_every_device().size() == 1) GTEST_SKIP() << "no CUDA device";
  RenderOptions options;
  options.backend = Backend::cuda;
  options.bits = 16;
  Flame flame = tall_flame();           // 2 x 16 tiles
  flame.center_x = flame.center_y = 0;  // points lie beyond all four edges
  flame.rotate_deg = 30;
  for (const PaletteMode mode : {PaletteMode::step, PaletteMode::linear}) {
    flame.palette_mode = mode;
    for (const int at_once : {20, 3, 1}) expect_same_sorted_twice(flame, options, at_once);
  }
  flame.width = 300;         // 5 x 16
  flame.palette[7].a = 0.5;  // five channels
  flame.xforms[0].opacity = 0.3;
  flame.xforms.push_back(bad_xform(0.01));
  expect_same_sorted_twice(flame, options, 2);
  flame.palette_mode = PaletteMode::step;
  flame.supersample = 3;
  expect_same_sorted_twice(flame, options, 7);
}

TEST_ON_EVERY_DEVICE(Stripes, are_handed_on_where_somebody_takes_them) {
  RenderOptions options;
  options.backend = device.describe().rfind("cuda", 0) == 0 ? Backend::cuda : Backend::cpu;
  options.threads = 2;
  options.crop = Window{5, 101, 50, 700};
  const Flame flame = tall_flame();
  RenderStatistics statistics;
  const Image whole = render(flame, options, &statistics);
  Image picture;
  int pieces = 0;
  options.on_rows = [&](const RowsOfPicture& part) {
    EXPECT_EQ(part.height, 700);
    EXPECT_EQ(part.samples, statistics.samples);
    append_rows(part.rows, part.height, picture);
    ++pieces;
  };
  EXPECT_EQ(render(flame, options).height, 700);  // in one go: nobody is asked
  EXPECT_EQ(pieces, 0);
  const FewTiles few(7);
  EXPECT_EQ(render(flame, options).height, 0);
  EXPECT_GE(pieces, 4);
  EXPECT_EQ(picture.height, 700);
  EXPECT_TRUE(picture.pixels == whole.pixels);
}

TEST(MemoryNeed, counts_the_hits_of_linear_light) {
  RenderOptions options;
  const auto picture = [&] {
    return memory_need(prepare({tall_flame(), {}, {}, 0}, options), options).picture;
  };
  const std::uint64_t plain = picture();
  options.linear = true;
  EXPECT_EQ(picture() - plain, 70u * 1000 * sizeof(float));
}

/// Why the picture is refused.
std::string refusal(const Flame& flame, RenderOptions options, std::uint64_t most_bytes) {
  options.backend = Backend::cpu;
  options.max_memory_bytes = most_bytes;
  try {
    render(flame, options);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::device);
    return error.what();
  }
  return "rendered";
}

TEST(Stripes, are_a_thousand_at_most) {
  Flame flame = tall_flame();
  flame.width = 16;
  flame.height = 20'000;
  flame.quality = 0.1;
  EXPECT_NE(refusal(flame, {}, 30'000).find("more than 1000"), std::string::npos);
  EXPECT_EQ(refusal(flame, {}, 100'000), "rendered");
}

TEST(Stripes, refuse_what_looks_at_the_whole_picture) {
  Flame flame = tall_flame();
  EXPECT_NE(refusal(flame, {}, 1000).find("stripes"), std::string::npos);
  flame.estimator_radius = 9;
  EXPECT_NE(refusal(flame, {}, 1'000'000).find("2304 rows"), std::string::npos);
  flame.estimator_radius = 0;
  flame.effects.bloom.strength = 0.2;
  EXPECT_NE(refusal(flame, {}, 1'000'000).find("bloom"), std::string::npos);
  const FewTiles few(5);
  EXPECT_NE(refusal(flame, {}, 0).find("32 tiles of 64x64"), std::string::npos);
  EXPECT_NE(refusal(flame, {}, 0).find("bloom"), std::string::npos);
}

}  // namespace
}  // namespace kiln::test
