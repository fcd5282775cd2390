// SPDX-License-Identifier: MIT
/// Does a still scene flicker? Sixty frames between two equal keys differ by noise alone; the eye
/// sees most of all when the light of the whole picture pumps. The standard deviation of the mean
/// brightness over the frames of kiln must not exceed that over flam3-animate's, at the same number
/// of samples. The flames: one with an xform that is drawn once in a hundred times, whose light a
/// few points decide, and one of equal xforms. Both programs are seeded: the answer is always the
/// same.
#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "tests/conformance/flames.h"
#include "tests/conformance/process.h"
#include "tests/conformance/renderers.h"

namespace conformance {
namespace {

namespace fs = std::filesystem;

constexpr const char* usage =
    "kiln_steadiness --kiln PROGRAM --flames FOLDER --work FOLDER\n"
    "  Mean brightness of 60 frames of a still scene: kiln beside flam3-animate.\n";

constexpr int frame_count = 60;
constexpr double limit_seconds = 120;

struct Still {
  const char* flame;
  const char *estimator_radius, *temporal_samples, *quality;
};
/// Quality 400: a whole unit of the chaos game, over which kiln shares out the xforms.
constexpr Still stills[] = {
    {"bracken", "0", "10", "400"}, {"bracken", "9", "1", "400"}, {"sierpinski", "0", "10", "150"}};

std::string text_of(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream text;
  text << stream.rdbuf();
  if (!stream) throw std::runtime_error("cannot read " + path);
  return text.str();
}

/// Two keys that are the same flame, at times 0 and 60.
std::string keys_of(const Still& still, const std::string& flames) {
  std::string xml = text_of(flames + "/" + still.flame + ".flam3");
  const double width = std::atof(attribute(xml, "flame", "size").c_str());
  const double scale = std::atof(attribute(xml, "flame", "scale").c_str()) * 96 / width;
  for (const auto& [name, value] : {std::pair<const char*, std::string>{"size", "96 54"},
                                    {"scale", fmt::format("{:.9g}", scale)},
                                    {"quality", still.quality},
                                    {"estimator_radius", still.estimator_radius},
                                    {"temporal_samples", still.temporal_samples}}) {
    xml = with_attribute(xml, "flame", name, value);
  }
  return "<keys>\n" + with_attribute(xml, "flame", "time", "0") +
         with_attribute(xml, "flame", "time", std::to_string(frame_count)) + "</keys>\n";
}

/// Mean and standard deviation of the mean brightness of the frames, 0..255.
struct Light {
  double mean = 0, deviation = 0;
};
Light light_of(const std::string& prefix) {
  std::vector<double> means;
  for (int frame = 0; frame < frame_count; ++frame) {
    const Picture picture = read_png(fmt::format("{}{:05}.png", prefix, frame));
    double sum = 0;
    for (std::size_t i = 0; i < picture.rgba.size(); ++i) sum += i % 4 == 3 ? 0 : picture.rgba[i];
    means.push_back(sum / 256 / (0.75 * double(picture.rgba.size())));
  }
  Light light;
  for (double mean : means) light.mean += mean / frame_count;
  for (double mean : means)
    light.deviation += (mean - light.mean) * (mean - light.mean) / (frame_count - 1);
  light.deviation = std::sqrt(light.deviation);
  return light;
}

void run_or_refuse(const std::vector<std::string>& command,
                   const std::vector<std::string>& variables, const std::string& log) {
  const Ended ended = run_program(command, variables, log, limit_seconds);
  if (!ended.ok())
    throw std::runtime_error(
        fmt::format("{} ended with {}: {}", command[0], ended.status, ended.output.substr(0, 500)));
}

bool is_steadier(const Still& still, const std::string& kiln, const std::string& flames,
                 const std::string& folder) {
  const std::string keys = folder + "/keys.flam3";
  write_text(keys, keys_of(still, flames));
  run_or_refuse({"flam3-animate"},
                {"in=" + keys, "prefix=" + folder + "/flam3-", "begin=0",
                 fmt::format("end={}", frame_count - 1), "bits=64", "bpc=16", "format=png",
                 "nthreads=1", "verbose=0", "seed=1", "isaac_seed=kiln"},
                folder + "/flam3.log");
  run_or_refuse(
      {kiln, "animate", keys, "-o", folder + "/kiln-#####.png", "--frames",
       fmt::format("0-{}", frame_count - 1), "--bits", "16", "--backend", "cpu", "--quiet"},
      {}, folder + "/kiln.log");
  const Light ours = light_of(folder + "/kiln-"), theirs = light_of(folder + "/flam3-");
  const bool steadier = ours.deviation <= theirs.deviation;
  fmt::print(
      "{:<12} quality {:>3}, estimator {}, {:>2} temporal samples: mean {:.3f} (flam3 {:.3f}), "
      "standard deviation {:.4f} (flam3 {:.4f}, ratio {:.2f}){}\n",
      still.flame, still.quality, still.estimator_radius, still.temporal_samples, ours.mean,
      theirs.mean, ours.deviation, theirs.deviation, ours.deviation / theirs.deviation,
      steadier ? "" : "  FLICKERS");
  return steadier;
}

}  // namespace
}  // namespace conformance

int main(int argc, char** argv) {
  using namespace conformance;
  std::string kiln, flames, work;
  for (int i = 1; i + 1 < argc; i += 2) {
    const std::string flag = argv[i];
    (flag == "--kiln" ? kiln : flag == "--flames" ? flames : work) = argv[i + 1];
  }
  if (kiln.empty() || flames.empty() || work.empty()) {
    fmt::print(stderr, "{}", usage);
    return 2;
  }
  if (find_program("flam3-animate").empty()) {
    fmt::print("skipped: flam3-animate is not installed (Debian: flam3-utils)\n");
    return 77;
  }
  try {
    const std::string folder = work + "/steadiness";
    fs::create_directories(folder);
    int failed = 0;
    for (const Still& still : stills) failed += is_steadier(still, kiln, flames, folder) ? 0 : 1;
    fs::remove_all(folder);
    return failed == 0 ? 0 : 1;
  } catch (const std::exception& problem) {
    fmt::print(stderr, "{}\n", problem.what());
    return 1;
  }
}
