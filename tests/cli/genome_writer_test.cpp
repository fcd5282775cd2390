// SPDX-License-Identifier: MIT
#include "engine/io/flame/genome_writer.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "engine/io/flame/flame_reader.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

/// A number that needs all its digits, different at every call.
class Numbers {
 public:
  double next() {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return 0.01 + static_cast<double>(state_ >> 11) * 0x1p-53;
  }
  AffineD affine() { return {next(), -next(), next(), next(), -next(), next()}; }

 private:
  std::uint64_t state_ = 7;
};

XformValues random_values(Numbers& numbers) {
  XformValues v;
  v.weight = numbers.next();
  v.color = numbers.next() * 3 - 1;
  v.color_speed = numbers.next();
  v.opacity = numbers.next();
  v.animate = numbers.next();
  v.coefs = numbers.affine();
  v.post = numbers.affine();
  for (int i = 0; i < variation_count(); ++i)
    v.variations.push_back(i % 3 == 0 ? numbers.next() : 0);
  for (int i = 0; i < parameter_count(); ++i) v.parameters.push_back(numbers.next());
  return v;
}

/// A flame in which no field has its default.
Flame full_flame() {
  Numbers numbers;
  Flame flame;
  flame.name = "a&b<c>\"d'\xc3\xa9";
  flame.nick = "A <b> & \"c\"";
  flame.url = "https://example.org/?a=1&b=2";
  flame.edits = "<edit date=\"today\" action=\"a &amp; b\"><edit/>text</edit>\n<edit a=\"2\"/>\n";
  flame.time = numbers.next();
  flame.width = 123;
  flame.height = 77;
  for (double* field : {&flame.center_x,
                        &flame.center_y,
                        &flame.scale,
                        &flame.zoom,
                        &flame.rotate_deg,
                        &flame.filter_radius_px,
                        &flame.temporal_filter_width,
                        &flame.temporal_filter_exp,
                        &flame.quality,
                        &flame.background[0],
                        &flame.background[1],
                        &flame.background[2],
                        &flame.brightness,
                        &flame.gamma,
                        &flame.highlight_power,
                        &flame.vibrancy,
                        &flame.gamma_threshold,
                        &flame.hue,
                        &flame.estimator_radius,
                        &flame.estimator_minimum,
                        &flame.estimator_curve,
                        &flame.hsv_rgb_palette_blend}) {
    *field = numbers.next();
  }
  flame.estimator_radius += 1;  // not below the minimum
  flame.supersample = 3;
  flame.passes = 2;
  flame.temporal_samples = 17;
  flame.filter_shape = FilterShape::lanczos2;
  flame.temporal_filter = TemporalFilter::exp;
  flame.palette_mode = PaletteMode::linear;
  flame.interpolation_type = InterpolationType::older;
  flame.palette_interpolation = PaletteInterpolation::sweep;
  for (Rgba& color : flame.palette) color = {numbers.next(), numbers.next(), numbers.next(), 1};
  for (int i = 0; i < 3; ++i) {
    Xform xform;
    static_cast<XformValues&>(xform) = random_values(numbers);
    xform.chaos = {1, numbers.next(), 0};
    Motion motion;
    static_cast<XformValues&>(motion) = random_values(numbers);
    motion.frequency = 2 + i;
    motion.function = static_cast<MotionFunction>(i);
    xform.motions = {motion, motion};
    flame.xforms.push_back(xform);
  }
  flame.final_xform = flame.xforms[1];
  flame.final_xform->weight = 0;
  flame.final_xform->chaos.clear();
  return flame;
}

void expect_equal(const XformValues& a, const XformValues& b) {
  EXPECT_EQ(a.weight, b.weight);
  EXPECT_EQ(a.color, b.color);
  EXPECT_EQ(a.color_speed, b.color_speed);
  EXPECT_EQ(a.opacity, b.opacity);
  EXPECT_EQ(a.animate, b.animate);
  EXPECT_EQ(a.coefs, b.coefs);
  EXPECT_EQ(a.post, b.post);
  EXPECT_EQ(a.variations, b.variations);
  for (const VariationInfo& variation : variations()) {
    for (std::size_t p = 0; p < variation.parameters.size(); ++p) {
      const std::size_t i = static_cast<std::size_t>(variation.first_parameter) + p;
      EXPECT_EQ(a.parameters.at(i), b.parameters.at(i)) << variation.parameters[p].name;
    }
  }
}

void expect_equal(const Xform& a, const Xform& b) {
  expect_equal(static_cast<const XformValues&>(a), static_cast<const XformValues&>(b));
  EXPECT_EQ(a.chaos, b.chaos);
  ASSERT_EQ(a.motions.size(), b.motions.size());
  for (std::size_t i = 0; i < a.motions.size(); ++i) {
    expect_equal(static_cast<const XformValues&>(a.motions[i]),
                 static_cast<const XformValues&>(b.motions[i]));
    EXPECT_EQ(a.motions[i].frequency, b.motions[i].frequency);
    EXPECT_EQ(a.motions[i].function, b.motions[i].function);
  }
}

