// SPDX-License-Identifier: MIT
// pre_, regular and post_ forms, depth and direct color, on every device against what the library of
// Fractorium printed (plugin_forms.txt, made by scripts/make_plugin_vectors.py), and their names.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include "engine/io/flame/dialect.h"
#include "engine/model/variations.h"
#include "engine/program/compile.h"
#include "kernels/lane_run.h"
#include "tests/devices.h"
#include "tests/evaluate_xforms.h"
#include "tests/places.h"

namespace kiln::test {
namespace {

std::vector<std::string> parts_of(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}
std::vector<double> numbers_of(const std::string& text) {
  std::vector<double> values;
  if (text == "-") return values;
  for (const std::string& part : parts_of(text, ',')) values.push_back(std::stod(part));
  return values;
}
AffineD affine_of(const std::string& text) {
  const std::vector<double> m = numbers_of(text);
  return {m.at(0), m.at(1), m.at(2), m.at(3), m.at(4), m.at(5)};
}

struct FormRow {
  std::string line, names;
  Xform xform;
  ExtendedPoint at;
  std::array<double, 4> out, spread;  // x y z color
};

/// The chain as the reader stages it: regular ones too, so that their order is the file's.
void add_forms(const std::string& chain, FormRow& row) {
  bool pre = false, regular = false;
  for (const std::string& form : parts_of(chain, '/')) {
    const std::vector<std::string> fields = parts_of(form, ':');
    const Stage stage = Stage(std::stoi(fields.at(0)));
    const int variation = std::stoi(fields.at(1));
    row.names += (row.names.empty() ? "" : " ") + form_name(stage, variation);
    row.xform.staged.push_back({stage, variation, std::stod(fields.at(2)),
                                numbers_of(fields.size() > 3 ? fields[3] : "-")});
    pre |= stage == Stage::pre;
    regular |= stage == Stage::regular;
  }
  if (pre && !regular) row.xform.variations[0] = 1;
}

FormRow form_row(const std::string& line) {
  const std::vector<std::string> f = parts_of(line, ' ');
  FormRow row{line, "", {}, {}, {}, {}};
  row.xform.weight = 1;
  row.xform.variations.assign(std::size_t(variation_count()), 0.0);
  row.xform.parameters = default_parameters();
  row.xform.coefs = affine_of(f.at(1));
  row.xform.post = affine_of(f.at(2));
  row.xform.color_speed = std::stod(f.at(4));
  row.xform.color = std::stod(f.at(5));
  row.xform.direct_color = std::stod(f.at(6));
  row.at = {std::stof(f.at(7)), std::stof(f.at(8)), std::stof(f.at(9)), std::stof(f.at(3))};
  add_forms(f.at(10), row);
  for (std::size_t i = 0; i < 4; ++i) {
    row.out[i] = std::stod(f.at(11 + i));
    row.spread[i] = std::stod(f.at(15 + i));
  }
  return row;
}

const std::vector<FormRow>& form_rows() {
  static const std::vector<FormRow> rows = [] {
    std::vector<FormRow> read;
    std::ifstream file(std::string(source_dir()) + "/tests/variations/plugin_forms.txt");
    for (std::string line; std::getline(file, line);)
      if (line.starts_with("form ")) read.push_back(form_row(line));
    return read;
  }();
  return rows;
}

/// As of single variations, with more operations on the way: variations_test.cpp.
double tolerance(double out, double spread) {
  return 24 * std::numeric_limits<float>::epsilon() * (std::abs(out) + spread) + 1e-12;
}

TEST_ON_EVERY_DEVICE(PluginForms, AreWhatEmberMakesOfThem) {
  ASSERT_GT(form_rows().size(), 1500u);
  constexpr std::size_t at_once = 200;
  std::map<std::string, double> worst;  // of each chain: error over tolerance
  for (std::size_t first = 0; first < form_rows().size(); first += at_once) {
    const std::size_t count = std::min(at_once, form_rows().size() - first);
    Flame flame;
    flame.depth_camera.pitch_rad = 0.1;  // so that depth is kept
    std::vector<std::vector<ExtendedPoint>> points;
    for (std::size_t i = 0; i < count; ++i) {
      flame.xforms.push_back(form_rows()[first + i].xform);
      points.push_back({form_rows()[first + i].at});
    }
    const std::vector<std::vector<Random>> generators(count, {Random{1, 2}});
    const auto results = evaluate_xforms(device, flame, points, generators);
    for (std::size_t i = 0; i < count; ++i) {
      const FormRow& row = form_rows()[first + i];
      const EvaluatedPoint& point = results[i][0];
      const std::array<double, 4> got = {point.x, point.y, point.z, point.color};
      for (std::size_t k = 0; k < 4; ++k) {
        const double error = std::abs(got[k] - row.out[k]),
                     limit = tolerance(row.out[k], row.spread[k]);
        EXPECT_LE(error, limit) << row.names << ": coordinate " << k << " is " << got[k] << "\n  "
                                << row.line;
        worst[row.names] = std::max(worst[row.names], error / limit);
      }
    }
  }
  EXPECT_GT(worst.size(), 120u);
}

TEST_ON_EVERY_DEVICE(PluginForms, CircleCropTakesTheSumWithIt) {
  for (const auto& [name, expected] : {std::pair{"circlecrop", 0.0f}, {"ember_circlecrop", 2.0f}}) {
    const int variation = find_variation(name).value();
    Flame flame;
    flame.xforms.push_back(form_row("form 1,0,0,1,0,0 1,0,0,1,0,0 0 0 0 1 0 0 0 0:0:1:- "
                                    "0 0 0 0 0 0 0 0")
                               .xform);
    flame.xforms[0].staged.push_back({Stage::regular, variation, 1, {1, 0, 0, 0, 1}});
    flame.xforms[0].staged.push_back({Stage::regular, find_variation("twoface").value(), 1, {}});
    const auto results = evaluate_xforms(
        device, flame, std::vector<std::vector<ExtendedPoint>>{{{2, 0, 0, 0}}}, {{Random{1, 2}}});
    EXPECT_EQ(results[0][0].x, expected + 0.5f) << name;
  }
}

/// Apophysis' pre_ and post_ forms of blurs and crops leave depth alone; Ember's times the weight.
TEST_ON_EVERY_DEVICE(PluginForms, OfApophysisLeaveDepthAlone) {
  const auto depth_of = [&](const char* name, Stage stage) {
    const int variation = find_variation(name).value();
    Flame flame;
    flame.depth_camera.pitch_rad = 0.1;
    flame.xforms.push_back(
        form_row("form 1,0,0,1,0,0 1,0,0,1,0,0 0 0 0 1 0 0 0 0:0:1:- 0 0 0 0 0 0 0 0").xform);
    const VariationInfo& info = variations().at(std::size_t(variation));
    std::vector<double> usual;
    for (const ParameterInfo& parameter : info.parameters) usual.push_back(parameter.default_value);
    flame.xforms[0].staged.push_back({stage, variation, 0.5, usual});
    return evaluate_xforms(device, flame, {{ExtendedPoint{0.3f, 0.2f, 0.4f, 0}}},
                           {{Random{1, 2}}})[0][0]
        .z;
  };
  for (const Stage stage : {Stage::pre, Stage::post}) {
    EXPECT_EQ(depth_of("apophysis_crop", stage), 0.4f);
    EXPECT_EQ(depth_of("crop", stage), 0.2f);
    EXPECT_EQ(depth_of("apophysis_gaussian_blur", stage), 0.4f);
    EXPECT_FLOAT_EQ(depth_of("gaussian_blur", stage), 0.6f);
  }
}

/// In double it has its limits from some 40 to 709, where exp ends; exp of float ends at 88.
TEST_ON_EVERY_DEVICE(PluginForms, Foci3DReachesAsFarAsDouble) {
  Flame flame;
  flame.xforms.push_back(
      form_row("form 1,0,0,1,0,0 1,0,0,1,0,0 0 0 0 1 0 0 0 0:0:1:- 0 0 0 0 0 0 0 0").xform);
  flame.xforms[0].staged = {{Stage::regular, find_variation("foci_3D").value(), 0.75, {}}};
  const auto at = [&](float x, float y, float z) {
    return evaluate_xforms(device, flame, {{ExtendedPoint{x, y, z, 0}}}, {{Random{1, 2}}})[0][0];
  };
  for (const float x : {50.0f, 80.5f, 88.5f, 100.0f, 709.0f}) {
    for (const float side : {-1.0f, 1.0f}) {
      const auto got = at(side * x, 1, 2);
      EXPECT_FLOAT_EQ(got.x, side * 0.75f) << x;
      EXPECT_NEAR(got.y, 0, 1e-16) << x;
      EXPECT_NEAR(got.z, 0, 1e-16) << x;
    }
  }
  EXPECT_TRUE(std::isnan(at(710, 1, 2).x));
  EXPECT_EQ(at(0, 0, 0).x, 0);  // the pole itself
}

/// Of formulas that look at depth: the rows of vectors.txt have z = 0.
TEST_ON_EVERY_DEVICE(PluginForms, OfPublishedMapsHaveDepth) {
  Flame flame;
  flame.depth_camera.pitch_rad = 0.1;
  const auto add = [&](const char* name, const std::vector<double>& parameters) {
    Xform xform =
        form_row("form 1,0,0,1,0,0 1,0,0,1,0,0 0 0 0 1 0 0 0 0:0:1:- 0 0 0 0 0 0 0 0").xform;
    xform.staged = {{Stage::regular, find_variation(name).value(), 0.5, parameters}};
    flame.xforms.push_back(xform);
  };
  add("ovoid3D", {2, 3, 5});
  add("square3D", {});
  const ExtendedPoint at{0.5f, -0.25f, 0.75f, 0};
  const auto results =
      evaluate_xforms(device, flame, {{at}, {at}}, {{Random{1, 2}}, {Random{3, 4}}});
  const double size = 0.5 / (0.25 + 0.0625 + 0.5625);
  EXPECT_NEAR(results[0][0].x, size * 1, 1e-6);
  EXPECT_NEAR(results[0][0].y, size * -0.75, 1e-6);
  EXPECT_NEAR(results[0][0].z, size * 3.75, 1e-6);
  Random draws{3, 4};
  for (const float got : {results[1][0].x, results[1][0].y, results[1][0].z})
    EXPECT_FLOAT_EQ(got, (draws.uniform() - 0.5f) * 0.5f);
}

// ---- the camera ----

struct ViewRow {
  std::string line;
  DepthCamera camera;
  double half_width, half_height;
  double x, y, z;
  std::array<double, 2> draws, out;
};

std::vector<ViewRow> view_rows() {
  std::vector<ViewRow> rows;
  std::ifstream file(std::string(source_dir()) + "/tests/variations/plugin_forms.txt");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("view ")) continue;
    std::vector<double> v;
    for (const std::string& field : parts_of(line.substr(5), ' ')) v.push_back(std::stod(field));
    rows.push_back({line,
                    {v.at(0), v.at(1), v.at(2), v.at(3), v.at(4), v.at(5)},
                    v.at(6),
                    v.at(7),
                    v.at(8),
                    v.at(9),
                    v.at(10),
                    {v.at(11), v.at(12)},
                    {v.at(13), v.at(14)}});
  }
  return rows;
}

