#include "engine/program/compile.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>

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

XformData compile_xform(const XformValues& xform, CompiledFlame& out) {
  static const std::vector<bool> is_pre = pre_flags(AllVariations{});
  XformData data{};
  data.coefs = to_device(xform.coefs);
  data.post = to_device(xform.post);
  data.has_post = !(xform.post == AffineD{});
  data.color_pull = Real(xform.color_speed * xform.color);
  data.color_keep = Real(1 - xform.color_speed);
  data.opacity = Real(xform.opacity);
  const auto add_term = [&](int v) {
    const VariationInfo& info = variations()[std::size_t(v)];
    VariationTerm term{};
    term.variation = v;
    term.parameters = int(out.parameters.size());
    term.weight = Real(xform.variations[std::size_t(v)]);
    out.terms.push_back(term);
    append_parameters(AllVariations{}, v, xform.parameters.data() + info.first_parameter,
                      out.parameters);
    data.draws_random |= info.random;
  };
  data.first_term = int(out.terms.size());
  for (const bool pre : {true, false}) {
    for (int v = 0; v < variation_count(); ++v) {
      if (xform.variations[std::size_t(v)] != 0 && is_pre[std::size_t(v)] == pre) add_term(v);
    }
  }
  data.term_count = int(out.terms.size()) - data.first_term;
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

void compile_selection(const Flame& flame, CompiledFlame& out) {
  const std::size_t count = flame.xforms.size();
  std::vector<double> weights;
  double sum = 0;
  bool xaos = false;
  for (const Xform& xform : flame.xforms) {
    weights.push_back(xform.weight);
    sum += xform.weight;
    for (double c : xform.chaos) xaos = xaos || std::fabs(c - 1) > 1e-10;
  }
  if (!(sum > 0))
    fail(ErrorKind::input, "{}: no xform has a weight above 0, there is nothing to iterate",
         place(flame));
  append_row(weights, out.cumulative);
  out.program.has_xaos = xaos;
  if (!xaos) return;
  for (std::size_t from = 0; from < count; ++from) {
    std::vector<double> row = weights;
    const std::vector<double>& chaos = flame.xforms[from].chaos;
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

void compile_palette(const Flame& flame, CompiledFlame& out) {
  std::map<double, int> rows;  // visibility -> row
  for (std::size_t i = 0; i < flame.xforms.size(); ++i) {
    const double vis = visibility(flame.xforms[i].opacity);
    out.xforms[i].palette_row = vis > 0 ? rows.emplace(vis, int(rows.size())).first->second : -1;
  }
  if (rows.empty()) rows.emplace(1.0, 0);  // nothing is visible; the table still has a row
  std::vector<double> row_visibility(rows.size());
  for (const auto& [vis, row] : rows) row_visibility[std::size_t(row)] = vis;

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
  table.opaque = std::all_of(flame.palette.begin(), flame.palette.end(),
                             [](const Rgba& c) { return c.a == 1; });

  // fixed point: integer palettes of plain flames as they are, others to 1/256, dim visibility
  // classes to 1/500 of a hit
  bool integers = !linear;
  double largest = 0, dimmest = row_visibility[0];
  for (double vis : row_visibility) {
    dimmest = std::min(dimmest, vis);
    for (const Rgba& c : flame.palette) {
      for (double v : {c.r, c.g, c.b, c.a, 1.0}) {
        integers = integers && is_integer(v * 255 * vis);
        largest = std::max(largest, v * 255 * vis);
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
  for (double vis : row_visibility) {
    for (const Rgba& c : flame.palette) {
      out.palette.push_back({{fixed(c.r * vis), fixed(c.g * vis), fixed(c.b * vis),
                              fixed((table.opaque ? 1 : c.a) * vis)}});
    }
    out.hits.push_back(fixed(vis));
  }
  out.largest_increment = std::max(1u, *std::max_element(out.hits.begin(), out.hits.end()));
  for (const Increment& entry : out.palette) {
    for (std::uint32_t v : entry.v) out.largest_increment = std::max(out.largest_increment, v);
  }
  table.narrow =
      table.opaque && rows.size() == 1 && fraction_bits == 0 && out.largest_increment <= 255;
  table.wide = out.largest_increment > 65535;
  KILN_CHECK(double(out.sample_count) * out.largest_increment < 1.8e19,
             "{} samples overflow the histogram", out.sample_count);
}

/// 64 x 64 pixels; twice as wide where that would be more tiles than a device sorts well.
Tiling tiling_of(int width, int height) {
  constexpr int many = 4096;
  Tiling tiling{6, 6, 0, 0};
  for (;;) {
    tiling.tiles_x = (width + tiling.columns() - 1) >> tiling.x_bits;
    tiling.tile_count = tiling.tiles_x * ((height + tiling.rows() - 1) >> tiling.y_bits);
    if (tiling.tile_count <= many || 2 * tiling.pixels() > most_tile_pixels) return tiling;
    ++tiling.x_bits;
  }
}

void compile_camera(const Flame& flame, const PlotArea& area, CompiledFlame& out) {
  const double pixels_per_unit_y = flame.scale * exact::exp(flame.zoom * 0.693147180559945309417);
  const double pixels_per_unit_x = pixels_per_unit_y / flame.pixel_aspect;
  const double angle = flame.rotate_deg * 0.0174532925199432957692;
  const exact::SinCos turn = exact::sincos(angle);
  const double sx = area.supersample * pixels_per_unit_x, sy = area.supersample * pixels_per_unit_y;
  const double cx = flame.center_x, cy = flame.center_y;
  AffineD m;
  m.a = sx * turn.c;
  m.b = -sx * turn.s;
  m.c = sx * (-cx * turn.c + cy * turn.s) + 0.5 * area.supersample * flame.width + area.gutter;
  m.d = sy * turn.s;
  m.e = sy * turn.c;
  m.f = sy * (-cx * turn.s - cy * turn.c) + 0.5 * area.supersample * flame.height + area.gutter;
  out.program.raster_from_flame = to_device(m);
  // points are at most 1e10 from the origin: their pixel coordinates shall stay finite
  for (double v : {m.a, m.b, m.d, m.e, m.c / 1e10, m.f / 1e10}) {
    if (!(std::fabs(v) < 1e26)) {
      fail(ErrorKind::input, "{}: the camera magnifies beyond what numbers hold; lower scale or zoom",
           place(flame));
    }
  }
  out.program.width = area.width;
  out.program.height = area.height;
  out.program.tiling = tiling_of(area.width, area.height);
  out.pixel_pitch = 1 / std::max(sx, sy);
  const double reach = std::max(std::fabs(cx) + flame.width / pixels_per_unit_x / 2,
                                std::fabs(cy) + flame.height / pixels_per_unit_y / 2);
  out.beyond_float =
      out.pixel_pitch < reach * 1.2e-7;  // 2^-23: neighbouring pixels share coordinates
}

}  // namespace

CompiledFlame compile(const Flame& flame, const PlotArea& area) {
  KILN_CHECK(int(flame.xforms.size()) <= max_xforms, "{} xforms", flame.xforms.size());
  CompiledFlame out;
  out.program = Program{};
  out.table = PaletteTable{};
  if (flame.xforms.empty()) fail(ErrorKind::input, "{}: the flame has no xform", place(flame));
  const double density = flame.quality * exact::exp(2 * flame.zoom * 0.693147180559945309417);
  out.sample_count = std::uint64_t(density * flame.width * flame.height / flame.passes);
  for (const Xform& xform : flame.xforms) out.xforms.push_back(compile_xform(xform, out));
  out.program.xform_count = int(flame.xforms.size());
  if (flame.final_xform) {
    XformData last = compile_xform(*flame.final_xform, out);
    last.draws_random |= last.opacity != Real(1);  // the draw that decides whether it is applied
    last.palette_row = -1;
    out.xforms.push_back(last);
    out.program.has_final = 1;
  }
  if (out.terms.empty()) out.terms.push_back({});
  out.parameters.resize(out.parameters.size() + 64);  // a struct is read whole, even an empty one
  compile_selection(flame, out);
  compile_palette(flame, out);
  compile_camera(flame, area, out);
  return out;
}

LoadedFlame::LoadedFlame(Device& device, const CompiledFlame& flame)
    : xforms_(device, flame.xforms),
      terms_(device, flame.terms),
      parameters_(device, flame.parameters),
      cumulative_(device, flame.cumulative),
      hits_(device, flame.hits),
      palette_(device, flame.palette),
      program_(flame.program),
      table_(flame.table) {
  program_.xforms = xforms_.data();
  program_.terms = terms_.data();
  program_.parameters = parameters_.data();
  program_.cumulative = cumulative_.data();
  table_.entries = palette_.data();
  table_.hits = hits_.data();
}

}  // namespace kiln