void expect_equal_settings(const Flame& a, const Flame& b) {
  EXPECT_EQ(a.name, b.name);
  EXPECT_EQ(a.nick, b.nick);
  EXPECT_EQ(a.url, b.url);
  EXPECT_EQ(a.edits, b.edits);
  EXPECT_EQ(a.width, b.width);
  EXPECT_EQ(a.height, b.height);
  EXPECT_EQ(a.supersample, b.supersample);
  EXPECT_EQ(a.passes, b.passes);
  EXPECT_EQ(a.temporal_samples, b.temporal_samples);
  EXPECT_EQ(a.filter_shape, b.filter_shape);
  EXPECT_EQ(a.temporal_filter, b.temporal_filter);
  EXPECT_EQ(a.palette_mode, b.palette_mode);
  EXPECT_EQ(a.interpolation, b.interpolation);
  EXPECT_EQ(a.interpolation_type, b.interpolation_type);
  EXPECT_EQ(a.palette_interpolation, b.palette_interpolation);
  EXPECT_EQ(a.background, b.background);
  using Field = double Flame::*;
  const std::pair<const char*, Field> fields[] = {
      {"time", &Flame::time},
      {"center_x", &Flame::center_x},
      {"center_y", &Flame::center_y},
      {"scale", &Flame::scale},
      {"zoom", &Flame::zoom},
      {"rotate", &Flame::rotate_deg},
      {"filter", &Flame::filter_radius_px},
      {"temporal_filter_width", &Flame::temporal_filter_width},
      {"temporal_filter_exp", &Flame::temporal_filter_exp},
      {"quality", &Flame::quality},
      {"brightness", &Flame::brightness},
      {"gamma", &Flame::gamma},
      {"highlight_power", &Flame::highlight_power},
      {"vibrancy", &Flame::vibrancy},
      {"gamma_threshold", &Flame::gamma_threshold},
      {"hue", &Flame::hue},
      {"estimator_radius", &Flame::estimator_radius},
      {"estimator_minimum", &Flame::estimator_minimum},
      {"estimator_curve", &Flame::estimator_curve},
      {"hsv_rgb_palette_blend", &Flame::hsv_rgb_palette_blend}};
  for (const auto& [name, field] : fields) EXPECT_EQ(a.*field, b.*field) << name;
}

void expect_equal_palettes(const Palette& a, const Palette& b, double tolerance) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    EXPECT_NEAR(a[i].r, b[i].r, tolerance) << i;
    EXPECT_NEAR(a[i].g, b[i].g, tolerance) << i;
    EXPECT_NEAR(a[i].b, b[i].b, tolerance) << i;
    EXPECT_NEAR(a[i].a, b[i].a, tolerance) << i;
  }
}

Flame read_back(const Flame& flame) {
  ReaderOptions options;
  options.warn = [](const std::string& message) { ADD_FAILURE() << message; };
  options.strict = true;
  const FlameFile file = parse_flames(genome_xml(flame), "written", options);
  EXPECT_EQ(file.flames.size(), 1u);
  return file.flames.at(0);
}

TEST(genome_writer, reads_back_as_the_same_flame) {
  const Flame flame = full_flame();
  const Flame back = read_back(flame);
  expect_equal_settings(flame, back);
  // Not every double is a quotient by 255: those of a file are, and any other is off by its last
  // digit at most.
  expect_equal_palettes(flame.palette, back.palette, 0x1p-52);
  ASSERT_EQ(back.xforms.size(), flame.xforms.size());
  for (std::size_t i = 0; i < flame.xforms.size(); ++i)
    expect_equal(flame.xforms[i], back.xforms[i]);
  ASSERT_TRUE(back.final_xform);
  expect_equal(*flame.final_xform, *back.final_xform);
  EXPECT_TRUE(genome_xml(back) == genome_xml(read_back(back)));
}

