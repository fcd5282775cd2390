// SPDX-License-Identifier: MIT
#include "engine/program/palette_rows.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "engine/base/error.h"
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

/// The number of rows that the time samples may have together. Weights need more: what is faint is
/// seen as well, by the logarithm of its density, so they are right in proportion.
struct Fineness {
  std::size_t most;
  double step;  // change that makes another row: of a full color, of opacity, of log_share logs
};
constexpr Fineness of_palettes = {64, 1e-3}, of_weights = {256, 0.015};
constexpr double log_share = 0.3;      // so that 5 % of a weight make a row
constexpr double least_weight = 1e-7;  // of the largest: what is below adds nothing one could see

/// The distance of two time samples, in palette and weight.
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

/// The visibility of each xform's samples at each time sample: [time_samples][xforms].
struct Visibilities {
  std::vector<double> values;
  std::size_t xform_count = 0,
              most_classes = 1;  // different ones that a time sample has, but for 0
  double largest = 1;

  /// The visibilities of an xform at the time samples of a group.
  std::vector<double> of(const std::vector<std::size_t>& time_samples, std::size_t f) const {
    std::vector<double> part;
    for (const std::size_t m : time_samples) part.push_back(values[m * xform_count + f]);
    return part;
  }
  /// The distance of two time samples, as a share of the largest visibility.
  double apart(std::size_t a, std::size_t b) const {
    double most = 0;
    for (std::size_t f = 0; f < xform_count; ++f) {
      most = std::max(most, std::fabs(values[a * xform_count + f] - values[b * xform_count + f]));
    }
    return most / largest;
  }
};

using TimeSampleGroup = std::vector<std::size_t>;

/// The time samples in the order in which neighbors are alike: of time or, where only weights move, of
/// weight, so that both sides of a gaussian share their rows.
TimeSampleGroup order_of(const PaletteMotion& all, const Visibilities& visibilities) {
  TimeSampleGroup order(all.time_samples);
  std::iota(order.begin(), order.end(), std::size_t(0));
  bool still = true;
  for (std::size_t m = 1; m < all.time_samples; ++m)
    still = still && !all.changes[m] && visibilities.apart(m - 1, m) == 0;
  if (still) {
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return all.weight(a) > all.weight(b); });
  }
  return order;
}

/// Time samples that share the rows of the palette table. Neighbors that are alike within a tolerance
/// are one group, which gets the mean of its time samples, so that a frame gets its light exactly; only
/// when during the frame the light comes is rounded.
std::vector<TimeSampleGroup> group_time_samples(const PaletteMotion& all,
                                                const Visibilities& visibilities) {
  const TimeSampleGroup order = order_of(all, visibilities);
  std::vector<double> way(
      all.time_samples);  // how far all time samples up to this one have changed
  for (std::size_t i = 1; i < all.time_samples; ++i) {
    way[i] = way[i - 1] + std::max(change_between(all, order[i - 1], order[i]),
                                   visibilities.apart(order[i - 1], order[i]));
  }
  const Fineness fineness = all.even() ? of_palettes : of_weights;
  const std::size_t most = std::max<std::size_t>(1, fineness.most / visibilities.most_classes);
  const double step = std::max(fineness.step, way.back() / double(most));
  std::vector<TimeSampleGroup> groups;
  int last = -1;
  for (std::size_t i = 0; i < all.time_samples; ++i) {
    const int group = int(std::min(way[i] / step, double(most - 1)));
    if (group != last) groups.emplace_back();
    last = group;
    groups.back().push_back(order[i]);
  }
  return groups;
}

