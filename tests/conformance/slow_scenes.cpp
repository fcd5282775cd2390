// SPDX-License-Identifier: MIT
/// Flames (CC0) that take long to forget where a point began: two lobes that xaos seldom connects,
/// spirals that are seldom left, a rare xform beside a spherical, a symmetry of a high order. By
/// default kiln shows the measure in the end, and so does flam3 once its chains are a hundred times
/// longer than usual; with --compat flam3 the beginnings of chains of 10 000 points belong to the
/// picture.
///
/// flam3 draws xforms from tables of 16384 entries: weights and chaos entries are such that these
/// hold exactly the shares that are meant. Points begin where the flame is, or flam3's few
/// beginnings would draw dust in the dark.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>

#include "tests/conformance/flames.h"

namespace conformance {
namespace {

constexpr int table = 16384;

/// The left lobe is left with probability left / table a step, the right one with right / table.
std::string lobes(int left, int right, double turn = 0) {
  const auto row = [](int first, int other) {
    const int stay = (table - other) / 2, go = other / 2;
    return first == 0 ? fmt::format("{} {} {} {}", stay, go, go, stay)
                      : fmt::format("{} {} {} {}", go, stay, stay, go);
  };
  const auto xform = [&](int lobe, double x, double y, double skew) {
    return fmt::format(
        "<xform weight=\"1\" color=\"{}\" linear=\"1\" coefs=\"0.5 {} {} 0.5 {} {}\" "
        "chaos=\"{}\"/>\n",
        lobe, skew + turn, -skew - turn, x, y, row(lobe, lobe == 0 ? left : right));
  };
  return xform(0, -1, 0.3, 0.1) + xform(1, 1, 0.3, 0.1) + xform(1, 0.9, -0.4, -0.2) +
         xform(0, -0.9, -0.4, -0.2);
}

/// A spiral that is left with probability leave / table a step.
std::string spiral(int leave, double shrink) {
  const double c = shrink * std::cos(0.11), s = shrink * std::sin(0.11);
  return fmt::format(
      "<xform weight=\"{}\" color=\"0.2\" color_speed=\"0.05\" linear=\"1\" "
      "coefs=\"{:.6f} {:.6f} {:.6f} {:.6f} 0 0\"/>\n"
      "<xform weight=\"{}\" color=\"0.9\" linear=\"1\" coefs=\"0.5 0 0 0.5 0.9 0.1\"/>\n",
      table - leave, c, s, -s, c, leave);
}

std::string rare_julia() {
  return fmt::format(
      "<xform weight=\"{}\" color=\"0.6\" color_speed=\"0.09\" linear=\"0.03\" spherical=\"1\" "
      "coefs=\"-0.19 -0.02 0.03 -0.18 0.03 0.24\"/>\n"
      "<xform weight=\"82\" color=\"0.1\" color_speed=\"0.5\" julia=\"1\" "
      "coefs=\"0.38 0.38 -0.38 0.38 -0.33 0.24\"/>\n",
      table - 82);
}

std::string two_others(double weight) {
  return fmt::format(
      "<xform weight=\"{}\" color=\"0.1\" color_speed=\"0.5\" linear=\"0.8\" spherical=\"0.1\" "
      "coefs=\"0.56 0.22 -0.26 0.52 0.6 0.1\"/>\n"
      "<xform weight=\"{}\" color=\"0.9\" color_speed=\"0.4\" sinusoidal=\"1\" "
      "coefs=\"0.7 -0.3 0.25 0.61 -0.7 0.25\"/>\n",
      weight, weight);
}

/// kiln folds a symmetry into the other xforms, flam3 plays it. The weights are such that their sum
/// is a power of two.
std::string symmetric(int kind) {
  const int elements = std::abs(kind) - (kind > 0);
  int sum = 2;
  while (sum <= elements) sum *= 2;
  return two_others((sum - elements) / 2.0) + fmt::format("<symmetry kind=\"{}\"/>\n", kind);
}

/// Written by hand: a mirror and a fifth of a turn the other way, so that the elements of the group
/// differ in how likely they are.
std::string uneven_symmetry() {
  const double angle = -2 * 3.14159265358979324 / 5, c = std::cos(angle), s = std::sin(angle);
  const auto element = [](double weight, double a, double d, double b, double e) {
    return fmt::format(
        "<xform weight=\"{}\" color_speed=\"0\" linear=\"1\" coefs=\"{:.9f} {:.9f} {:.9f} {:.9f} "
        "0 0\"/>\n",
        weight, a, d, b, e);
  };
  return element(3.0 / 4, c, s, -s, c) + two_others(1) + element(5.0 / 4, 0.6, 0.8, 0.8, -0.6);
}

struct View {
  double scale = 25;  // of a picture 108 pixels high
  const char* center = "0 0";
  int brightness = 4, gamma = 4;
};

class Collector {
 public:
  explicit Collector(const Format& format) : format_{format} {}

