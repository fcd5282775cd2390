// SPDX-License-Identifier: MIT
// The camera of pictures with depth gives the bits of its scalar form in lanes, with every
// instruction set, and draws as often: for ordinary points and where compilers and processors like
// to differ, at poles, seams and rims, behind the eyes and in their place.
#include "tests/parity/depth_lanes.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>
#include <random>
#include <set>

#include "kernels/lane_run.h"
#include "tests/devices.h"
#include "tests/kernels/motion.h"
#include "tests/kernels/one_picture.h"

namespace kiln::test {

// KILN_CPU_ISA_LIST, from CMake: KILN_ISA_ENTRY(v2) KILN_ISA_ENTRY(v3) ...
#define KILN_ISA_ENTRY(isa) void see_points_##isa(const SeenRun& given);
KILN_CPU_ISA_LIST
#undef KILN_ISA_ENTRY

namespace {

struct IsaCamera {
  std::string isa;
  void (*see)(const SeenRun& given);
};

/// Those of this build that this machine runs.
std::vector<IsaCamera> cameras_of_every_isa() {
#define KILN_ISA_ENTRY(isa) {#isa, see_points_##isa},
  std::vector<IsaCamera> all = {KILN_CPU_ISA_LIST};
#undef KILN_ISA_ENTRY
  std::erase_if(all, [](const IsaCamera& one) { return !machine_runs(one.isa); });
  return all;
}

struct Points {
  std::vector<float> x, y, z;
  std::vector<std::uint32_t> random0, random1;

