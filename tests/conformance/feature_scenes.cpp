// SPDX-License-Identifier: MIT
/// Flames written for this comparison (CC0), one for each feature of the format and stage of the
/// pipeline. Each differs from its base in the one thing its name says, so that a failing row names
/// the culprit.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "tests/conformance/flames.h"

namespace conformance {
namespace {

// ---- palettes ----

// Triangle wave of period 256 between 0 and 255.
int wave(int i) {
  const int t = ((i % 256) + 256) % 256;
  return std::min(255, 2 * std::min(t, 255 - t));
}

std::string hex(int value) { return fmt::format("{:02X}", value); }

// Slowly changing colors, none of them black.
std::string smooth_palette() {
  std::string text = "<palette count=\"256\" format=\"RGB\">\n";
  for (int i = 0; i < 256; ++i) {
    text += hex(40 + wave(i) * 215 / 255) + hex(30 + wave(i + 85) * 200 / 255) +
            hex(50 + wave(i + 171) * 205 / 255);
    if (i % 8 == 7) text += '\n';
  }
  return text + "</palette>\n";
}

// Every entry differs much from the next: shows the index's rounding and the palette mode.
std::string striped_palette() {
  std::string text = "<palette count=\"256\" format=\"RGB\">\n";
  for (int i = 0; i < 256; ++i) {
    text += i % 3 == 0 ? "FF4020" : i % 3 == 1 ? "20A0FF" : "102008";
    if (i % 8 == 7) text += '\n';
  }
  return text + "</palette>\n";
}

// Smooth colors, alpha from 0 to 255 and back three times; not premultiplied.
std::string rgba_palette() {
  std::string text = "<palette count=\"256\" format=\"RGBA\">\n";
  for (int i = 0; i < 256; ++i) {
    text += hex(40 + wave(i) * 215 / 255) + hex(30 + wave(i + 85) * 200 / 255) +
            hex(50 + wave(i + 171) * 205 / 255) + hex(wave(3 * i));
    if (i % 8 == 7) text += '\n';
  }
  return text + "</palette>\n";
}

// Sparse entries with alpha, to be premultiplied and the gaps filled.
std::string rgba_colors() {
  return R"(<color index="20" rgba="255 60 30 255"/>
<color index="90" rgba="40 255 90 60"/>
<color index="150" rgb="60 90 255" a="128"/>
<color index="220" rgba="255 240 200 10"/>
)";
}

// ---- bodies: the xforms ----

// Fine structure on a soft ground with empty corners. The blur forgets where a point came from, and
// the ground leaves few pixels with a hit or two, whose noise would drown what is looked for.
const std::string leaf = R"(
<xform weight="1" color="0" color_speed="0.5" linear="0.8" spherical="0.1" coefs="0.56 0.22 -0.26 0.52 0.6 0.1"/>
<xform weight="0.8" color="0.6" color_speed="0.4" sinusoidal="1" coefs="0.5 -0.3 0.25 0.61 -0.7 0.25"/>
<xform weight="0.5" color="1" color_speed="0.6" linear="0.9" bubble="0.2" coefs="-0.35 0.4 0.5 0.3 0.1 -0.55"/>
<xform weight="0.6" color="0.3" color_speed="0.5" blur="1.5" coefs="1 0 0 1 0 0"/>
)";

// Light everywhere, so that no filter with negative lobes drives a channel below 0.
const std::string mist = R"(
<xform weight="1" color="0.2" color_speed="0.5" square="9" coefs="1 0 0 1 0 0"/>
<xform weight="1" color="0.9" color_speed="0.6" swirl="0.9" coefs="0.5 0.3 -0.3 0.6 0.3 0.1"/>
)";

// A bright core, and faint shapes with sharp edges: buckets of every count, and edges that show how
// far the estimator blurs each of them.
const std::string halo = R"(
<xform weight="4" color="0.1" color_speed="0.5" gaussian_blur="0.35" coefs="1 0 0 1 0 0"/>
<xform weight="0.8" color="0.8" color_speed="0.5" pie="1.3" pie_slices="7" pie_thickness="0.4" coefs="1 0 0 1 0 0"/>
<xform weight="0.15" color="0.3" color_speed="0.5" square="4" coefs="1 0 0 1 0 0"/>
<xform weight="3" color="0.5" color_speed="0.7" linear="1" coefs="0.45 0.1 -0.1 0.45 1.1 0.2"/>
<xform weight="3" color="1" color_speed="0.7" julian="0.7" julian_power="3" julian_dist="1" coefs="0.7 0.2 -0.2 0.7 0.3 0"/>
)";

