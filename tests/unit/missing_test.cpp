// SPDX-License-Identifier: MIT
// Flames that need what kiln does not have, packs with a bad flame, and what is said about which
// flame.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/animation/frame_at.h"
#include "engine/api/kiln.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/unsupported.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

using Texts = std::vector<std::string>;

const std::string color = R"(<color index="0" rgb="1 2 3"/>)";

std::string flame(const std::string& attributes, const std::string& xform = "",
                  const std::string& more = "") {
  return "<flame size=\"8 8\" " + attributes + "><xform weight=\"1\" linear=\"1\" " + xform + "/>" +
         more + color + "</flame>\n";
}

FlameFile read(const std::string& xml, bool approximate = true, bool keep_bad = false) {
  ReaderOptions options;
  options.approximate = approximate;
  options.keep_bad = keep_bad;
  return parse_flames("<flames>\n" + xml + "</flames>", "pack.flam3", options);
}

/// What the one flame of the file lacks.
Texts missing_in(const std::string& xml) { return missing_names(read(xml).flames.at(0)); }
Texts missing_with(const std::string& attributes) { return missing_in(flame(attributes)); }
Texts missing_in_xform(const std::string& attributes) { return missing_in(flame("", attributes)); }

Texts told(const FlameFile& file, const FlameChoice& chosen, Use use = Use::stills) {
  Texts texts;
  tell(file, chosen, use, [&](const std::string& text) { texts.push_back(text); });
  return texts;
}
Texts told_of(const FlameFile& file, int index) {
  return told(file, [index](int i) { return i == index; });
}
Texts told_of_all(const FlameFile& file) {
  return told(file, [](int) { return true; });
}

Error error_of(const std::string& xml) {
  try {
    read(xml, false);
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::usage, "no error"};
}

std::string many_unknown(int count) {
  std::string text;
  for (int i = 0; i < count; ++i) text += "thing" + std::to_string(i) + "=\"x\" ";
  return text;
}

// ---- what is missing ----

TEST(Missing, a_flame_is_refused_by_default) {
  const Error error = error_of(flame("name=\"rose\"") + flame("name=\"a b\"", "hexnix3D=\"1\""));
  EXPECT_EQ(error.kind, ErrorKind::unsupported);
  EXPECT_STREQ(error.what(),
               "pack.flam3:3: flame 1 \"a_b\" needs variation hexnix3D (xform 1), which kiln does "
               "not have; --approximate renders it without");
}

TEST(Missing, approximate_reads_the_rest) {
  const FlameFile file = read(flame("", "hexnix3D=\"0.5\" julia=\"0.25\""));
  EXPECT_EQ(file.flames.at(0).xforms.at(0).variations.at(13), 0.25);
  EXPECT_EQ(told_of_all(file),
            Texts{"pack.flam3:2: flame 0 needs variation hexnix3D (xform 1), which kiln does not "
                  "have"});
}

TEST(Missing, variations) {
  EXPECT_EQ(missing_in_xform("hexnix3D=\"1\" hexnix3D_size=\"2\" pre_hexnix3D=\"1\""),
            (Texts{"variation hexnix3D", "variation pre_hexnix3D"}));
  // "blur" is one of ours, blur_heart none of its parameters
  EXPECT_EQ(missing_in_xform("blur_heart=\"1\""), Texts{"variation blur_heart"});
  EXPECT_EQ(missing_in_xform("hexnix3D=\"0\" hexnix3D_size=\"2\""), Texts{});
  EXPECT_EQ(missing_in(flame("", "",
                             "<xform weight=\"1\" hexnix3D=\"1\"/>"
                             "<finalxform hexnix3D=\"1\" mandala=\"2\"/>")),
            (Texts{"variation hexnix3D", "variation mandala"}));
  EXPECT_EQ(missing_in("<flame size=\"8 8\"><xform weight=\"1\"><motion motion_frequency=\"1\" "
                       "motion_function=\"sin\" hexnix3D=\"1\"/></xform>" +
                       color + "</flame>"),
            Texts{"variation hexnix3D"});
}

