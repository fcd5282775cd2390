// SPDX-License-Identifier: MIT
// Light that a lens spreads over the picture: bloom, glare and a point spread function from a file.
// Lengths are in per cent of the picture's height, so that a preview and the final picture agree.
// docs/inside/lens.md has the formulas.
#pragma once

#include <string>
#include <vector>

namespace kiln {

/// A soft glow: a sum of Gaussians with a long tail. XML: kiln_bloom="strength radius threshold".
struct Bloom {
  double strength = 0;   // share of the light that is spread, 0..1; 0: off
  double radius = 2;     // half of the spread light lands within this, per cent of the height
  double threshold = 0;  // only light above this spreads, of bloom, glare and psf; 1 is t = 255
  bool operator==(const Bloom&) const = default;
};

/// A diffraction star. XML: kiln_glare="points angle strength".
struct Glare {
  int points = 0;         // of the star, even: an edge diffracts to both its sides; 0: off
  double angle_deg = 0;   // of one point, counterclockwise from the right
  double strength = 0.1;  // share of the light that is spread, 0..1
  bool operator==(const Glare&) const = default;
};

struct Effects {
  Bloom bloom;
  Glare glare;

  double bloom_strength() const { return bloom.strength; }
  double glare_strength() const { return glare.points > 0 ? glare.strength : 0; }
};

/// The reason why these effects cannot be together, or nullptr.
inline const char* refusal(const Effects& effects) {
  if (effects.bloom_strength() + effects.glare_strength() > 1)
    return "the strengths of bloom and glare add up to more than 1, all the light there is";
  return nullptr;
}

/// A point spread function: what one bright point becomes.
struct PointSpread {
  int width = 1, height = 1;
  std::vector<double> values;  // [height, width], none below 0, at least one above
  double strength = -1;        // share of the light; below 0: what bloom and glare leave
  double size = 0;             // its height in per cent of the picture's; 0: pixel for pixel
  std::string hash;            // SHA-256 of size and values, for the record of a picture
};

}  // namespace kiln