// The frame of a scene; `scale` is in pixels per unit at a height of 108.
struct Frame {
  const Format& format;

  std::string flame(const std::string& attributes, const std::string& children, double scale = 38,
                    double quality_factor = 1) const {
    return fmt::format(
        "<flame name=\"kiln_conformance\" size=\"{} {}\" scale=\"{:.6g}\" quality=\"{:.6g}\" "
        "{}>\n{}"
        "</flame>\n",
        format.width, format.height, scale * format.height / 108,
        std::max(1.0, format.quality * quality_factor), attributes, children);
  }
};

// Attributes every scene starts from; a scene's own are given instead by `with_attribute`.
const char* const plain =
    "center=\"0 0\" supersample=\"1\" filter=\"0.5\" brightness=\"4\" gamma=\"4\" vibrancy=\"1\" "
    "estimator_radius=\"0\" palette_mode=\"step\" temporal_samples=\"1\"";

struct Change {
  std::string name, value;
};

class Collector {
 public:
  explicit Collector(const Format& format) : frame_{format} {}

  // Adds a scene: base attributes with `changes`, then xforms and palette.
  void add(const std::string& name, const std::vector<Change>& changes, const std::string& children,
           const Options& options = {}, double scale = 38, double quality_factor = 1) {
    const double part = quality_factor < 0.3 ? 1 : frame_.format.part;  // a few are few already
    std::string xml = frame_.flame(plain, children, scale, part * quality_factor);
    for (const Change& change : changes) {
      xml = with_attribute(xml, "flame", change.name, change.value);
    }
    scenes_.push_back({name, xml, options, "written here", false, part});
  }
  // Adds the frame at time 1 of an animation with keys at 0 and 2; `changes` are for both, `later`
  // for the second alone.
  void add_frame(const std::string& name, const std::vector<Change>& changes,
                 const std::vector<Change>& later, const std::string& first_children,
                 const std::string& second_children, double quality_factor) {
    const auto key = [&](const char* time, const std::string& children,
                         const std::vector<Change>& more) {
      std::string xml = frame_.flame(plain, children, 38, quality_factor);
      for (const Change& change : changes)
        xml = with_attribute(xml, "flame", change.name, change.value);
      for (const Change& change : more)
        xml = with_attribute(xml, "flame", change.name, change.value);
      return with_attribute(xml, "flame", "time", time);
    };
    scenes_.push_back({name,
                       "<flames>\n" + key("0", first_children, {}) +
                           key("2", second_children, later) + "</flames>\n",
                       {.frame = 1},
                       "written here"});
  }
  std::vector<Scene> take() { return std::move(scenes_); }

 private:
  Frame frame_;
  std::vector<Scene> scenes_;
};

void add_camera(Collector& set) {
  const std::string scene = leaf + smooth_palette();
  set.add("plain", {}, scene);
  set.add("center", {{"center", "0.45 -0.3"}}, scene);
  set.add("rotate", {{"rotate", "37"}}, scene);
  set.add("rotate_center", {{"rotate", "-110"}, {"center", "0.5 0.25"}}, scene);
  set.add("zoom_in", {{"zoom", "0.6"}}, scene, {}, 38, std::pow(4, -0.6));
  set.add("zoom_out", {{"zoom", "-0.7"}}, scene, {}, 60, std::pow(4, 0.7));
  set.add("pixel_aspect_wide", {}, scene, {.pixel_aspect = 1.7});
  set.add("pixel_aspect_tall", {{"filter", "0.8"}, {"supersample", "2"}}, scene,
          {.pixel_aspect = 0.6});
  set.add("pixel_aspect_rotate", {{"rotate", "25"}}, scene, {.pixel_aspect = 1.3});
}

void add_palettes(Collector& set) {
  set.add("palette_number", {{"palette", "42"}}, leaf);
  set.add("hue", {{"palette", "42"}, {"hue", "0.31"}}, leaf);
  set.add("hue_negative", {{"palette", "105"}, {"hue", "-0.2"}}, leaf);
  set.add("palette_step", {{"palette_mode", "step"}}, leaf + striped_palette());
  set.add("palette_linear", {{"palette_mode", "linear"}}, leaf + striped_palette());
  set.add("palette_rgba", {{"palette_mode", "step"}}, leaf + rgba_palette());
  set.add("palette_rgba_linear", {{"palette_mode", "linear"}}, leaf + rgba_palette());
  set.add("palette_rgba_transparent", {}, leaf + rgba_palette(), {.transparent = true});
  set.add("color_rgba", {{"palette_mode", "linear"}}, leaf + rgba_colors());
  set.add("color_rgba_transparent", {{"background", "0.3 0.1 0"}}, leaf + rgba_colors(),
          {.transparent = true});
  set.add("palette_blend", {},
          leaf +
              "<palette index0=\"42\" index1=\"17\" hue0=\"0.1\" hue1=\"0.7\" "
              "blend=\"0.35\"/>\n");
  std::string colors = "<colors count=\"256\" data=\"";
  for (int i = 0; i < 256; ++i) colors += "00" + hex(wave(i)) + hex(wave(2 * i)) + hex(90);
  set.add("colors_data", {}, leaf + colors + "\"/>\n");
}