/// Ember's camera in double.
std::array<double, 2> seen(const ViewRow& row, const std::array<double, 2>& draws) {
  const DepthCamera& c = row.camera;
  const double sin_p = std::sin(c.pitch_rad), cos_p = std::cos(c.pitch_rad),
               sin_q = std::sin(c.yaw_rad), cos_q = std::cos(c.yaw_rad), height = row.z - c.z;
  const double across = row.x * cos_q + row.y * sin_q, h = row.y * cos_q - row.x * sin_q;
  const double up = h * cos_p - height * sin_p, toward = h * sin_p + height * cos_p;
  const double over = 1 / (1 - c.perspective * toward);
  const double d = 10 * std::hypot(across / row.half_width, up / row.half_height);
  const double m = c.blur_curve == 0 ? 1 : d * d / (4 * c.blur_curve);
  const double k = draws[1] * 0.1 * c.blur * m * toward, t = 2 * M_PI * draws[0];
  return {(across + k * std::cos(t)) * over, (up + k * std::sin(t)) * over};
}

TEST(DepthCamera, IsEmbers) {
  const std::vector<ViewRow> rows = view_rows();
  ASSERT_EQ(rows.size(), 32u);
  for (const ViewRow& row : rows) {
    const auto expected = seen(row, row.draws);
    EXPECT_NEAR(expected[0], row.out[0], 1e-8) << row.line;
    EXPECT_NEAR(expected[1], row.out[1], 1e-8) << row.line;
  }
}

