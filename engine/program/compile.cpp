#include "engine/program/compile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <set>

#include "engine/model/error.h"
#include "engine/model/exact_math.h"
#include "engine/model/variations.h"

namespace kiln {
namespace {

constexpr double two_to_32 = 4294967296.0;

Affine to_device(const AffineD& m) {
  return {Real(m.a), Real(m.d), Real(m.b), Real(m.e), Real(m.c), Real(m.f)};
}

template <class... Vs>
void append_parameters(VariationList<Vs...>, int variation, const double* values,
                       std::vector<float>& out) {
  using Append = void (*)(const double*, std::vector<float>&);
  static constexpr Append table[] = {+[](const double* from, std::vector<float>& to) {
    if constexpr (sizeof(Vs) >= sizeof(float)) {
      Vs v;
      float members[sizeof(Vs) / sizeof(float)];
      std::memcpy(members, static_cast<const void*>(&v), sizeof v);
      for (int p = 0; p < Vs::info.parameter_count; ++p) members[p] = float(from[p]);
      std::memcpy(static_cast<void*>(&v), members, sizeof v);
      if constexpr (requires { v.prepare(); }) v.prepare();
      std::memcpy(members, static_cast<const void*>(&v), sizeof v);
      to.insert(to.end(), members, members + sizeof(Vs) / sizeof(float));
    }
  }...};
  table[variation](values, out);
}

template <class... Vs>
std::vector<bool> pre_flags(VariationList<Vs...>) {
  return {runs_before_others<Vs>...};
}

/// What an xform is at every moment: the variations it has, pre_blur first, and whether its post
/// affine does anything.
struct XformStructure {
  std::vector<int> variations;
  bool has_post = false;
};

XformStructure structure_of(const std::vector<const XformValues*>& moments) {
  static const std::vector<bool> is_pre = pre_flags(AllVariations{});
  std::vector<char> used(std::size_t(variation_count()), 0);
  for (const XformValues* xform : moments) {
    for (std::size_t v = 0; v < used.size(); ++v) used[v] |= xform->variations[v] != 0;
  }
  XformStructure structure;
  for (const bool pre : {true, false}) {
    for (int v = 0; v < variation_count(); ++v) {
      if (used[std::size_t(v)] && is_pre[std::size_t(v)] == pre) structure.variations.push_back(v);
    }
  }
  for (const XformValues* xform : moments)
    structure.has_post = structure.has_post || !(xform->post == AffineD{});
  return structure;
}

XformData compile_xform(const XformValues& xform, const XformStructure& structure,
                        CompiledFlame& out) {
  XformData data{};
  data.coefs = to_device(xform.coefs);
  data.post = to_device(xform.post);
  data.has_post = structure.has_post;
  data.color_pull = Real(xform.color_speed * xform.color);
  data.color_keep = Real(1 - xform.color_speed);
  data.opacity = Real(xform.opacity);
  data.first_term = int(out.terms.size());
  for (int v : structure.variations) {
    const VariationInfo& info = variations()[std::size_t(v)];
    VariationTerm term{};
    term.variation = v;
    term.parameters = int(out.parameters.size());
    term.weight = Real(xform.variations[std::size_t(v)]);
    out.terms.push_back(term);
    append_parameters(AllVariations{}, v, xform.parameters.data() + info.first_parameter,
                      out.parameters);
    data.draws_random |= info.random;
  }
  data.term_count = int(structure.variations.size());
  if (data.term_count > 0) data.first = out.terms[std::size_t(data.first_term)];
  return data;
}

/// Cumulative shares of one row of weights, 2^32 = 1, saturated.
void append_row(const std::vector<double>& weights, std::vector<std::uint32_t>& out) {
  double sum = 0;
  for (double w : weights) sum += w;
  double before = 0;
  for (double w : weights) {
    out.push_back(
        std::uint32_t(std::min(std::floor(before / sum * two_to_32 + 0.5), two_to_32 - 1)));
    before += w;
  }
}

std::string place(const Flame& flame) { return fmt::format("{}:{}", flame.source, flame.line); }

bool has_xaos(const Flame& flame) {
  for (const Xform& xform : flame.xforms) {
    for (double c : xform.chaos) {
      if (std::fabs(c - 1) > 1e-10) return true;
    }
  }
  return false;
}

/// Rows of one moment; an xform that it lacks has weight 0.
void compile_selection(const Flame& flame, CompiledFlame& out) {
  const std::size_t count = std::size_t(out.program.xform_count);
  std::vector<double> weights(count);
  double sum = 0;
  for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
    weights[f] = flame.xforms[f].weight;
    sum += weights[f];
  }
  if (!(sum > 0))
    fail(ErrorKind::input, "{}: no xform has a weight above 0, there is nothing to iterate",
         place(flame));
  append_row(weights, out.cumulative);
  if (!out.program.has_xaos) return;
  for (std::size_t from = 0; from < count; ++from) {
    std::vector<double> row = weights;
    const std::vector<double> chaos =
        from < flame.xforms.size() ? flame.xforms[from].chaos : std::vector<double>();
    double row_sum = 0;
    for (std::size_t to = 0; to < count; ++to) {
      if (to < chaos.size()) row[to] *= chaos[to];
      row_sum += row[to];
    }
    if (!(row_sum > 0)) {
      fail(ErrorKind::input,
           "{}: the chaos attribute of xform {} leaves no xform to go to; give one entry a value "
           "above 0",
           place(flame), from);
    }
    append_row(row, out.cumulative);
  }
}

/// Weight of a sample of an xform with this opacity: opacity^log2(10) (flam3-pipeline.md section
/// 3).
double visibility(double opacity) {
  constexpr double log2_of_10 = 3.32192809488736234787;
  return opacity > 0 ? exact::exp(log2_of_10 * exact::log(opacity)) : 0;
}

bool is_integer(double v) { return std::fabs(v - std::floor(v + 0.5)) < 1e-9; }

/// Which moments have another palette than the one before; most have the same.
std::vector<char> palette_changes(const Moments& all) {
  std::vector<char> changes(all.flames.size(), 1);
  for (std::size_t m = 1; m < changes.size(); ++m) {
    const Palette &now = all.flames[m]->palette, &before = all.flames[m - 1]->palette;
    changes[m] = std::memcmp(&now, &before, sizeof now) != 0;
  }
  return changes;
}

/// One row of the palette table before it becomes integers: of one visibility, at moments that are
/// alike.
struct PaletteRow {
  Palette entries{};      // palette * visibility * weight
  double visibility = 0;  // of a hit
};

/// Moments that share the rows of the palette table: group number of each moment. Neighbours whose
/// colors and visibilities all lie within a tolerance are one group: 1e-3 of a full color, or what
/// it takes to stay below `most_groups`. A group gets the mean of its moments, so that a frame gets
/// its light exactly; only when during the frame the light comes is rounded.
std::vector<int> group_moments(const Moments& all, const std::vector<char>& changes,
                               const std::vector<double>& visibilities, std::size_t xform_count,
                               std::size_t most_groups) {
  const std::size_t moments = all.flames.size();
  double largest = 1;
  for (double vis : visibilities) largest = std::max(largest, vis);
  std::vector<double> way(moments);  // how far all moments up to this one have changed
  for (std::size_t m = 1; m < moments; ++m) {
    const Palette &now = all.flames[m]->palette, &before = all.flames[m - 1]->palette;
    const double weight = all.weights[m], weight_before = all.weights[m - 1];
    double change = 0;
    const bool same = weight == weight_before && !changes[m];
    for (std::size_t i = 0; i < now.size() && !same; ++i) {
      const double channels[4] = {
          now[i].r * weight - before[i].r * weight_before,
          now[i].g * weight - before[i].g * weight_before,
          now[i].b * weight - before[i].b * weight_before,
          now[i].a * weight - before[i].a * weight_before,
      };
      for (double c : channels) change = std::max(change, std::fabs(c));
    }
    for (std::size_t f = 0; f < xform_count; ++f) {
      const double vis = visibilities[m * xform_count + f],
                   vis_before = visibilities[(m - 1) * xform_count + f];
      change = std::max(change, std::fabs(vis - vis_before) / largest);
    }
    way[m] = way[m - 1] + change;
  }
  const double step = std::max(1e-3, way.back() / double(std::max<std::size_t>(1, most_groups)));
  std::vector<int> groups(moments);
  for (std::size_t m = 0; m < moments; ++m)
    groups[m] = int(std::min(way[m] / step, double(most_groups - 1)));
  return groups;
}

constexpr std::size_t most_moving_rows = 64;

/// The rows of all moments; sets the xforms' palette_row.
std::vector<PaletteRow> palette_rows(const Moments& all, const std::vector<char>& changes,
                                     CompiledFlame& out) {
  const std::size_t moments = all.flames.size();
  const std::size_t count = std::size_t(out.program.xform_count),
                    stride = std::size_t(out.program.xform_stride);
  std::vector<double> visibilities(moments * count);
  std::size_t most_classes = 1;
  for (std::size_t m = 0; m < moments; ++m) {
    const Flame& flame = *all.flames[m];
    std::set<double> classes;
    for (std::size_t f = 0; f < flame.xforms.size(); ++f) {
      const double vis = visibility(flame.xforms[f].opacity);
      visibilities[m * count + f] = vis;
      if (vis > 0) classes.insert(vis);
    }
    most_classes = std::max(most_classes, classes.size());
  }
  const std::vector<int> groups = group_moments(
      all, changes, visibilities, count, std::max<std::size_t>(1, most_moving_rows / most_classes));

  std::vector<PaletteRow> rows;
  for (std::size_t first = 0, last = 0; first < moments; first = last) {
    while (last < moments && groups[last] == groups[first]) ++last;
    std::map<std::vector<double>, int> known;  // visibility at each moment -> row
    for (std::size_t f = 0; f < count; ++f) {
      std::vector<double> vis;
      for (std::size_t m = first; m < last; ++m) vis.push_back(visibilities[m * count + f]);
      int row = -1;
      if (std::any_of(vis.begin(), vis.end(), [](double v) { return v > 0; })) {
        const auto [at, fresh] = known.emplace(vis, int(rows.size()));
        row = at->second;
        if (fresh) {
          PaletteRow mean;
          const double share = 1 / double(last - first);
          double scale = 0;  // of moments that have the same palette
          for (std::size_t m = first; m < last; ++m) {
            mean.visibility += vis[m - first] * share;
            scale += vis[m - first] * all.weights[m] * share;
            const Palette& palette = all.flames[m]->palette;
            if (m + 1 < last && !changes[m + 1]) continue;
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
          rows.push_back(mean);
        }
      }
      for (std::size_t m = first; m < last; ++m) out.xforms[m * stride + f].palette_row = row;
    }
  }
  if (rows.empty()) rows.push_back({{}, 1});  // nothing is visible; the table still has a row
  return rows;
}

/// Whether a table of whole numbers can stand for the rows: step palettes, opaque, every xform
/// either visible or not, and moments enough to share the rounding between them.
bool whole_rows_will_do(const Flame& flame, const Moments& all, const std::vector<char>& changes,
                        const CompiledFlame& out) {
  if (all.flames.size() < 4 * most_narrow_rows || flame.palette_mode == PaletteMode::linear)
    return false;
  const std::size_t stride = std::size_t(out.program.xform_stride);
  for (std::size_t m = 0; m < all.flames.size(); ++m) {
    const Palette& palette = all.flames[m]->palette;
    if (changes[m]) {
      for (const Rgba& c : palette) {
        if (!(std::min({c.r, c.g, c.b}) >= 0 && std::max({c.r, c.g, c.b}) <= 1 && c.a == 1))
          return false;
      }
    }
    for (std::size_t f = 0; f < all.flames[m]->xforms.size(); ++f) {
      const double opacity = all.flames[m]->xforms[f].opacity;
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

/// A palette that stands still under a temporal filter: rows for weights of k / 15, and every
/// moment gets the row that keeps the sum of all weights so far right. Over a few moments that is
/// the filter's curve.
std::vector<PaletteRow> rows_of_weights(const Moments& all, CompiledFlame& out) {
  constexpr int last = most_narrow_rows - 1;
  std::vector<PaletteRow> rows;
  for (int k = 0; k <= last; ++k) {
    PaletteRow row{all.flames[0]->palette, 1};
    const auto level = [&](double v) { return std::floor(v * 255 * k / last + 0.5) / 255; };
    for (Rgba& c : row.entries) c = {level(c.r), level(c.g), level(c.b), level(c.a)};
    rows.push_back(row);
  }
  double owed = 0;
  for (std::size_t m = 0; m < all.flames.size(); ++m) {
    owed += all.weights[m] * last;
    const int k = int(std::clamp(std::floor(owed + 0.5), 0.0, double(last)));
    owed -= k;
    use_row(m, k, out);
  }
  return rows;
}

/// A palette that moves a little, or is no whole number: some groups of moments, in each of which
/// neighbouring moments round differently, so that the group's mean is right to 1 / 2n of a level.
std::vector<PaletteRow> rows_of_palettes(const Moments& all, double change, CompiledFlame& out) {
  int groups = 1;
  while (groups < 8 && change * 255 > 0.5 * groups) groups *= 2;
  const int ways = most_narrow_rows / groups;
  std::vector<PaletteRow> rows;
  const std::size_t moments = all.flames.size();
  for (int g = 0; g < groups; ++g) {
    const std::size_t first = moments * std::size_t(g) / std::size_t(groups),
                      end = moments * std::size_t(g + 1) / std::size_t(groups);
    Palette mean{};
    const double share = 1 / double(end - first);
    for (std::size_t m = first; m < end; ++m) {
      for (std::size_t i = 0; i < mean.size(); ++i) {
        const Rgba& c = all.flames[m]->palette[i];
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
      PaletteRow row{mean, 1};
      for (Rgba& c : row.entries) c = {level(c.r), level(c.g), level(c.b), 1};
      rows.push_back(row);
    }
  }
  return rows;
}

/// The rows of a table of whole numbers, which is summed fastest; `rows` where there is none.
std::vector<PaletteRow> whole_rows(const Flame& flame, const Moments& all,
                                   const std::vector<char>& changes, std::vector<PaletteRow> rows,
                                   CompiledFlame& out) {
  constexpr double most_change = 8.0 / 255;  // faster palettes keep their exact rows
  if (!whole_rows_will_do(flame, all, changes, out)) return rows;
  const bool even = std::all_of(all.weights.begin(), all.weights.end(),
                                [](double weight) { return weight == 1; });
  double change = 0;
  bool whole = true;
  for (std::size_t m = 0; m < all.flames.size(); ++m) {
    const Palette &now = all.flames[m]->palette, &before = all.flames[m ? m - 1 : 0]->palette;
    double most = 0;
    for (std::size_t i = 0; i < now.size() && changes[m]; ++i) {
      for (double v : {now[i].r, now[i].g, now[i].b}) whole = whole && is_integer(v * 255);
      most = std::max({most, std::fabs(now[i].r - before[i].r), std::fabs(now[i].g - before[i].g),
                       std::fabs(now[i].b - before[i].b)});
    }
    change += most;
  }
  if (even && whole && change == 0) return rows;  // one row of whole numbers already
  if (even && change <= most_change) return rows_of_palettes(all, change, out);
  if (!even && whole && change == 0) return rows_of_weights(all, out);
  return rows;
}

void compile_palette(const Flame& flame, const Moments& all, CompiledFlame& out) {
  const std::vector<char> changes = palette_changes(all);
  const std::vector<PaletteRow> rows =
      whole_rows(flame, all, changes, palette_rows(all, changes, out), out);

  int row_bits = 0;
  while ((std::size_t(1) << row_bits) < rows.size()) ++row_bits;
  if (8 + row_bits > record_color_bits) {
    fail(ErrorKind::input, "{}: {} different opacities, more than the {} a record can name",
         place(flame), rows.size(), 1 << (record_color_bits - 8));
  }
  const bool linear = flame.palette_mode == PaletteMode::linear;
  const int fraction_bits = linear ? std::min(8, record_color_bits - 8 - row_bits) : 0;
  out.program.color = {256.0f * float(1 << fraction_bits), linear ? 0.5f : 0.0f,
                       float(255 << fraction_bits), 8 + fraction_bits, fraction_bits};
  PaletteTable& table = out.table;
  table.index_bits = 8 + fraction_bits;
  table.fraction_bits = fraction_bits;
  // where a hit counts as much as its alpha, one channel holds both
  table.opaque = std::all_of(all.weights.begin(), all.weights.end(),
                             [](double weight) { return weight == 1; });
  for (std::size_t m = 0; m < all.flames.size(); ++m) {
    const Palette& palette = all.flames[m]->palette;
    if (!changes[m]) continue;
    table.opaque = table.opaque && std::all_of(palette.begin(), palette.end(),
                                               [](const Rgba& c) { return c.a == 1; });
  }

  // fixed point: integer palettes of plain flames as they are, others to 1/256, dim visibility
  // classes to 1/500 of a hit
  bool integers = !linear;
  double largest = 0, dimmest = rows[0].visibility;
  for (const PaletteRow& row : rows) {
    dimmest = std::min(dimmest, row.visibility);
    integers = integers && is_integer(row.visibility * 255);
    largest = std::max(largest, row.visibility * 255);
    for (const Rgba& c : row.entries) {
      for (double v : {c.r, c.g, c.b, c.a}) {
        integers = integers && is_integer(v * 255);
        largest = std::max(largest, v * 255);
      }
    }
  }
  if (largest >= 2147483648.0) {
    fail(ErrorKind::input,
         "{}: an opacity makes one sample weigh {:.3g} times a plain one, more than the histogram "
         "can hold; "
         "use opacities below 100",
         place(flame), largest / 255);
  }
  int q = 0;
  if (!integers) {
    q = 8;
    while (q < 24 && 255 * dimmest * (1 << q) < 512) ++q;
    while (q > 0 && largest * (1 << q) >= 2147483648.0) --q;
  }
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
    out.hits.push_back(fixed(row.visibility));
  }
  out.largest_increment = std::max(1u, *std::max_element(out.hits.begin(), out.hits.end()));
  for (const Increment& entry : out.palette) {
    for (std::uint32_t v : entry.v) out.largest_increment = std::max(out.largest_increment, v);
  }
  table.rows = int(rows.size());
  table.narrow = int(rows.size()) <= most_narrow_rows && fraction_bits == 0 && q == 0 &&
                 out.largest_increment <= 255 &&
                 std::all_of(out.hits.begin(), out.hits.end(), [](u32 hit) { return hit == 255; });
  table.wide = out.largest_increment > 65535;
  KILN_CHECK(double(out.sample_count) * out.largest_increment < 1.8e19,
             "{} samples overflow the histogram", out.sample_count);
}

/// 64 x 64 pixels, or larger where that would be more tiles than a device sorts well.
Tiling tiling_of(int width, int height, int most_pixels) {
  constexpr int many = 2100;
  Tiling tiling{6, 6, 0, 0};
  for (;;) {
    tiling.tiles_x = (width + tiling.columns() - 1) >> tiling.x_bits;
    tiling.tile_count = tiling.tiles_x * ((height + tiling.rows() - 1) >> tiling.y_bits);
    if (tiling.tile_count <= many || 2 * tiling.pixels() > most_pixels) return tiling;
    ++(tiling.x_bits == tiling.y_bits ? tiling.x_bits : tiling.y_bits);
  }
}

/// Of a moment; `size` is the flame that has the picture's size.
void compile_camera(const Flame& flame, const Flame& size, const PlotArea& area,
                    CompiledFlame& out) {
  const double pixels_per_unit_y = flame.scale * exact::exp(flame.zoom * 0.693147180559945309417);
  const double pixels_per_unit_x = pixels_per_unit_y / flame.pixel_aspect;
  const double angle = flame.rotate_deg * 0.0174532925199432957692;
  const exact::SinCos turn = exact::sincos(angle);
  const double sx = area.supersample * pixels_per_unit_x, sy = area.supersample * pixels_per_unit_y;
  const double cx = flame.center_x, cy = flame.center_y;
  AffineD m;
  m.a = sx * turn.c;
  m.b = -sx * turn.s;
  m.c = sx * (-cx * turn.c + cy * turn.s) + 0.5 * area.supersample * size.width + area.gutter;
  m.d = sy * turn.s;
  m.e = sy * turn.c;
  m.f = sy * (-cx * turn.s - cy * turn.c) + 0.5 * area.supersample * size.height + area.gutter;
  out.cameras.push_back(to_device(m));
  // points are at most 1e10 from the origin: their pixel coordinates shall stay finite
  for (double v : {m.a, m.b, m.d, m.e, m.c / 1e10, m.f / 1e10}) {
    if (!(std::fabs(v) < 1e26)) {
      fail(ErrorKind::input,
           "{}: the camera magnifies beyond what numbers hold; lower scale or zoom", place(flame));
    }
  }
  const double pitch = 1 / std::max(sx, sy);
  const double reach = std::max(std::fabs(cx) + size.width / pixels_per_unit_x / 2,
                                std::fabs(cy) + size.height / pixels_per_unit_y / 2);
  if (out.pixel_pitch == 0 || pitch < out.pixel_pitch) out.pixel_pitch = pitch;
  // 2^-23: neighbouring pixels share coordinates
  out.beyond_float = out.beyond_float || pitch < reach * 1.2e-7;
}

}  // namespace

CompiledFlame compile(const Flame& flame, const PlotArea& area) {
  return compile(flame, Moments{{&flame}, {1}}, area);
}

CompiledFlame compile(const Flame& flame, const Moments& all, const PlotArea& area) {
  const std::size_t moments = all.flames.size();
  KILN_CHECK(moments > 0 && all.weights.size() == moments, "{} moments, {} weights", moments,
             all.weights.size());
  CompiledFlame out;
  out.program = Program{};
  out.table = PaletteTable{};
  const double density = flame.quality * exact::exp(2 * flame.zoom * 0.693147180559945309417);
  out.sample_count = std::uint64_t(density * flame.width * flame.height / flame.passes);

  out.passes = flame.passes;
  std::size_t count = 0;
  for (const Flame* moment : all.flames) {
    if (moment->xforms.empty())
      fail(ErrorKind::input, "{}: the flame has no xform", place(*moment));
    count = std::max(count, moment->xforms.size());
    if (moment->final_xform) out.program.has_final = 1;
    if (has_xaos(*moment)) out.program.has_xaos = 1;
  }
  KILN_CHECK(int(count) <= max_xforms, "{} xforms", count);
  out.program.moment_count = int(moments);
  out.program.xform_count = int(count);
  out.program.xform_stride = int(count) + out.program.has_final;
  out.program.share_stride = int(count * (out.program.has_xaos ? 1 + count : 1));

  // the same xform at all moments; one that a moment lacks is never drawn, or never applied there
  XformValues absent;
  absent.opacity = 0;
  absent.variations.assign(std::size_t(variation_count()), 0.0);
  absent.parameters = default_parameters();
  const auto xform_at = [&](const Flame& moment, std::size_t f) -> const XformValues* {
    if (f < moment.xforms.size()) return &moment.xforms[f];
    return f == count && moment.final_xform ? &*moment.final_xform : &absent;
  };
  const std::size_t stride = std::size_t(out.program.xform_stride);
  out.xforms.resize(moments * stride);
  std::vector<XformStructure> structures;
  bool random_final = false;  // a draw decides whether it is applied
  for (std::size_t f = 0; f < stride; ++f) {
    std::vector<const XformValues*> same;
    for (const Flame* moment : all.flames) same.push_back(xform_at(*moment, f));
    structures.push_back(structure_of(same));
    for (const XformValues* xform : same)
      random_final = random_final || (f == count && Real(xform->opacity) != Real(1));
  }
  for (std::size_t m = 0; m < moments; ++m) {
    const Flame& moment = *all.flames[m];
    for (std::size_t f = 0; f < stride; ++f) {
      XformData& data = out.xforms[m * stride + f];
      data = compile_xform(*xform_at(moment, f), structures[f], out);
      if (f == count) {
        data.draws_random |= random_final;
        data.palette_row = -1;
      }
    }
    compile_selection(moment, out);
    compile_camera(moment, flame, area, out);
  }
  if (out.terms.empty()) out.terms.push_back({});
  out.parameters.resize(out.parameters.size() + 64);  // a struct is read whole, even an empty one
  compile_palette(flame, all, out);
  out.program.raster_from_flame = out.cameras[0];
  out.program.width = area.width;
  out.program.height = area.height;
  out.program.tiling =
      tiling_of(area.width, area.height,
                out.table.narrow && out.table.opaque ? most_narrow_tile_pixels : most_tile_pixels);
  return out;
}

LoadedFlame::LoadedFlame(Device& device, const CompiledFlame& flame)
    : xforms_(device, flame.xforms),
      terms_(device, flame.terms),
      parameters_(device, flame.parameters),
      cumulative_(device, flame.cumulative),
      hits_(device, flame.hits),
      cameras_(device, flame.cameras),
      palette_(device, flame.palette),
      program_(flame.program),
      table_(flame.table) {
  program_.xforms = xforms_.data();
  program_.terms = terms_.data();
  program_.parameters = parameters_.data();
  program_.cumulative = cumulative_.data();
  program_.cameras = cameras_.data();
  table_.entries = palette_.data();
  table_.hits = hits_.data();
}

}  // namespace kiln