TEST(genome_writer, keeps_who_made_a_flame_and_how_it_came_to_be) {
  const std::string history =
      "<edit date=\"Sun Nov 1\" nick=\"N &lt;n&gt;\" url=\"u\" action=\"cross &quot;x&quot;\">"
      "<sheep generation=\"244\" id=\"7\"/><edit filename=\"a.flam3\" index=\"0\">a &amp; b\n c"
      "</edit><!-- why --></edit>";
  const std::string xml =
      "<flame size=\"9 9\" nick=\"N\" url=\"http://x/?a&amp;b\">\n" + history +
      "<xform weight=\"1\" linear=\"1\" coefs=\"1 0 0 1 0 0\"/>"
      "<symmetry kind=\"3\"/><color index=\"0\" rgb=\"1 2 3\"/><edit second=\"1\"/></flame>";
  const Flame flame = parse_flames(xml, "test", {}).flames.at(0);
  EXPECT_EQ(flame.nick, "N");
  EXPECT_EQ(flame.url, "http://x/?a&b");
  EXPECT_EQ(flame.edits, history + "\n<edit second=\"1\"/>\n");
  EXPECT_EQ(flame.xforms.size(), 3u);
  // as often as it is written and read
  Flame again = flame;
  for (int round = 0; round < 3; ++round) {
    const std::string written = genome_xml(again);
    EXPECT_EQ(written.find("<symmetry"), std::string::npos);
    EXPECT_NE(written.find(history), std::string::npos) << written;
    again = read_back(again);
    EXPECT_EQ(genome_xml(again), written);
    EXPECT_EQ(again.xforms.size(), 3u) << "symmetry is not added again";
  }
}

TEST(genome_writer, an_endless_history_is_left_out_with_a_warning) {
  const std::string long_edit = "<edit a=\"" + std::string(700000, 'x') + "\"/>";
  std::string warning;
  ReaderOptions options;
  options.warn = [&](const std::string& message) { warning += message + "\n"; };
  const Flame flame =
      parse_flames("<flame size=\"9 9\"><xform weight=\"1\" linear=\"1\"/>" + long_edit + "\n" +
                       long_edit + "<edit b=\"1\"/><color index=\"0\" rgb=\"1 2 3\"/></flame>",
                   "f", options)
          .flames.at(0);
  EXPECT_EQ(flame.edits, long_edit + "\n<edit b=\"1\"/>\n");
  EXPECT_NE(warning.find("f:2: the flame's edit history is longer than 1 MB"), std::string::npos)
      << warning;
}

TEST(genome_writer, defaults_read_back_as_well) {
  Flame flame;
  Xform xform;
  xform.weight = 1;
  xform.variations.assign(static_cast<std::size_t>(variation_count()), 0);
  xform.variations[0] = 1;
  xform.parameters = default_parameters();
  flame.xforms = {xform, xform};
  const Flame back = read_back(flame);
  expect_equal_settings(flame, back);
  ASSERT_EQ(back.xforms.size(), 2u);
  for (const Xform& other : back.xforms) expect_equal(xform, other);
  EXPECT_FALSE(back.final_xform);
}

TEST(genome_writer, a_setting_that_has_no_effect_now_is_kept) {
  Flame flame = full_flame();
  flame.temporal_filter = TemporalFilter::box;
  EXPECT_EQ(read_back(flame).temporal_filter_exp, flame.temporal_filter_exp);
}

Flame with_palette(const Palette& palette) {
  Flame flame = full_flame();
  flame.palette = palette;
  return flame;
}

TEST(genome_writer, palettes_of_bytes_are_hex_and_exact) {
  Palette palette;
  for (std::size_t i = 0; i < palette.size(); ++i) {
    const double byte = static_cast<double>(i);
    palette[i] = {byte / 255, (255 - byte) / 255, std::floor(byte / 3) / 255, 1};
  }
  EXPECT_NE(genome_xml(with_palette(palette))
                .find("<palette count=\"256\" format=\"RGB\">\n      00FF00"),
            std::string::npos);
  expect_equal_palettes(palette, read_back(with_palette(palette)).palette, 0);
  palette[9].a = 128.0 / 255;
  EXPECT_NE(genome_xml(with_palette(palette)).find("format=\"RGBA\""), std::string::npos);
  expect_equal_palettes(palette, read_back(with_palette(palette)).palette, 0);
}

TEST(genome_writer, palettes_that_a_file_can_give_are_exact) {
  Numbers numbers;
  for (int round = 0; round < 60;
       ++round) {  // dividing fails to undo multiplying once in some thousand numbers
    std::string colors;
    for (int i = 0; i < 256; ++i) {
      const double r = 255 * numbers.next(), g = 255 * numbers.next(), b = i,
                   a = 255 * numbers.next();
      colors += fmt::format("<color index=\"{}\" rgba=\"{} {} {} {}\"/>", i, r, g, b, a);
    }
    const std::string xml =
        "<flame size=\"9 9\"><xform weight=\"1\" linear=\"1\"/>" + colors + "</flame>";
    const Palette palette = parse_flames(xml, "test", {}).flames.at(0).palette;
    expect_equal_palettes(palette, read_back(with_palette(palette)).palette, 0);
  }
}

TEST(genome_writer, nothing_in_a_name_can_break_the_xml) {
  Flame flame = full_flame();
  flame.name = "]]>\"/><x a='\x01\n";
  const std::string xml = genome_xml(flame);
  EXPECT_NE(xml.find("name=\"]]&gt;&quot;/&gt;&lt;x a='__\""), std::string::npos)
      << xml.substr(0, 200);
}

}  // namespace
}  // namespace kiln