void add_output(Collector& set) {
  const std::string scene = leaf + smooth_palette();
  set.add("transparent", {}, scene, {.transparent = true});
  set.add("background", {{"background", "0.2 0.35 0.6"}}, scene);
  set.add("background_transparent", {{"background", "0.2 0.35 0.6"}}, scene, {.transparent = true});
  set.add("brightness_high", {{"brightness", "25"}}, scene);
  set.add("brightness_low", {{"brightness", "0.8"}}, scene);
  set.add("gamma_1", {{"gamma", "1"}, {"brightness", "12"}}, scene);
  set.add("gamma_2.2", {{"gamma", "2.2"}}, scene);
  set.add("vibrancy_0", {{"vibrancy", "0"}}, scene);
  set.add("vibrancy_0.5", {{"vibrancy", "0.5"}}, scene);
  set.add("vibrancy_1.5", {{"vibrancy", "1.5"}}, scene);
  set.add("gamma_threshold_0", {{"gamma_threshold", "0"}}, scene);
  set.add("gamma_threshold_0.4", {{"gamma_threshold", "0.4"}}, scene);
  for (const char* power : {"-1", "-0.5", "0", "0.3", "1", "2"}) {
    set.add(fmt::format("highlight_power_{}", power),
            {{"highlight_power", power}, {"brightness", "60"}, {"gamma", "2.5"}}, scene);
  }
  set.add("highlight_vibrancy",
          {{"highlight_power", "0.5"}, {"brightness", "60"}, {"vibrancy", "0.6"}}, scene);
  set.add("passes_3", {{"passes", "3"}}, scene);
  set.add("passes_estimator",
          {{"passes", "2"}, {"estimator_radius", "5"}, {"estimator_minimum", "0"}},
          halo + smooth_palette(), {}, 38, 0.25);
  set.add("earlyclip", {{"filter", "1"}, {"brightness", "30"}}, scene, {.earlyclip = true});
  set.add("earlyclip_supersample", {{"supersample", "2"}, {"filter", "0.8"}, {"brightness", "30"}},
          scene, {.earlyclip = true});
  set.add("earlyclip_transparent",
          {{"supersample", "2"}, {"filter", "0.7"}, {"background", "0.1 0.2 0.4"}}, scene,
          {.transparent = true, .earlyclip = true});
}

void add_filters(Collector& set) {
  for (const char* shape :
       {"gaussian", "hermite", "box", "triangle", "bell", "bspline", "quadratic"}) {
    set.add(fmt::format("filter_{}", shape),
            {{"filter_shape", shape}, {"supersample", "2"}, {"filter", "1"}},
            leaf + smooth_palette());
  }
  // these have negative lobes: only where every channel has light flam3 renders them without NaN
  for (const char* shape :
       {"lanczos3", "lanczos2", "mitchell", "blackman", "catrom", "hamming", "hanning"}) {
    set.add(fmt::format("filter_{}", shape),
            {{"filter_shape", shape}, {"supersample", "2"}, {"filter", "1"}},
            mist + smooth_palette());
  }
  set.add("filter_wide", {{"filter", "2.5"}}, leaf + smooth_palette());
  set.add("filter_0", {{"filter", "0"}}, leaf + smooth_palette());
  for (const char* factor : {"1", "2", "3", "4"}) {
    set.add(fmt::format("supersample_{}", factor), {{"supersample", factor}, {"filter", "0.75"}},
            leaf + smooth_palette());
  }
}