  /// The flame at `quality` 1000ths of the format's quality, as the measure in the end and, if
  /// wanted, with flam3's chains.
  void add(const std::string& name, const std::string& xforms, int quality, const View& view,
           bool compat) {
    const std::string full = fmt::format("slow_{}_{}", name, quality);
    const std::string xml = flame(xforms, quality, view, "");
    scenes_.push_back({full, xml, {.flam3_chain = settled_chain}, "written here", true});
    if (compat) scenes_.push_back({full + "_compat", xml, {.compat = true}, "written here", true});
  }
  /// The frame between two of them.
  void add_frame(const std::string& name, const std::string& first, const std::string& second,
                 int quality, const View& view) {
    const std::string xml = "<keys>\n" + flame(first, quality, view, "time=\"0\"") +
                            flame(second, quality, view, "time=\"2\"") + "</keys>\n";
    scenes_.push_back({fmt::format("slow_{}_{}", name, quality),
                       xml,
                       {.frame = 1, .flam3_chain = settled_chain},
                       "written here",
                       true});
  }
  std::vector<Scene> take() { return std::move(scenes_); }

 private:
  static constexpr int settled_chain = 1000000;

  /// Half as wide and high as other scenes: many seeds are needed. Few samples need the pixels.
  std::string flame(const std::string& xforms, int quality, const View& view,
                    const std::string& more) const {
    const int part = quality < 50 ? 1 : 2;
    std::string palette;
    for (int i = 0; i < 256; ++i)
      palette += fmt::format("{:02X}{:02X}{:02X}{}", 255 - i / 2, 60 + i / 2, 20 + i * 23 / 26,
                             i % 8 == 7 ? "\n" : "");
    return fmt::format(
        "<flame name=\"slow\" size=\"{} {}\" center=\"{}\" scale=\"{:.6g}\" quality=\"{:.6g}\" "
        "brightness=\"{}\" gamma=\"{}\" estimator_radius=\"0\" filter=\"0.5\" "
        "temporal_samples=\"16\" temporal_filter_width=\"1\" {}>\n{}"
        "<palette count=\"256\" format=\"RGB\">\n{}</palette>\n</flame>\n",
        format_.width / part, format_.height / part, view.center,
        view.scale * format_.height / part / 108, format_.quality * quality / 1000.0,
        view.brightness, view.gamma, more, xforms, palette);
  }

  const Format& format_;
  std::vector<Scene> scenes_;
};

}  // namespace

std::vector<Scene> slow_scenes(const Format& format) {
  const View wide{}, round{28, "0 0", 4}, julia{25, "-0.5 0.4", 12}, straight{22, "0 0", 20, 1},
      dim{22, "0 0", 4, 1};
  Collector set(format);
  // mixing times: 91 and 683 steps, 100 and 1000, 200, 17, 186
  set.add("xaos", lobes(16, 164), 5, wide, true);
  set.add("xaos", lobes(16, 164), 100, wide, true);
  set.add("xaos_longer", lobes(8, 16), 100, wide, true);
  set.add("xaos_longer", lobes(8, 16), 1000, wide, false);
  set.add("spiral", spiral(164, 0.99), 5, round, true);
  set.add("spiral", spiral(164, 0.99), 100, round, true);
  set.add("spiral_longer", spiral(16, 0.997), 100, round, true);
  set.add("spiral_longer", spiral(16, 0.997), 1000, round, false);
  set.add("weights", rare_julia(), 100, julia, true);
  // folded symmetry has less noise than flam3's: a gamma that made light of that would show it
  set.add("symmetry", symmetric(15), 5, dim, true);
  set.add("symmetry", symmetric(15), 100, straight, true);
  for (const int kind : {2, 7, 20, -1, -6}) {
    set.add(fmt::format("{}_{}", kind < 0 ? "dihedral" : "rotations", std::abs(kind)),
            symmetric(kind), 100, straight, false);
  }
  set.add("uneven_symmetry", uneven_symmetry(), 100, straight, false);
  set.add_frame("motion", lobes(8, 80), lobes(40, 80, 0.2), 100, wide);
  return set.take();
}

}  // namespace conformance
