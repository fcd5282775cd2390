// SPDX-License-Identifier: MIT
#include "tests/conformance/comparison.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <stdexcept>

#include "tests/conformance/variation_scenes.h"

namespace conformance {
namespace {

// Flames that cannot tell renderers apart: hardly any light, nothing but white, or mostly bad
// values.
bool tells_nothing(const Row& row) {
  return row.distance.mean < 2 || row.distance.mean > 250 || row.bad > 0.5;
}

// Scenes share xforms: with seeds of their own one unlucky orbit does not fail them all.
int seed_of(const std::string& name) {
  unsigned h = 2166136261u;  // FNV-1a
  for (unsigned char c : name) h = (h ^ c) * 16777619u;
  return int(h % 60000000u) * 16;
}

// A stand-in for ours must not repeat the reference's seeds.
constexpr int stand_in_offset = 1000000000;  // above every seed_of

std::string with_palette_shifted(const std::string& xml) {
  const size_t begin = xml.find("<palette count=\"256\" format=\"RGB\">\n");
  if (begin == std::string::npos) return "";
  const size_t first = xml.find('\n', begin) + 1, last = xml.find("</palette>", begin);
  const std::string entry = xml.substr(first, 6);
  std::string shifted = xml;
  shifted.insert(last, entry + "\n");
  return shifted.erase(first, 6);
}

std::string with_number_scaled(const std::string& xml, const char* name, double factor) {
  const double value = std::strtod(attribute(xml, "flame", name).c_str(), nullptr);
  return with_attribute(xml, "flame", name, fmt::format("{:.6g}", value * factor));
}

std::vector<std::string> random_names() {
  std::vector<std::string> names;
  for (int i = 0; i < random_count; ++i) names.push_back(random_name(i));
  return names;
}

}  // namespace

Row compare(const Scene& scene, const Setting& setting) {
  Row row;
  row.name = scene.name;
  std::vector<Plane> ours, reference;
  const int first_seed = seed_of(scene.name);
  // Few samples: two pictures differ by 0.4 % of light and by whole blobs of a wide estimator, and
  // cost little, so there is no verdict before 16 of them.
  const bool noisy = std::strtod(attribute(scene.xml, "flame", "quality").c_str(), nullptr) < 50;
  const int least_seeds = noisy || scene.slow ? 16 : 2;
  const int most_seeds = scene.slow ? 16 : setting.most_seeds * (noisy ? 4 : 1);
  try {
    for (int seeds = least_seeds; seeds <= most_seeds; seeds *= 2) {
      while (int(ours.size()) < seeds) {
        const int seed = first_seed + int(ours.size());
        const Picture picture = setting.reference->render(scene.xml, scene.options, seed);
        row.bad = error_rate(picture);
        reference.push_back(plane_from_picture(picture, scene.options.transparent));
        ours.push_back(plane_from_picture(
            setting.ours->render(scene.xml, scene.options, seed + stand_in_offset),
            scene.options.transparent));
      }
      row.seeds = seeds;
      row.distance = measure(ours, reference);
      if (tells_nothing(row)) {
        row.verdict = Verdict::left_out;
        return row;
      }
      const Limits limits = setting.limits.of_part(scene.part);
      const bool within = scene.slow ? row.distance.within(limits, standard_error(ours, reference))
                                     : row.distance.within(limits);
      row.verdict = within ? Verdict::passed : Verdict::failed;
      if (row.verdict == Verdict::passed || !row.distance.hopeful()) break;
    }
  } catch (const std::exception& problem) {
    row.verdict = Verdict::error;
    row.note = problem.what();
    return row;
  }
  if (row.verdict == Verdict::failed && !setting.failed_folder.empty()) {
    std::filesystem::create_directories(setting.failed_folder);
    const std::string path = fmt::format("{}/{}.png", setting.failed_folder, scene.name);
    write_side_by_side(path, {&reference[0], &ours[0]}, 4);
    row.note = path;
  }
  return row;
}

std::vector<Mistake> prepared_mistakes() {
  const auto scaled = [](const char* name, double factor) {
    return [=](const std::string& xml) { return with_number_scaled(xml, name, factor); };
  };
  // in every flame of the file
  const auto replaced = [](const std::string& from, const std::string& to) {
    return [=](const std::string& xml) {
      std::string changed = xml;
      for (size_t at = 0; (at = changed.find(from, at)) != std::string::npos; at += to.size())
        changed.replace(at, from.size(), to);
      return changed == xml ? std::string() : changed;
    };
  };
  const auto coefficient_off = [](const std::string& xml) {
    return with_coefficient_scaled(xml, 1.01);
  };
  const auto one_right = [](const Picture& picture) { return shifted(picture, 1); };
  return {
      {"coefficient 1 % off",
       coefficient_off,
       nullptr,
       {"plain", "rotate", "palette_linear", "supersample_2", "final", "xaos_cycle", "symmetry_3",
        "v02_spherical", "v13_julia", "v39_curl", "v57_butterfly"}},
      {"gamma 5 % low in random genomes", scaled("gamma", 0.95), nullptr, random_names()},
      {"palette shifted by an entry",
       with_palette_shifted,
       nullptr,
       {"plain", "rotate", "palette_linear", "supersample_2", "final", "xaos_cycle"}},
      {"gamma 5 % low",
       scaled("gamma", 0.95),
       nullptr,
       {"plain", "background", "estimator_minimum_2", "earlyclip", "v02_spherical", "v39_curl"}},
      {"picture shifted by a pixel",
       nullptr,
       one_right,
       {"plain", "zoom_in", "estimator_minimum_2", "earlyclip", "v02_spherical", "v39_curl"}},
      {"estimator radius 25 % larger",
       scaled("estimator_radius", 1.25),
       nullptr,
       {"estimator_default", "estimator_default_few", "estimator_equal"}},
      {"filter radius 10 % larger",
       scaled("filter", 1.1),
       nullptr,
       {"supersample_2", "filter_bspline", "filter_lanczos3", "filter_bell"}},
      {"a quarter fewer samples",
       scaled("quality", 0.75),
       nullptr,
       {"plain", "rotate", "final", "xaos_cycle", "v02_spherical", "v39_curl"}},
      {"motion blur 10 % short",
       replaced("temporal_filter_width=\"1.2\"", "temporal_filter_width=\"1.08\""),
       nullptr,
       {"motion_box"}},
      {"temporal filter without its shape",
       replaced("temporal_filter_type=\"exp\"", "temporal_filter_type=\"box\""),
       nullptr,
       {"motion_exp", "motion_xforms"}},
      {"a frame's temporal samples off by one",
       replaced("temporal_samples=\"10\"", "temporal_samples=\"9\""),
       nullptr,
       {"motion_camera"}},
      // what the other half of a picture loses to rounding: 1 % of a half's points cross at a step
      {"points that change sides",
       replaced("<xform weight=\"0.02\" color=\"0.95\"",
                "<xform weight=\"0.03\" color_speed=\"0\" bent2=\"1\" bent2_x=\"-1\" "
                "bent2_y=\"1\" coefs=\"1 0 0 1 0 0\"/>\n"
                "<xform weight=\"0.02\" color=\"0.95\""),
       nullptr,
       {"disc_halves"}},
      {"half turns a float too far",
       replaced("coefs=\"1 0 0 0 0 1\"", "coefs=\"1 0 0 0 0 1.0000001\""),
       nullptr,
       {"half_turns"}},
      {"half of the perspective's turn",
       replaced("perspective_angle=\"1\"", "perspective_angle=\"0.98\""),
       nullptr,
       {"half_turns_mixed"}},
      {"temporal filter without its shape, exponent by exponent",
       replaced("temporal_filter_type=\"exp\"", "temporal_filter_type=\"box\""),
       nullptr,
       {"shutter_exp_4", "shutter_exp_4_many", "shutter_exp_2", "shutter_exp_0.5",
        "shutter_trail_exp_4", "shutter_trail_exp_2", "shutter_exp_-3"}},
      {"gaussian shutter without its shape",
       replaced("temporal_filter_type=\"gaussian\"", "temporal_filter_type=\"box\""),
       nullptr,
       {"shutter_gaussian", "shutter_gaussian_many", "shutter_trail_gaussian"}},
      {"exponent 15 % low",
       replaced("temporal_filter_exp=\"4\"", "temporal_filter_exp=\"3.4\""),
       nullptr,
       {"shutter_exp_4", "shutter_exp_4_many"}},
      // kiln's, once: the filter made for the frame's supersample, not for the first key's
      {"filter of the frame's own supersample, from 1",
       replaced("supersample=\"1\" filter=\"1\"", "supersample=\"1\" filter=\"2\""),
       nullptr,
       {"keys_supersample_up"}},
      {"filter of the frame's own supersample, from 4",
       replaced("supersample=\"4\" filter=\"1\"", "supersample=\"4\" filter=\"0.5\""),
       nullptr,
       {"keys_supersample_down", "keys_supersample_even"}},
      // kiln's pools were such chains, 64 steps and a unit's 1024, before it measured how long
      // points need to settle
      {"chains of a thousand points",
       nullptr,
       nullptr,
       {"slow_xaos_5", "slow_xaos_100", "slow_xaos_100_compat", "slow_xaos_longer_100",
        "slow_spiral_5", "slow_spiral_100", "slow_spiral_longer_100", "slow_weights_100",
        "slow_motion_100"},
       1024},
      // heavy generators: every element of the group as likely as the identity
      {"symmetry folded by an even law",
       replaced(
           "<symmetry kind=\"2\"/>",
           "<xform weight=\"100000\" color_speed=\"0\" linear=\"1\" coefs=\"-1 0 0 -1 0 0\"/>"),
       nullptr,
       {"slow_rotations_2_100"}},
      {"symmetry without its mirrors",
       replaced("<symmetry kind=\"-6\"/>", "<symmetry kind=\"6\"/>"),
       nullptr,
       {"slow_dihedral_6_100"}},
  };
}

Picture Mistaken::render(const std::string& xml, const Options& options, int seed) const {
  Options changed = options;
  if (mistake_.flam3_chain) changed.flam3_chain = mistake_.flam3_chain;
  const Picture picture =
      ours_.render(mistake_.on_flame ? mistake_.on_flame(xml) : xml, changed, seed);
  return mistake_.on_picture ? mistake_.on_picture(picture) : picture;
}

}  // namespace conformance
