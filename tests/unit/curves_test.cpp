// SPDX-License-Identifier: MIT
// Curves of brightness: Fractorium's against values of its library, Apophysis' against the formula,
// how files write them, and the way from key to key.
#include "engine/model/curves.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <sstream>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/render/stages/curves/curves_stage.h"
#include "engine/render/stages/output_plan.h"
#include "kernels/curves.h"
#include "tests/places.h"

namespace kiln {
namespace {

Flame read(const std::string& attributes) {
  return parse_flames("<flame size=\"8 8\" " + attributes +
                          "><xform weight=\"1\" linear=\"1\"/><color index=\"0\" rgb=\"1 2 3\"/>"
                          "</flame>",
                      "test.flame", {})
      .flames.at(0);
}

/// Value of a curve at x, from a table so fine that x is in it.
double value_at(CurveKind kind, const CurvePoints& points, double x) {
  constexpr int steps = 100;
  return double(curve_table(kind, points, steps + 1)[std::size_t(std::lround(x * steps))]);
}

CurvePoints points_of(std::istream& numbers) {
  CurvePoints points;
  for (CurvePoint point; numbers >> point.x >> point.y;) points.push_back(point);
  return points;
}

TEST(Curves, are_those_of_fractorium) {
  std::ifstream file(std::string(source_dir()) + "/tests/unit/curves.tsv");
  CurvePoints points;
  int values = 0;
  for (std::string line, word; std::getline(file, line);) {
    std::istringstream words(line);
    words >> word;
    if (word == "points") {
      points = spline_points(points_of(words));
    } else if (word == "value") {
      double x, y;
      words >> x >> y;
      EXPECT_NEAR(value_at(CurveKind::spline, points, x), y, 2e-7) << line;
      ++values;
    }
  }
  EXPECT_EQ(values, 65);
}

TEST(Curves, of_apophysis_go_by_t_alone) {
  const CurvePoints straight = {{0.3, 0}, {0.9, 1 / 3.0}, {0.1, 2 / 3.0}, {0.5, 1}};
  const CurvePoints heavy = {{0, 0.2}, {0, 0.4, 3}, {1, 0.9, 0.5}, {1, 1}};
  for (double t : {0.0, 0.25, 0.5, 1.0}) {
    EXPECT_NEAR(value_at(CurveKind::bezier, straight, t), t, 1e-7);
    const double s = 1 - t, b[4] = {s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t};
    const double expected = (b[0] * 0.2 + 3 * b[1] * 0.4 + 0.5 * b[2] * 0.9 + b[3]) /
                            (b[0] + 3 * b[1] + 0.5 * b[2] + b[3]);
    EXPECT_NEAR(value_at(CurveKind::bezier, heavy, t), expected, 1e-7) << t;
  }
}

TEST(Curves, that_are_the_identity_are_none) {
  for (const char* same :
       {"overall_curve=\"0 0 0.25 0.25 0.5 0.5 0.75 0.75 1 1\"", "red_curve=\"0 0 0 0 1 1 1 1\"",
        "green_curve=\"0 0 1 1\"", "blue_curve=\"1 1 0 0\"", "overall_curve=\"\"",
        "overall_curve=\"0.5 0.25\"",
        "version=\"Apophysis 7X\" curves=\"0 0 1 0 0 1 1 1 1 1 1 1 "
        "0 0 1 0 0 1 1 1 1 1 1 1 0 0 1 0 0 1 1 1 1 1 1 1 0 0 1 0 0 1 1 1 1 1 1 1\""}) {
    EXPECT_TRUE(read(same).curves.empty()) << same;
  }
  EXPECT_FALSE(read("overall_curve=\"0.1 0.1 1 1\"").curves.empty());
}

TEST(Curves, take_points_as_fractorium_does) {
  const CurvePoints sorted = spline_points({{0.5, 0.8}, {0, 0}, {2, 1}, {0.5, 0.1}, {-1, 0.2}});
  const CurvePoints expected = {{0, 0}, {0.5, 0.8}, {1, 1}};
  EXPECT_EQ(sorted, expected);
  const CurvePoints corners = spline_points({{0, 0}, {0, 0}, {1, 1}, {1, 1}, {0.5, 0.7}});
  const CurvePoints moved = {{0, 0}, {0.25, 0.25}, {0.5, 0.7}, {0.75, 0.75}, {1, 1}};
  EXPECT_EQ(corners, moved);
}

const std::string bent = "0 0 1 0.2 0.7 1 0.6 1 2 1 1 1 ";
const std::string straight = "0 0 1 0 0 1 1 1 1 1 1 1 ";
const std::string all_bent = "curves=\"" + bent + straight + straight + bent + "\"";

TEST(Curves, of_the_old_attribute_mean_what_the_program_means) {
  const Flame apophysis = read("version=\"Apophysis 7X\" " + all_bent);
  EXPECT_EQ(apophysis.curves.at(0).curves.kind, CurveKind::bezier);
  EXPECT_EQ(apophysis.curves[0].curves.curves[3][2].weight, 2);
  EXPECT_TRUE(apophysis.curves[0].curves.curves[1].empty());
  const Flame ember = read("version=\"EMBER-1\" " + all_bent);
  EXPECT_EQ(ember.curves.at(0).curves.kind, CurveKind::spline);
  EXPECT_EQ(ember.curves[0].curves.curves[0].size(), 4u);
  const Flame later = read("version=\"EMBER-1\" " + all_bent + " red_curve=\"0 0.5 1 1\"");
  EXPECT_EQ(later.curves.at(0).curves.curves[1].size(), 2u);
  EXPECT_EQ(later.curves.at(0).curves.curves[3].size(), 4u);
}

TEST(Curves, are_written_as_they_were_read) {
  for (const std::string& attributes :
       {"version=\"Apophysis 7X\" " + all_bent, "version=\"EMBER-1\" " + all_bent,
        std::string("overall_curve=\"0 0 0.3 0.6 1 1\" blue_curve=\"0 0.1 1 1\"")}) {
    const Flame flame = read(attributes);
    const Flame again = parse_flames(genome_xml(flame), "again.flam3", {}).flames.at(0);
    EXPECT_FALSE(flame.curves.empty()) << attributes;
    EXPECT_EQ(again.curves, flame.curves) << attributes;
  }
}

TEST(Curves, go_through_the_one_of_all_channels_first) {
  const Flame flame = read("overall_curve=\"0 1 1 0\" red_curve=\"0 0 0.5 0.5 1 0.5\"");
  const std::vector<float> tables = plan_curves(flame.curves);
  ASSERT_EQ(tables.size(), 3u * curve_steps);
  const CurvePoints red = flame.curves.at(0).curves.curves[1];
  const double expected = value_at(CurveKind::spline, red, 0.75);
  EXPECT_NEAR(double(tables[curve_steps / 4]), expected, 1e-4);
  EXPECT_NEAR(double(tables[curve_steps + curve_steps / 4]), 0.75, 1e-4);
  for (float value : tables) ASSERT_TRUE(value >= 0 && value <= 1);
  EXPECT_TRUE(plan_curves({}).empty());
}

TEST(Curves, between_keys_are_the_mix_of_their_tables) {
  Flame one = read("time=\"0\" overall_curve=\"0 0 0.5 0.9 1 1\""), two = read("time=\"1\"");
  const Flame three = read("time=\"2\" red_curve=\"0 1 1 0\"");
  const Flame between = interpolate({one, two}, 0.25);
  const std::vector<float> tables = plan_curves(between.curves), of_one = plan_curves(one.curves);
  for (int i = 0; i < curve_steps; i += 997) {
    const double same = double(i) / (curve_steps - 1);
    EXPECT_NEAR(double(tables[std::size_t(i)]), 0.75 * double(of_one[std::size_t(i)]) + 0.25 * same,
                3e-5);
  }
  const Flame again = parse_flames(genome_xml(between), "again.flam3", {}).flames.at(0);
  EXPECT_EQ(again.curves, between.curves);
  EXPECT_EQ(interpolate({one, two}, 0).curves, one.curves);
  EXPECT_TRUE(interpolate({two, read("time=\"2\"")}, 1.5).curves.empty());
  EXPECT_EQ(interpolate({one, two, three}, 1.5).curves.size(), 2u);
}

TEST(Curves, that_are_wrong_are_refused_by_name) {
  const auto refusal = [](const std::string& attribute) -> std::string {
    try {
      read(attribute);
    } catch (const Error& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal("red_curve=\"0 0 1\""),
            "test.flame:1: flame: red_curve=\"0 0 1\": must be pairs of numbers: x y x y ...");
  EXPECT_NE(refusal("curves=\"1 2 3\"").find("has 3 numbers; a curve is four points x y weight"),
            std::string::npos);
  EXPECT_NE(refusal("kiln_curves=\"1 cubic\"").find("neither spline nor bezier"),
            std::string::npos);
  EXPECT_NE(refusal("kiln_curves=\"1 spline 2 0 0\"").find("ends in the middle"),
            std::string::npos);
  EXPECT_NE(refusal("kiln_curves=\"1 spline -1\"").find("0 to 4096 points"), std::string::npos);
  EXPECT_NE(refusal("kiln_curves=\"1 bezier 1 0 0 1 0 0 0\"").find("4 points"), std::string::npos);
}

}  // namespace
}  // namespace kiln