/// A plot area whose visible part is 2 half_width wide and 2 half_height high.
TEST(DepthCamera, OfKernelsIsTheSame) {
  for (const ViewRow& row : view_rows()) {
    Flame flame;
    flame.scale = 1000;
    flame.width = int(std::lround(2000 * row.half_width));
    flame.height = int(std::lround(2000 * row.half_height));
    flame.depth_camera = row.camera;
    flame.xforms.resize(1);
    flame.xforms[0].weight = 1;
    flame.xforms[0].variations.assign(std::size_t(variation_count()), 0.0);
    flame.xforms[0].variations[0] = 1;
    flame.xforms[0].parameters = default_parameters();
    const CompiledFlame compiled = compile(flame, PlotArea{1, 0, flame.width, flame.height});
    const bool tilted =
        row.camera.pitch_rad != 0 || row.camera.perspective != 0 || row.camera.blur != 0;
    ASSERT_EQ(compiled.views.size(), tilted ? 1u : 0u) << row.line;
    if (!tilted) continue;  // below
    Random random{12345, 67890}, same = random;
    const double turn = same.uniform(), radius = same.uniform();
    const Vec2 got = seen_at(compiled.views[0], float(row.x), float(row.y), float(row.z), random);
    const auto expected = seen(row, {turn, radius});
    EXPECT_NEAR(got.x, expected[0], 2e-6 * (1 + std::abs(expected[0]))) << row.line;
    EXPECT_NEAR(got.y, expected[1], 2e-6 * (1 + std::abs(expected[1]))) << row.line;
  }
}

