// SPDX-License-Identifier: MIT
// Pictures that repeat: points come in on the other side, filter and estimator read across the edges, a camera that is moved
// by half a picture shows the same one rolled.
#include "engine/program/tile.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

#include "engine/api/kiln/render_options.h"
#include "engine/base/error.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/one_picture.h"

namespace kiln::test {
namespace {

constexpr int width = 48, height = 32;

/// Light everywhere, uneven, and most of it at the corner of the picture.
Flame flame_at_the_edge() {
  Flame flame = flame_over(width, height, -1.5, -1, width / 3.0);
  for (const auto& [x, y] : {std::array{-0.75, -0.5}, {0.9, -0.4}, {0.3, 0.9}})
    flame.xforms.push_back(contraction(1, 0.55, x * 2, y * 2));
  flame.tile = 1;
  flame.filter_radius_px = 1.2;
  flame.estimator_radius = 0;
  flame.brightness = 1;
  return flame;
}

RenderOptions options_on(const Device& device) {
  RenderOptions options;
  options.backend = device.describe().starts_with("cuda") ? Backend::cuda : Backend::cpu;
  options.bits = 16;
  return options;
}

Image picture_of(const Device& device, Flame flame, double quality) {
  flame.quality = quality;
  return render(flame, options_on(device));
}

double at(const Image& image, int x, int y) {
  const int column = (x % width + width) % width, row = (y % height + height) % height;
  double sum = 0;
  for (std::size_t channel = 0; channel < 3; ++channel)
    sum += image.pixels16()[std::size_t(row * width + column) * 4 + channel];
  return sum / 3;
}

double mean(const Image& image) {
  double sum = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) sum += at(image, x, y);
  return sum / (width * height);
}

/// The root mean square of what two pictures differ by, of which the second is rolled.
double apart(const Image& one, const Image& other, int right, int down) {
  double sum = 0;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      const double by = at(one, x, y) - at(other, x + right, y + down);
      sum += by * by;
    }
  return std::sqrt(sum / (width * height));
}

Flame moved(Flame flame, double pixels_x, double pixels_y) {
  flame.center_x += pixels_x / flame.scale;
  flame.center_y += pixels_y / flame.scale;
  return flame;
}

TEST_ON_EVERY_DEVICE(Tile, moved_by_half_of_it_is_the_picture_rolled_by_half) {
  for (const char* const what : {"plain", "estimator", "bloom", "glare"}) {
    Flame flame = flame_at_the_edge();
    if (what == std::string("estimator")) flame.estimator_radius = 4;
    if (what == std::string("bloom")) flame.effects.bloom = {0.7, 6, 0};
    if (what == std::string("glare")) flame.effects.glare = {6, 20, 0.7};
    flame.estimator_curve = 0.2;
    const Image still = picture_of(device, flame, 2000);
    const Image rolled = picture_of(device, moved(flame, 0.5 * width, 0.5 * height), 2000);
    const double all = mean(still);
    ASSERT_GT(all, 1000);
    EXPECT_LT(apart(rolled, still, width / 2, height / 2), 0.04 * all) << what;
    EXPECT_GT(apart(rolled, still, 0, 0), 0.1 * all) << what << ": it is uneven";
  }
}

/// A square of two by three pictures is even once it is wrapped. Where the gutter stays empty there is a dark rim.
TEST_ON_EVERY_DEVICE(Tile, filter_and_estimator_have_no_seam) {
  for (const bool is_estimated : {false, true}) {
    Flame flame = flame_at_the_edge();
    flame.xforms = {xform_of("square", 1, {0, 0, 0, 0, 0, 0})};
    flame.xforms[0].variations[std::size_t(find_variation("square").value())] = 6;
    flame.filter_radius_px = is_estimated ? 1 : 4;
    flame.estimator_radius = is_estimated ? 4 : 0;
    flame.estimator_curve = 0.1;  // wide for all
    const Image image = picture_of(device, flame, 3000);
    const double all = mean(image);
    ASSERT_GT(all, 1000);
    const auto line = [&](bool is_row, int place) {
      double sum = 0;
      const int count = is_row ? width : height;
      for (int i = 0; i < count; ++i) sum += is_row ? at(image, i, place) : at(image, place, i);
      return sum / count;
    };
    for (const int place : {0, 1, 2, -1, -2, -3, 10})
      for (const bool is_row : {false, true})
        EXPECT_NEAR(line(is_row, place) / all, 1, 0.02)
            << place << ", row: " << is_row << ", estimator: " << is_estimated;
  }
}

TEST(Tile, is_one_picture_for_any_number_of_threads) {
  expect_one_picture_everywhere(flame_at_the_edge());
  Flame two_finals = flame_at_the_edge();
  two_finals.final_xform = contraction(1, 0.9, 0.1, 0);
  two_finals.final_xform->color_speed = 0;
  expect_one_picture_everywhere(two_finals);
}

TEST(Tile, loses_no_sample) {
  const auto hits = [](int tile) {
    Flame flame = moved(flame_at_the_edge(), width, double(height) / 3);
    flame.tile = tile;
    const Histogram all = Player(*open_cpu(2), flame, 200'000).play(3);
    return double(all.all_hits());
  };
  EXPECT_GT(hits(1), 199'000);
  EXPECT_LT(hits(0), 150'000) << "without it some are beside the picture";
}

TEST(Tile, of_a_turned_camera_is_the_turned_picture) {
  const auto cpu = open_cpu(2);
  Flame flame = flame_at_the_edge();
  flame.rotate_deg = 30;
  const Image still = picture_of(*cpu, flame, 1500);
  // half a width along the turned picture
  Flame other = flame;
  const double turn = -30 * 3.14159265358979323846 / 180, way = 0.5 * width / flame.scale;
  other.center_x += way * std::cos(turn);
  other.center_y += way * std::sin(turn);
  EXPECT_LT(apart(picture_of(*cpu, other, 1500), still, width / 2, 0), 0.05 * mean(still));
}

TEST(Tile, of_cameras_in_space_is_refused) {
  const auto refusal = [](Flame flame) -> std::string {
    try {
      compile(flame, PlotArea{1, 0, width, height});
    } catch (const Error& error) {
      EXPECT_EQ(error.kind, ErrorKind::input);
      return error.what();
    }
    return "";
  };
  Flame flame = flame_at_the_edge();
  EXPECT_EQ(refusal(flame), "");
  flame.depth_camera.yaw_rad = 0.2;  // a turn about the origin alone
  EXPECT_EQ(refusal(flame), "");
  flame.depth_camera.pitch_rad = 0.2;
  EXPECT_NE(refusal(flame).find("kiln_tile (--tile) out"), std::string::npos);
  flame.depth_camera = {};
  flame.depth_camera.projection = Projection::sphere;
  EXPECT_NE(refusal(flame).find("kiln_projection"), std::string::npos);
}

}  // namespace
}  // namespace kiln::test