TEST(Missing, parameters_that_flam3_has_built_in) {
  EXPECT_EQ(missing_in_xform("julia=\"1\" julia_fx_priority=\"0\" pre_blur_fx_priority=\"-1\""),
            Texts{});
  EXPECT_EQ(missing_in_xform("julia=\"1\" julia_fx_priority=\"1\""),
            Texts{"parameter julia_fx_priority"});
}

const std::string ember = "version=\"EMBER-WIN-1.0.0.19\" ",
                  jwildfire = "version=\"0.16 (06.11.2011)\" ";
const std::string auger =
    R"(auger="0.5" auger_sym="0" auger_weight="0.5" auger_freq="5" auger_scale="0.1" )";

/// What is said of the xform, flame or not.
Texts told_in_xform(const std::string& head, const std::string& xform) {
  return told_of_all(read(flame(head, xform)));
}

TEST(Missing, parameters_that_follow_from_others_are_not) {
  for (const std::string& head : {std::string(), ember}) {
    EXPECT_EQ(told_in_xform(head, auger + "auger_half_scale=\"0.05\""), Texts{});
    EXPECT_EQ(told_in_xform(head, "pre_auger=\"1\" pre_auger_half_scale=\"0.05\""), Texts{});
    EXPECT_EQ(told_in_xform(head, "rotate_x=\"1\" rx_sin=\"1\" rotate_y_cos=\"0.5\""), Texts{});
  }
  const Flame with = read(flame(ember, auger + "auger_half_scale=\"7\"")).flames.at(0),
              without = read(flame(ember, auger)).flames.at(0);
  EXPECT_EQ(with.xforms.at(0).parameters, without.xforms.at(0).parameters);
}

TEST(Missing, parameters_beside_all_that_a_variation_has_are_not) {
  const std::string julian = R"(julian="1" julian_power="3" julian_dist="1" )";
  EXPECT_EQ(told_in_xform(ember, julian + "julian_more=\"2\""),
            Texts{"pack.flam3:2: xform 1: julian_more is none of the parameters of julian, which "
                  "has all of its own; it is ignored"});
  EXPECT_EQ(told_in_xform("", julian + "julian_more=\"2\"").size(), 1u);
  EXPECT_EQ(missing_in_xform(julian + "julian_more=\"2\""), Texts{});
  EXPECT_EQ(missing_in_xform("pre_julian=\"1\" pre_julian_power=\"3\" "
                             "pre_julian_dist=\"1\" pre_julian_more=\"2\""),
            Texts{});
  // a slip of the pen may be one that is left out; JWildfire's variations have grown
  EXPECT_EQ(missing_in_xform("julian=\"1\" julian_powr=\"3\" julian_dist=\"1\""),
            Texts{"variation julian_powr"});
  EXPECT_EQ(missing_in(flame(jwildfire, julian + "julian_more=\"2\"")),
            Texts{"variation julian_more"});
  // variations whose names begin like that
  const std::string depth = R"(depth="1" depth_power="1" )";
  EXPECT_EQ(missing_in_xform(depth + "depth_sine=\"1\" depth_sine_freq=\"2\""),
            Texts{"variation depth_sine"});
  EXPECT_EQ(missing_in_xform(depth + "depth_sine=\"1\""), Texts{"variation depth_sine"});
  EXPECT_EQ(missing_in_xform("julian=\"0\" julian_power=\"3\" julian_dist=\"1\" julian_more=\"2\""),
            Texts{"variation julian_more"});
}

TEST(Missing, a_weighting_field_is_one_setting) {
  const std::string neutral = R"(wfield_type="NONE" wfield_input="COLOR" wfield_octaves="3")";
  EXPECT_EQ(told_in_xform("", neutral), Texts{});
  EXPECT_EQ(told_in_xform(jwildfire, neutral), Texts{});
  EXPECT_EQ(missing_in_xform(R"(wfield_octaves="3" wfield_type="IMAGE_MAP")"),
            Texts{"setting wfield_type"});
  EXPECT_EQ(told_in_xform(jwildfire, R"(wfield_type="IMAGE_MAP")").size(), 1u);
}

