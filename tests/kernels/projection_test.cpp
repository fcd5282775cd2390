// SPDX-License-Identifier: MIT
// Projections: where points are seen, against their definition in double, and that the light of a sphere is even
// over its seam and its poles.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"
#include "kernels/lane_run.h"
#include "tests/devices.h"
#include "tests/kernels/game.h"
#include "tests/kernels/one_picture.h"

namespace kiln::test {
namespace {

constexpr double pi = 3.14159265358979323846;

/// A flame of one xform, whose picture is about `center`.
Flame flame_of(const Xform& xform, int width, int height, Projection projection) {
  Flame flame = flame_over(width, height, -2, -2.0 * height / width, width / 4.0);
  flame.xforms.push_back(xform);
  flame.depth_camera.projection = projection;
  return flame;
}

struct Pixel {
  double x, y;
};

/// Where the compiled camera puts a point, of which the right (1) or left (-1) eye sees it.
Pixel pixel_of(const Flame& flame, Real x, Real y, Real z, int eye = 0) {
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, flame.width, flame.height});
  Random random{12345, 67890};
  for (Random next = random; eye != 0 && (next.uniform() < 0.5f ? -1 : 1) != eye;) random = next;
  const Vec2 place = seen_at(compiled.views.at(0), x, y, z, random);
  const Affine m = compiled.cameras.at(0);
  return {double(m.a * place.x + m.b * place.y + m.c), double(m.d * place.x + m.e * place.y + m.f)};
}

/// The direction from the eye of a point, without pitch and yaw.
std::array<double, 3> direction(const Flame& flame, double x, double y, double z) {
  const DepthCamera& camera = flame.depth_camera;
  const double turn = flame.rotate_deg * pi / 180;
  const double dx = x - flame.center_x, dy = y - flame.center_y;
  const double right = dx * std::cos(turn) - dy * std::sin(turn);
  const double down = dx * std::sin(turn) + dy * std::cos(turn);
  if (camera.perspective != 0) return {right, down, 1 / camera.perspective - (z - camera.z)};
  const double radius = std::min(flame.width, flame.height) / flame.scale / 2;
  const double r = std::hypot(right, down), angle = 2 * std::atan(r / radius);
  return {std::sin(angle) * right / r, std::sin(angle) * down / r, std::cos(angle)};
}

TEST(projection, of_the_sphere_is_longitude_and_latitude) {
  for (const double perspective : {0.0, 0.4}) {
    Flame flame = flame_of(contraction(1, 0.5, 0, 0), 400, 200, Projection::sphere);
    flame.depth_camera.perspective = perspective;
    flame.depth_camera.z = 0.25;
    flame.rotate_deg = 20;
    flame.center_x = 0.1;
    flame.center_y = -0.2;
    for (const auto& [x, y, z] :
         {std::array{0.3, 0.4, 0.1}, {-2.0, 1.5, 0.7}, {0.5, -9.0, 3.1}, {-3.0, 0.2, 8.0}}) {
      const auto [right, down, ahead] = direction(flame, x, y, z);
      const Pixel seen = pixel_of(flame, Real(x), Real(y), Real(z));
      EXPECT_NEAR(seen.x, 200 + std::atan2(right, ahead) * 200 / pi, 1e-3);
      EXPECT_NEAR(seen.y, 100 + std::atan2(down, std::hypot(right, ahead)) * 200 / pi, 1e-3);
    }
  }
}

/// The seam is the left edge, from both sides: nothing is lost beyond the right one.
TEST(projection, of_the_sphere_has_its_seam_once) {
  EXPECT_EQ(longitude_of(Real(0), Real(-1)), -1);
  EXPECT_EQ(longitude_of(-Real(0), Real(-1)), -1);
  EXPECT_LT(longitude_of(Real(1e-3), Real(-1)), 1);
}

TEST(projection, of_the_dome_has_the_angle_as_distance) {
  for (const double rim : {180.0, 270.0}) {
    Flame flame = flame_of(contraction(1, 0.5, 0, 0), 300, 200, Projection::dome);
    flame.depth_camera.dome_deg = rim;
    for (const auto& [x, y] : {std::array{0.3, 0.4}, {-0.9, 0.5}, {2.5, -1.0}, {-9.0, 4.0}}) {
      const auto [right, down, ahead] = direction(flame, x, y, 0);
      const double aside = std::hypot(right, down), angle = std::atan2(aside, ahead);
      const Pixel seen = pixel_of(flame, Real(x), Real(y), 0);
      if (angle > rim / 2 * pi / 180) {
        EXPECT_GT(seen.x, 1e6);  // not in the picture
        continue;
      }
      const double radius = 100 * angle / (rim / 2 * pi / 180);
      EXPECT_NEAR(seen.x, 150 + radius * right / aside, 1e-3);
      EXPECT_NEAR(seen.y, 100 + radius * down / aside, 1e-3);
    }
  }
}

