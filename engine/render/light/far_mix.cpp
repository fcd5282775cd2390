#include "engine/render/light/far_mix.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/base/error.h"
#include "engine/model/exact_math.h"

namespace kiln {
namespace {

/// Inner product of exp(-4.5 r^2 / h^2), cut at h, for two widths.
double overlap(double a, double b) {
  const double rate = 4.5 * (1 / (a * a) + 1 / (b * b)), end = std::min(a, b);
  return std::numbers::pi / rate * (1 - exact::exp(-rate * end * end));
}

/// Solves m x = b for every column of b in place, by elimination with row pivots.
/// m: [n][n], b: [n][columns].
void solve(std::vector<std::vector<double>> m, std::vector<std::vector<double>>& b) {
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t pivot = k;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (std::fabs(m[i][k]) > std::fabs(m[pivot][k])) pivot = i;
    }
    std::swap(m[k], m[pivot]);
    std::swap(b[k], b[pivot]);
    KILN_CHECK(m[k][k] != 0, "far kernels: no share for node {}", k);
    for (std::size_t i = 0; i < n; ++i) {
      if (i == k) continue;
      const double factor = m[i][k] / m[k][k];
      for (std::size_t j = k; j < n; ++j) m[i][j] -= factor * m[k][j];
      for (std::size_t j = 0; j < b[k].size(); ++j) b[i][j] -= factor * b[k][j];
    }
  }
  for (std::size_t k = 0; k < n; ++k) {
    for (double& value : b[k]) value /= m[k][k];
  }
}

}  // namespace

double kernel_light(const DensityPlan& plan, int k) {
  const auto [first, reach] = plan.kernels[std::size_t(k)];
  const std::size_t row = 2 * std::size_t(reach) + 1;
  double sum = 0;
  for (std::size_t i = 0; i < row * (std::size_t(reach) + 1); ++i)
    sum += double(plan.coefficients[first + i]) * (i < row ? 1 : 2);
  return sum;
}

/// Coarse ones are cheap: each gap is as wide as coarse_spacing at most, or as the widths leave it.
/// Finer ones lie evenly in log(width) from there.
std::vector<int> choose_nodes(const DensityPlan& plan, int split) {
  const auto width = [&](int k) { return plan.widths[std::size_t(k)]; };
  const CellWidths cells = cell_widths(width(0));
  std::vector<int> nodes;
  int node = 0;
  for (; node < split && width(node) >= cells.two; ++node) {
    const bool last = node + 1 == split || width(node + 1) < cells.two;
    if (nodes.empty() || last || exact::log(width(nodes.back()) / width(node + 1)) > coarse_spacing)
      nodes.push_back(node);
  }
  if (node == split) return nodes;
  const double widest = width(nodes.empty() ? 0 : nodes.back());
  const double spacing = width(0) < cells.four ? node_spacing : dense_node_spacing;
  const double span = exact::log(widest / width(split - 1));
  const int gaps = std::max(nodes.empty() ? fewest_nodes - 1 : 1, int(std::ceil(span / spacing)));
  for (int n = nodes.empty() ? 0 : 1; n <= gaps && node < split; ++n) {
    const double wanted = widest * exact::exp(-span * n / gaps);
    const int most = split - 1 - (gaps - n);  // as many are left as are needed
    while (node < most && width(node) * width(node + 1) > wanted * wanted) ++node;
    nodes.push_back(node++);
  }
  return nodes;
}

std::vector<std::vector<float>> mix_kernels(const DensityPlan& plan, const std::vector<int>& nodes,
                                            int split) {
  const std::size_t n = nodes.size();
  const auto width = [&](int k) { return plan.widths[std::size_t(k)]; };
  const auto norm = [&](int k) { return std::sqrt(overlap(width(k), width(k))); };
  // peak of a kernel of norm 1 in the plane; light of it on the grid
  std::vector<double> peak(plan.widths.size()), light(plan.widths.size());
  for (int k = 0; k < split; ++k) {
    peak[std::size_t(k)] = plan.coefficient(k, 0, 0) * norm(k);
    light[std::size_t(k)] = kernel_light(plan, k) / peak[std::size_t(k)];
  }
  std::vector<std::vector<double>> m(n + 1, std::vector<double>(n + 1));
  std::vector<std::vector<double>> b(n + 1, std::vector<double>(std::size_t(split)));
  const double scale = light[std::size_t(nodes[0])];
  for (std::size_t i = 0; i < n; ++i) {
    const auto product = [&](int k) {
      return overlap(width(nodes[i]), width(k)) / (norm(nodes[i]) * norm(k));
    };
    for (std::size_t j = 0; j < n; ++j) m[i][j] = product(nodes[j]);
    m[i][n] = m[n][i] = light[std::size_t(nodes[i])] / scale;
    for (int k = 0; k < split; ++k) b[i][std::size_t(k)] = product(k);
  }
  for (int k = 0; k < split; ++k) b[n][std::size_t(k)] = light[std::size_t(k)] / scale;
  solve(m, b);
  std::vector<std::vector<float>> shares(n, std::vector<float>(std::size_t(split)));
  for (std::size_t i = 0; i < n; ++i) {
    for (int k = 0; k < split; ++k)
      shares[i][std::size_t(k)] =
          float(b[i][std::size_t(k)] * peak[std::size_t(k)] / peak[std::size_t(nodes[i])]);
  }
  for (int k = 0; k < split; ++k) {  // a node is itself, whatever rounding says
    const auto found = std::find(nodes.begin(), nodes.end(), k);
    if (found == nodes.end()) continue;
    for (std::size_t i = 0; i < n; ++i) shares[i][std::size_t(k)] = nodes[i] == k ? 1 : 0;
  }
  return shares;
}

}  // namespace kiln
