// Palettes between palettes: one rule for each palette_interpolation (flam3-pipeline.md 13.1).
#pragma once

#include <array>
#include <vector>

#include "engine/model/flame.h"
#include "engine/model/palette.h"

namespace kiln {

/// Palettes that will be blended many times: their hues are found once.
class PaletteBlend {
 public:
  /// The palettes of 1 to 4 flames, to be blended by the rule of the first.
  explicit PaletteBlend(const std::vector<const Flame*>& flames);

  /// The blend by weights that sum to 1, one a flame. Entries are within 0..1, whatever the
  /// weights; an entry that is the same in all flames is that of the result to the last bit.
  Palette at(const std::vector<double>& weights) const;

  /// Whether it is the same palette at all weights.
  bool stands_still() const { return stands_still_; }

 private:
  /// One entry in all flames.
  struct Entry {
    std::array<Rgba, 4> rgb;
    std::array<Hsv, 4> hsv;  // where the rule needs them; hues moved by the rule
    bool all_equal = false, opaque = false;
  };

  Entry prepared(const std::vector<Palette>& palettes, std::size_t index) const;
  Rgba blended(const Entry& entry, const std::vector<double>& weights) const;

  PaletteInterpolation rule_;
  double share_of_rgb_;  // of hsv_circular
  std::vector<Entry> entries_;
  bool stands_still_ = true;
};

}  // namespace kiln
