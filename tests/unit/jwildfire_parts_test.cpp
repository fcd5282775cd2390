// SPDX-License-Identifier: MIT
// The second of each part of JWildfire's flames: the second layer, final, point of a curve, use of a variation and flame
// of a file; and what kiln does not have of them, which is named.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "engine/animation/interpolate.h"
#include "engine/base/text.h"
#include "engine/flock/flock.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

const std::string xform = "<xform weight=\"1\" linear=\"1\"/>";
const std::string red = "<color index=\"0\" rgb=\"255 0 0\"/>",
                  green = "<color index=\"0\" rgb=\"0 255 0\"/>";

std::string flame(const std::string& inside, const std::string& attributes = "") {
  return "<flame version=\"JWildfire V7.30 (27.11.2021)\" size=\"8 8\" " + attributes + ">" +
         inside + "</flame>\n";
}
std::string layer(const std::string& inside, const std::string& attributes = "") {
  return "<layer " + attributes + ">" + inside + "</layer>";
}
std::string xform_with(const std::string& attributes) {
  return "<xform weight=\"1\" linear=\"1\" " + attributes + "/>";
}

std::vector<Flame> read_all(const std::string& xml, ReaderOptions options = {}) {
  options.approximate = true;
  return parse_flames("<flames>" + xml + "</flames>", "test.flame", options).flames;
}
Flame read(const std::string& xml, const ReaderOptions& options = {}) {
  return read_all(xml, options).at(0);
}
std::string missing(const std::string& xml) { return joined(missing_names(read(xml)), ", "); }

double weight_of(const Xform& one, const char* variation) {
  return one.variations[std::size_t(find_variation(variation).value())];
}

// ---- layers ----

TEST(JWildfireLayers, have_a_palette_each) {
  const Flame got = read(flame(layer(xform + red) + layer(xform + green, "weight=\"0.5\"")));
  ASSERT_EQ(got.palette.size(), 512u);
  EXPECT_EQ(got.palette[0], (Rgba{1, 0, 0, 1}));
  EXPECT_EQ(got.palette[256], (Rgba{0, 0.5, 0, 1}));
}

TEST(JWildfireLayers, say_what_the_second_lacks) {
  const std::string plain = layer(xform + red), final_one = "<finalxform linear=\"1\"/>";
  EXPECT_EQ(missing(flame(plain + layer(xform + final_one + red))),
            "finalxform of layer 2 of several");
  EXPECT_EQ(missing(flame(plain + layer(xform_with("dc_linear=\"1\"") + red))),
            "variation that colors of layer 2 of several");
  EXPECT_EQ(missing(flame(plain + layer(xform_with("oddness=\"1\"") + red))), "variation oddness");
  EXPECT_EQ(missing(flame(plain + layer(xform_with("color_type=\"TARGET\"") + red))),
            "color types in layers");
}

TEST(JWildfireLayers, that_stand_alone_keep_all_their_finals) {
  const Flame got =
      read(flame(layer(xform + "<finalxform linear=\"1\"/><finalxform linear=\"2\"/>" + red)));
  ASSERT_EQ(got.more_finals.size(), 1u);
  EXPECT_EQ(weight_of(got.more_finals[0], "linear"), 2);
  EXPECT_TRUE(got.missing.empty());
}

TEST(JWildfireLayers, leave_no_room_for_xforms_beside_them) {
  const std::string beside = xform + xform + "<finalxform linear=\"1\"/>";
  for (const int count : {1, 2}) {
    std::string layers;
    for (int i = 0; i < count; ++i) layers += layer(xform + red);
    for (const std::string& all : {beside + layers, layers + beside}) {
      EXPECT_EQ(missing(flame(all)), "xforms beside layers");
      const Flame got = read(flame(all));
      EXPECT_EQ(got.xforms.size(), std::size_t(count));
      EXPECT_FALSE(got.final_xform);
      EXPECT_EQ(got.xforms.back().chaos,
                (count == 1 ? std::vector<double>{} : std::vector<double>{0, 1}));
    }
  }
}

/// A palette of any length that is asked for is seen as a whole, also where 256 colors are all there is room for.
TEST(JWildfireLayers, and_color_types_have_all_of_a_long_palette) {
  ReaderOptions options;
  Palette halves;
  halves.assign(512, Rgba{1, 0, 0, 1});
  std::fill(halves.begin() + 256, halves.end(), Rgba{0, 0, 1, 1});
  options.palette = std::make_shared<const Palette>(halves);
  const Flame layers = read(flame(layer(xform) + layer(xform)), options);
  ASSERT_EQ(layers.palette.size(), 512u);
  for (const std::size_t first : {0, 256}) {
    EXPECT_EQ(layers.palette[first + 127], (Rgba{1, 0, 0, 1}));
    EXPECT_EQ(layers.palette[first + 128], (Rgba{0, 0, 1, 1}));
  }
  const Flame types = read(flame(xform_with("color_type=\"CYCLIC\"")), options);
  ASSERT_EQ(types.palette.size(), 256u);
  EXPECT_EQ(types.palette[127], (Rgba{1, 0, 0, 1}));
  EXPECT_EQ(types.palette[128], (Rgba{0, 0, 1, 1}));
}

