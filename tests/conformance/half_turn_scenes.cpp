// SPDX-License-Identifier: MIT
/// Flames (CC0) whose points decide by the sign of a sine of pi times something on which side of an
/// axis they go on. Near a whole number float pi and the double differ in that sign.
#include <fmt/format.h>

#include "tests/conformance/flames.h"

namespace conformance {
namespace {

/// From orange to pale by way of blue.
std::string palette() {
  std::string text = "<palette count=\"256\" format=\"RGB\">\n";
  for (int i = 0; i < 256; ++i)
    text += fmt::format("{:02X}{:02X}{:02X}{}", i < 128 ? 255 - i : i, 80 + i / 2,
                        i < 128 ? 20 + i : 148 + (i - 128) / 2, i % 8 == 7 ? "\n" : "");
  return text + "</palette>\n";
}

Scene scene(const Format& format, const std::string& name, double quality_factor,
            const char* camera, double scale, const std::string& xforms) {
  return {name,
          fmt::format("<flame name=\"kiln_conformance\" size=\"{} {}\" center=\"{}\" "
                      "scale=\"{:.6g}\" quality=\"{:.6g}\" brightness=\"4\" gamma=\"4\" "
                      "estimator_radius=\"0\" filter=\"0.5\" temporal_samples=\"1\">\n{}{}"
                      "</flame>\n",
                      format.width, format.height, camera, scale * format.height / 108,
                      format.quality * quality_factor, xforms, palette()),
          {},
          "written here"};
}

/// disc takes points round the unit circle and keeps each half plane, a lens thins them towards the
/// y axis, and one of 150 begins anew on either side. What leaves a half by rounding shows in its
/// light; the camera looks at the left one.
const std::string halves = R"(
<xform weight="2" color="0" color_speed="0.7" disc="1" coefs="1 0 0 1 0 0"/>
<xform weight="0.5" color="0.6" color_speed="0.4" linear="1" coefs="0.47 0 0 0.47 0 0"/>
<xform weight="0.5" color="0.3" color_speed="0.5" bubble="0.2" coefs="0.012 0.82 0 1 0 0" chaos="0"/>
<xform weight="0.02" color="0.95" color_speed="0.5" blur="1" coefs="1 0 0 1 0 0"/>
)";

/// A random point comes to a line on which a sine of pi times a whole number is the second
/// coordinate; it is above or below 0 by 1e-16, and `splits` moves what is above up and what is
/// below down. One pair of xforms for each: exponential at pi, cosine at 3 pi, disc2 at 2 pi, disc
/// at pi (these two make a single point, which is blurred).
std::string half_turns() {
  struct Pair {
    const char* sine;  // as an xform's attributes
    const char* blur;
    const char* place;  // in the picture
  };
  const Pair pairs[] = {
      {R"(exponential="1" coefs="1 0 0 0 0 1")", "0.1", "2 0 0 0.5 -0.2 -0.9"},
      {R"(cosine="1" coefs="0 0 0 1 3 1.2")", "0.1", "0.6 0 0 0.5 2.2 -0.8"},
      {R"(disc2="1" disc2_rot="2" coefs="0 0 0 0 0.25 0.75" post="0 1 1 0 0 0")", "0.7",
       "0.6 0 0 0.6 -1.4 0.7"},
      {R"(disc="1" coefs="0 0 0 0 1 0" post="0 1 1 0 0 0")", "0.7", "0.6 0 0 0.6 1.2 0.7"}};
  const int count = int(std::size(pairs));
  const auto only = [&](int next) {  // chaos: 0 but for xform `next`
    std::string row;
    for (int i = 0; i <= 2 * count; ++i) row += i == next ? "1 " : "0 ";
    return row;
  };
  std::string first = "0 ";
  for (int i = 0; i < count; ++i) first += "1 0 ";
  std::string xforms = fmt::format(
      "<xform weight=\"1\" color=\"0\" color_speed=\"1\" square=\"1\" coefs=\"1 0 0 1 0 0\" "
      "opacity=\"0\" chaos=\"{}\"/>\n",
      first);
  for (int i = 0; i < count; ++i) {
    xforms += fmt::format("<xform weight=\"1\" color=\"{}\" opacity=\"0\" {} chaos=\"{}\"/>\n",
                          i / 4.0, pairs[i].sine, only(2 * i + 2));
    xforms += fmt::format(
        "<xform weight=\"1\" color=\"{}\" color_speed=\"0.3\" splits=\"1\" splits_x=\"0.2\" "
        "splits_y=\"0.6\" blur=\"{}\" coefs=\"1 0 0 1 0 0\" post=\"{}\" chaos=\"{}\"/>\n",
        1 - i / 4.0, pairs[i].blur, pairs[i].place, only(0));
  }
  return xforms;
}

/// Angles of pi times a weight, a parameter or a random number.
const std::string turning = R"(
<xform weight="1" color="0" linear="0.7" oscilloscope="0.3" oscilloscope_separation="0.5" oscilloscope_frequency="3" oscilloscope_amplitude="0.7" oscilloscope_damping="0.4" coefs="0.7 0.3 -0.3 0.7 0.2 0.1"/>
<xform weight="0.6" color="0.5" perspective="0.9" perspective_angle="1" perspective_dist="2.5" radial_blur="0.1" radial_blur_angle="2" coefs="0.8 -0.5 0.4 0.6 -0.3 0.4"/>
<xform weight="0.5" color="1" heart="0.6" noise="0.7" coefs="0.5 0.4 -0.5 0.6 0 -0.7"/>
<xform weight="0.4" color="0.8" arch="0.3" rays="0.05" coefs="1 0 0 1 0 0"/>
)";

}  // namespace

std::vector<Scene> half_turn_scenes(const Format& format) {
  const Format small{format.width / 2, format.height / 2, format.quality};
  Scene slow = scene(small, "disc_halves", 1, "-0.56 -0.036", 60, halves);
  slow.options.flam3_chain = 1000000;
  slow.slow = true;
  return {slow, scene(format, "half_turns", 0.3, "0 0", 36, half_turns()),
          scene(format, "half_turns_mixed", 0.5, "0 0", 38, turning)};
}

}  // namespace conformance