TEST(Missing, elements_that_nobody_here_knows) {
  const std::string group = "<variationGroup normal=\"1\" julia=\"1\"/>";
  const auto in_xform = [&](const std::string& inside) {
    return "<flame size=\"8 8\">\n<xform weight=\"1\">" + inside + "</xform>" + color + "</flame>";
  };
  EXPECT_EQ(missing_in(in_xform(group)), Texts{"element <variationGroup>"});
  const Error error = error_of(in_xform(group));
  EXPECT_EQ(error.kind, ErrorKind::unsupported);
  EXPECT_STREQ(error.what(),
               "pack.flam3:3: flame 0 needs element <variationGroup> (xform 1), which kiln does "
               "not have; --approximate renders it without");
  for (const std::string& head : {std::string(), ember, jwildfire})
    EXPECT_EQ(missing_in(flame(head, "", "<thing/><thing x=\"1\"/><flame/>")),
              (Texts{"element <thing>", "element <flame>"}));
  EXPECT_EQ(missing_in("<flame size=\"8 8\"><xform weight=\"1\" linear=\"1\"><motion "
                       "motion_frequency=\"1\" motion_function=\"sin\"><a/></motion></xform>" +
                       color + "<finalxform linear=\"1\"><b/></finalxform></flame>"),
            (Texts{"element <a>", "element <b>"}));
  EXPECT_EQ(missing_in("<flame size=\"8 8\"><layer><xform weight=\"1\" linear=\"1\">" + group +
                       "</xform>" + color + "<c/></layer></flame>"),
            (Texts{"element <variationGroup>", "element <c>"}));
}

TEST(Missing, elements_without_a_picture_are_not) {
  const std::string silent =
      "<!-- made by hand --><edit date=\"x\"><sheep/><edit action=\"clone\"/></edit><xdata "
      "content=\"x\"/><xformset a=\"1\"><any/></xformset>";
  for (const std::string& head : {std::string(), ember, std::string("version=\"Apophysis 7X\" ")})
    EXPECT_EQ(told_of_all(read(flame(head, "", silent))), Texts{}) << head;
  const std::string motion = "<flame_motion motion_frequency=\"1\"/>";
  EXPECT_EQ(told_of_all(read(flame("", "", motion))), Texts{});
  EXPECT_EQ(told_of_all(read(flame(ember, "", motion))).size(), 1u);
}

TEST(Missing, depth_alone_is_not) {
  const FlameFile file = read(flame(
      "cam_zpos=\"2\"", "linear3D=\"0.5\" flatten=\"1\" ztranslate=\"3\" waves2_freqz=\"2\""));
  EXPECT_EQ(told_of_all(file), Texts{});
  EXPECT_EQ(file.flames.at(0).xforms.at(0).variations.at(0), 1.5);
  const Flame before = read(
                           "<flame size=\"8 8\"><xform weight=\"1\" linear3D=\"0.5\" "
                           "linear=\"0.25\"/>" +
                           color + "</flame>")
                           .flames.at(0);
  EXPECT_EQ(before.xforms.at(0).variations.at(0), 0.75);
  EXPECT_EQ(missing_in_xform("pre_flatten=\"1\" zcone=\"2\""), Texts{});
}