TEST(JWildfireLayers, brighter_than_white_are_written_as_they_are) {
  const Flame got = read(flame(layer(xform + red, "weight=\"2.5\"")));
  EXPECT_EQ(got.palette[0].r, 2.5);
  EXPECT_EQ(read(genome_xml(got)).palette[0].r, 2.5);
}

TEST(JWildfireLayers, have_no_fog_over_their_colors) {
  const std::string fog = "cam_zdimish=\"0.5\" cam_pos_x=\"1\"";
  EXPECT_EQ(missing(flame(xform + red, fog)), "");
  EXPECT_EQ(missing(flame(layer(xform + red) + layer(xform + red), fog)),
            "cam_zdimish beside other colors");
}

// ---- several finals ----

TEST(JWildfireFinals, are_seen_whatever_opacity_they_say) {
  const Flame got = read(flame(xform +
                               "<finalxform linear=\"1\" opacity=\"0.5\"/>"
                               "<finalxform linear=\"1\" opacity=\"0.25\"/>" +
                               red));
  EXPECT_EQ(got.final_xform->opacity, 1);
  EXPECT_EQ(got.more_finals.at(0).opacity, 1);
}

TEST(JWildfireFinals, are_written_in_their_order) {
  std::string finals;
  for (const char* weight : {"1", "2", "3"})
    finals += std::string("<finalxform linear=\"") + weight + "\"/>";
  const Flame again = read(genome_xml(read(flame(xform + finals + red))));
  ASSERT_EQ(again.more_finals.size(), 2u);
  EXPECT_EQ(weight_of(again.more_finals[0], "linear"), 2);
  EXPECT_EQ(weight_of(again.more_finals[1], "linear"), 3);
}

/// What a flame of a file has is not the next one's.
TEST(JWildfireFinals, of_the_flame_before_are_not_counted) {
  const std::string one =
      flame(xform_with("color_type=\"CYCLIC\"") + "<finalxform linear=\"1\"/>" + red);
  for (const Flame& got : read_all(one + one)) {
    EXPECT_TRUE(got.missing.empty());
    EXPECT_EQ(got.xforms[0].staged.size(), 1u);
  }
}

TEST(JWildfireFinals, are_among_the_variations_in_use) {
  const std::vector<std::string> names =
      used_variations(read(flame(xform +
                                 "<finalxform linear=\"1\"/><finalxform spherical=\"1\" "
                                 "post_bubble=\"1\"/>" +
                                 red)));
  EXPECT_EQ(names, (std::vector<std::string>{"linear", "spherical", "post_bubble"}));
}

/// A key that has more of them than the next: what the next lacks does nothing, and leaves colors alone.
TEST(JWildfireFinals, that_one_key_lacks_do_nothing_there) {
  const std::string final_one = "<finalxform linear=\"1\" color=\"1\" color_type=\"DIFFUSION\"/>";
  std::vector<Flame> keys =
      read_all(flame(xform + final_one + final_one + red) + flame(xform + final_one + red));
  const std::vector<AlignedFlame> aligned = align(keys);
  ASSERT_EQ(aligned[1].flame.more_finals.size(), 1u);
  EXPECT_EQ(aligned[1].flame.more_finals[0].color_speed, 0);
  EXPECT_EQ(aligned[1].flame.more_finals[0].animate, 0);
  keys[1].time = 1;
  EXPECT_EQ(interpolate(keys, 0.5).more_finals.at(0).color_speed,
            keys[0].more_finals[0].color_speed / 2);
}

TEST(JWildfireFinals, go_to_the_children_together) {
  const std::string two = xform + xform;
  const Flame first = read(flame(two + red)),
              second =
                  read(flame(two + "<finalxform linear=\"2\"/><finalxform linear=\"3\"/>" + red));
  for (const auto how : {Breeding::unite, Breeding::alternate}) {
    int with_finals = 0;
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Flame child = bred(first, second, how, seed);
      EXPECT_EQ(child.final_xform.has_value(), child.more_finals.size() == 1) << seed;
      with_finals += child.final_xform.has_value();
    }
    EXPECT_GT(with_finals, 0);
  }
}

// ---- curves over the frames ----

/// A curve of these points that is on.
std::string curve(const std::string& property, const std::string& interpolation,
                  const std::vector<std::pair<double, double>>& points) {
  std::string text =
      fmt::format("{0}_enabled=\"true\" {0}_interpolation=\"{1}\" {0}_point_count=\"{2}\"",
                  property, interpolation, points.size());
  for (std::size_t i = 0; i < points.size(); ++i)
    text += fmt::format(" {0}_x{1}=\"{2}\" {0}_y{1}=\"{3}\"", property, i, points[i].first,
                        points[i].second);
  return text;
}

