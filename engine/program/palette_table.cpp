#include "engine/program/palette_table.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/program/palette_rows.h"

namespace kiln {
namespace {

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
       "{}: a colour of the palette is {:.3g} times white, more than the histogram can hold; "
       "colours are from 0 to 255",
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

/// How colours name their place in the palette. flam3's 256 entries have equal shares of 0..1, and
/// linear palettes reach the last one before the end; the others' first and last entries are the
/// ends of that range.
ColorIndex color_index(const Flame& flame, std::size_t entries, std::size_t rows) {
  const int entry_bits = std::max(8, bits_for(entries)), row_bits = bits_for(rows);
  if (entry_bits + row_bits > record_color_bits) {
    fail(ErrorKind::input, "{}: {} different opacities, more than the {} a record can name",
         flame.place(), rows, 1 << (record_color_bits - entry_bits));
  }
  const bool linear = flame.palette_mode == PaletteMode::linear;
  const int fraction_bits = linear ? std::min(8, record_color_bits - entry_bits - row_bits) : 0;
  const int last = int(entries) - 1;
  const int span = flame.dialect == Dialect::flam3 ? last + 1 : last;
  return {float(span) * float(1 << fraction_bits), linear ? 0.5f : 0.0f,
          float(last << fraction_bits), entry_bits + fraction_bits, fraction_bits};
}

std::size_t padding_of(const PaletteTable& table, std::size_t entries) {
  return (std::size_t(1) << (table.index_bits - table.fraction_bits)) - entries;
}

}  // namespace

void compile_palette(const Flame& flame, const CompiledMoments& moments, CompiledFlame& out) {
  const PaletteMotion all(moments, out.program.xform_count, flame.dialect);
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

}  // namespace kiln