  void add(float x_value, float y_value, float z_value) {
    const Random random = lane_random(11, 0, 0, std::uint32_t(x.size()));
    x.push_back(x_value);
    y.push_back(y_value);
    z.push_back(z_value);
    random0.push_back(random.s0);
    random1.push_back(random.s1);
  }
};

/// Every NaN counts as one: only its payload is open.
std::uint32_t bits_of_result(float x) { return is_nan(x) ? 0x7fc00000u : bits_of(x); }

Points seen_one_by_one(const DepthView& view, Points points) {
  for (std::size_t i = 0; i < points.x.size(); ++i) {
    Random random{points.random0[i], points.random1[i]};
    const Vec2 place = seen_at(view, points.x[i], points.y[i], points.z[i], random);
    points.x[i] = place.x;
    points.y[i] = place.y;
    points.random0[i] = random.s0;
    points.random1[i] = random.s1;
  }
  return points;
}

/// In runs of all lengths: of whole vectors, one more, one less, one.
Points seen_in_lanes(const IsaCamera& camera, const DepthView& view, Points points) {
  const int lengths[] = {most_seen, 1, 17, 96, 15, most_seen - 1};
  std::size_t from = 0;
  for (int turn = 0; from < points.x.size(); ++turn) {
    const int count = std::min(lengths[turn % 6], int(points.x.size() - from));
    camera.see({&view, count, &points.z[from], &points.x[from], &points.y[from],
                &points.random0[from], &points.random1[from]});
    from += std::size_t(count);
  }
  return points;
}

/// The camera that looks straight at the plane, from 2 in front of it where there is perspective:
/// pictures are 2 wide and high about the middle, a stereo picture's eyes see 1 to each side.
DepthView straight(i32 projection, Real perspective) {
  DepthView view{};
  view.pitch_cos = view.yaw_cos = view.turn_cos = 1;
  view.perspective = perspective;
  view.width_factor = view.height_factor = 1;
  view.projection = projection;
  view.flat = 1;
  view.dome = 2 / pi;
  view.eye = Real(0.0625);
  view.half_width = 1;
  return view;
}

/// Turned, out of the middle, its plane elsewhere.
DepthView turned(DepthView view) {
  const SinCos pitch = sincos(Real(0.7)), yaw = sincos(Real(-2.1)), turn = sincos(Real(0.4));
  view.pitch_sin = pitch.s;
  view.pitch_cos = pitch.c;
  view.yaw_sin = yaw.s;
  view.yaw_cos = yaw.c;
  view.turn_sin = turn.s;
  view.turn_cos = turn.c;
  view.z = Real(0.3);
  view.center_x = Real(0.1);
  view.center_y = Real(-0.2);
  view.dome = Real(0.41);
  view.flat = Real(1.7);
  return view;
}

struct NamedView {
  std::string name;
  DepthView view;
};

std::vector<NamedView> all_views() {
  const char* const names[] = {"plane", "sphere", "dome", "stereo"};
  std::vector<NamedView> all;
  for (const i32 projection :
       {projection_plane, projection_sphere, projection_dome, projection_stereo}) {
    for (const Real perspective : {Real(0), Real(0.5), Real(-0.5)}) {
      for (const Real blur : {Real(0), Real(0.125)}) {
        for (const Real blur_curve : {Real(0), Real(3)}) {
          if (blur == 0 && blur_curve != 0) continue;
          DepthView view = straight(projection, perspective);
          view.blur = blur;
          view.blur_curve = blur_curve;
          const std::string name = std::string(names[projection]) + ", perspective " +
                                   std::to_string(perspective) + ", blur " + std::to_string(blur) +
                                   ", curve " + std::to_string(blur_curve);
          all.push_back({name, view});
          all.push_back({name + ", turned", turned(view)});
        }
      }
    }
  }
  return all;
}

/// Special values and what is next to them, both signs; the camera's limits lie at 0.5, 1 and 2.
Points hard_points() {
  constexpr float inf = std::numeric_limits<float>::infinity();
  std::vector<float> special = {std::numeric_limits<float>::quiet_NaN(), inf, -inf, 0.f, -0.f};
  for (const float x :
       {0x1p-149f, 0x1p-126f, 0x1p-100f, 0.5f, 1.f, 2.f, 1e10f, 0x1p64f, 0x1p100f, 3e38f}) {
    special.push_back(x);
    special.push_back(-x);
  }
  for (const float x : {0.5f, 1.f, 2.f}) {
    for (const float near : {std::nextafter(x, 0.f), std::nextafter(x, inf), x + 0x1p-20f}) {
      special.push_back(near);
      special.push_back(-near);
    }
  }
  Points points;
  for (std::size_t i = 0; i < special.size(); ++i)
    for (std::size_t j = 0; j < special.size(); ++j)
      for (std::size_t k = (i + j) % 3; k < special.size(); k += 3)
        points.add(special[i], special[j], special[k]);
  std::mt19937 twister(7);
  const auto unit = [&] { return float(twister()) * 0x1p-31f - 1; };
  for (const float reach : {1.f, 3.f, 1e3f})
    for (int i = 0; i < 1000; ++i) {
      const float x = unit() * reach, y = unit() * reach, z = unit() * reach;
      points.add(x, y, z);
    }
  return points;
}

void expect_same(const NamedView& view, const std::string& isa, const Points& from,
                 const Points& expected, const Points& got) {
  int different = 0;
  for (std::size_t i = 0; i < from.x.size(); ++i) {
    const bool same = bits_of_result(got.x[i]) == bits_of_result(expected.x[i]) &&
                      bits_of_result(got.y[i]) == bits_of_result(expected.y[i]) &&
                      got.random0[i] == expected.random0[i] &&
                      got.random1[i] == expected.random1[i];
    if (same || different++ > 0) continue;
    ADD_FAILURE() << view.name << ", " << isa << ": (" << from.x[i] << ", " << from.y[i] << ", "
                  << from.z[i] << ") is seen at (" << got.x[i] << ", " << got.y[i] << "), not ("
                  << expected.x[i] << ", " << expected.y[i] << ")";
  }
  EXPECT_EQ(different, 0) << view.name << ", " << isa;
}

TEST(DepthLanes, SeeThePlacesOfTheScalarFormAndDrawAsOften) {
  const Points points = hard_points();
  const std::vector<IsaCamera> cameras = cameras_of_every_isa();
  ASSERT_FALSE(cameras.empty());
  for (const NamedView& view : all_views()) {
    const Points expected = seen_one_by_one(view.view, points);
    EXPECT_EQ(expected.random0 != points.random0, view.view.draws_random()) << view.name;
    for (const IsaCamera& camera : cameras)
      expect_same(view, camera.isa, points, expected, seen_in_lanes(camera, view.view, points));
  }
}

/// The scalar form at the limits, by what is known of them: so the points above meet both sides.
TEST(DepthLanes, MeetTheLimitsOfTheCamera) {
  Random random{1, 2};
  const auto seen = [&](i32 projection, Real perspective, Real x, Real y, Real z) {
    return seen_at(straight(projection, perspective), x, y, z, random);
  };
  // the eye's own place is 2 in front of the plane
  EXPECT_EQ(seen(projection_plane, 0.5f, 1, 0, 2).x, 0x1p23f);
  EXPECT_EQ(seen(projection_stereo, 0.5f, 0, 0, 2).x, beyond_pictures);
  EXPECT_EQ(seen(projection_sphere, 0.5f, 0, 0, 2).x, 0);
  // straight up and straight down
  EXPECT_EQ(seen(projection_sphere, 0.5f, 0, 1, 2).y, 0.5f);
  EXPECT_EQ(seen(projection_sphere, 0.5f, 0, -1, 2).y, -0.5f);
  // behind: the seam is on the left, from both sides
  EXPECT_EQ(seen(projection_sphere, 0.5f, 0, 0, 4).x, -1);
  EXPECT_EQ(seen(projection_sphere, 0.5f, -0.0f, 0, 4).x, -1);
  EXPECT_EQ(seen(projection_dome, 0.5f, 1, 0, 4).x, beyond_pictures);
  // a dome's rim is inside, what is beyond it is not
  EXPECT_EQ(seen(projection_dome, 0, 1, 0, 0).x, 1);
  EXPECT_EQ(seen(projection_dome, 0, 1 + 0x1p-20f, 0, 0).x, beyond_pictures);
  // an eye's edge is outside, what is next to it is not
  EXPECT_EQ(seen(projection_stereo, 0.5f, 1, 0, 0).x, beyond_pictures);
  EXPECT_LT(std::fabs(seen(projection_stereo, 0.5f, std::nextafter(1.f, 0.f), 0, 0).x), 3);
}

/// Four xforms of which one leaves the plane, and what `change` makes of them.
Flame deep_flame(Projection projection, double perspective) {
  Flame flame = flame_over(240, 120, -2, -1, 60);
  flame.xforms.push_back(contraction(1, 0.5, 0.5, 0.5));
  for (const auto& [x, y] : {std::array{-0.5, 0.5}, {0.5, -0.5}, {-0.5, -0.5}})
    flame.xforms.push_back(contraction(1, 0.5, x, y));
  flame.xforms.push_back(xform_of("sphereblur", 0.5, {0.3, 0, 0, 0.3, 0.1, 0}));
  flame.depth_camera.projection = projection;
  flame.depth_camera.perspective = perspective;
  flame.depth_camera.pitch_rad = 0.4;
  flame.depth_camera.yaw_rad = -0.3;
  return flame;
}

/// The points are around the eye, not only in front of it.
TEST(DepthLanes, MakeOnePictureEverywhere) {
  for (const Projection projection :
       {Projection::plane, Projection::sphere, Projection::dome, Projection::stereo}) {
    for (const double blur : {0.0, 0.4}) {
      SCOPED_TRACE(fmt::format("projection {}, blur {}", int(projection), blur));
      Flame flame = deep_flame(projection, 0.9);
      flame.depth_camera.blur = blur;
      expect_one_picture_everywhere(flame);
    }
  }
}

TEST(DepthLanes, MakeOnePictureOfFlatFlamesAndFinalXforms) {
  for (const Projection projection : {Projection::sphere, Projection::dome}) {
    Flame flame = deep_flame(projection, 0);
    flame.final_xform = xform_of("curl3D", 1, {0.9, 0.1, -0.1, 0.9, 0.1, 0});
    flame.depth_camera.blur = 0.2;
    flame.depth_camera.blur_curve = 3;
    expect_one_picture_everywhere(flame);
  }
}

/// A camera that moves is one at each time sample.
TEST(DepthLanes, MakeOnePictureOfACameraThatMoves) {
  for (const Projection projection : {Projection::sphere, Projection::dome, Projection::stereo}) {
    const Moving moving(deep_flame(projection, 0.7), 16, [](Flame& flame, double t) {
      flame.depth_camera.yaw_rad = t;
      flame.depth_camera.z = -t;
      flame.depth_camera.blur = 0.1 + 0.2 * t;
    });
    const Histogram expected = play(*open_cpu(1), moving, 200'001);
    EXPECT_GT(expected.all_hits(), 20'000);
    for (const auto& device : open_every_arithmetic())
      EXPECT_TRUE(play(*device, moving, 200'001).sums == expected.sums) << device->describe();
  }
}

}  // namespace
}  // namespace kiln::test
