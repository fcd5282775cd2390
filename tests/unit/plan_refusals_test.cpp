// SPDX-License-Identifier: MIT
// Flames that can be read and make no picture: refused while the frame is planned, before a device
// is asked, with file, line, the number and the remedy.
#include <gtest/gtest.h>

#include <string>

#include "engine/animation/frame_at.h"
#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/render/plan/prepared_frame.h"

namespace kiln {
namespace {

std::string flame(const std::string& attributes, const std::string& rgb = "255 128 64") {
  return "<flame size=\"8 8\" scale=\"20\" quality=\"5\" " + attributes +
         "><xform weight=\"1\" linear=\"1\" coefs=\"0.5 0 0 0.5 0.25 0.1\"/><color index=\"0\" "
         "rgb=\"" +
         rgb + "\"/></flame>\n";
}

std::vector<Flame> read(const std::string& xml) {
  return parse_flames("<a>\n" + xml + "</a>", "a.flam3", {}).flames;
}

template <class Action>
std::string refusal(Action action) {
  try {
    action();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind, ErrorKind::input) << error.what();
    return error.what();
  }
  return "none";
}

std::string refusal_of_still(const Flame& still) {
  Frame frame;
  frame.flame = still;
  return refusal([&] { prepare(frame, {}); });
}
std::string refusal_of(const std::string& xml) { return refusal_of_still(read(xml).at(0)); }

bool starts_with(const std::string& text, const std::string& part) {
  return text.rfind(part, 0) == 0;
}

TEST(PlanRefusals, more_samples_than_can_be_counted) {
  // 4^30 * 64 * 5 = 3.7e20: beyond 2^64
  const std::string text = refusal_of(flame("zoom=\"30\""));
  EXPECT_TRUE(
      starts_with(text, "a.flam3:2: 3.69e+20 samples at quality 5 and zoom 30 are too many"))
      << text;
  EXPECT_EQ(refusal_of(flame("zoom=\"20\"")), "none");  // 3.5e14: for ever, but it can be counted
}

TEST(PlanRefusals, a_picture_of_no_sample) {
  for (const char* attributes : {"zoom=\"-20\"", "passes=\"1000\""}) {
    const std::string text = refusal_of(flame(attributes));
    EXPECT_TRUE(starts_with(text, "a.flam3:2: quality 5 and zoom ")) << text;
    EXPECT_NE(text.find("not one sample"), text.npos) << text;
  }
  for (double quality : {1e-9, 1e-320}) {
    Flame still = read(flame("")).at(0);
    still.quality = quality;
    EXPECT_NE(refusal_of_still(still).find("not one sample"), std::string::npos) << quality;
  }
}

TEST(PlanRefusals, a_color_that_no_histogram_holds) {
  const std::string text = refusal_of(flame("", "1e12 0 0"));
  EXPECT_TRUE(starts_with(
      text, "a.flam3:2: a color of the palette is 3.92e+09 times white, more than the histogram"))
      << text;
}

TEST(PlanRefusals, errors_of_the_plan_say_where) {
  const std::string filter =
      refusal_of(flame("supersample=\"16\" filter=\"0.01\" filter_shape=\"hamming\""));
  EXPECT_TRUE(starts_with(filter, "a.flam3:2: flame: ")) << filter;
  Flame still = read(flame("")).at(0);
  still.estimator_curve = 0;
  EXPECT_TRUE(starts_with(refusal_of_still(still), "a.flam3:2: flame: estimator_curve 0 "));
}

TEST(PlanRefusals, moments_without_number) {
  const std::string many = "temporal_samples=\"100000\" passes=\"1000\" ";
  const std::vector<Flame> keys = read(flame(many + "time=\"0\"") + flame(many + "time=\"1\""));
  const std::string text = refusal([&] { frame_at(keys, {0, 0.5}); });
  EXPECT_TRUE(starts_with(
      text, "a.flam3:2: at time 0.5 the flame has 1000 passes of 100000 temporal_samples: a frame"))
      << text;
  EXPECT_EQ(refusal_of_still(keys[0]).find("time samples"), std::string::npos);  // a still has none
}

TEST(PlanRefusals, passes_that_end_before_the_first_key) {
  const std::vector<Flame> keys =
      read(flame("time=\"0\" passes=\"1\" temporal_samples=\"2\" temporal_filter_width=\"0\"") +
           flame("time=\"1\" passes=\"5\" temporal_samples=\"3\" temporal_filter_width=\"0\""));
  const std::string text = refusal([&] { frame_at(keys, {0, -100}); });
  EXPECT_NE(text.find("at time -100 the flame has -399 passes of -98 temporal_samples"), text.npos)
      << text;
}

}  // namespace
}  // namespace kiln