void add_estimators(Collector& set) {
  struct Estimator {
    const char *name, *radius, *minimum, *curve, *supersample;
    double quality_factor;
  };
  for (const Estimator& e : {Estimator{"default", "9", "0", "0.4", "1", 1},
                             Estimator{"default_few", "9", "0", "0.4", "1", 0.1},
                             Estimator{"os2", "9", "0", "0.4", "2", 0.25},
                             Estimator{"minimum_2", "5", "2", "0.6", "1", 0.25},
                             Estimator{"curve_1.1", "4.5", "0.7", "1.1", "3", 0.25},
                             Estimator{"equal", "3", "3", "0.4", "1", 0.25},
                             Estimator{"radius_20", "20", "0.3", "0.6", "1", 0.25},
                             Estimator{"radius_20_few", "20", "0", "0.4", "1", 0.02},
                             Estimator{"radius_40_few", "40", "0", "0.4", "1", 0.02},
                             Estimator{"radius_15_os2_few", "15", "1", "0.6", "2", 0.02},
                             Estimator{"os4", "3", "0", "0.5", "4", 0.25},
                             Estimator{"radius_0.5", "0.5", "0", "0.4", "1", 0.25}}) {
    set.add(fmt::format("estimator_{}", e.name),
            {{"estimator_radius", e.radius},
             {"estimator_minimum", e.minimum},
             {"estimator_curve", e.curve},
             {"supersample", e.supersample}},
            halo + smooth_palette(), {}, 38, e.quality_factor);
  }
  set.add("estimator_opacity",
          {{"estimator_radius", "6"}, {"supersample", "2"}, {"filter_shape", "bell"}},
          with_attribute(halo, "xform", "opacity", "0.4") + rgba_palette(), {}, 38, 0.25);
  set.add("estimator_earlyclip", {{"estimator_radius", "5"}, {"supersample", "2"}},
          halo + smooth_palette(), {.earlyclip = true}, 38, 0.25);
}

void add_xforms(Collector& set) {
  const std::string palette = smooth_palette();
  for (const char* opacity : {"0", "0.003", "0.05", "0.5", "1.6", "3"}) {
    set.add(fmt::format("opacity_{}", opacity), {},
            with_attribute(leaf, "xform", "opacity", opacity) + palette);
  }
  set.add("opacity_linear_palette", {{"palette_mode", "linear"}},
          with_attribute(leaf, "xform", "opacity", "0.2") + striped_palette());
  set.add("soloxform", {{"soloxform", "1"}}, leaf + palette);
  set.add("plotmode_off", {}, with_attribute(leaf, "xform", "plotmode", "off") + palette);
  set.add("weights_unequal", {}, with_attribute(leaf, "xform", "weight", "9") + palette);
  set.add(
      "weight_zero", {},
      leaf + "<xform weight=\"0\" color=\"0.3\" blur=\"3\" coefs=\"1 0 0 1 0 0\"/>\n" + palette);
  set.add("color_speed_0", {}, with_attribute(leaf, "xform", "color_speed", "0") + palette);
  set.add("symmetry_legacy", {}, with_attribute(leaf, "xform", "symmetry", "0.7") + palette);
  set.add("post", {}, with_attribute(leaf, "xform", "post", "0.8 0.3 -0.2 0.9 0.2 -0.1") + palette);
  set.add("weight_negative", {}, with_attribute(leaf, "xform", "spherical", "-0.15") + palette);
  set.add("many_variations", {},
          with_attribute(with_attribute(leaf, "xform", "julia", "0.25"), "xform", "blur", "0.1") +
              palette);

  const std::string final_form =
      "<finalxform color=\"0.5\" color_speed=\"{1}\" opacity=\"{0}\" spherical=\"0.4\" "
      "linear=\"0.7\" coefs=\"0.9 0.2 -0.3 1 0.15 0.1\"/>\n";
  set.add("final", {}, leaf + fmt::format(fmt::runtime(final_form), "1", "0") + palette);
  set.add("final_color", {}, leaf + fmt::format(fmt::runtime(final_form), "1", "0.6") + palette);
  set.add("final_opacity_0.35", {},
          leaf + fmt::format(fmt::runtime(final_form), "0.35", "0.4") + palette);
  set.add("final_opacity_0", {},
          leaf + fmt::format(fmt::runtime(final_form), "0", "0.4") + palette);

  // rows absent or short are 1
  const std::string xaos = with_attribute(leaf, "xform", "chaos", "0.1 1 2");
  set.add("xaos", {}, xaos + palette);
  set.add("xaos_zero", {}, with_attribute(leaf, "xform", "chaos", "0 1 0") + palette);
  std::string cycle = leaf;  // 1 -> 2 -> 3 -> 1, with a small leak
  size_t at = 0;
  for (const char* row : {"0.02 1 0", "0 0.02 1", "1 0 0.02"}) {
    at = cycle.find("<xform", at) + 6;
    cycle.insert(at, fmt::format(" chaos=\"{}\"", row));
  }
  set.add("xaos_cycle", {}, cycle + palette);
  set.add("xaos_opacity", {}, with_attribute(xaos, "xform", "opacity", "0.3") + palette);

  // bad values: the singular points of curl and log, and an xform that is always bad
  const std::string bad =
      "<xform weight=\"{}\" color=\"0.7\" perspective=\"1\" perspective_angle=\"0\" "
      "perspective_dist=\"0\" coefs=\"1 0 0 1 0 0\"/>\n";
  set.add("bad_values_few", {}, leaf + fmt::format(fmt::runtime(bad), "0.25") + palette);
  set.add("bad_values_third", {}, leaf + fmt::format(fmt::runtime(bad), "1.15") + palette);
  set.add("bad_values_xaos", {}, xaos + fmt::format(fmt::runtime(bad), "0.5") + palette);

  for (const char* kind : {"2", "3", "5", "-1", "-2", "-3"}) {
    set.add(fmt::format("symmetry_{}", kind), {},
            leaf + fmt::format("<symmetry kind=\"{}\"/>\n", kind) + palette);
  }
  set.add("symmetry_random_free", {}, leaf + "<symmetry kind=\"1\"/>\n" + palette);
}

