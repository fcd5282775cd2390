// SPDX-License-Identifier: MIT
#include "engine/pipeline/picture_pair.h"

#include <cstdint>
#include <string>

#include "engine/base/error.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/io/flame/genome_writer.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"
#include "engine/io/picture/picture_settings.h"
#include "engine/io/state/state_file.h"
#include "engine/measure/noise.h"
#include "engine/model/flame_attributes.h"
#include "engine/model/image.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/renderer.h"

namespace kiln {
namespace {

// A state file as one side of a comparison: its picture, made on the CPU from the sums as they are;
// their light and how sure it is, where they are in halves; and the settings of its look, since two
// states with the same light and another gamma are no more noise than two pictures.

/// The state at `path`; its sums take at most `most_bytes`. Throws Error.
Compared read_compared_state(const std::string& path, std::uint64_t most_bytes);

/// The text of all that decides the picture beside the sums. What decides the sums is left out:
/// they say themselves whether they are alike.
std::string look_of(const Flame& flame, const PictureRecord& record) {
  Flame look;
  for (const FlameAttribute& attribute : flame_attributes())
    if (attribute.has(FlameAttribute::look)) copy_attribute(attribute, flame, look);
  PictureRecord settings = record;
  for (const PictureSetting& setting : picture_settings())
    if (setting.decides != PictureSetting::Decides::pixels)
      copy_setting(setting, {}, settings.options);
  settings.options.seed = 0;
  return genome_xml(look) + in_words(settings);
}

Compared read_compared_state(const std::string& path, std::uint64_t most_bytes) {
  const FlameFile file = read_flames(path, {});
  const PictureRecord record = file.record.value_or(PictureRecord{});
  if (record.options.psf)
    fail(
        ErrorKind::usage,
        "{}: was made with a --psf of which it has only the hash; kiln grade makes its picture, to "
        "be compared",
        printable_whole(path));
  RenderOptions options = repeated(record, {});
  options.backend = Backend::cpu;
  options.linear = record.is_linear();
  Frame frame{file.flames.at(0), {}, {}, 0};
  Checkpoint checkpoint;
  checkpoint.sums = read_state(path, most_bytes);
  checkpoint.regrade = true;
  frame.gutter = int(checkpoint.sums.shape.gutter);
  Compared state{path, {}, {}, look_of(frame.flame, record), {}};
  const bool has_both = checkpoint.sums.shape.halves && checkpoint.sums.done.contains({0, 2});
  if (has_both) state.light = light_of_sums(checkpoint.sums);
  try {
    const PreparedFrame ready = prepare(frame, options);
    state.picture = *Renderer(options).make({.frame = &ready, .checkpoint = &checkpoint});
  } catch (const Error& error) {
    fail(error.kind, "{}: {}", printable_whole(path), error.what());
  }
  return state;
}

/// A stage by its hash, and what else than the stages before makes it another one.
struct HashedStage {
  const char* name;
  std::string (*hash)(const PictureRecord&);
  const char* by;
};
constexpr HashedStage hashed_stages[] = {
    {"histogram", [](const PictureRecord& record) { return record.stages.histogram; },
     "seed, samples, maps, palette, camera, size, or how far filter and estimator reach"},
    {"light", [](const PictureRecord& record) { return record.stages.light; },
     "brightness, contrast or density estimation"},
    {"filtered", [](const PictureRecord& record) { return record.stages.filtered; },
     "spatial filter, bloom, glare or psf"},
    {"packed", [](const PictureRecord& record) { return record.pixel_hash; },
     "gamma, vibrancy, curves, background, bits or crop"}};
constexpr int hashed_stage_count = std::size(hashed_stages);

/// The record of a picture file, if it says the stages. What is wrong with a file beside its pixels
/// is no matter here.
std::optional<PictureRecord> record_of_stages(const std::string& path, InputFile::Opens opens) {
  try {
    const PictureFileTexts file = read_picture_texts(path, opens);
    const auto text = file.texts.find(record_key);
    if (text == file.texts.end()) return {};
    std::optional<PictureRecord> record = parse_picture_record(text->second, path, nullptr);
    if (record && !record->stages.histogram.empty()) return record;
  } catch (const Error&) {
  }
  return {};
}

int equal_stages(const PictureRecord& a, const PictureRecord& b) {
  int count = 0;
  for (const HashedStage& stage : hashed_stages) {
    if (stage.hash(a) != stage.hash(b)) break;
    ++count;
  }
  return count;
}

/// "; stages: histogram equal, light differs (...)".
std::string stage_words(int equal) {
  std::string words;
  for (int i = 0; i < equal; ++i) words += (i > 0 ? ", " : "") + std::string(hashed_stages[i].name);
  if (equal > 0) words += " equal";
  if (equal == hashed_stage_count) return "; stages: " + words;
  const HashedStage& other = hashed_stages[equal];
  return fmt::format("; stages: {}{}{} differs ({})", words, equal > 0 ? ", " : "", other.name,
                     other.by);
}

Verdict judge(const Findings& findings) {
  if (!findings.pixels.same_size) return Verdict::different;
  if (findings.pixels.largest == 0) return Verdict::identical;
  const bool noise_alone =
      findings.noise && findings.noise->same_distribution && !findings.other_look;
  return noise_alone ? Verdict::same_distribution : Verdict::different;
}

void check_comparable(const Compared& a, const Compared& b) {
  if (comparable(a.picture, b.picture)) return;
  const bool linear_a = a.picture.bits() == 32;
  fail(ErrorKind::usage,
       "{} is linear light (OpenEXR) and {} is not: their values mean different things; compare "
       "two {} or two {}",
       printable_whole(linear_a ? a.path : b.path), printable_whole(linear_a ? b.path : a.path),
       picture_endings(true), picture_endings(false));
}

}  // namespace

Compared read_compared(const std::string& path, const ImageLimits& limits) {
  if (is_state_file(path)) return read_compared_state(path, limits.bytes);
  return {path, read_picture(path, limits), {}, {}, record_of_stages(path, limits.opens)};
}

const char* verdict_word(Verdict verdict) {
  switch (verdict) {
    case Verdict::identical:
      return "identical";
    case Verdict::same_distribution:
      return "same distribution";
    case Verdict::different:
      break;
  }
  return "different";
}

Findings compare_pair(const Compared& a, const Compared& b, double tolerance, bool with_flip) {
  check_comparable(a, b);
  Findings findings;
  findings.pixels = compare(a.picture, b.picture, tolerance);
  if (findings.pixels.same_size) {
    if (with_flip) findings.flip = flip(a.picture, b.picture);
    findings.other_look = !a.look.empty() && !b.look.empty() && a.look != b.look;
    if (findings.pixels.largest > 0 && a.light && b.light)
      findings.noise = compare_noise(*a.light, *b.light);
  }
  if (a.stages && b.stages) findings.equal_stages = equal_stages(*a.stages, *b.stages);
  findings.verdict = judge(findings);
  return findings;
}

std::string in_words(const Compared& a, const Compared& b, const Findings& findings) {
  const Comparison& c = findings.pixels;
  const std::string stages = findings.equal_stages ? stage_words(*findings.equal_stages) : "";
  if (!c.same_size)
    return fmt::format("{} x {} and {} x {} pixels{}", a.picture.width, a.picture.height,
                       b.picture.width, b.picture.height, stages);
  std::string words = fmt::format(
      "rms {:.6g}, mean {:.6g}, largest {:.6g}, PSNR {:.2f} dB, SSIM {:.6f}, differing pixels "
      "{:.4f} %",
      c.rms, c.mean, c.largest, c.psnr_db, c.ssim, 100 * c.differing);
  if (findings.flip) words += fmt::format(", FLIP {:.6f}", findings.flip->mean);
  if (const auto& noise = findings.noise)
    words += fmt::format(", largest z {:.2f} of {:.2f} allowed in {} tests", noise->largest_z,
                         noise->allowed_z, noise->tests);
  if (findings.other_look) words += ", other settings of the look";
  return words + stages;
}

JsonObject findings_json(const Compared& a, const Compared& b, const Findings& findings,
                         bool same) {
  const Comparison& c = findings.pixels;
  JsonObject json;
  json.add("a", a.path).add("b", b.path).add("same", same).add("same_size", c.same_size);
  if (c.same_size) {
    json.add("rms", c.rms)
        .add("mean", c.mean)
        .add("largest", c.largest)
        .add("psnr_db", c.psnr_db);  // null: infinite
    json.add("ssim", c.ssim).add("differing", c.differing);
  }
  if (findings.flip) json.add("flip", findings.flip->mean);
  if (const auto& noise = findings.noise)
    json.add("largest_z", noise->largest_z)
        .add("allowed_z", noise->allowed_z)
        .add("tests", noise->tests);
  if (!a.look.empty() && !b.look.empty()) json.add("same_look", !findings.other_look);
  if (const auto& equal = findings.equal_stages)
    json.add_json("first_stage",
                  *equal < hashed_stage_count ? json_string(hashed_stages[*equal].name) : "null");
  return json.add("verdict", verdict_word(findings.verdict))
      .add("hash_a", pixel_hash(a.picture))
      .add("hash_b", pixel_hash(b.picture));
}

}  // namespace kiln
