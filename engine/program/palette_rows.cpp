#include "engine/program/palette_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

/// Weight of a sample of an xform with this opacity: opacity^log2(10) (flam3-pipeline.md section
/// 3).
double visibility(double opacity) {
  constexpr double log2_of_10 = 3.32192809488736234787;
  return opacity > 0 ? exact::exp(log2_of_10 * exact::log(opacity)) : 0;
}

/// How many rows the moments may have together. Weights need more: what is faint is seen as well,
/// by the logarithm of its density, so they are right in proportion.
struct Fineness {
  std::size_t most;
  double step;  // change that makes another row: of a full color, of opacity, of log_share logs
};
constexpr Fineness of_palettes = {64, 1e-3}, of_weights = {256, 0.015};
constexpr double log_share = 0.3;      // so that 5 % of a weight make a row
constexpr double least_weight = 1e-7;  // of the largest: what is below adds nothing one could see

/// How far two neighbouring moments are apart.
double change_between(const PaletteMotion& all, std::size_t before, std::size_t now) {
  double change = 0;
  if (all.changes[now]) {
    const Palette &was = all.palette(before), &is = all.palette(now);
    for (std::size_t i = 0; i < is.size(); ++i) {
      for (double difference :
           {is[i].r - was[i].r, is[i].g - was[i].g, is[i].b - was[i].b, is[i].a - was[i].a})
        change = std::max(change, std::fabs(difference));
    }
  }
  const double weight = all.weight(now), weight_before = all.weight(before);
  if (weight != weight_before) {
    change += log_share * std::fabs(exact::log(std::max(weight, least_weight)) -
                                    exact::log(std::max(weight_before, least_weight)));
  }
  return change;
}

/// Moments that share the rows of the palette table: group number of each moment. Neighbours that
/// are alike within a tolerance are one group, which gets the mean of its moments, so that a frame
/// gets its light exactly; only when during the frame the light comes is rounded.
std::vector<int> group_moments(const PaletteMotion& all, const std::vector<double>& visibilities,
                               std::size_t classes) {
  const std::size_t moments = all.moments, xform_count = all.xform_count;
  double largest = 1;
  for (double vis : visibilities) largest = std::max(largest, vis);
  std::vector<double> way(moments);  // how far all moments up to this one have changed
  for (std::size_t m = 1; m < moments; ++m) {
    double change = change_between(all, m - 1, m);
    for (std::size_t f = 0; f < xform_count; ++f) {
      const double vis = visibilities[m * xform_count + f],
                   vis_before = visibilities[(m - 1) * xform_count + f];
      change = std::max(change, std::fabs(vis - vis_before) / largest);
    }
    way[m] = way[m - 1] + change;
  }
  const Fineness fineness = all.even() ? of_palettes : of_weights;
  const std::size_t most = std::max<std::size_t>(1, fineness.most / classes);
  const double step = std::max(fineness.step, way.back() / double(most));
  std::vector<int> groups(moments);
  for (std::size_t m = 0; m < moments; ++m)
    groups[m] = int(std::min(way[m] / step, double(most - 1)));
  return groups;
}

/// What each xform adds to its samples at each moment: [moments][xforms].
struct Visibilities {
  std::vector<double> values;
  std::size_t xform_count = 0, most_classes = 1;  // different ones that a moment has, but for 0

  /// Of an xform at the moments [first, last).
  std::vector<double> between(std::size_t first, std::size_t last, std::size_t f) const {
    std::vector<double> part;
    for (std::size_t m = first; m < last; ++m) part.push_back(values[m * xform_count + f]);
    return part;
  }
};

Visibilities visibilities_of(const PaletteMotion& all) {
  const std::size_t moments = all.moments, count = all.xform_count;
  Visibilities out{std::vector<double>(moments * count), count};
  for (std::size_t m = 0; m < moments; ++m) {
    const double* const opacities = all.all.opacities.data() + m * count;
    double* const row = out.values.data() + m * count;
    if (m > 0 && std::equal(opacities, opacities + count, opacities - count)) {
      std::copy(row - count, row, row);  // opacities seldom move
      continue;
    }
    std::set<double> classes;
    for (std::size_t f = 0; f < count; ++f) {
      row[f] = visibility(opacities[f]);
      if (row[f] > 0) classes.insert(row[f]);
    }
    out.most_classes = std::max(out.most_classes, classes.size());
  }
  return out;
}

/// The mean row of the moments from `first` on at which an xform has these visibilities.
PaletteRow mean_row(const PaletteMotion& all, std::size_t first, const std::vector<double>& vis) {
  PaletteRow mean;
  const std::size_t last = first + vis.size();
  const double share = 1 / double(vis.size());
  double scale = 0;  // of moments that have the same palette
  for (std::size_t m = first; m < last; ++m) {
    mean.visibility += vis[m - first] * share;
    const double light = vis[m - first] * all.weight(m) * share;
    mean.light += light;
    scale += light;
    if (m + 1 < last && !all.changes[m + 1]) continue;
    const Palette& palette = all.palette(m);
    for (std::size_t i = 0; i < mean.entries.size(); ++i) {
      const Rgba& c = palette[i];
      Rgba& entry = mean.entries[i];
      entry.r += c.r * scale;
      entry.g += c.g * scale;
      entry.b += c.b * scale;
      entry.a += c.a * scale;
    }
    scale = 0;
  }
  return mean;
}

}  // namespace

std::vector<PaletteRow> palette_rows(const PaletteMotion& all, CompiledFlame& out) {
  const std::size_t moments = all.moments, stride = std::size_t(out.program.xform_stride);
  const Visibilities visibilities = visibilities_of(all);
  const std::vector<int> groups =
      group_moments(all, visibilities.values, visibilities.most_classes);
  std::vector<PaletteRow> rows;
  for (std::size_t first = 0, last = 0; first < moments; first = last) {
    while (last < moments && groups[last] == groups[first]) ++last;
    std::map<std::vector<double>, int> known;  // visibility at each moment -> row
    for (std::size_t f = 0; f < all.xform_count; ++f) {
      const std::vector<double> vis = visibilities.between(first, last, f);
      int row = -1;
      if (std::any_of(vis.begin(), vis.end(), [](double v) { return v > 0; })) {
        const auto [at, fresh] = known.emplace(vis, int(rows.size()));
        row = at->second;
        if (fresh) rows.push_back(mean_row(all, first, vis));
      }
      for (std::size_t m = first; m < last; ++m) out.xforms[m * stride + f].palette_row = row;
    }
  }
  if (rows.empty()) rows.push_back({{}, 1, 1});  // nothing is visible; the table still has a row
  return rows;
}

}  // namespace kiln