// Frames between two keys, blurred by their motion. Few time samples, so that each of them shows.
void add_motion(Collector& set) {
  const std::string first = leaf + smooth_palette();
  std::string turned = with_attribute(leaf, "xform", "coefs", "0.2 0.55 -0.5 0.3 0.9 -0.3");
  turned = with_attribute(turned, "xform", "color", "0.7");
  const std::string second = turned + striped_palette();
  struct Blur {
    const char *type, *width, *exponent, *samples, *passes;
  };
  const auto blur = [](const Blur& b) {
    return std::vector<Change>{{"temporal_filter_type", b.type},
                               {"temporal_filter_width", b.width},
                               {"temporal_filter_exp", b.exponent},
                               {"temporal_samples", b.samples},
                               {"passes", b.passes}};
  };
  constexpr double cheap = 0.3;
  set.add_frame("motion_none", {}, {}, first, second, cheap);
  set.add_frame("motion_box", blur({"box", "1.2", "0", "12", "1"}), {}, first, second, cheap);
  set.add_frame("motion_gaussian", blur({"gaussian", "2", "0", "9", "1"}), {}, first, second,
                cheap);
  set.add_frame("motion_exp", blur({"exp", "1.5", "-1.5", "7", "1"}), {}, first, second, cheap);
  set.add_frame("motion_camera", blur({"box", "1", "0", "10", "1"}),
                {{"rotate", "60"},
                 {"center", "0.4 -0.2"},
                 {"scale", "60"},
                 {"brightness", "9"},
                 {"gamma", "2.5"},
                 {"vibrancy", "0.5"},
                 {"background", "0.3 0.1 0"}},
                first, second, cheap);
  // a time sample gets samples by its own quality and zoom
  set.add_frame("motion_zoom", blur({"box", "1", "0", "8", "1"}), {{"zoom", "0.8"}}, first, second,
                cheap);
  set.add_frame("motion_quality", blur({"gaussian", "1.5", "0", "6", "2"}), {{"quality", "700"}},
                first, second, cheap);
  auto passes = blur({"gaussian", "1.5", "0", "6", "2"});
  passes.push_back({"estimator_radius", "5"});
  set.add_frame(
      "motion_passes_estimator", passes, {{"estimator_minimum", "1"}}, halo + smooth_palette(),
      with_attribute(halo, "xform", "coefs", "1 0.3 -0.3 1 0.8 0.3") + smooth_palette(), 0.2);
  set.add_frame("motion_xforms", blur({"exp", "1.6", "1", "8", "1"}), {},
                with_attribute(leaf, "xform", "opacity", "0.2") + striped_palette(),
                with_attribute(turned, "xform", "chaos", "0.1 1 2") +
                    "<xform weight=\"0.7\" color=\"0.2\" julian=\"0.8\" julian_power=\"3\" "
                    "julian_dist=\"1\" coefs=\"0.6 0.1 -0.1 0.6 0.3 0.5\"/>\n"
                    "<finalxform color=\"0.5\" color_speed=\"0.2\" spherical=\"0.4\" "
                    "linear=\"0.7\" coefs=\"0.9 0.2 -0.3 1 0.15 0.1\"/>\n" +
                    smooth_palette(),
                cheap);
}

}  // namespace

std::vector<Scene> feature_scenes(const Format& format) {
  Collector set(format);
  add_camera(set);
  add_palettes(set);
  add_output(set);
  add_filters(set);
  add_estimators(set);
  add_xforms(set);
  add_motion(set);
  return set.take();
}

}  // namespace conformance
