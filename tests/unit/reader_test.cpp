// SPDX-License-Identifier: MIT
// What the reader makes of flam3 files: every attribute and legacy spelling, palettes, symmetry,
// xaos, documents. Expected values are from the format's description and were compared with
// flam3-genome 3.1.1 where marked.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <clocale>
#include <cmath>
#include <cstdio>
#include <functional>
#include <locale>
#include <string>
#include <vector>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/flame/palette_library.h"
#include "engine/io/flame/xform_reader.h"
#include "engine/model/palette.h"
#include "engine/model/variations.h"
#include "tests/places.h"

namespace kiln {
namespace {

const std::string library_file = std::string(source_dir()) + "/tests/unit/bad/library.xml";
const std::string color = R"(<color index="0" rgb="1 2 3"/>)";
const std::string linear = R"(<xform weight="1" linear="1"/>)";

struct Reading {
  FlameFile file;
  std::vector<std::string> warnings;
};

Reading read(const std::string& xml, ReaderOptions options = {}) {
  Reading reading;
  options.warn = [&](const std::string& text) { reading.warnings.push_back(text); };
  if (options.palettes_file.empty()) options.palettes_file = library_file;
  reading.file = parse_flames(xml, "test.flam3", options);
  return reading;
}

Flame read_one(const std::string& xml) {
  const Reading reading = read(xml);
  EXPECT_EQ(reading.warnings, std::vector<std::string>{}) << xml;
  return reading.file.flames.at(0);
}

Flame with_attributes(const std::string& attributes) {
  return read_one("<flame " + attributes + ">" + linear + color + "</flame>");
}

Flame with_children(const std::string& children) {
  return read_one("<flame size=\"8 8\">" + children + "</flame>");
}

Xform xform_with(const std::string& attributes) {
  return with_children("<xform weight=\"1\" " + attributes + "/>" + color).xforms.at(0);
}

std::string error_of(const std::string& xml, ReaderOptions options = {}) {
  try {
    read(xml, options);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

double weight_of(const XformValues& x, const char* variation) {
  return x.variations.at(std::size_t(find_variation(variation).value()));
}
double parameter_of(const XformValues& x, const char* parameter) {
  return x.parameters.at(std::size_t(find_parameter(parameter).value()));
}

void expect_color(const Rgba& got, const Rgba& expected, double tolerance = 1e-15) {
  EXPECT_NEAR(got.r, expected.r, tolerance);
  EXPECT_NEAR(got.g, expected.g, tolerance);
  EXPECT_NEAR(got.b, expected.b, tolerance);
  EXPECT_NEAR(got.a, expected.a, tolerance);
}

// ---- <flame> ----

TEST(Reader, flame_defaults_are_those_of_flam3) {
  const Flame f = with_attributes(R"(version="FLAM3-LNX-3.1.1")");
  EXPECT_EQ(f.width, 100);
  EXPECT_EQ(f.height, 100);
  EXPECT_EQ(f.scale, 50);
  EXPECT_EQ(f.quality, 1);
  EXPECT_EQ(f.filter_radius_px, 0.5);
  EXPECT_EQ(f.temporal_samples, 1000);
  EXPECT_EQ(f.brightness, 4);
  EXPECT_EQ(f.gamma, 4);
  EXPECT_EQ(f.highlight_power, -1);
  EXPECT_EQ(f.vibrancy, 1);
  EXPECT_EQ(f.gamma_threshold, 0.01);
  EXPECT_EQ(f.estimator_radius, 9);
  EXPECT_EQ(f.estimator_minimum, 0);
  EXPECT_EQ(f.estimator_curve, 0.4);
  EXPECT_EQ(f.palette_mode, PaletteMode::step);
  EXPECT_EQ(f.interpolation_type, InterpolationType::log);
  EXPECT_EQ(f.palette_interpolation, PaletteInterpolation::hsv_circular);
  EXPECT_EQ(f.line, 1);
  EXPECT_EQ(f.source, "test.flam3");
}

TEST(Reader, every_number_of_flame) {
  const Flame f = with_attributes(
      R"(time="7.5" size=" 640 480 " center="0.25 -1e-3" scale="240" zoom="1.5" rotate="-30" supersample="2" filter="1.25"
         temporal_filter_width="0.8" temporal_filter_exp="0.3" quality="+12.5" passes="3" temporal_samples="64"
         background="0.1 .2 1" brightness="3" gamma="2.2" highlight_power="1.5 of many" vibrancy="0.5" hue="-1.25"
         estimator_radius="11" estimator_minimum="2" estimator_curve="0.6" gamma_threshold="0.02"
         hsv_rgb_palette_blend="0.4")");
  EXPECT_EQ(f.time, 7.5);
  EXPECT_EQ(f.width, 640);
  EXPECT_EQ(f.height, 480);
  EXPECT_EQ(f.center_x, 0.25);
  EXPECT_EQ(f.center_y, -0.001);
  EXPECT_EQ(f.scale, 240);
  EXPECT_EQ(f.zoom, 1.5);
  EXPECT_EQ(f.rotate_deg, -30);
  EXPECT_EQ(f.supersample, 2);
  EXPECT_EQ(f.filter_radius_px, 1.25);
  EXPECT_EQ(f.temporal_filter_width, 0.8);
  EXPECT_EQ(f.temporal_filter_exp, 0.3);
  EXPECT_EQ(f.quality, 12.5);
  EXPECT_EQ(f.passes, 3);
  EXPECT_EQ(f.temporal_samples, 64);
  EXPECT_EQ(f.background, (std::array<double, 3>{0.1, 0.2, 1}));
  EXPECT_EQ(f.brightness, 3);
  EXPECT_EQ(f.gamma, 2.2);
  EXPECT_EQ(f.highlight_power, 1.5);
  EXPECT_EQ(f.vibrancy, 0.5);
  EXPECT_EQ(f.hue, -0.25);
  EXPECT_EQ(f.estimator_radius, 11);
  EXPECT_EQ(f.estimator_minimum, 2);
  EXPECT_EQ(f.estimator_curve, 0.6);
  EXPECT_EQ(f.gamma_threshold, 0.02);
  EXPECT_EQ(f.hsv_rgb_palette_blend, 0.4);
}

TEST(Reader, every_word_of_flame) {
  const auto shape = [](const std::string& word) {
    return with_attributes("filter_shape=\"" + word + "\"").filter_shape;
  };
  const char* shapes[] = {"gaussian", "hermite",  "box",      "triangle", "bell",
                          "bspline",  "mitchell", "blackman", "catrom",   "hanning",
                          "hamming",  "lanczos3", "lanczos2", "quadratic"};
  for (int i = 0; i < 14; ++i) EXPECT_EQ(int(shape(shapes[i])), i) << shapes[i];

  EXPECT_EQ(with_attributes(R"(temporal_filter_type="gaussian")").temporal_filter,
            TemporalFilter::gaussian);
  EXPECT_EQ(with_attributes(R"(temporal_filter_type="exp")").temporal_filter, TemporalFilter::exp);
  EXPECT_EQ(with_attributes(R"(palette_mode="linear")").palette_mode, PaletteMode::linear);
  EXPECT_EQ(with_attributes(R"(interpolation_type="linear")").interpolation_type,
            InterpolationType::linear);
  EXPECT_EQ(with_attributes(R"(interpolation_type="old")").interpolation_type,
            InterpolationType::old);
  EXPECT_EQ(with_attributes(R"(interpolation_space="older")").interpolation_type,
            InterpolationType::older);
  EXPECT_EQ(with_attributes(R"(palette_interpolation="hsv")").palette_interpolation,
            PaletteInterpolation::hsv);
  EXPECT_EQ(with_attributes(R"(palette_interpolation="sweep")").palette_interpolation,
            PaletteInterpolation::sweep);
  EXPECT_EQ(with_attributes(R"(palette_interpolation="rgb")").palette_interpolation,
            PaletteInterpolation::rgb);
}

TEST(Reader, unknown_word_keeps_the_default_and_warns) {
  const Reading r =
      read("<flame filter_shape=\"hermit\" size=\"8 8\">" + linear + color + "</flame>");
  EXPECT_EQ(r.file.flames[0].filter_shape, FilterShape::gaussian);
  EXPECT_EQ(r.warnings,
            std::vector<std::string>{"test.flam3:1: flame: filter_shape=\"hermit\" is unknown "
                                     "(did you mean \"hermite\"?); it is ignored"});
}

TEST(Reader, whole_numbers_may_be_written_as_reals) {
  EXPECT_EQ(with_attributes(R"(temporal_samples="1.0")").temporal_samples, 1);
  EXPECT_EQ(with_attributes(R"(size="64.0 4.8e1" passes="2.")").height, 48);
}

TEST(Reader, later_of_two_synonyms_wins) {
  EXPECT_EQ(with_attributes(R"(oversample="3" supersample="2")").supersample, 2);
  EXPECT_EQ(with_attributes(R"(supersample="2" oversample="3")").supersample, 3);
  EXPECT_EQ(xform_with(R"(symmetry="1" color_speed="0.3")").color_speed, 0.3);
  EXPECT_EQ(xform_with(R"(color_speed="0.3" symmetry="1")").color_speed, 0);
}

TEST(Reader, highlight_power_is_read_leniently) {
  EXPECT_EQ(with_attributes(R"(highlight_power="2x")").highlight_power, 2);
  EXPECT_EQ(with_attributes(R"(highlight_power="none")").highlight_power, 0);
}

TEST(Reader, name_loses_its_blanks) {
  EXPECT_EQ(with_attributes("name=\" a&#9;b c\"").name, "_a_b_c");
  EXPECT_EQ(with_attributes("name=\"" + std::string(5000, 'x') + "\"").name, std::string(256, 'x'));
}

TEST(Reader, attributes_of_other_programs) {
  with_attributes(
      R"(version="Apophysis 7X" nick="" url="" plugins="" new_linear="1" flam3_genome="1" cam_pitch="0" cam_zoom="1.0"
         curves="0 0 1 0 0 1 1 1 1 1 1 1 0 0 1 0 0 1 1 1 1 1 1 1" overall_curve="0 0 0.25 0.25 1 1" angle="0.3")");
  const Reading r = read(R"(<a><flame contrast="2" qualiti="3">)" + linear + color +
                         "</flame>\n<flame qualiti=\"4\">" + linear + color + "</flame></a>");
  EXPECT_EQ(r.warnings,
            (std::vector<std::string>{
                "test.flam3:1: flame: contrast=\"2\" is of JWildfire's light alone; it is ignored",
                "test.flam3:1: flame: unknown attribute qualiti (did you mean "
                "\"quality\"?); it is ignored"}));
}

// ---- documents ----

TEST(Reader, flames_are_found_under_any_wrapper) {
  const std::string inner = ">" + linear + color + "</flame>";
  const Reading r = read(
      "<?xml version=\"1.0\"?><a><b><flame name=\"1\"" + inner + "</b><flame name=\"2\"" + inner +
      "</a>\n<?xml version=\"1.0\"?>\n<flame name=\"3\"" + inner + "<flame name=\"4\"" + inner);
  std::string names;
  for (const Flame& f : r.file.flames) names += f.name;
  EXPECT_EQ(names, "1234");
  EXPECT_EQ(r.file.flames[2].line, 3);
}

TEST(Reader, a_flame_inside_a_flame_is_not_searched_for) {
  ReaderOptions approximate;
  approximate.approximate = true;  // elements that nobody knows may hold the flame
  const Reading r =
      read("<flame name=\"1\">" + linear + color + "<x><flame name=\"2\">" + linear + color +
               "</flame></x><flame name=\"3\">" + linear + color + "</flame></flame>",
           approximate);
  EXPECT_EQ(r.file.flames.size(), 1u);
  EXPECT_EQ(r.file.flames[0].xforms.size(), 1u);
}

TEST(Reader, time_sticks_among_siblings) {
  const std::string inner = ">" + linear + color + "</flame>";
  const Reading r =
      read("<a><flame time=\"5\"" + inner + "<b><flame name=\"x\"" + inner + "<flame time=\"7\"" +
           inner + "<flame name=\"x\"" + inner + "</b><flame name=\"x\"" + inner + "</a>");
  std::vector<double> times;
  for (const Flame& f : r.file.flames) times.push_back(f.time);
  EXPECT_EQ(times, (std::vector<double>{5, 0, 7, 7, 5}));
}

TEST(Reader, other_attributes_do_not_stick) {
  const std::string inner = ">" + linear + color + "</flame>";
  const Reading r =
      read("<a><flame zoom=\"2\" name=\"x\"" + inner + "<flame size=\"8 8\"" + inner + "</a>");
  EXPECT_EQ(r.file.flames[1].zoom, 0);
  EXPECT_EQ(r.file.flames[1].name, "");
}

TEST(Reader, smooth_interpolation_needs_neighbors) {
  std::string xml = "<a>";
  for (int i = 0; i < 5; ++i)
    xml += "<flame interpolation=\"smooth\">" + linear + color + "</flame>";
  const Reading r = read(xml + "</a>");
  std::string kinds;
  for (const Flame& f : r.file.flames)
    kinds += f.interpolation == Interpolation::smooth ? 's' : 'l';
  EXPECT_EQ(kinds, "lssls");
  EXPECT_EQ(r.warnings, std::vector<std::string>{});  // stills are not affected
  std::vector<std::string> of_motion;
  tell(
      r.file, [](int) { return true; }, Use::motion,
      [&](const std::string& text) { of_motion.push_back(text); });
  EXPECT_EQ(of_motion.size(), 2u);
}

TEST(Reader, rotations_unwind) {  // values printed by flam3-genome
  const std::string inner = ">" + linear + color + "</flame>";
  const Reading r =
      read("<a><flame rotate=\"10\"" + inner + "<flame rotate=\"350\"" + inner +
           "<flame rotate=\"720\"" + inner + "<flame rotate=\"-1000\" interpolation_type=\"old\"" +
           inner + "<flame rotate=\"800\"" + inner + "</a>");
  std::vector<double> rotations;
  for (const Flame& f : r.file.flames) rotations.push_back(f.rotate_deg);
  EXPECT_EQ(rotations, (std::vector<double>{10, -10, 0, 80, 800}));
}

TEST(Reader, half_a_turn_is_left_as_it_is_written) {
  const std::string inner = ">" + linear + color + "</flame>";
  for (const auto& [first, second] : {std::pair{0.0, 180.0}, {0, -180}, {90, 270}, {90, -90}}) {
    const Reading r = read(fmt::format("<a><flame rotate=\"{}\"{}<flame rotate=\"{}\"{}</a>", first,
                                       inner, second, inner));
    EXPECT_EQ(r.file.flames.at(1).rotate_deg, second);
  }
}

TEST(Reader, text_around_the_xml_is_tolerated) {
  const std::string flame = "<flame size=\"8 8\">" + linear + color + "</flame>";
  EXPECT_EQ(read("\xEF\xBB\xBF" + flame).file.flames.size(), 1u);
  EXPECT_EQ(read("<!-- <flame> -->\n<!DOCTYPE flames>\n" + flame + "\n").file.flames[0].line, 3);
  EXPECT_EQ(
      read("<flame name=\"caf\xE9 & more\">" + linear + color + "</flame>").file.flames[0].name,
      "caf\xE9_&_more");
}

// ---- xforms ----

TEST(Reader, xform_defaults) {
  const Flame f = with_children(linear + linear + "<xform weight=\"0.5\"/>" + color);
  EXPECT_EQ(f.xforms[0].color, 0);
  EXPECT_EQ(f.xforms[1].color, 1);
  EXPECT_EQ(f.xforms[2].color, 0);
  const Xform& x = f.xforms[2];
  EXPECT_EQ(x.weight, 0.5);
  EXPECT_EQ(x.color_speed, 0.5);
  EXPECT_EQ(x.animate, 1);
  EXPECT_EQ(x.opacity, 1);
  EXPECT_EQ(x.coefs, AffineD{});
  EXPECT_EQ(x.post, AffineD{});
  EXPECT_TRUE(x.chaos.empty());
  EXPECT_EQ(x.parameters, default_parameters());
  EXPECT_EQ(x.variations, std::vector<double>(std::size_t(variation_count()), 0.0));
}

TEST(Reader, default_color_counts_a_final_xform_read_before) {  // as flam3-genome
  const Flame f = with_children(linear + linear + "<finalxform linear=\"1\"/>" + linear + color);
  EXPECT_EQ(f.final_xform->color, 0);
  EXPECT_EQ(f.xforms[2].color, 1);
}

TEST(Reader, every_attribute_of_xform) {
  const Xform x = xform_with(
      R"(color="0.25" color_speed="0.75" animate="0.5" opacity="0.4" coefs=" 1 2 +3 -4 5e-1 .6" post="6 5 4 3 2 1"
         julian="0.5" julian_power="-3" julian_dist="1.5" pre_blur="0.1")");
  EXPECT_EQ(x.color, 0.25);
  EXPECT_EQ(x.color_speed, 0.75);
  EXPECT_EQ(x.animate, 0.5);
  EXPECT_EQ(x.opacity, 0.4);
  EXPECT_EQ(x.coefs, (AffineD{.a = 1, .d = 2, .b = 3, .e = -4, .c = 0.5, .f = 0.6}));
  EXPECT_EQ(x.post, (AffineD{.a = 6, .d = 5, .b = 4, .e = 3, .c = 2, .f = 1}));
  EXPECT_EQ(weight_of(x, "julian"), 0.5);
  EXPECT_EQ(weight_of(x, "pre_blur"), 0.1);
  EXPECT_EQ(weight_of(x, "linear"), 0);
  EXPECT_EQ(parameter_of(x, "julian_power"), -3);
  EXPECT_EQ(parameter_of(x, "julian_dist"), 1.5);
}

TEST(Reader, every_variation_and_parameter_by_name) {
  for (const VariationInfo& variation : variations()) {
    const Xform x = xform_with(variation.name + "=\"0.125\"");
    EXPECT_EQ(weight_of(x, variation.name.c_str()), 0.125) << variation.name;
    for (std::size_t k = 0; k < variation.parameters.size(); ++k) {
      const std::string& name = variation.parameters[k].name;
      const Xform y = xform_with(name + "=\"0.375\"");
      EXPECT_EQ(y.parameters[std::size_t(variation.first_parameter) + k], 0.375) << name;
    }
  }
}

TEST(Reader, short_spellings_of_parameters) {
  EXPECT_EQ(parameter_of(xform_with(R"(oscope_amplitude="3")"), "oscilloscope_amplitude"), 3);
  EXPECT_EQ(parameter_of(xform_with(R"(Re_B="3")"), "mobius_re_b"), 3);
  EXPECT_EQ(parameter_of(xform_with(R"(Im_D="3")"), "mobius_im_d"), 3);
}

TEST(Reader, one_parameter_is_a_share) {
  EXPECT_EQ(parameter_of(xform_with(R"(super_shape_rnd="1.5")"), "super_shape_rnd"), 1);
  EXPECT_EQ(parameter_of(xform_with(R"(super_shape_rnd="-0.5")"), "super_shape_rnd"), 0);
  EXPECT_EQ(parameter_of(xform_with(R"(super_shape_rnd="0.25")"), "super_shape_rnd"), 0.25);
  EXPECT_EQ(parameter_of(xform_with(R"(super_shape_holes="1.5")"), "super_shape_holes"), 1.5);
}

TEST(Reader, legacy_xform_attributes) {
  EXPECT_EQ(xform_with(R"(symmetry="0.5")").color_speed, 0.25);
  EXPECT_EQ(xform_with(R"(symmetry="0.5")").animate, 0);
  EXPECT_EQ(xform_with(R"(symmetry="-1")").color_speed, 1);
  EXPECT_EQ(xform_with(R"(symmetry="-1")").animate, 1);
  EXPECT_EQ(xform_with(R"(symmetry="0")").animate, 1);
  EXPECT_EQ(xform_with(R"(color="0.5 1 ")").color, 0.5);
  EXPECT_EQ(xform_with(R"(plotmode="off")").opacity, 0);
  EXPECT_EQ(xform_with(R"(plotmode="on")").opacity, 1);
  const Xform one = xform_with(R"(linear="1" var1="3")");
  EXPECT_EQ(weight_of(one, "linear"), 0);
  EXPECT_EQ(weight_of(one, "swirl"), 1);
  std::string all;
  for (int i = 0; i < 99; ++i) all += std::to_string(i) + (i < 98 ? " " : "");
  const Xform many = xform_with("linear=\"1\" var=\"" + all + "\"");
  for (int i = 0; i < 99; ++i) EXPECT_EQ(many.variations[std::size_t(i)], i);
}

TEST(Reader, what_editors_keep_with_an_xform_is_written_again) {
  const std::string notes = R"(name="left &lt;petal&gt;" kiln_opacity="0.7")";
  const Xform x = xform_with(notes + R"( opacity="0")");
  EXPECT_EQ(x.opacity, 0);
  Flame flame;
  flame.xforms = {x};
  EXPECT_NE(genome_xml(flame).find("<xform " + notes + " "), std::string::npos);
}

TEST(Reader, unknown_words_of_an_xform_are_one_warning) {
  const std::string xform =
      "<xform weight=\"1\" color_type=\"NONE\" linear=\"1\" name=\"x\" var_color=\"1\"/>\n";
  const Reading r = read("<flame size=\"8 8\">\n" + xform + xform + color + "</flame>");
  EXPECT_EQ(r.warnings,
            std::vector<std::string>{"test.flam3:2: xform 1: unknown attribute color_type (did you "
                                     "mean \"color_speed\"?); it is ignored"});
}

TEST(Reader, final_xform) {
  const Flame f = with_children(
      "<finalxform color=\"0.3\" julia=\"1\" opacity=\"0.5\" weight=\"0\"/>" + linear + color);
  ASSERT_TRUE(f.final_xform.has_value());
  EXPECT_EQ(f.final_xform->color, 0.3);
  EXPECT_EQ(f.final_xform->opacity, 0.5);
  EXPECT_EQ(weight_of(*f.final_xform, "julia"), 1);
  EXPECT_EQ(f.xforms.size(), 1u);
  EXPECT_FALSE(with_children(linear + color).final_xform.has_value());
}

TEST(Reader, chaos) {
  const Flame f =
      with_children(R"(<xform weight="1" linear="1" chaos="0.5 2 "/>)" + linear + color);
  EXPECT_EQ(f.xforms[0].chaos, (std::vector<double>{0.5, 2}));
  EXPECT_TRUE(f.xforms[1].chaos.empty());
}

TEST(Reader, surplus_chaos_is_cut) {
  const Reading r = read("<flame size=\"8 8\"><xform weight=\"1\" linear=\"1\" chaos=\"1 2 3\"/>" +
                         linear + color + "</flame>");
  EXPECT_EQ(r.file.flames[0].xforms[0].chaos, (std::vector<double>{1, 2}));
  EXPECT_EQ(r.warnings,
            std::vector<std::string>{
                "test.flam3:1: xform 1: chaos has 3 entries for 2 xforms; the rest is ignored"});
}

TEST(Reader, chaos_of_a_final_xform_goes_to_the_one_before) {  // as flam3-genome
  const Reading r = read("<flame size=\"8 8\">" + linear + linear +
                         "<finalxform chaos=\"0.5\" linear=\"1\"/>" + color + "</flame>");
  EXPECT_TRUE(r.file.flames[0].xforms[0].chaos.empty());
  EXPECT_EQ(r.file.flames[0].xforms[1].chaos, std::vector<double>{0.5});
  EXPECT_EQ(r.warnings.size(), 1u);
}

TEST(Reader, chaos_row_without_weight_is_refused) {
  EXPECT_NE(error_of("<flame size=\"8 8\"><xform weight=\"1\" linear=\"1\" chaos=\"0 1\"/>"
                     "<xform weight=\"0\" linear=\"1\"/>" +
                     color + "</flame>")
                .find("test.flam3:1: xform 1: chaos leaves no xform to go to"),
            std::string::npos);
}

TEST(Reader, solo_xform_hides_the_others) {
  const auto opacities = [](const char* solo) {
    const Flame f = with_attributes(std::string("soloxform=\"") + solo + "\" size=\"8 8\"");
    return f.xforms[0].opacity;
  };
  EXPECT_EQ(opacities("-1"), 1);
  EXPECT_EQ(opacities("0.9"), 1);
  const Flame f = read_one("<flame soloxform=\"1\">" + linear +
                           "<xform weight=\"1\" linear=\"1\" opacity=\"0.5\"/>" +
                           "<finalxform linear=\"1\"/><symmetry kind=\"2\"/>" + color + "</flame>");
  EXPECT_EQ(f.xforms[0].opacity, 0);
  EXPECT_EQ(f.xforms[1].opacity, 0.5);
  EXPECT_EQ(f.xforms[2].opacity, 0);
  EXPECT_EQ(f.final_xform->opacity, 1);
  const Reading r = read("<flame soloxform=\"1\">" + linear + color + "</flame>");
  EXPECT_EQ(r.file.flames[0].xforms[0].opacity, 0);
  EXPECT_EQ(r.warnings.size(), 1u);
}

TEST(Reader, motion_elements) {
  const Flame f = with_children(
      R"(<xform weight="1" linear="1"><motion motion_frequency="2" motion_function="hill" coefs="0 0 0 0 1 0" julian_power="0.5"/>
         <motion motion_frequency="-1" motion_function="triangle" weight="-0.25" spherical="1"/></xform>)" +
      color);
  ASSERT_EQ(f.xforms[0].motions.size(), 2u);
  const Motion& m = f.xforms[0].motions[0];
  EXPECT_EQ(m.frequency, 2);
  EXPECT_EQ(m.function, MotionFunction::hill);
  EXPECT_EQ(m.coefs, (AffineD{.a = 0, .d = 0, .b = 0, .e = 0, .c = 1, .f = 0}));
  EXPECT_EQ(m.post, (AffineD{.a = 0, .d = 0, .b = 0, .e = 0, .c = 0, .f = 0}));
  EXPECT_EQ(m.weight + m.color + m.color_speed + m.opacity + m.animate, 0);
  EXPECT_EQ(parameter_of(m, "julian_power"), 0.5);
  EXPECT_EQ(parameter_of(m, "julian_dist"), 0);
  const Motion& n = f.xforms[0].motions[1];
  EXPECT_EQ(n.frequency, -1);
  EXPECT_EQ(n.function, MotionFunction::triangle);
  EXPECT_EQ(n.weight, -0.25);
  EXPECT_EQ(weight_of(n, "spherical"), 1);
}

/// Each of these flames is refused, so that only the count of what was read is kept.
TEST(Reader, motions_of_final_xforms_count_against_the_limit_of_a_file) {
  std::string motions;
  for (int i = 0; i < 4096; ++i) motions += "<motion color=\"1\"/>";
  std::string xml = "<a>";
  for (int i = 0; i < 64; ++i)
    xml += "<flame size=\"8 8\"><finalxform linear=\"1\">" + motions +
           "</finalxform><symmetry kind=\"x\"/></flame>";
  ReaderOptions options;
  options.keep_bad = true;
  const Reading r = read(xml + "</a>", options);
  ASSERT_EQ(r.file.bad.size(), 64u);
  EXPECT_NE(r.file.bad[62].message.find("kind"), std::string::npos) << r.file.bad[62].message;
  EXPECT_NE(r.file.bad[63].message.find("more than 262144 xforms and motions"), std::string::npos)
      << r.file.bad[63].message;
}

// ---- symmetry ----

struct Rotation {
  double a, d, color;
};

void expect_group(const Flame& f, std::size_t first, const std::vector<Rotation>& expected) {
  ASSERT_EQ(f.xforms.size(), first + expected.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    const Xform& x = f.xforms[first + i];
    EXPECT_EQ(x.coefs.a, expected[i].a) << i;
    EXPECT_EQ(x.coefs.d, expected[i].d) << i;
    EXPECT_EQ(x.coefs.b, -expected[i].d) << i;
    EXPECT_NEAR(x.color, expected[i].color, 1e-15) << i;
    EXPECT_EQ(x.weight, 1);
    EXPECT_EQ(x.color_speed, 0);
    EXPECT_EQ(x.animate, 0);
    EXPECT_EQ(x.opacity, 1);
    EXPECT_EQ(weight_of(x, "linear"), 1);
  }
}

TEST(Reader, symmetry_in_the_order_of_flam3) {
  expect_group(with_children(linear + R"(<symmetry kind="5"/>)" + color), 1,
               {{-0.809017, 0.587785, 1.0 / 3},
                {-0.809017, -0.587785, 2.0 / 3},
                {0.309017, 0.951057, 0},
                {0.309017, -0.951057, 1}});
  expect_group(with_children(linear + R"(<symmetry kind="3"/>)" + color), 1,
               {{-0.5, 0.866025, 0}, {-0.5, -0.866025, 1}});
  expect_group(with_children(linear + R"(<symmetry kind="-2"/>)" + color), 1,
               {{-1, 0, 1}, {-1, 0, 0}});
  expect_group(with_children(linear + R"(<symmetry kind="4"/>)" + color), 1,
               {{0, 1, 0}, {-1, 0, 0.5}, {0, -1, 1}});
  const Flame mirror = with_children(linear + R"(<symmetry kind="-1"/>)" + color);
  expect_group(mirror, 1, {{-1, 0, 1}});
  EXPECT_EQ(mirror.xforms[1].coefs.e, 1);
  expect_group(with_children(linear + R"(<symmetry kind="1"/>)" + color), 1, {});
}

TEST(Reader, symmetry_stands_where_it_is_written) {
  const Flame f =
      with_children(linear + R"(<symmetry kind="2"/><xform weight="0.5" linear="1"/>)" + color);
  ASSERT_EQ(f.xforms.size(), 3u);
  EXPECT_EQ(f.xforms[1].coefs.a, -1);
  EXPECT_EQ(f.xforms[2].weight, 0.5);
  EXPECT_EQ(f.xforms[2].color, 0);  // the third xform of the flame
}

TEST(Reader, symmetry_after_a_final_xform_sorts_it_in) {  // as flam3-genome
  const Flame late =
      with_children(linear + R"(<finalxform julia="1"/><symmetry kind="5"/>)" + color);
  expect_group(late, 1,
               {{0.309017, 0.951057, 0},
                {-0.809017, 0.587785, 1.0 / 3},
                {-0.809017, -0.587785, 2.0 / 3},
                {0.309017, -0.951057, 1}});
  EXPECT_EQ(weight_of(*late.final_xform, "julia"), 1);
  const Flame swapped = with_children(
      linear +
      R"(<finalxform julia="1" color_speed="0" coefs="0.5 0 0 0.5 0 0"/><symmetry kind="3"/>)" +
      color);
  ASSERT_EQ(swapped.xforms.size(), 3u);
  EXPECT_EQ(weight_of(swapped.xforms[2], "julia"), 1);
  EXPECT_EQ(swapped.final_xform->coefs.d, -0.866025);
}

TEST(Reader, random_symmetry_follows_the_seed) {
  std::vector<int> seen(52, 0);
  for (std::uint64_t seed = 0; seed < 4000; ++seed) {
    const int kind = random_symmetry_kind(seed);
    ASSERT_LE(std::abs(kind), 25);
    EXPECT_EQ(kind, random_symmetry_kind(seed));
    ++seen[std::size_t(kind + 25)];
  }
  // 2: 3/15 of one half and 1/13 of 31/32 of the other: 0.137 +- 0.0054
  EXPECT_NEAR(seen[27] / 4000.0, 0.137, 0.025);
  // -5: 1/13 of 31/64 and 1/51 of 1/64: 0.0376
  EXPECT_NEAR(seen[20] / 4000.0, 0.0376, 0.015);
}

// ---- palettes ----

Palette palette_of(const std::string& elements) { return with_children(linear + elements).palette; }

TEST(Reader, color_elements_fill_a_circle) {
  const Palette p =
      palette_of(R"(<color index="10" rgb="100 0 300 "/><color index="20" rgb="200 50.5 -5"/>)");
  expect_color(p[10], {100 / 255.0, 0, 300 / 255.0, 1});
  expect_color(p[20], {200 / 255.0, 50.5 / 255, -5 / 255.0, 1});
  expect_color(p[15], {150 / 255.0, 25.25 / 255, 147.5 / 255, 1});
  // from 20 round to 10 + 256: 0 is 236 of 246 steps along
  const double t = 236.0 / 246;
  expect_color(p[0],
               {(200 + t * (100 - 200)) / 255, 50.5 * (1 - t) / 255, (-5 + t * 305) / 255, 1});
}

TEST(Reader, one_color_fills_everything) {
  const Palette p = palette_of(R"(<color index="255" rgb="51 102 153"/>)");
  for (const Rgba& entry : p) expect_color(entry, {0.2, 0.4, 0.6, 1});
}

TEST(Reader, alpha_premultiplies_and_counts_only_last) {
  expect_color(palette_of(R"(<color index="0" rgba="100 200 50 51"/>)")[0],
               {20 / 255.0, 40 / 255.0, 10 / 255.0, 0.2});
  expect_color(palette_of(R"(<color index="0" rgb="100 200 50" a="51"/>)")[0],
               {20 / 255.0, 40 / 255.0, 10 / 255.0, 0.2});
  expect_color(palette_of(R"(<color index="0"/>)")[0], {0, 0, 0, 1});
  for (const char* element : {R"(<color rgba="100 200 50 51" index="0"/>)",
                              R"(<color index="0" a="51" rgb="100 200 50"/>)"}) {
    const Reading r = read("<flame size=\"8 8\">" + linear + element + "</flame>");
    expect_color(r.file.flames[0].palette[0], {100 / 255.0, 200 / 255.0, 50 / 255.0, 1});
    EXPECT_EQ(r.warnings.size(), 1u);
  }
}

TEST(Reader, hexadecimal_palettes) {
  const Palette colors = palette_of("<colors count=\"2\" data=\" 00FF0033\n  00010203 \"/>");
  expect_color(colors[0], {1, 0, 0.2, 1});
  expect_color(colors[1], {1 / 255.0, 2 / 255.0, 3 / 255.0, 1});
  const Palette rgb =
      palette_of("<palette count=\"2\" format=\"RGB\">\n ff0033<!-- c -->\n 010203\n</palette>");
  EXPECT_EQ(rgb, colors);
  const Palette rgba =
      palette_of(R"(<palette format="RGBA" count="2">FF003380 010203FF</palette>)");
  expect_color(rgba[0], {1, 0, 0.2, 128 / 255.0});  // not premultiplied
  expect_color(rgba[1], {1 / 255.0, 2 / 255.0, 3 / 255.0, 1});
}

// 0, 1, 2 ... as a palette of that many gray entries, 256 levels in all.
std::string gray_palette(int count) {
  std::string text = "<palette count=\"" + std::to_string(count) + "\" format=\"RGB\">";
  for (int i = 0; i < count; ++i) {
    text += fmt::format("{0:02X}{0:02X}{0:02X}{1}", i * 256 / count, i % 8 == 7 ? "\n" : "");
  }
  return text + "</palette>";
}

TEST(Reader, palettes_of_512_and_1024_entries_cover_the_same_colors) {
  const Palette usual = with_children(linear + gray_palette(256)).palette;
  EXPECT_EQ(with_children(linear + gray_palette(512)).palette, usual);
  EXPECT_EQ(with_children(linear + gray_palette(1024)).palette, usual);
  // each entry is the mean of its share, in whole levels
  const std::string ends = "<palette count=\"512\" format=\"RGB\">" + [] {
    std::string text;
    for (int i = 0; i < 256; ++i) text += "00000A 00020F ";
    return text;
  }() + "</palette>";
  const Palette mixed = with_children(linear + ends).palette;
  for (std::size_t i : {0, 100, 255}) expect_color(mixed[i], {0, 1 / 255.0, 13 / 255.0, 1});
}

TEST(Reader, colors_beyond_256_make_the_palette_longer) {
  const Palette palette =
      with_children(linear + R"(<color index="0" rgb="0 0 0"/><color index="511" rgb="51.1 0 0"/>)")
          .palette;
  // 512 entries rise from 0 to 51.1: the means of pairs are 0.05, 0.25 ...
  expect_color(palette[0], {0.05 / 255, 0, 0, 1}, 1e-12);
  expect_color(palette[255], {51.05 / 255, 0, 0, 1}, 1e-12);
}

TEST(Reader, a_palette_of_256_replaces_a_longer_one) {
  const Flame flame = with_children(linear + gray_palette(512) + gray_palette(256));
  EXPECT_EQ(flame.palette, with_children(linear + gray_palette(256)).palette);
}

TEST(Reader, later_palette_elements_win) {
  const Palette p = palette_of(
      R"(<color index="1" rgb="255 255 255"/><palette count="2" format="RGB">000000ff0000</palette>
                                  <color index="0" rgb="0 255 0"/>)");
  expect_color(p[0], {0, 1, 0, 1});
  expect_color(p[1], {1, 0, 0, 1});
}

TEST(Reader, library_palette_replaces_inline_colors) {
  const Flame f = with_attributes(R"(palette="5")");
  expect_color(f.palette[77], {77 / 255.0, 77 / 255.0, 77 / 255.0, 1});
  expect_color(with_attributes(R"(palette="-1")").palette[0], {1 / 255.0, 2 / 255.0, 3 / 255.0, 1});
}

TEST(Reader, hue_turns_only_library_palettes) {
  // palette 3, entry 0 is pure red: a quarter turn is 1.5 sixths, halfway from yellow to green:
  // (1/2, 1, 0)
  expect_color(with_attributes(R"(palette="3" hue="0.25")").palette[0], {0.5, 1, 0, 1});
  expect_color(with_attributes(R"(palette="3" hue="-0.75")").palette[0], {0.5, 1, 0, 1});
  // entry 155 has red 100: the same hue at value 100/255
  expect_color(with_attributes(R"(palette="3" hue="0.25")").palette[155],
               {50 / 255.0, 100 / 255.0, 0, 1});
  expect_color(with_attributes(R"(hue="0.25")").palette[0], {1 / 255.0, 2 / 255.0, 3 / 255.0, 1});
}

TEST(Reader, unknown_library_palette_is_white) {
  const Reading r = read("<flame palette=\"77\">" + linear + "</flame>");
  for (const Rgba& entry : r.file.flames[0].palette) EXPECT_EQ(entry, (Rgba{1, 1, 1, 1}));
  EXPECT_EQ(r.warnings,
            std::vector<std::string>{
                "test.flam3:1: palette 77 is not in the library; it becomes white, as in flam3"});
}

TEST(Reader, missing_library_says_where_to_get_it) {
  ReaderOptions options;
  options.palettes_file = "/nonexistent/palettes.xml";
  EXPECT_NE(error_of("<flame palette=\"3\">" + linear + "</flame>", options)
                .find("/nonexistent/palettes.xml: cannot be opened"),
            std::string::npos);
}

TEST(Reader, two_library_palettes_blend) {
  // entry 0: red (h 0) and magenta (h 5) blend through h -1: half is h 5.5 = (1, 0, 1/2)
  const Palette half = palette_of(R"(<palette index0="3" index1="8"/>)");
  expect_color(half[0], {1, 0, 0.5, 1});
  const Palette back = palette_of(R"(<palette index0="8" index1="3" blend="0.75"/>)");
  expect_color(back[0], {1, 0, 0.25, 1});
  const Palette quarter = palette_of(R"(<palette index0="3" index1="8" blend="0.25"/>)");
  expect_color(quarter[0], {1, 0, 0.25, 1});
  // a third of a turn makes red green (h 2), magenta stays: |5 - 2| is not above 3, half is h 3.5
  const Palette turned =
      palette_of(R"(<palette index0="3" hue0="0.3333333333333333" index1="8" blend="0.5"/>)");
  expect_color(turned[0], {0, 0.5, 1, 1}, 1e-14);
  const Palette drawn = palette_of(R"(<palette blend="0"/>)");
  EXPECT_EQ(drawn, palette_of(R"(<palette blend="0"/>)"));
}

TEST(Reader, hsv_there_and_back) {
  for (int i = 0; i < 512; ++i) {
    const Rgba c = {(i & 7) / 7.0, (i >> 3 & 7) / 7.0, (i >> 6) / 7.0, 1};
    const Hsv h = hsv_from_rgb(c);
    ASSERT_TRUE(h.h >= 0 && h.h < 6);
    expect_color(rgb_from_hsv(h), c);
    expect_color(rgb_from_hsv({h.h - 12, h.s, h.v}), c, 1e-14);
  }
  EXPECT_EQ(rgb_from_hsv({-1e-300, 1, 1}), (Rgba{1, 0, 0, 1}));
  for (double lost : {-1.5e20, 1.5e20, 1e300})  // no digit of it is left within a turn
    EXPECT_EQ(rgb_from_hsv({lost, 1, 1}), (Rgba{1, 0, 0, 1})) << lost;
}

// ---- numbers, text ----

struct CommaPoint : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

TEST(Reader, numbers_do_not_follow_the_locale) {
  const std::locale before =
      std::locale::global(std::locale(std::locale::classic(), new CommaPoint));
  const std::string c_before = std::setlocale(LC_ALL, nullptr);
  for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "tr_TR.UTF-8"})
    if (std::setlocale(LC_ALL, name) != nullptr)
      break;  // where none is installed, C++ streams still have the comma
  const double zoom = with_attributes(R"(zoom="0.5")").zoom;
  const std::string error = error_of("<flame zoom=\"0,5\">" + linear + color + "</flame>");
  std::setlocale(LC_ALL, c_before.c_str());
  std::locale::global(before);
  EXPECT_EQ(zoom, 0.5);
  EXPECT_EQ(
      error,
      "test.flam3:1: flame: zoom=\"0,5\": characters follow the number in \"0,5\"; remove them");
}

TEST(Reader, nearest_names) {
  const std::vector<std::string> names = {"julia", "julian", "spherical", "quality"};
  EXPECT_EQ(nearest_name("juliaN", names), "julian");
  EXPECT_EQ(nearest_name("shperical", names), "spherical");
  EXPECT_EQ(nearest_name("qualiti", names), "quality");
  EXPECT_EQ(nearest_name("bloom", names), "");
  EXPECT_EQ(nearest_name("jul", names), "julia");
  // beginnings win over other words of like length, dashes are no letters
  const std::vector<std::string> options = {"--fit", "--output", "--de", "--flame", "--dtime"};
  EXPECT_EQ(nearest_name("--out", options), "--output");
  EXPECT_EQ(nearest_name("--dpi", options), "");
  EXPECT_EQ(nearest_name("--ease", options), "");
  EXPECT_EQ(nearest_name("--ft", options), "--fit");
  EXPECT_EQ(nearest_name(std::string(1000, 'j'), names), "");
}

TEST(Reader, printable_text_has_no_teeth) {
  EXPECT_EQ(printable("a\x1b[2Jb\n\r\x7f"), "a?[2Jb???");
  EXPECT_EQ(printable("\xC2\x9B"
                      "2J \xE2\x80\xAE"
                      "x \xff\xC3"),
            "??2J ???x ??");
  EXPECT_EQ(printable("gr\xC3\xBC\xC3\x9F \xE6\x97\xA5 \xF0\x9F\x8C\xB9"),
            "gr\xC3\xBC\xC3\x9F \xE6\x97\xA5 \xF0\x9F\x8C\xB9");
  EXPECT_EQ(printable(std::string(100, 'x')), std::string(60, 'x') + "...");
  EXPECT_EQ(printable(std::string(59, 'x') + "\xC3\xBC"), std::string(59, 'x') + "...");
}

}  // namespace
}  // namespace kiln