TEST(DepthCamera, ThatOnlyTurnsIsAFlatOne) {
  Flame flame = {};
  flame.xforms.resize(1);
  flame.xforms[0].weight = 1;
  flame.xforms[0].variations.assign(std::size_t(variation_count()), 0.0);
  flame.xforms[0].variations[0] = 1;
  flame.xforms[0].parameters = default_parameters();
  flame.depth_camera.yaw_rad = 0.5;
  flame.depth_camera.z = 3;
  const CompiledFlame turned = compile(flame, PlotArea{1, 0, 100, 100});
  EXPECT_TRUE(turned.views.empty());
  EXPECT_FALSE(turned.program.extended);
  const Affine& m = turned.cameras.at(0);
  EXPECT_NEAR(m.a, 50 * std::cos(0.5), 1e-4);
  EXPECT_NEAR(m.b, 50 * std::sin(0.5), 1e-4);
}

// ---- names ----

TEST(PluginNames, AreFoundInAnyLettersAndByOtherNames) {
  const auto found = [](const char* name) {
    const auto form = find_form(name);
    return form ? form_name(form->stage, form->variation) : "";
  };
  EXPECT_EQ(found("swirl"), "swirl");
  EXPECT_EQ(found("Mobius"), "mobius");
  EXPECT_EQ(found("CURL3d"), "curl3D");
  EXPECT_EQ(found("spherical3D"), "Spherical3D");
  EXPECT_EQ(found("spherical"), "spherical");
  EXPECT_EQ(found("linear3D"), "linear");
  EXPECT_EQ(found("pre_bwraps7"), "pre_bwraps");
  EXPECT_EQ(found("post_scrop"), "post_smartcrop");
  EXPECT_EQ(found("pre_gaussian_blur"), "pre_blur");
  EXPECT_EQ(found("pre_blur"), "pre_blur");
  const auto others = [](const char* name) { return other_names(*find_variation(name)); };
  EXPECT_EQ(others("blur"), std::vector<std::string>{});
  EXPECT_EQ(others("pre_blur"), std::vector<std::string>{"pre_gaussian_blur"});
  EXPECT_EQ(others("rotate_z"), (std::vector<std::string>{"pre_spin_z", "post_spin_z"}));
  EXPECT_EQ(found("post_spin_z"), "post_rotate_z");
  EXPECT_EQ(found("post_zscale_wf"), "post_zscale");
  EXPECT_EQ(found("pre_zclear"), "pre_flatten");
  EXPECT_EQ(found("conic2"), "conic");
  EXPECT_EQ(found("Z_flower"), "flower");
  EXPECT_EQ(found("pre_swirl"), "pre_swirl");
  EXPECT_EQ(found("post_disc2"), "post_disc2");
  for (const char* none : {"", "pre_", "post_", "pre_post_swirl", "spin_z", "weight", "juliaN5"})
    EXPECT_EQ(found(none), "") << none;
}

