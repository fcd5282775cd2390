// SPDX-License-Identifier: MIT
#include "tests/conformance/variation_scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>

#include "tests/conformance/process.h"

namespace conformance {
namespace {

constexpr int first_random_seed = 4000;
constexpr int most_seeds = 30;
constexpr int most_plain_seeds = 12;  // from here on genomes are helped to stay in the frame
constexpr double least_weight = 0.3;  // of the variation in one of the xforms at least

std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

// A random genome; `wishes` are flam3-genome's variables.
std::string draw_genome(int seed, const std::string& log_path,
                        const std::vector<std::string>& wishes) {
  // one try, no taste: whether the picture is fit for use is decided here
  std::vector<std::string> variables{fmt::format("seed={}", seed),
                                     "isaac_seed=kiln",
                                     "tries=1",
                                     "avg=0",
                                     "black=0",
                                     "white=1",
                                     "noedits=1",
                                     "verbose=0"};
  variables.insert(variables.end(), wishes.begin(), wishes.end());
  const Ended ended = run_program({"flam3-genome"}, variables, log_path, 60);
  const size_t begin = ended.output.find("<flame "), end = ended.output.find("</flame>");
  if (!ended.ok() || begin == std::string::npos || end == std::string::npos) {
    throw std::runtime_error("flam3-genome: " + ended.output.substr(0, 300));
  }
  return ended.output.substr(begin, end + 8 - begin) + "\n";
}

// Of linear and one variation.
std::string draw_genome(int number, int seed, const std::string& log_path) {
  return draw_genome(
      seed, log_path,
      {number == 0 ? "use_vars=0" : fmt::format("use_vars=0,{}", number), "symmetry=1"});
}

// flam3-genome draws these two but loses them when it writes: they take the place of one with like
// parameters.
std::string named_genome(const std::string& name, int number, int seed,
                         const std::string& log_path) {
  const auto number_of = [](const std::string& wanted) {
    const auto& names = variation_names();
    return int(std::find(names.begin(), names.end(), wanted) - names.begin());
  };
  if (name == "twintrian") {
    return replace_all(draw_genome(number_of("blade"), seed, log_path), " blade=", " twintrian=");
  }
  if (name == "separation") {
    std::string xml = draw_genome(number_of("bent2"), seed, log_path);
    xml = replace_all(xml, " bent2_x=", " separation_xinside=\"0.3\" separation_x=");
    xml = replace_all(xml, " bent2_y=", " separation_yinside=\"-0.4\" separation_y=");
    return replace_all(xml, " bent2=", " separation=");
  }
  return draw_genome(number, seed, log_path);
}

double largest_weight(const std::string& genome, const std::string& variation) {
  const std::string mark = " " + variation + "=\"";
  double largest = 0;
  for (size_t at = genome.find(mark); at != std::string::npos; at = genome.find(mark, at + 1)) {
    largest = std::fmax(largest, std::strtod(genome.c_str() + at + mark.size(), nullptr));
  }
  return largest;
}

// The genome in the comparison's frame, without what other flames test.
std::string normalized(const std::string& genome, const Format& format, double quality) {
  const double scale = std::strtod(attribute(genome, "flame", "scale").c_str(), nullptr);
  std::string xml = genome;
  const auto set = [&](const char* name, const std::string& value) {
    xml = with_attribute(xml, "flame", name, value);
  };
  set("size", fmt::format("{} {}", format.width, format.height));
  set("scale", fmt::format("{:.6g}", scale * format.height / 100));  // genomes are 100x100
  set("quality", fmt::format("{:.6g}", quality));
  set("temporal_samples", "1");
  set("estimator_radius", "0");
  return xml;
}

// A variation that throws points far away leaves little to see: a xform that brings them back, and
// a frame about it.
std::string brought_back(const std::string& genome) {
  const std::string back =
      "   <xform weight=\"0.5\" color=\"0.5\" color_speed=\"0.5\" blur=\"1.2\" "
      "coefs=\"1 0 0 1 0 0\"/>\n";
  std::string xml = genome;
  const size_t last = xml.rfind("<xform");
  xml.insert(xml.find('\n', last) + 1, back);
  return with_attribute(with_attribute(xml, "flame", "center", "0 0"), "flame", "scale", "25");
}

double mean_light(const Picture& picture) {
  const Plane plane = plane_from_picture(picture, false);
  double sum = 0;
  for (float value : plane.values) sum += value;
  return sum / double(plane.values.size());
}

/// What a few samples a pixel show of a genome.
struct Probe {
  double light = 0;      // mean, 0..255
  double bad = 0;        // bad values per sample
  double unsettled = 0;  // relative change of the mean when points restart a hundred times as often
};

bool is_hopeless(const Probe& probe) {
  return probe.light < 4 || probe.light > 220 || probe.bad > 0.3;
}

Probe probe_genome(const std::string& xml, const Flam3& flam3) {
  Probe probe;
  const Picture picture = flam3.render(xml, {}, 1);
  probe.light = mean_light(picture);
  probe.bad = error_rate(picture);
  if (is_hopeless(probe)) return probe;
  Flam3 restless = flam3;
  restless.sub_batch_size = 100;
  probe.unsettled = std::fabs(mean_light(restless.render(xml, {}, 2)) / probe.light - 1);
  return probe;
}

// What points draw before they have settled shows a hundredfold in the probe. kiln does not draw it
// (a documented difference), so the flame should not hang on it.
bool is_fit(const Probe& probe) {
  return probe.light > 12 && probe.light < 180 && probe.bad < 0.1 && probe.unsettled < 0.04;
}

// Of several genomes that are not fit the one with the lowest is taken; above 1: none.
double unfitness(const Probe& probe) {
  if (is_hopeless(probe)) return 2;
  return probe.unsettled + (probe.light < 12 ? 0.1 : 0) + probe.bad;
}

// Of the pixels, those whose alpha, 0 to 1, lies between the two.
double share_between(double low, double high, const Picture& transparent) {
  size_t count = 0;
  for (size_t i = 3; i < transparent.rgba.size(); i += 4) {
    const double alpha = transparent.rgba[i] / 65535.0;
    count += alpha > low && alpha < high;
  }
  return double(count) / (double(transparent.rgba.size()) / 4);
}

// Those that more samples would not make brighter.
double saturated_share(const Picture& transparent) { return share_between(0.992, 2, transparent); }

// Those that are neither empty nor nearly saturated: what a gamma changes.
double toned_share(const Picture& transparent) { return share_between(0.02, 0.93, transparent); }

// kiln folds a symmetry, which leaves less noise than flam3 has. Of noise a gamma makes light, and
// so do saturated pixels: as in slow_scenes.cpp such a genome has no gamma, and few of those. Its
// brightness is 20 at most, or as much lower as it takes; at 1 it is taken as it is.
std::string straightened(const std::string& genome, const Flam3& flam3) {
  if (genome.find("<symmetry") == std::string::npos) return genome;
  constexpr double most_saturated = 0.06;
  const std::string straight = with_attribute(genome, "flame", "gamma", "1");
  double brightness = 20;
  for (;; brightness /= 1.5) {
    const std::string dimmed =
        with_attribute(straight, "flame", "brightness", fmt::format("{:.3g}", brightness));
    const Picture picture =
        flam3.render(normalized(dimmed, {192, 108, 0}, 40), {.transparent = true}, 1);
    if (brightness < 1 || saturated_share(picture) < most_saturated) return dimmed;
  }
}

}  // namespace

std::string random_name(int number) { return fmt::format("random_{:02}", number); }

const std::vector<std::string>& variation_names() {
  static const std::vector<std::string> names{
      "linear",       "sinusoidal", "spherical",   "swirl",        "horseshoe",  "polar",
      "handkerchief", "heart",      "disc",        "spiral",       "hyperbolic", "diamond",
      "ex",           "julia",      "bent",        "waves",        "fisheye",    "popcorn",
      "exponential",  "power",      "cosine",      "rings",        "fan",        "blob",
      "pdj",          "fan2",       "rings2",      "eyefish",      "bubble",     "cylinder",
      "perspective",  "noise",      "julian",      "juliascope",   "blur",       "gaussian_blur",
      "radial_blur",  "pie",        "ngon",        "curl",         "rectangles", "arch",
      "tangent",      "square",     "rays",        "blade",        "secant2",    "twintrian",
      "cross",        "disc2",      "super_shape", "flower",       "conic",      "parabola",
      "bent2",        "bipolar",    "boarders",    "butterfly",    "cell",       "cpow",
      "curve",        "edisc",      "elliptic",    "escher",       "foci",       "lazysusan",
      "loonie",       "pre_blur",   "modulus",     "oscilloscope", "polar2",     "popcorn2",
      "scry",         "separation", "split",       "splits",       "stripes",    "wedge",
      "wedge_julia",  "wedge_sph",  "whorl",       "waves2",       "exp",        "log",
      "sin",          "cos",        "tan",         "sec",          "csc",        "cot",
      "sinh",         "cosh",       "tanh",        "sech",         "csch",       "coth",
      "auger",        "flux",       "mobius"};
  return names;
}

Scene random_scene(int number, const Format& format, const Flam3& flam3) {
  constexpr int tries = 20;
  constexpr double least_toned = 0.05;
  const std::string log = fmt::format("{}/random-{}.log", flam3.work_folder, number);
  const Format small{192, 108, 0};
  for (int seed = first_random_seed + tries * number, last = seed + tries; seed < last; ++seed) {
    const std::string genome = straightened(draw_genome(seed, log, {}), flam3);
    const std::string xml = normalized(genome, small, 40);
    const Picture picture = flam3.render(xml, {}, 1);
    const double light = mean_light(picture), bad = error_rate(picture);
    if (light < 12 || light > 180 || bad > 0.1) continue;
    const double toned = toned_share(flam3.render(xml, {.transparent = true}, 1));
    if (toned < least_toned) continue;
    return {random_name(number),
            normalized(genome, format, format.quality),
            {.flam3_chain = 100000},
            fmt::format("flam3-genome seed={} (light {:.0f}, bad {:.3f}, toned {:.3f})", seed,
                        light, bad, toned)};
  }
  throw std::runtime_error(fmt::format("random genome {}: none fit in {} seeds", number, tries));
}

Scene variation_scene(int number, const Format& format, const Flam3& flam3) {
  const std::string& name = variation_names()[number];
  const std::string log = fmt::format("{}/genome-{}.log", flam3.work_folder, number);
  const Format small{192, 108, 0};
  double least = 1;
  Scene best;
  for (int seed = 1; seed <= most_seeds; ++seed) {
    std::string genome = named_genome(name, number, seed, log);
    if (largest_weight(genome, name) < least_weight) continue;
    if (seed > most_plain_seeds) genome = brought_back(genome);
    const Probe probe = probe_genome(normalized(genome, small, 40), flam3);
    if (unfitness(probe) < least || is_fit(probe)) {
      least = unfitness(probe);
      best.name = fmt::format("v{:02}_{}", number, name);
      best.xml = normalized(genome, format, format.quality);
      best.origin = fmt::format("flam3-genome seed={} (light {:.0f}, bad {:.3f}, unsettled {:.4f})",
                                seed, probe.light, probe.bad, probe.unsettled);
    }
    if (is_fit(probe)) return best;
  }
  if (best.name.empty()) {
    throw std::runtime_error(fmt::format("{}: no fit genome in {} seeds", name, most_seeds));
  }
  return best;
}

}  // namespace conformance
