#include "engine/program/selection.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"

namespace kiln {
namespace {

constexpr double two_to_32 = 4294967296.0;

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

}  // namespace

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
         flame.place());
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
    if (!(row_sum > 0) && flame.dialect != Dialect::flam3) {
      row.assign(count, 0.0);  // Fractorium: then the next one is always the first
      row[0] = 1;
    } else if (!(row_sum > 0)) {
      fail(ErrorKind::input,
           "{}: the chaos attribute of xform {} leaves no xform to go to; give one entry a value "
           "above 0",
           flame.place(), from);
    }
    append_row(row, out.cumulative);
  }
}

}  // namespace kiln
