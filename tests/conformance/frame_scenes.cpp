// SPDX-License-Identifier: MIT
/// Frames (CC0) between two keys: temporal filters of several shapes and exponents, whose weights
/// span a million to one, and a supersample that changes from key to key.
#include <fmt/format.h>

#include "tests/conformance/flames.h"

namespace conformance {
namespace {

/// Three xforms that `t` moves, one of them a soft ground.
std::string ground(double t) {
  return fmt::format(
      "<xform weight=\"1\" color=\"0\" linear=\"1\" coefs=\"0.6 0.2 -0.2 0.6 {:.6g} 0\"/>\n"
      "<xform weight=\"1\" color=\"1\" spherical=\"0.5\" linear=\"0.3\" "
      "coefs=\"0.5 -0.3 0.3 0.5 -0.6 {:.6g}\"/>\n"
      "<xform weight=\"0.5\" color=\"0.5\" blur=\"1.6\" coefs=\"1 0 0 1 {:.6g} 0.3\"/>\n"
      "<color index=\"0\" rgb=\"255 80 20\"/><color index=\"255\" rgb=\"60 160 255\"/>\n",
      0.3 + 1.2 * t, 1.2 * t, 1.5 * t - 1);
}

/// A spot that `t` moves over a dark ground, without memory: a trail as dim as its time samples.
std::string spot(double t) {
  return fmt::format(
      "<xform weight=\"1\" color=\"0.3\" blur=\"0.25\" coefs=\"1 0 0 1 0 0\" "
      "post=\"1 0 0 1 {:.6g} {:.6g}\"/>\n"
      "<color index=\"0\" rgb=\"255 80 20\"/><color index=\"255\" rgb=\"60 160 255\"/>\n",
      4.5 * t - 2.25, 1.2 * t - 0.6);
}

struct Shutter {
  const char *name, *type, *exponent;
  int samples;
  double width;
  double quality_factor;
  std::string (*xforms)(double) = ground;
};

struct Grid {
  const char* name;
  int first, second;  // supersample of the keys
  double time;        // of the frame, between 0 and 10
};

class Collector {
 public:
  explicit Collector(const Format& format) : format_{format} {}

  void add(const Shutter& s) {
    const auto key = [&](int time) {
      return flame(
          time, 1, "0.5", s.quality_factor,
          fmt::format("estimator_minimum=\"1\" temporal_samples=\"{}\" temporal_filter_type=\"{}\" "
                      "temporal_filter_exp=\"{}\" temporal_filter_width=\"{}\"",
                      s.samples, s.type, s.exponent, s.width),
          s.xforms(time / 10.0));
    };
    scenes_.push_back(
        {fmt::format("shutter_{}", s.name), file(key(0), key(10)), {.frame = 5}, "written here"});
  }
  void add(const Grid& g) {
    const auto key = [&](int time, int supersample) {
      // the gutter of an estimator that is off: without it flam3 reads past its buffer where the
      // filter was made for an odd supersample and the frame has an even one
      return flame(time, supersample, "1", 0.1, "temporal_samples=\"16\" estimator_minimum=\"1\"",
                   ground(time / 10.0));
    };
    scenes_.push_back({fmt::format("keys_{}", g.name),
                       file(key(0, g.first), key(10, g.second)),
                       {.frame = int(g.time)},
                       "written here"});
  }
  std::vector<Scene> take() { return std::move(scenes_); }

 private:
  std::string flame(int time, int supersample, const char* filter, double quality_factor,
                    const std::string& more, const std::string& xforms) const {
    return fmt::format(
        "<flame time=\"{}\" size=\"{} {}\" center=\"0 0\" scale=\"{:.6g}\" quality=\"{:.6g}\" "
        "brightness=\"4\" gamma=\"4\" estimator_radius=\"1\" interpolation_type=\"linear\" "
        "supersample=\"{}\" filter=\"{}\" {}>\n{}</flame>\n",
        time, format_.width, format_.height, 36.0 * format_.height / 108,
        format_.quality * quality_factor, supersample, filter, more, xforms);
  }
  static std::string file(const std::string& first, const std::string& second) {
    return "<keys>\n" + first + second + "</keys>\n";
  }

  const Format& format_;
  std::vector<Scene> scenes_;
};

}  // namespace

std::vector<Scene> frame_scenes(const Format& format) {
  Collector set(format);
  // the trails are dim and small, chance shows in them: of so few samples 16 pictures are compared
  for (const Shutter& shutter :
       {Shutter{"exp_4", "exp", "4", 16, 4, 0.3}, Shutter{"exp_4_many", "exp", "4", 200, 6, 0.3},
        Shutter{"exp_2", "exp", "2", 60, 4, 0.3}, Shutter{"exp_0.5", "exp", "0.5", 24, 4, 0.3},
        Shutter{"exp_-3", "exp", "-3", 100, 4, 0.3},
        Shutter{"gaussian", "gaussian", "0", 10, 4, 0.3},
        Shutter{"gaussian_many", "gaussian", "0", 120, 6, 0.3},
        Shutter{"trail_exp_4", "exp", "4", 16, 6, 0.04, spot},
        Shutter{"trail_exp_2", "exp", "2", 100, 6, 0.04, spot},
        Shutter{"trail_gaussian", "gaussian", "0", 60, 6, 0.04, spot}})
    set.add(shutter);
  // frames of supersample 2 (the filter made for an odd one), 2 and 3
  for (const Grid& grid : {Grid{"supersample_up", 1, 3, 6}, Grid{"supersample_down", 4, 1, 7},
                           Grid{"supersample_even", 4, 2, 5}})
    set.add(grid);
  return set.take();
}

}  // namespace conformance
