// SPDX-License-Identifier: MIT
// Two pictures side by side: what is read of each, what is found out, and how it is said. A state
// whose sums are in halves gives `light` beside its picture, and the verdict "same distribution"
// becomes possible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/text.h"
#include "engine/io/picture/picture_format.h"
#include "engine/io/picture/picture_record.h"
#include "engine/measure/distance.h"
#include "engine/measure/flip.h"
#include "engine/measure/noise.h"

namespace kiln {

/// One side of a comparison.
struct Compared {
  std::string path;
  Image picture;
  std::optional<NoisyLight> light;      // of inputs that know their noise
  std::string look;                     // of a state: the settings between its sums and its picture
  std::optional<PictureRecord> stages;  // of a picture made with --stages: the record that has them
};

/// Reads a picture, or makes that of a state file. Throws Error of kind input, of a state also what
/// renders throw.
Compared read_compared(const std::string& path, const ImageLimits& limits);

enum class Verdict { identical, same_distribution, different };

/// "identical", "same distribution", "different".
const char* verdict_word(Verdict verdict);

struct Findings {
  Verdict verdict = Verdict::different;
  Comparison pixels;
  std::optional<Flip> flip;              // if it was asked for and the sizes agree
  std::optional<NoiseComparison> noise;  // if both know their noise and pixels differ
  bool other_look = false;               // of two states: then noise alone explains nothing
  std::optional<int> equal_stages;       // before the first that differs, if both say their stages
};

/// Throws Error of kind usage where values mean different things (linear light and a PNG).
Findings compare_pair(const Compared& a, const Compared& b, double tolerance, bool with_flip);

/// "rms 0.01, mean ...": everything that was measured; or the two sizes.
std::string in_words(const Compared& a, const Compared& b, const Findings& findings);

/// The members "a" to "verdict". `same`: the answer to what was asked, limits included.
JsonObject findings_json(const Compared& a, const Compared& b, const Findings& findings, bool same);

// What kiln compare is asked: limits, tolerance, what of the pictures is wanted; and whether two
// pictures answer to it.

struct CompareRules {
  std::optional<double> max_rms, min_psnr, min_ssim, max_differing, max_flip;
  double tolerance = 0;
  bool flip = false;  // measure FLIP
  std::uint64_t max_memory_bytes = 0;

  Compared read(const std::string& path,
                InputFile::Opens opens = InputFile::Opens::anything) const {
    ImageLimits limits;
    limits.opens = opens;
    if (max_memory_bytes > 0) limits.bytes = max_memory_bytes;
    return read_compared(path, limits);
  }
  bool has_limits() const { return max_rms || min_psnr || min_ssim || max_differing || max_flip; }
  Findings find(const Compared& a, const Compared& b) const {
    return compare_pair(a, b, tolerance, flip || max_flip);
  }
  /// Every limit has to hold; without any, no pixel may differ but by noise.
  bool hold(const Findings& findings) const {
    const Comparison& c = findings.pixels;
    if (!c.same_size) return false;
    if (!has_limits()) return c.differing == 0 || findings.verdict == Verdict::same_distribution;
    return (!max_rms || c.rms <= *max_rms) && (!min_psnr || c.psnr_db >= *min_psnr) &&
           (!min_ssim || c.ssim >= *min_ssim) &&
           (!max_differing || c.differing <= *max_differing) &&
           (!max_flip || findings.flip->mean <= *max_flip);
  }
  /// The verdict, or "within limits" where limits or the tolerance let a difference pass.
  std::string word(const Findings& findings) const {
    const bool passes = findings.verdict == Verdict::different && hold(findings);
    return passes ? "within limits" : verdict_word(findings.verdict);
  }
};

}  // namespace kiln
