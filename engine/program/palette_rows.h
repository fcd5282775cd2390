// SPDX-License-Identifier: MIT
// The rows of the palette table: a record names one, so a row stands for all that differs between
// the xforms and time samples that records come from: palette, weight of the time sample, visibility.
#pragma once

#include <algorithm>
#include <vector>

#include "engine/program/compiled_flame.h"

namespace kiln {

// The palette table that kernels add up: whole numbers, in units that hold the dimmest row.

/// Makes the palette, the hits and all that depends on them, and sets the xforms' palette_row.
/// Throws Error (input) where a sample would weigh more than the histogram holds, or where there
/// are more opacities than a record can name.
void compile_palette(const Flame& flame, const CompiledTimeSamples& time_samples,
                     CompiledFlame& out);

/// The source of the palette table: the palettes, opacities and weights of all time samples.
struct PaletteMotion {
  const CompiledTimeSamples& all;
  std::size_t time_samples, xform_count;
  std::vector<char> changes;  // [time_samples] another palette than at the time sample before

  bool linear_opacity;  // of the dialect: opacity is the weight of a sample itself

  PaletteMotion(const CompiledTimeSamples& source, int xforms, Dialect dialect)
      : all(source),
        time_samples(source.palette_of.size()),
        xform_count(std::size_t(xforms)),
        changes(time_samples, 1),
        linear_opacity(dialect != Dialect::flam3) {
    for (std::size_t m = 1; m < time_samples; ++m)
      changes[m] = all.palette_of[m] != all.palette_of[m - 1];
  }
  const Palette& palette(std::size_t m) const {
    return all.palettes[std::size_t(all.palette_of[m])];
  }
  std::size_t entries() const { return all.palettes[0].size(); }  // of every palette
  double weight(std::size_t m) const { return all.weights[m]; }
  bool even() const {
    return std::all_of(all.weights.begin(), all.weights.end(),
                       [](double weight) { return weight == 1; });
  }
};

/// One row of the palette table before it becomes integers: of one visibility, at time samples that are
/// alike.
struct PaletteRow {
  Palette entries;        // palette * visibility * weight
  double visibility = 0;  // of a hit
  double light = 0;       // visibility * weight: of white
};

/// The rows of all time samples; sets the xforms' palette_row.
std::vector<PaletteRow> palette_rows(const PaletteMotion& all, CompiledFlame& out);

/// A table of whole numbers, which is summed fastest, that stands for `rows` where the palette
/// moves a little: sets palette_row anew. `rows` themselves where there is none.
std::vector<PaletteRow> whole_palette_rows(const Flame& flame, const PaletteMotion& all,
                                           std::vector<PaletteRow> rows, CompiledFlame& out);

/// Whether a channel of 0..255 needs no fraction.
bool is_whole(double level);

}  // namespace kiln