/// The brightness at a frame.
double at(int frame, const std::string& interpolation) {
  const std::string points =
      curve("brightnessCurve", interpolation, {{0, 1}, {10, 3}, {20, 2}, {30, 8}});
  return read(flame(xform + red, fmt::format("frame=\"{}\" ", frame) + points)).brightness;
}

TEST(JWildfireCurves, are_their_ends_beyond_them) {
  for (const char* interpolation : {"LINEAR", "SPLINE", "BEZIER"}) {
    EXPECT_EQ(at(-5, interpolation), 1) << interpolation;
    EXPECT_EQ(at(0, interpolation), 1) << interpolation;
    EXPECT_EQ(at(30, interpolation), 8) << interpolation;
    EXPECT_EQ(at(99, interpolation), 8) << interpolation;
  }
}

TEST(JWildfireCurves, go_through_or_near_their_points) {
  EXPECT_EQ(at(10, "LINEAR"), 3);
  EXPECT_EQ(at(15, "LINEAR"), 2.5);
  EXPECT_EQ(at(28, "LINEAR"), 6.8);
  EXPECT_NEAR(at(20, "SPLINE"), 2, 1e-9);
  // pieces of parabolas from the middle of a line to that of the next
  EXPECT_NEAR(at(15, "BEZIER"), 2.5, 1e-9);
  EXPECT_NEAR(at(20, "BEZIER"), (2.5 + 2 * 2 + 5) / 4, 1e-9);
  EXPECT_NEAR(at(25, "BEZIER"), 5, 1e-9);
}

TEST(JWildfireCurves, of_a_map_begin_with_the_one_that_stands_still) {
  const auto first = [](const std::string& attributes) {
    return read(flame("<xform weight=\"1\" linear=\"1\" " + attributes + "/>" + red)).xforms.at(0);
  };
  const std::string up = curve("xyPostCoeff21Curve", "LINEAR", {{0, 0.5}, {10, 0.5}});
  EXPECT_EQ(first(up).post, (AffineD{1, 0, 0, 1, 0, 0.5}));
  EXPECT_EQ(first(up + " post=\"2 0 0 2 7 7\"").post, (AffineD{2, 0, 0, 2, 7, 0.5}));
}

TEST(JWildfireCurves, that_are_too_many_are_named) {
  std::string all;
  for (const VariationInfo& variation : variations())
    for (const ParameterInfo& parameter : variation.parameters)
      if (std::count(all.begin(), all.end(), '\n') < 64)
        all += curve(parameter.name, "LINEAR", {{0, 1}}) + "\n";
  EXPECT_EQ(missing(flame(xform_with(all) + red)), "");
  all += curve("weightCurve", "LINEAR", {{0, 1}});
  EXPECT_EQ(missing(flame(xform_with(all) + red)), "more than 64 curves");
}

// ---- a variation that an xform uses twice ----

TEST(JWildfireForms, that_come_twice_are_added) {
  const Flame got =
      read(flame("<xform weight=\"1\" linear3D=\"0.5\" linear3D#1#=\"0.25\" spherical=\"1\" "
                 "spherical#1#=\"0.5\"/>" +
                 red));
  const Xform& one = got.xforms.at(0);
  EXPECT_EQ(weight_of(one, "linear"), 0.75);
  EXPECT_EQ(weight_of(one, "apophysis_zscale"), 0.75);
  EXPECT_EQ(weight_of(one, "spherical"), 1.5);
}

/// A circle of its weight: two are not one of twice the weight.
TEST(JWildfireForms, that_are_no_multiple_of_their_weight_stay_apart) {
  const Flame got =
      read(flame("<xform weight=\"1\" flipcircle=\"1\" flipcircle#1#=\"0.5\" "
                 "secant2=\"1\" secant2#1#=\"0.5\"/>" +
                 red));
  const Xform& one = got.xforms.at(0);
  EXPECT_EQ(weight_of(one, "flipcircle"), 1);
  EXPECT_EQ(weight_of(one, "secant2"), 1);
  ASSERT_EQ(one.staged.size(), 2u);
  EXPECT_EQ(one.staged[0].weight, 0.5);
}

TEST(JWildfireForms, that_come_twice_blend_each_with_its_own) {
  const auto key = [](const std::string& attributes) {
    return flame(xform_with("post_splits=\"1\" post_splits_x=\"1\" " + attributes) + red);
  };
  const std::string second = "post_splits#1#=\"1\" post_splits#1#_x=";
  std::vector<Flame> keys = read_all(key("") + key(second + "\"3\"") + key(second + "\"5\""));
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k].time = double(k);
  const Flame fades = interpolate(keys, 0.5), blends = interpolate(keys, 1.5);
  ASSERT_EQ(fades.xforms[0].staged.size(), 2u);
  EXPECT_EQ(fades.xforms[0].staged[1].weight, 0.5);
  EXPECT_EQ(fades.xforms[0].staged[1].parameters[0], 3);
  EXPECT_EQ(blends.xforms[0].staged[0].parameters[0], 1);
  EXPECT_EQ(blends.xforms[0].staged[1].parameters[0], 4);
}

}  // namespace
}  // namespace kiln