TEST(Missing, settings_of_other_programs) {
  EXPECT_EQ(missing_with("cam_roll=\"0.5\" cam_pos_x=\"0\" cam_pos_y=\"0.1\" cam_zoom=\"1.0\""),
            (Texts{"setting cam_roll", "setting cam_pos_y"}));
  EXPECT_EQ(missing_with("overall_curve=\"0 0 0.25 0.5 1 1\""), Texts{});
  EXPECT_EQ(missing_with("curves=\"0 0 1 0 0 1 1 1 1 1 1 1\""), Texts{});
  EXPECT_EQ(missing_with("curves=\"0 0 1 0.5 0 1 1 1 1 1 1 1\""), Texts{});
  EXPECT_EQ(missing_with("post_symmetry_type=\"NONE\" solid_rendering=\"false\""), Texts{});
  EXPECT_EQ(missing_with("post_symmetry_type=\"POINT\""), Texts{"setting post_symmetry_type"});
  EXPECT_EQ(missing_in_xform("yzCoefs=\"1 0 0 1 0 0.0\" zxPost=\"1 0 0 1 0 2\""),
            Texts{"setting zxPost"});
}

TEST(Missing, editor_data_is_not) {
  const FlameFile file =
      read(flame("nick=\"x\" url=\"y\" plugins=\"hexnix3D mandala \" new_linear=\"1\" "
                 "version=\"Apophysis 7X\" "
                 "sub_batch_size=\"10240\" seconds_per_rotation=\"2\"",
                 "name=\"x\" animate_origin=\"1\" var_color=\"0.5\""));
  EXPECT_EQ(told_of_all(file), Texts{});
}

TEST(Missing, finals_of_one_layer_among_others) {
  const std::string layer =
      "<layer weight=\"1\"><xform weight=\"1\" swirl=\"1\"/>" + color + "</layer>";
  const FlameFile one = read("<flame size=\"8 8\">" + layer + "</flame>");
  EXPECT_EQ(told_of_all(one), Texts{});
  EXPECT_EQ(one.flames.at(0).xforms.size(), 1u);
  const FlameFile two = read("<flame size=\"8 8\">" + layer + layer + "</flame>");
  EXPECT_EQ(told_of_all(two), Texts{});
  EXPECT_EQ(two.flames.at(0).xforms.size(), 2u);
  const std::string with_final = "<layer weight=\"1\"><xform weight=\"1\" swirl=\"1\"/>" + color +
                                 "<finalxform linear=\"1\"/></layer>";
  const FlameFile odd = read("<flame size=\"8 8\">" + layer + with_final + "</flame>");
  EXPECT_EQ(missing_names(odd.flames.at(0)), Texts{"finalxform of layer 2 of several"});
}

TEST(Missing, a_message_names_the_first_few) {
  std::string attributes;
  for (int i = 0; i < 20; ++i) attributes += "new" + std::to_string(i) + "=\"1\" ";
  const std::string text = error_of(flame("", attributes)).what();
  EXPECT_NE(text.find("variation new0 (xform 1), variation new1 (xform 1)"), text.npos) << text;
  EXPECT_NE(text.find("variation new7 (xform 1) and 12 more"), text.npos) << text;
}

// ---- which flame it is about ----

TEST(Missing, every_flame_that_lacks_something_is_named) {
  const FlameFile file = read(flame("name=\"a\"", "hexnix3D=\"1\"") + flame("name=\"b\"") +
                              flame("name=\"c\"", "hexnix3D=\"1\""));
  EXPECT_EQ(told_of_all(file).size(), 2u);
  EXPECT_EQ(told_of(file, 1), Texts{});
  EXPECT_EQ(told_of(file, 2).size(), 1u);
}

TEST(Missing, the_limit_of_messages_hides_none) {
  const FlameFile file =
      read(flame("", many_unknown(60)) + flame(many_unknown(60), "hexnix3D=\"1\""));
  const Texts all = told_of_all(file);
  ASSERT_EQ(all.size(), 52u);  // what is missing, 50 warnings, and the word that there are more
  EXPECT_NE(all.front().find("variation hexnix3D"), std::string::npos) << all.front();
  EXPECT_EQ(all.back(), "pack.flam3: further warnings are not shown");
}

