#include "cli/report/compare_report.h"

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/io/picture/png_writer.h"
#include "engine/model/pixel_hash.h"

namespace kiln::cli {
namespace {

void add_pictures(ReportCase& one, const Compared& a, const Compared& b, const Findings& findings) {
  one.pictures.push_back({"expected: " + a.path, png_bytes(for_a_screen(a.picture))});
  one.pictures.push_back({"got: " + b.path, png_bytes(for_a_screen(b.picture))});
  if (!findings.pixels.same_size || findings.verdict == Verdict::identical) return;
  const double gain = difference_gain(findings.pixels.largest);
  one.pictures.push_back({fmt::format("difference times {}", shortest(gain)),
                          png_bytes(difference_picture(a.picture, b.picture, gain))});
  if (findings.flip)
    one.pictures.push_back(
        {"FLIP", png_bytes(flip_picture(*findings.flip, a.picture.width, a.picture.height))});
}

void add_facts(ReportCase& one, const Findings& findings) {
  const Comparison& c = findings.pixels;
  const auto add = [&](const char* label, std::string value) {
    one.facts.emplace_back(label, std::move(value));
  };
  if (findings.flip) add("FLIP", fmt::format("{:.4f}", findings.flip->mean));
  add("PSNR", c.largest > 0 ? fmt::format("{:.2f} dB", c.psnr_db) : "infinite");
  add("differing pixels", fmt::format("{:.3f} %", 100 * c.differing));
  add("SSIM", fmt::format("{:.6f}", c.ssim));
  add("rms", fmt::format("{:.6g}", c.rms));
  add("mean difference", fmt::format("{:.6g}", c.mean));
  add("largest difference", fmt::format("{:.6g}", c.largest));
  if (const auto& noise = findings.noise) {
    add("largest z", fmt::format("{:.2f}, in {} x {} pixels at {}, {}", noise->largest_z,
                                 noise->side, noise->side, noise->x, noise->y));
    if (findings.other_look) add("look", "other settings");
    add("allowed z", fmt::format("{:.2f} in {} tests", noise->allowed_z, noise->tests));
  }
}

std::string described(const Compared& side) {
  return fmt::format("{} x {}, {} bits, pixels {:.16}...", side.picture.width, side.picture.height,
                     side.picture.bits(), pixel_hash(side.picture));
}

}  // namespace

ReportCase report_case(const std::string& name, const Compared& a, const Compared& b,
                       const Findings& findings, const CompareRules& rules) {
  ReportCase one;
  one.name = name;
  one.verdict = rules.word(findings);
  if (findings.pixels.same_size)
    add_facts(one, findings);
  else
    one.note = "The pictures have different sizes.";
  one.facts.emplace_back("expected", described(a));
  one.facts.emplace_back("got", described(b));
  add_pictures(one, a, b, findings);
  return one;
}

ReportCase lone_case(const std::string& name, const std::string& note) {
  ReportCase one;
  one.name = name;
  one.verdict = verdict_word(Verdict::different);
  one.note = note;
  return one;
}

}  // namespace kiln::cli