TEST(projection, of_two_eyes_meets_in_the_plane_in_focus) {
  Flame flame = flame_of(contraction(1, 0.5, 0, 0), 800, 200, Projection::stereo);  // 200 a unit
  flame.depth_camera.perspective = 0.5;
  flame.depth_camera.eyes = 0.1;
  for (const double z : {0.0, 1.0, -2.0}) {
    const double over = 1 / (1 - 0.5 * z), x = 0.2, y = 0.1;
    const Pixel left = pixel_of(flame, Real(x), Real(y), Real(z), -1);
    const Pixel right = pixel_of(flame, Real(x), Real(y), Real(z), 1);
    EXPECT_NEAR(left.x, 200 + 200 * ((x + 0.05) * over - 0.05), 1e-3) << z;
    EXPECT_NEAR(right.x, 600 + 200 * ((x - 0.05) * over + 0.05), 1e-3) << z;
    EXPECT_NEAR(left.y, 100 + 200 * y * over, 1e-3);
    EXPECT_NEAR(right.y, left.y, 1e-4);
  }
  // what one eye does not see is not put into the picture of the other
  EXPECT_GT(pixel_of(flame, 1.05f, 0, 0, -1).x, 1e6);
  EXPECT_GT(pixel_of(flame, -1.05f, 0, 0, 1).x, 1e6);
  // nor is what is behind the eyes
  EXPECT_GT(pixel_of(flame, 0, 0, 2.5f, 1).x, 1e6);
}

/// Mean of a part of a picture.
double mean(const Image& image, int x0, int y0, int width, int height) {
  double sum = 0;
  for (int y = y0; y < y0 + height; ++y)
    for (int x = x0; x < x0 + width; ++x)
      sum += image.pixels16()[std::size_t(y * image.width + x) * 4];
  return sum / (width * height);
}

RenderOptions options_on(const Device& device) {
  RenderOptions options;
  options.backend = device.describe().starts_with("cuda") ? Backend::cuda : Backend::cpu;
  options.bits = 16;
  return options;
}

Image picture_of(Device& device, Flame flame, double quality) {
  flame.quality = quality;
  return render(flame, options_on(device));
}

/// Points in all directions from the eye alike: a picture of one color.
Flame even_sphere(int width) {
  Flame flame =
      flame_of(xform_of("sphereblur", 1, {0, 0, 0, 0, 0, 0}), width, width / 2, Projection::sphere);
  flame.center_x = flame.center_y = 0;
  flame.depth_camera.perspective = 1;
  flame.depth_camera.z = -1;  // the eye is in the middle of the ball
  flame.filter_radius_px = 1.5;
  flame.brightness = 1;
  return flame;
}

TEST_ON_EVERY_DEVICE(Projection, of_the_sphere_is_even_over_seam_and_poles) {
  Flame flame = even_sphere(120);
  for (const double estimator : {0.0, 4.0}) {
    flame.estimator_radius = estimator;
    flame.estimator_curve = 0.1;  // wide for all
    const Image image = picture_of(device, flame, 4000);
    const double all = mean(image, 0, 0, 120, 60);
    ASSERT_GT(all, 2000);
    for (int row = 0; row < 60; ++row)
      EXPECT_NEAR(mean(image, 0, row, 120, 1) / all, 1, 0.02) << row << ", " << estimator;
    for (int column = 0; column < 120; ++column)
      EXPECT_NEAR(mean(image, column, 0, 1, 60) / all, 1, 0.02) << column << ", " << estimator;
  }
}

/// Frames that are cleaned together have both sides of the seam, too.
TEST_ON_EVERY_DEVICE(Projection, of_the_sphere_is_even_in_a_cleaned_film) {
  Flame flame = even_sphere(120);
  flame.clean = 1;
  flame.quality = 300;
  Renderer renderer(options_on(device));
  FilmWindow window;
  for (const std::uint32_t number : {1u, 2u})
    window.frames.push_back(std::make_shared<const PreparedFrame>(
        prepare(Frame{flame, {}, {}, number}, options_on(device))));
  const Image image = renderer.render(window);
  const double all = mean(image, 0, 0, 120, 60);
  ASSERT_GT(all, 1000);
  for (const int column : {0, 1, 2, 60, 117, 118, 119})
    EXPECT_NEAR(mean(image, column, 0, 1, 60) / all, 1, 0.02) << column;
}

/// Which eye sees a point is drawn, also where nothing else of the flame draws.
TEST(Projection, of_two_eyes_is_one_picture_everywhere) {
  Flame flame = flame_of(contraction(1, 0.5, 0.5, 0.5), 240, 120, Projection::stereo);
  flame.depth_camera.perspective = 0.3;
  for (const auto& [x, y] : {std::array{-0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}})
    flame.xforms.push_back(contraction(1, 0.5, x, y));
  expect_one_picture_everywhere(flame);
}

// The middle is as bright as in a picture of the plane.
TEST_ON_EVERY_DEVICE(Projection, keeps_the_light_of_the_middle) {
  Xform square = xform_of("square", 1, {0, 0, 0, 0, 0, 0});
  square.variations[std::size_t(find_variation("square").value())] = 6;
  const auto middle = [&](Projection projection, double perspective, int at = 120) {
    Flame flame = flame_of(square, 240, 120, projection);
    flame.depth_camera.perspective = perspective;
    return mean(picture_of(device, flame, 300), at - 4, 56, 8, 8);
  };
  const double plane = middle(Projection::plane, 0);
  ASSERT_GT(plane, 2000);
  for (const double perspective : {0.0, 0.7}) {
    EXPECT_NEAR(middle(Projection::sphere, perspective) / plane, 1, 0.03) << perspective;
    EXPECT_NEAR(middle(Projection::dome, perspective) / plane, 1, 0.03) << perspective;
  }
  EXPECT_NEAR(middle(Projection::stereo, 0.7, 60) / plane, 1, 0.03);
  EXPECT_NEAR(middle(Projection::stereo, 0.7, 180) / plane, 1, 0.03);
}

}  // namespace
}  // namespace kiln::test