TEST(Warnings, only_of_the_chosen_flame) {
  const FlameFile file = read(flame("thing=\"1\"") + flame("other=\"1\"") + flame("thing=\"1\""));
  EXPECT_EQ(told_of(file, 1), Texts{"pack.flam3:3: flame: unknown attribute other; it is ignored"});
  EXPECT_EQ(told_of(file, 2), Texts{"pack.flam3:4: flame: unknown attribute thing; it is ignored"});
  EXPECT_EQ(told_of_all(file).size(), 2u);  // the same is said once
}

TEST(Warnings, a_smooth_still_has_none) {
  const FlameFile still = read(flame("interpolation=\"smooth\""));
  EXPECT_EQ(told(
                still, [](int) { return true; }, Use::motion),
            Texts{});
  EXPECT_EQ(told_of_all(still), Texts{});
}

// ---- packs ----

TEST(Packs, a_bad_flame_leaves_the_others) {
  const FlameFile file =
      read(flame("name=\"a\"") + flame("name=\"b c\" quality=\"x\"") +
               flame("name=\"d\" time=\"3\"") + flame("", "hexnix3D=\"1\"") + flame("name=\"f\""),
           false, true);
  ASSERT_EQ(file.flames.size(), 3u);
  EXPECT_EQ(file.flames[1].name, "d");
  EXPECT_EQ(file.flames[1].index, 2);
  EXPECT_EQ(file.flames[2].index, 4);
  EXPECT_EQ(file.flames[2].time, 3);  // inherited
  ASSERT_EQ(file.bad.size(), 2u);
  EXPECT_EQ(file.bad[0].index, 1);
  EXPECT_EQ(file.bad[0].name, "b_c");
  EXPECT_EQ(file.bad[0].kind, ErrorKind::input);
  EXPECT_EQ(file.bad[0].message,
            "pack.flam3:3: flame: quality=\"x\": \"x\" is not a number (write it like -1.5 or "
            "2e-3)");
  EXPECT_EQ(file.bad[1].index, 3);
  EXPECT_EQ(file.bad[1].kind, ErrorKind::unsupported);
}

TEST(Packs, of_bad_flames_alone) {
  const FlameFile file = read(flame("quality=\"x\"") + flame("quality=\"y\""), false, true);
  EXPECT_TRUE(file.flames.empty());
  EXPECT_EQ(file.bad.size(), 2u);
}

TEST(Packs, are_refused_unless_asked_for) {
  EXPECT_EQ(error_of(flame("") + flame("quality=\"x\"")).kind, ErrorKind::input);
}

// ---- where it ends up ----

TEST(Missing, the_record_of_a_picture_says_so) {
  const auto record = [](const Flame& one) { return render_record(one, {}, {}, "hash"); };
  const std::string without = record(read(flame("cam_roll=\"1\"", "hexnix3D=\"1\"")).flames.at(0));
  EXPECT_NE(without.find(R"("approximate":["setting cam_roll","variation hexnix3D"])"),
            std::string::npos)
      << without;
  EXPECT_EQ(record(read(flame("")).flames.at(0)).find("approximate"), std::string::npos);
}

TEST(Missing, a_frame_lacks_what_any_key_lacks) {
  const FlameFile file = read(flame("time=\"0\" temporal_samples=\"1\"") +
                              flame("time=\"1\" temporal_samples=\"1\"", "hexnix3D=\"1\""));
  const Frame frame = frame_at(file.flames, {0, 0.5});
  EXPECT_EQ(missing_names(frame.flame), Texts{"variation hexnix3D"});
}

TEST(Missing, the_library_refuses_or_approximates) {
  const std::string xml = flame("", "hexnix3D=\"1\"");
  try {
    parse_scenes(xml);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::unsupported);
  }
  Texts warnings;
  const auto warn = [&](const std::string& text) { warnings.push_back(text); };
  EXPECT_EQ(parse_scenes(xml, warn, Unsupported::approximate).size(), 1u);
  EXPECT_EQ(warnings.size(), 1u);
}

}  // namespace
}  // namespace kiln
