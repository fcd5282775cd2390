#include "engine/program/palette_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "engine/model/exact_math.h"

namespace kiln {
namespace {

/// Weight of a sample of an xform with this opacity: opacity^log2(10) (flam3-pipeline.md section 3),
/// and the opacity itself in the other programs.
double visibility(double opacity, bool linear) {
  constexpr double log2_of_10 = 3.32192809488736234787;
  if (!(opacity > 0)) return 0;
  return linear ? opacity : exact::exp(log2_of_10 * exact::log(opacity));
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

/// How far two moments are apart.
double change_between(const PaletteMotion& all, std::size_t before, std::size_t now) {
  double change = 0;
  if (all.all.palette_of[now] != all.all.palette_of[before]) {
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

/// What each xform adds to its samples at each moment: [moments][xforms].
struct Visibilities {
  std::vector<double> values;
  std::size_t xform_count = 0, most_classes = 1;  // different ones that a moment has, but for 0
  double largest = 1;

  /// Of an xform at the moments of a group.
  std::vector<double> of(const std::vector<std::size_t>& moments, std::size_t f) const {
    std::vector<double> part;
    for (const std::size_t m : moments) part.push_back(values[m * xform_count + f]);
    return part;
  }
  /// How far two moments are apart, of the largest.
  double apart(std::size_t a, std::size_t b) const {
    double most = 0;
    for (std::size_t f = 0; f < xform_count; ++f) {
      most = std::max(most, std::fabs(values[a * xform_count + f] - values[b * xform_count + f]));
    }
    return most / largest;
  }
};

using MomentGroup = std::vector<std::size_t>;

/// The moments in the order in which neighbours are alike: of time or, where only weights move, of
/// weight, so that both sides of a gaussian share their rows.
MomentGroup order_of(const PaletteMotion& all, const Visibilities& visibilities) {
  MomentGroup order(all.moments);
  std::iota(order.begin(), order.end(), std::size_t(0));
  bool still = true;
  for (std::size_t m = 1; m < all.moments; ++m)
    still = still && !all.changes[m] && visibilities.apart(m - 1, m) == 0;
  if (still) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return all.weight(a) > all.weight(b); });
  }
  return order;
}

/// Moments that share the rows of the palette table. Neighbours that are alike within a tolerance
/// are one group, which gets the mean of its moments, so that a frame gets its light exactly; only
/// when during the frame the light comes is rounded.
std::vector<MomentGroup> group_moments(const PaletteMotion& all, const Visibilities& visibilities) {
  const MomentGroup order = order_of(all, visibilities);
  std::vector<double> way(all.moments);  // how far all moments up to this one have changed
  for (std::size_t i = 1; i < all.moments; ++i) {
    way[i] = way[i - 1] + std::max(change_between(all, order[i - 1], order[i]),
                                   visibilities.apart(order[i - 1], order[i]));
  }
  const Fineness fineness = all.even() ? of_palettes : of_weights;
  const std::size_t most = std::max<std::size_t>(1, fineness.most / visibilities.most_classes);
  const double step = std::max(fineness.step, way.back() / double(most));
  std::vector<MomentGroup> groups;
  int last = -1;
  for (std::size_t i = 0; i < all.moments; ++i) {
    const int group = int(std::min(way[i] / step, double(most - 1)));
    if (group != last) groups.emplace_back();
    last = group;
    groups.back().push_back(order[i]);
  }
  return groups;
}

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
      row[f] = visibility(opacities[f], all.linear_opacity);
      if (row[f] > 0) classes.insert(row[f]);
      out.largest = std::max(out.largest, row[f]);
    }
    out.most_classes = std::max(out.most_classes, classes.size());
  }
  return out;
}

/// The mean row of the moments of a group at which an xform has these visibilities.
PaletteRow mean_row(const PaletteMotion& all, const MomentGroup& group,
                    const std::vector<double>& vis) {
  PaletteRow mean{Palette(all.entries()), 0, 0};
  const double share = 1 / double(group.size());
  double scale = 0;  // of moments that have the same palette
  for (std::size_t i = 0; i < group.size(); ++i) {
    const std::size_t m = group[i];
    mean.visibility += vis[i] * share;
    const double light = vis[i] * all.weight(m) * share;
    mean.light += light;
    scale += light;
    if (i + 1 < group.size() && all.all.palette_of[group[i + 1]] == all.all.palette_of[m]) continue;
    const Palette& palette = all.palette(m);
    for (std::size_t e = 0; e < mean.entries.size(); ++e) {
      const Rgba& c = palette[e];
      Rgba& entry = mean.entries[e];
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
  const std::size_t stride = std::size_t(out.program.xform_stride);
  const Visibilities visibilities = visibilities_of(all);
  std::vector<PaletteRow> rows;
  for (const MomentGroup& group : group_moments(all, visibilities)) {
    std::map<std::vector<double>, int> known;  // visibility at each moment -> row
    for (std::size_t f = 0; f < all.xform_count; ++f) {
      const std::vector<double> vis = visibilities.of(group, f);
      int row = -1;
      if (std::any_of(vis.begin(), vis.end(), [](double v) { return v > 0; })) {
        const auto [at, fresh] = known.emplace(vis, int(rows.size()));
        row = at->second;
        if (fresh) rows.push_back(mean_row(all, group, vis));
      }
      for (const std::size_t m : group) out.xforms[m * stride + f].palette_row = row;
    }
  }
  if (rows.empty())
    rows.push_back(
        {Palette(all.entries()), 1, 1});  // nothing is visible; the table still has a row
  return rows;
}

}  // namespace kiln