TEST(PluginNames, OfParametersToo) {
  const auto found = [](const char* name) {
    const auto p = find_form_parameter(name);
    return p ? form_parameter_name(p->stage, p->variation, p->parameter) : "";
  };
  EXPECT_EQ(found("blob_low"), "blob_low");
  EXPECT_EQ(found("Mobius_Re_A"), "mobius_re_a");
  EXPECT_EQ(found("Im_D"), "mobius_im_d");
  EXPECT_EQ(found("pre_bwraps7_gain"), "pre_bwraps_gain");
  EXPECT_EQ(found("post_crop_left"), "post_crop_left");
  EXPECT_EQ(found("nb_numedges"), "nBlur_numEdges");
  EXPECT_EQ(found("pow_numerator"), "pow_block_numerator");
  EXPECT_EQ(found("sshape_power"), "smartshape_power");
  EXPECT_EQ(found("radial_gaussian_angle"), "radial_blur_angle");
  EXPECT_EQ(found("oscope_damping"), "oscilloscope_damping");
  EXPECT_EQ(found("bubble_x"), "bubble2_x");
  EXPECT_EQ(found("pr_b1"), "projective_B1");
  EXPECT_EQ(found("cs_split"), "circlesplit_split");
  EXPECT_EQ(found("pre_lt_powy"), "pre_linearT_powY");
  EXPECT_EQ(found("d_spher_weight"), "d_spherical_weight");
  EXPECT_EQ(found("conic2_holes"), "conic_holes");
  EXPECT_EQ(found("swirl"), "");
  EXPECT_EQ(found("pre_swirl"), "");
}

TEST(PluginNames, DefaultsOfOtherProgramsAreTheirs) {
  const auto value = [](Dialect dialect, const char* name) {
    return default_parameters(dialect).at(std::size_t(find_parameter(name).value()));
  };
  EXPECT_EQ(value(Dialect::flam3, "mobius_re_a"), 0);
  EXPECT_EQ(value(Dialect::apophysis, "mobius_re_a"), 1);
  EXPECT_EQ(value(Dialect::fractorium, "auger_freq"), 5);
  EXPECT_EQ(value(Dialect::fractorium, "curl_c1"), value(Dialect::flam3, "curl_c1"));
}

}  // namespace
}  // namespace kiln::test
