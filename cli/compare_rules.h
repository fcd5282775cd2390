// What kiln compare is asked: limits, tolerance, what of the pictures is wanted; and whether two
// pictures answer to it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "cli/picture_pair.h"

namespace kiln::cli {

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

}  // namespace kiln::cli
