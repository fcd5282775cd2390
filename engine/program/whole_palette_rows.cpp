#include <algorithm>
#include <cmath>

#include "engine/program/palette_rows.h"

namespace kiln {
namespace {

/// Whether a table of whole numbers can stand for the rows: step palettes, opaque, every xform
/// either visible or not, and moments enough to share the rounding between them.
bool whole_rows_will_do(const Flame& flame, const PaletteMotion& all, const CompiledFlame& out) {
  if (all.moments < 4 * most_narrow_rows || flame.palette_mode == PaletteMode::linear) return false;
  const std::size_t stride = std::size_t(out.program.xform_stride);
  for (std::size_t m = 0; m < all.moments; ++m) {
    if (all.changes[m]) {
      for (const Rgba& c : all.palette(m)) {
        if (!(std::min({c.r, c.g, c.b}) >= 0 && std::max({c.r, c.g, c.b}) <= 1 && c.a == 1))
          return false;
      }
    }
    for (std::size_t f = 0; f < all.xform_count; ++f) {
      if (!all.all.has_xform[m * all.xform_count + f]) continue;
      const double opacity = all.all.opacities[m * all.xform_count + f];
      const bool visible = out.xforms[m * stride + f].palette_row >= 0;
      if (opacity != (visible ? 1 : 0)) return false;
    }
  }
  return true;
}

void use_row(std::size_t moment, int row, CompiledFlame& out) {
  for (int f = 0; f < out.program.xform_count; ++f) {
    i32& mine =
        out.xforms[moment * std::size_t(out.program.xform_stride) + std::size_t(f)].palette_row;
    if (mine >= 0) mine = row;
  }
}

/// A palette that moves a little, or is no whole number: some groups of moments, in each of which
/// neighbouring moments round differently, so that the group's mean is right to 1 / 2n of a level.
std::vector<PaletteRow> rows_of_palettes(const PaletteMotion& all, double change,
                                         CompiledFlame& out) {
  int groups = 1;
  while (groups < 8 && change * 255 > 0.5 * groups) groups *= 2;
  const int ways = most_narrow_rows / groups;
  std::vector<PaletteRow> rows;
  const std::size_t moments = all.moments;
  for (int g = 0; g < groups; ++g) {
    const std::size_t first = moments * std::size_t(g) / std::size_t(groups),
                      end = moments * std::size_t(g + 1) / std::size_t(groups);
    Palette mean(all.entries());
    const double share = 1 / double(end - first);
    for (std::size_t m = first; m < end; ++m) {
      const Palette& palette = all.palette(m);
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const Rgba& c = palette[i];
        mean[i].r += c.r * share;
        mean[i].g += c.g * share;
        mean[i].b += c.b * share;
      }
      use_row(m, g * ways + int((m - first) % std::size_t(ways)), out);
    }
    for (int way = 0; way < ways; ++way) {
      // 1e-6: a whole number stays itself
      const auto level = [&](double v) {
        return std::floor(v * 255 + (way + 0.5) / ways * (1 - 1e-6)) / 255;
      };
      PaletteRow row{mean, 1, 1};
      for (Rgba& c : row.entries) c = {level(c.r), level(c.g), level(c.b), 1};
      rows.push_back(row);
    }
  }
  return rows;
}

}  // namespace

bool is_whole(double level) { return std::fabs(level - std::floor(level + 0.5)) < 1e-9; }

std::vector<PaletteRow> whole_palette_rows(const Flame& flame, const PaletteMotion& all,
                                           std::vector<PaletteRow> rows, CompiledFlame& out) {
  constexpr double most_change = 8.0 / 255;  // faster palettes keep their exact rows
  if (!all.even() || !whole_rows_will_do(flame, all, out)) return rows;
  double change = 0;
  bool whole = true;
  for (std::size_t m = 0; m < all.moments; ++m) {
    if (!all.changes[m]) continue;
    const Palette &now = all.palette(m), &before = all.palette(m ? m - 1 : 0);
    double most = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      for (double v : {now[i].r, now[i].g, now[i].b}) whole = whole && is_whole(v * 255);
      most = std::max({most, std::fabs(now[i].r - before[i].r), std::fabs(now[i].g - before[i].g),
                       std::fabs(now[i].b - before[i].b)});
    }
    change += most;
  }
  if (whole && change == 0) return rows;  // one row of whole numbers already
  return change <= most_change ? rows_of_palettes(all, change, out) : rows;
}

}  // namespace kiln
