// SPDX-License-Identifier: MIT
/// The flames of the comparison: what each of them is for, and its XML.
#pragma once
#include <string>
#include <vector>

namespace conformance {

/// What both renderers are told beside the file.
struct Options {
  bool transparent = false;
  bool earlyclip = false;
  double pixel_aspect = 1;
  int frame = -1;  // from 0: the frame at this time of the animation whose keys the flames are
  int flam3_chain = 10000;  // flam3's sub_batch_size: points of a chain before it begins anew
  bool compat = false;      // kiln: --compat flam3
};

/// One flame of the set.
struct Scene {
  std::string name;
  std::string xml;
  Options options;
  std::string origin = "written here";
  bool slow = false;  // few points decide on its light: judged as far as chance lets it
  double part = 1;    // of the samples that the limits are for
};

/// Size and samples per pixel of the pictures.
struct Format {
  int width = 192, height = 108;
  double quality = 1000;
  double part = 0.5;  // of it, and of the limits with it, where nothing else says how many samples
};

/// Flames written here, one for each feature of the format and each stage of the pipeline.
std::vector<Scene> feature_scenes(const Format& format);

/// Flames whose points settle slowly, at several sample counts, beside a flam3 that hardly ever
/// begins anew and, as --compat flam3, beside flam3 as it is.
std::vector<Scene> slow_scenes(const Format& format);

/// Flames in which the sign of a sine of half turns decides on a side.
std::vector<Scene> half_turn_scenes(const Format& format);

/// Frames with temporal filters of several shapes, and keys of several supersamples.
std::vector<Scene> frame_scenes(const Format& format);

/// `xml` with attribute `name` of its first `element` set to `value`, whether or not it was there.
std::string with_attribute(const std::string& xml, const std::string& element,
                           const std::string& name, const std::string& value);

/// `xml` with the largest number of the first xform's linear part multiplied by `factor`.
std::string with_coefficient_scaled(const std::string& xml, double factor);

/// Value of attribute `name` of the first `element`, empty if absent.
std::string attribute(const std::string& xml, const std::string& element, const std::string& name);

}  // namespace conformance