Visibilities visibilities_of(const PaletteMotion& all) {
  const std::size_t time_samples = all.time_samples, count = all.xform_count;
  Visibilities out{std::vector<double>(time_samples * count), count};
  for (std::size_t m = 0; m < time_samples; ++m) {
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

/// The mean row of the time samples of a group at which an xform has these visibilities.
PaletteRow mean_row(const PaletteMotion& all, const TimeSampleGroup& group,
                    const std::vector<double>& vis) {
  PaletteRow mean{Palette(all.entries()), 0, 0};
  const double share = 1 / double(group.size());
  double scale = 0;  // of time samples that have the same palette
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

/// One sample weighs more than the histogram can hold: says what makes it so.
[[noreturn]] void refuse_weight(const Flame& flame, const std::vector<PaletteRow>& rows,
                                double weight) {
  double visibility = 0;
  for (const PaletteRow& row : rows) visibility = std::max(visibility, row.visibility);
  if (visibility > 1) {
    fail(ErrorKind::input,
         "{}: an opacity makes one sample weigh {:.3g} times a plain one, more than the "
         "histogram "
         "can hold; use opacities below 100",
         flame.place(), weight);
  }
  fail(ErrorKind::input,
       "{}: a color of the palette is {:.3g} times white, more than the histogram can hold; "
       "colors are from 0 to 255",
       flame.place(), weight);
}

/// Binary digits behind the point of the table's numbers: none for plain flames with step palettes,
/// 8 for others, and more where a row is dim, so that white has 512 levels in it. The sums of all
/// samples hold 64 bits.
int fraction_of(const std::vector<PaletteRow>& rows, const Flame& flame, bool step_palette,
                std::uint64_t samples) {
  constexpr double dimmest_light = 1e-7, most = 2147483648.0, most_sum = 1.8e19;
  bool whole = step_palette;
  double largest = 0, dimmest = rows[0].light;
  for (const PaletteRow& row : rows) {
    dimmest = std::min(dimmest, row.light);
    whole = whole && is_whole(row.visibility * 255);
    largest = std::max(largest, row.visibility * 255);
    for (const Rgba& c : row.entries) {
      for (double v : {c.r, c.g, c.b, c.a}) {
        whole = whole && is_whole(v * 255);
        largest = std::max(largest, v * 255);
      }
    }
  }
  if (largest >= most || double(samples) * largest >= most_sum)
    refuse_weight(flame, rows, largest / 255);
  if (whole) return 0;
  dimmest = std::max(dimmest, dimmest_light);
  int q = 8;
  while (q < 24 && 255 * dimmest * (1 << q) < 512) ++q;
  while (q > 0 && (largest * (1 << q) >= most || double(samples) * largest * (1 << q) >= most_sum))
    --q;
  return q;
}

int bits_for(std::size_t count) {
  int bits = 0;
  while ((std::size_t(1) << bits) < count) ++bits;
  return bits;
}

/// The scale from colors to their places in the palette. flam3's 256 entries have equal shares of
/// 0..1, and linear palettes reach the last one before the end; the others' first and last entries
/// are the ends of that range, of which JWildfire never takes the last one.
ColorIndex color_index(const Flame& flame, std::size_t entries, std::size_t rows) {
  const int entry_bits = std::max(8, bits_for(entries)), row_bits = bits_for(rows);
  if (entry_bits + row_bits > record_color_bits) {
    fail(ErrorKind::input, "{}: {} different opacities, more than the {} a record can name",
         flame.place(), rows, 1 << (record_color_bits - entry_bits));
  }
  const bool linear = flame.palette_mode == PaletteMode::linear;
  const int fraction_bits = linear ? std::min(8, record_color_bits - entry_bits - row_bits) : 0;
  const int last = int(entries) - 1;
  if (flame.dialect == Dialect::jwildfire && !linear)
    return {float(last - 1), 0.5f, float(last), entry_bits, 0};
  const int span = flame.dialect == Dialect::flam3 ? last + 1 : last;
  return {float(span) * float(1 << fraction_bits), linear ? 0.5f : 0.0f,
          float(last << fraction_bits), entry_bits + fraction_bits, fraction_bits};
}

std::size_t padding_of(const PaletteTable& table, std::size_t entries) {
  return (std::size_t(1) << (table.index_bits - table.fraction_bits)) - entries;
}

/// Whether a table of whole numbers can stand for the rows: step palettes, opaque, every xform
/// either visible or not, and time samples enough to share the rounding between them.
bool whole_rows_will_do(const Flame& flame, const PaletteMotion& all, const CompiledFlame& out) {
  if (all.time_samples < 4 * most_narrow_rows || flame.palette_mode == PaletteMode::linear)
    return false;
  const std::size_t stride = std::size_t(out.program.xform_stride);
  for (std::size_t m = 0; m < all.time_samples; ++m) {
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

void use_row(std::size_t time_sample, int row, CompiledFlame& out) {
  for (int f = 0; f < out.program.xform_count; ++f) {
    i32& mine = out.xforms[time_sample * std::size_t(out.program.xform_stride) + std::size_t(f)]
                    .palette_row;
    if (mine >= 0) mine = row;
  }
}

/// A palette that moves a little, or is no whole number: some groups of time samples, in each of which
/// neighboring time samples round differently, so that the group's mean is right to 1 / 2n of a level.
std::vector<PaletteRow> rows_of_palettes(const PaletteMotion& all, double change,
                                         CompiledFlame& out) {
  int groups = 1;
  while (groups < 8 && change * 255 > 0.5 * groups) groups *= 2;
  const int ways = most_narrow_rows / groups;
  std::vector<PaletteRow> rows;
  const std::size_t time_samples = all.time_samples;
  for (int g = 0; g < groups; ++g) {
    const std::size_t first = time_samples * std::size_t(g) / std::size_t(groups),
                      end = time_samples * std::size_t(g + 1) / std::size_t(groups);
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

std::vector<PaletteRow> palette_rows(const PaletteMotion& all, CompiledFlame& out) {
  const std::size_t stride = std::size_t(out.program.xform_stride);
  const Visibilities visibilities = visibilities_of(all);
  std::vector<PaletteRow> rows;
  for (const TimeSampleGroup& group : group_time_samples(all, visibilities)) {
    std::map<std::vector<double>, int> known;  // visibility at each time sample -> row
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

void compile_palette(const Flame& flame, const CompiledTimeSamples& time_samples,
                     CompiledFlame& out) {
  const PaletteMotion all(time_samples, out.program.xform_count, flame.dialect);
  const std::vector<PaletteRow> rows = whole_palette_rows(flame, all, palette_rows(all, out), out);

  const bool linear = flame.palette_mode == PaletteMode::linear;
  out.program.color = color_index(flame, all.entries(), rows.size());
  PaletteTable& table = out.table;
  table.index_bits = out.program.color.bits;
  table.fraction_bits = out.program.color.fraction_bits;
  // where a hit counts as much as its alpha, one channel holds both
  out.weighed = !all.even();
  table.opaque = all.even();
  for (const Palette& palette : all.all.palettes) {
    table.opaque = table.opaque && std::all_of(palette.begin(), palette.end(),
                                               [](const Rgba& c) { return c.a == 1; });
  }

  const int q = fraction_of(rows, flame, !linear, out.sample_count);
  const double scale = double(1 << q);
  out.unit = 1 / scale;
  const auto fixed = [&](double v) {
    return std::uint32_t(std::clamp(v * 255 * scale + 0.5, 0.0, 4294967295.0));
  };
  for (const PaletteRow& row : rows) {
    for (const Rgba& c : row.entries) {
      out.palette.push_back(
          {{fixed(c.r), fixed(c.g), fixed(c.b), fixed(table.opaque ? row.visibility : c.a)}});
    }
    // rows lie 2^n apart; what fills them is never asked for
    out.palette.resize(out.palette.size() + padding_of(table, all.entries()));
    out.hits.push_back(fixed(row.visibility));
  }
  out.largest_increment = std::max(1u, *std::max_element(out.hits.begin(), out.hits.end()));
  for (const Increment& entry : out.palette) {
    for (std::uint32_t v : entry.v) out.largest_increment = std::max(out.largest_increment, v);
  }
  table.rows = int(rows.size());
  table.narrow = int(rows.size()) <= most_narrow_rows && table.index_bits == 8 && q == 0 &&
                 out.largest_increment <= 255 &&
                 std::all_of(out.hits.begin(), out.hits.end(), [](u32 hit) { return hit == 255; });
  table.wide = out.largest_increment > 65535;
}

bool is_whole(double level) { return std::fabs(level - std::floor(level + 0.5)) < 1e-9; }

std::vector<PaletteRow> whole_palette_rows(const Flame& flame, const PaletteMotion& all,
                                           std::vector<PaletteRow> rows, CompiledFlame& out) {
  constexpr double most_change = 8.0 / 255;  // faster palettes keep their exact rows
  if (!all.even() || !whole_rows_will_do(flame, all, out)) return rows;
  double change = 0;
  bool whole = true;
  for (std::size_t m = 0; m < all.time_samples; ++m) {
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
