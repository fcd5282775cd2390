// What the attributes of other programs' flames mean, one small file each; that they are read more
// mildly than flam3's; and that flam3's are not.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "engine/animation/interpolate.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/program/compile.h"

namespace kiln {
namespace {

const std::string ember = "version=\"EMBER-LNX-1.0.0.19\" ";
const std::string apophysis = "version=\"Apophysis 7X\" ";
const std::string jwildfire = "version=\"0.16 (06.11.2011)\" ";
const std::string flam3 = "version=\"FLAM3-LNX-3.1.1\" ";

std::string flame(const std::string& attributes, const std::string& xform = "color=\"0\"",
                  const std::string& more = "<color index=\"0\" rgb=\"1 2 3\"/>") {
  return "<flame size=\"8 8\" " + attributes + "><xform weight=\"1\" linear=\"1\" " + xform + "/>" +
         "<xform weight=\"1\" linear=\"1\" color=\"1\"/>" + more + "</flame>\n";
}

Flame read(const std::string& xml) { return parse_flames(xml, "test.flame", {}).flames.at(0); }
Flame read_with(const std::string& attributes) { return read(flame(attributes)); }
Xform xform_with(const std::string& version, const std::string& attributes) {
  return read(flame(version, attributes)).xforms.at(0);
}
Xform final_with(const std::string& version, const std::string& attributes) {
  return read(flame(version, "color=\"0\"",
                    "<finalxform linear=\"1\" " + attributes +
                        "/><color index=\"0\" rgb=\"1 2 3\"/>"))
      .final_xform.value();
}

std::string refusal(const std::string& xml) {
  try {
    read(xml);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::string> warnings(const std::string& xml) {
  std::vector<std::string> texts;
  for (const Warning& warning : parse_flames(xml, "test.flame", {}).warnings)
    texts.push_back(warning.text);
  return texts;
}

// ---- what is left out ----

TEST(DialectReader, ember_has_its_own_usual_values) {
  const Flame got = read("<flame " + ember + "><xform weight=\"1\" linear=\"1\"/>" +
                         "<color index=\"0\" rgb=\"1 2 3\"/></flame>");
  EXPECT_EQ(got.width, 1920);
  EXPECT_EQ(got.height, 1080);
  EXPECT_EQ(got.quality, 30);
  EXPECT_EQ(got.temporal_samples, 100);
  EXPECT_EQ(got.highlight_power, 1);
  EXPECT_EQ(got.palette_mode, PaletteMode::linear);
  EXPECT_EQ(got.palette_interpolation, PaletteInterpolation::hsv);
  EXPECT_EQ(got.temporal_filter_exp, 1);
  EXPECT_EQ(got.gamma_threshold, 0.01);
  EXPECT_EQ(got.estimator_radius, 9);
  EXPECT_EQ(read_with(flam3).quality, 1);
}

TEST(DialectReader, apophysis_estimates_density_only_if_it_says_so) {
  EXPECT_EQ(read_with(apophysis).gamma_threshold, 0);
  EXPECT_EQ(read_with(apophysis + "estimator_radius=\"7\"").estimator_radius, 0);
  EXPECT_EQ(read_with(apophysis + "enable_de=\"0\" estimator_radius=\"7\"").estimator_radius, 0);
  EXPECT_EQ(read_with(apophysis + "enable_de=\"1\" estimator_radius=\"7\"").estimator_radius, 7);
  EXPECT_EQ(read_with(flam3 + "enable_de=\"0\" estimator_radius=\"7\"").estimator_radius, 7);
  EXPECT_EQ(read_with(ember + "estimator_radius=\"7\"").estimator_radius, 7);
}

TEST(DialectReader, every_flame_begins_anew) {
  const FlameFile file = parse_flames(flame(ember + "time=\"4\"") + flame(ember), "test.flame", {});
  EXPECT_EQ(file.flames.at(1).time, 0);
  ReaderOptions as_ember;
  as_ember.dialect = Dialect::fractorium;
  const std::string two = flame(flam3 + "time=\"4\"") + flame(flam3);
  EXPECT_EQ(parse_flames(two, "test.flame", as_ember).flames.at(1).time, 0);
  const FlameFile sticky =
      parse_flames(flame(flam3 + "time=\"4\"") + flame(flam3), "test.flame", {});
  EXPECT_EQ(sticky.flames.at(1).time, 4);
}

// ---- attributes of <flame> ----

TEST(DialectReader, angle_turns_apophysis_pictures) {
  EXPECT_NEAR(read_with(apophysis + "angle=\"0.5\"").rotate_deg, -90 / std::numbers::pi, 1e-12);
  EXPECT_NEAR(read_with(apophysis + "angle=\"0.5\" rotate=\"3\"").rotate_deg,
              -90 / std::numbers::pi, 1e-12);
  EXPECT_EQ(read_with(ember + "angle=\"0.5\" rotate=\"3\"").rotate_deg, 3);
  EXPECT_EQ(read_with(flam3 + "angle=\"0.5\"").rotate_deg, 0);
}

TEST(DialectReader, oversample_is_supersample) {
  for (const std::string& version : {ember, apophysis, jwildfire, flam3})
    EXPECT_EQ(read_with(version + "oversample=\"3\"").supersample, 3) << version;
}

TEST(DialectReader, cam_zoom_of_jwildfire_scales) {
  EXPECT_EQ(read_with(jwildfire + "scale=\"40\" cam_zoom=\"1.5\"").scale, 60);
  EXPECT_EQ(read_with(ember + "scale=\"40\" zoom=\"-2\"").zoom, 0);
  EXPECT_EQ(read_with(flam3 + "scale=\"40\" zoom=\"-2\"").zoom, -2);
}

TEST(DialectReader, the_log_scale_may_be_given) {
  for (const std::string& version : {ember, apophysis, flam3}) {
    const Flame got = read_with(version + "logscale_k2=\"0.25\"");
    EXPECT_EQ(got.logscale_k2, 0.25);
    EXPECT_EQ(read("<flames>" + genome_xml(got) + "</flames>").logscale_k2, 0.25);
  }
  EXPECT_EQ(genome_xml(read_with(ember)).find("logscale_k2"), std::string::npos);
  EXPECT_NE(refusal(flame(ember + "logscale_k2=\"-1\"")).find("must be between 0 and"),
            std::string::npos);
}

TEST(DialectReader, a_solo_xform_is_seen_in_full) {
  const std::string faint = "opacity=\"0.5\" color=\"0\"";
  const Flame shown = read(flame(apophysis + "soloxform=\"0\"", faint));
  EXPECT_EQ(shown.xforms[0].opacity, 1);
  EXPECT_EQ(shown.xforms[1].opacity, 0);
  EXPECT_EQ(read(flame(flam3 + "soloxform=\"0\"", faint)).xforms[0].opacity, 0.5);
}

TEST(DialectReader, what_has_no_counterpart_is_said_once_and_refuses_nothing) {
  const std::string odd = "solid_rendering=\"true\" saturation=\"1.5\"";
  const std::vector<std::string> said = warnings(flame(jwildfire + odd));
  ASSERT_EQ(said.size(), 2u);
  EXPECT_EQ(said[0],
            "test.flame:1: flame: solid_rendering=\"true\" has no counterpart in kiln; the picture "
            "is made without");
  EXPECT_TRUE(warnings(flame(jwildfire + "saturation=\"1\" fps=\"25\"")).empty());
  EXPECT_EQ(warnings(flame(jwildfire + "white_level=\"200\" contrast=\"1.2\"")).size(), 2u);
  EXPECT_TRUE(warnings(flame(jwildfire + "white_level=\"220\" shading_light_count=\"2\" "
                                         "background_ul=\"1\" zoom_curve=\"3\""))
                  .empty());
  std::vector<std::string> told;
  tell(
      parse_flames(flame(jwildfire + odd) + flame(jwildfire + odd), "test.flame", {}),
      [](int) { return true; }, Use::stills,
      [&](const std::string& text) { told.push_back(text); });
  EXPECT_EQ(told.size(), 2u);
  EXPECT_NE(refusal(flame(flam3 + odd)).find("needs setting solid_rendering"), std::string::npos);
}

TEST(DialectReader, an_xform_of_jwildfire_is_read_without_its_third_dimension) {
  const std::string deep = "yzCoefs=\"1 0 0 2 0 0\"";
  EXPECT_EQ(warnings(flame(jwildfire, deep)).size(), 1u);
  EXPECT_NE(refusal(flame(flam3, deep)).find("needs setting yzCoefs"), std::string::npos);
}

// ---- attributes of <xform> ----

TEST(DialectReader, symmetry_is_not_embers) {
  EXPECT_EQ(xform_with(ember, "color_speed=\"0.25\" symmetry=\"0.9\"").color_speed, 0.25);
  EXPECT_NEAR(xform_with(apophysis, "symmetry=\"0.9\"").color_speed, 0.05, 1e-15);
  EXPECT_EQ(xform_with(apophysis, "symmetry=\"0.9\"").animate, 0);
}

TEST(DialectReader, a_missing_color_is_0_in_apophysis) {
  const std::string two =
      "<xform weight=\"1\" linear=\"1\"/><xform weight=\"1\" linear=\"1\"/>"
      "<color index=\"0\" rgb=\"1 2 3\"/></flame>";
  EXPECT_EQ(read("<flame " + apophysis + ">" + two).xforms[1].color, 0);
  EXPECT_EQ(read("<flame " + flam3 + ">" + two).xforms[1].color, 1);
}

TEST(DialectReader, opacity_is_a_share_where_it_may_not_exceed_1) {
  EXPECT_EQ(xform_with(ember, "opacity=\"2.5\"").opacity, 2.5);
  EXPECT_EQ(xform_with(apophysis, "opacity=\"2.5\"").opacity, 1);
  EXPECT_EQ(xform_with(jwildfire, "opacity=\"2.5\"").opacity, 1);
  EXPECT_EQ(xform_with(flam3, "opacity=\"2.5\"").opacity, 2.5);
  EXPECT_EQ(xform_with(apophysis, "plotmode=\"off\"").opacity, 0);
}

TEST(DialectReader, opacity_weighs_samples_linearly) {
  const auto hit = [](const std::string& version) {
    const CompiledFlame compiled =
        compile(read(flame(version + "palette_mode=\"step\"", "opacity=\"0.5\"")), {1, 0, 8, 8});
    return compiled.hits.at(0) * compiled.unit;
  };
  EXPECT_NEAR(hit(ember), 127.5, 0.01);
  EXPECT_NEAR(hit(flam3), 25.5, 0.01);
}

TEST(DialectReader, chaos_of_zeros_goes_to_the_first_xform) {
  const Flame zeros = read(flame(ember, "chaos=\"0 0\""));
  const CompiledFlame compiled = compile(zeros, {1, 0, 8, 8});
  const std::vector<std::uint32_t> row(compiled.cumulative.begin() + 2,
                                       compiled.cumulative.begin() + 4);
  EXPECT_EQ(row, (std::vector<std::uint32_t>{0, 0xffffffffu}));
  EXPECT_NE(refusal(flame(flam3, "chaos=\"0 0\"")).find("chaos leaves no xform to go to"),
            std::string::npos);
  EXPECT_EQ(xform_with(apophysis, "chaos=\"1 -0.5\"").chaos, (std::vector<double>{1, 0.5}));
}

TEST(DialectReader, a_final_xform_may_be_off_and_may_have_a_weight) {
  EXPECT_EQ(final_with(apophysis, "weight=\"0.5\"").weight, 0);
  EXPECT_TRUE(final_with(apophysis, "enabled=\"1\" chaos=\"1\"").chaos.empty());
  const std::string off =
      "<finalxform linear=\"1\" enabled=\"0\"/>"
      "<color index=\"0\" rgb=\"1 2 3\"/>";
  EXPECT_FALSE(read(flame(apophysis, "", off)).final_xform);
  EXPECT_FALSE(refusal(flame(flam3, "", off)).empty());
}

TEST(DialectReader, symmetry_elements_are_expanded_but_for_ember) {
  const std::string three = "<symmetry kind=\"3\"/><color index=\"0\" rgb=\"1 2 3\"/>";
  EXPECT_EQ(read(flame(ember, "", three)).xforms.size(), 2u);
  EXPECT_EQ(read(flame(apophysis, "", three)).xforms.size(), 4u);
}

// ---- milder reading ----

TEST(DialectReader, numbers_may_be_followed_by_text) {
  const Flame got = read(flame(apophysis + "gamma=\"3 \" quality=\"20px\" center=\"1 2 3\"",
                               "coefs=\"1 0 0 1 0 0 \" color=\"0.5 0 0\""));
  EXPECT_EQ(got.gamma, 3);
  EXPECT_EQ(got.quality, 20);
  EXPECT_EQ(got.center_y, 2);
  EXPECT_EQ(got.xforms[0].color, 0.5);
  EXPECT_NE(refusal(flame(flam3 + "gamma=\"3 \"")).find("characters follow"), std::string::npos);
}

TEST(DialectReader, what_cannot_be_read_keeps_its_usual_value) {
  const std::string odd = "gamma=\"much\" center=\"1\" zoom=\"\"";
  const Flame got = read_with(ember + odd);
  EXPECT_EQ(got.gamma, 4);
  EXPECT_EQ(got.center_x, 0);
  EXPECT_EQ(warnings(flame(ember + odd)).at(0),
            "test.flame:1: flame: gamma=\"much\": \"much\" is not a number (write it like -1.5 or "
            "2e-3); the usual value is taken");
  EXPECT_FALSE(refusal(flame(flam3 + "gamma=\"much\"")).empty());
}

TEST(DialectReader, files_may_have_several_roots_marks_and_bare_ampersands) {
  const FlameFile file =
      parse_flames("\xEF\xBB\xBF" + flame(apophysis + "name=\"a & b &amp; c\"") + flame(apophysis),
                   "test.flame", {});
  EXPECT_EQ(file.flames.at(0).name, "a_&_b_&_c");
  EXPECT_EQ(file.flames.size(), 2u);
}

TEST(DialectReader, names_in_latin_1_become_utf_8) {
  EXPECT_EQ(read_with(apophysis + "name=\"caf\xE9\"").name, "caf\xC3\xA9");
  EXPECT_EQ(read_with(apophysis + "nick=\"caf\xC3\xA9\"").nick, "caf\xC3\xA9");
  EXPECT_EQ(as_utf8("a\xFF\xE2\x82\xAC"), "a\xC3\xBF\xE2\x82\xAC");
  EXPECT_EQ(as_utf8("\xE2\x80\xAE"), "\xE2\x80\xAE");  // one character, though not to be printed
}

// ---- palettes of any length ----

std::string palette_of(int entries) {
  std::string text = "<palette count=\"256\" format=\"RGB\">";  // Ember ignores count
  for (int i = 0; i < entries; ++i) text += fmt::format("{:02X}{:02X}00\n", i % 256, i / 256);
  return text + "</palette>";
}

TEST(DialectReader, palettes_have_as_many_entries_as_they_have) {
  for (int entries : {1, 2, 64, 256, 300, 512, 1024}) {
    const Flame got = read(flame(ember, "", palette_of(entries)));
    ASSERT_EQ(got.palette.size(), std::size_t(entries));
    EXPECT_NEAR(got.palette.back().r * 255, (entries - 1) % 256, 1e-9);
    const Flame again = parse_flames(genome_xml(got), "again.flam3", {}).flames.at(0);
    EXPECT_EQ(again.palette, got.palette) << entries;
  }
  EXPECT_EQ(
      read(flame(flam3, "", "<palette count=\"512\" format=\"RGB\">" + palette_of(512).substr(34)))
          .palette.size(),
      256u);
}

TEST(DialectReader, palettes_that_are_no_bytes_keep_their_length) {
  Flame got = read(flame(ember, "", palette_of(3)));
  got.palette[1] = {0.1234, 0.5, 0.25, 1};
  EXPECT_EQ(parse_flames(genome_xml(got), "again.flam3", {}).flames.at(0).palette, got.palette);
}

/// The color of the compiled table at coordinate c: red in 0..255.
double red_at(const CompiledFlame& compiled, double c) {
  const ColorIndex& color = compiled.program.color;
  const auto index = std::uint32_t(std::min(float(c) * color.scale + color.offset, color.max));
  const std::uint32_t entry = index >> color.fraction_bits;
  const double fraction =
      double(index & ((1u << color.fraction_bits) - 1)) / double(1u << color.fraction_bits);
  const auto red = [&](std::uint32_t i) { return compiled.palette.at(i).v[0] * compiled.unit; };
  return fraction > 0 ? red(entry) * (1 - fraction) + red(entry + 1) * fraction : red(entry);
}

TEST(DialectReader, colors_lie_between_the_ends_of_the_palette) {
  for (int entries : {2, 64, 256, 300, 1024}) {
    for (const char* mode : {"step", "linear"}) {
      const std::string attributes = ember + "palette_mode=\"" + mode + "\"";
      const CompiledFlame compiled =
          compile(read(flame(attributes, "", palette_of(entries))), {1, 0, 8, 8});
      for (double c : {0.0, 0.1, 0.37, 0.5, 0.93, 0.999, 1.0}) {
        const double t = c * (entries - 1);
        const int i = std::min(int(t), std::max(entries - 2, 0));
        const double mix = t - i, low = i % 256, high = (i + 1) % 256;
        const double expected =
            std::string(mode) == "step" ? int(t) % 256 : low + mix * (high - low);
        EXPECT_NEAR(red_at(compiled, c), expected, 0.6) << entries << " " << mode << " " << c;
      }
    }
  }
}

TEST(DialectReader, palettes_of_different_lengths_blend) {
  Flame one = read(flame(ember + "time=\"0\"", "", palette_of(2)));
  Flame two = read(flame(ember + "time=\"1\"", "", palette_of(5)));
  one.palette_interpolation = PaletteInterpolation::rgb;
  const Flame between = interpolate({one, two}, 0.5);
  ASSERT_EQ(between.palette.size(), 5u);
  EXPECT_NEAR(between.palette[2].r * 255, 0.5 * 0.5 + 0.5 * 2, 1e-9);
}

TEST(DialectReader, opacities_of_different_dialects_blend_by_their_weight) {
  Flame one = read(flame(flam3 + "time=\"0\"", "opacity=\"0.5\""));
  Flame two = read(flame(ember + "time=\"1\"", "opacity=\"0.1\""));
  const double weight = std::pow(interpolate({one, two}, 1).xforms[0].opacity, 3.3219280948873626);
  EXPECT_NEAR(weight, 0.1, 1e-9);
}

/// Fractorium's motion of camera and brightness: named, and flam3 ignores it without a word.
TEST(DialectReader, flame_motion_is_named) {
  const std::string more =
      "<flame_motion motion_frequency=\"1\" zoom=\"0.5\"/><color index=\"0\" rgb=\"1 2 3\"/>";
  const auto warnings_of = [&](const std::string& version) {
    return parse_flames(flame(version, "color=\"0\"", more), "test.flame", {}).warnings;
  };
  ASSERT_EQ(warnings_of(ember).size(), 1u);
  EXPECT_EQ(warnings_of(ember)[0].key, std::string(note_key) + "flame_motion");
  EXPECT_TRUE(warnings_of(flam3).empty());
}

}  // namespace
}  // namespace kiln
