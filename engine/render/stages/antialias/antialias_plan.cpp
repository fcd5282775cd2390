// SPDX-License-Identifier: MIT
#include "engine/render/stages/antialias/antialias_plan.h"

#include <algorithm>
#include <cmath>

#include "engine/model/exact_math.h"
#include "engine/model/flame.h"

namespace kiln {
namespace {

constexpr double unseen = 1e-8;
constexpr int most_buckets = 12, quantiles = 256, angles = 64;

bool moves(const Flame& flame) {
  return flame.dialect == Dialect::jwildfire && flame.antialias_amount > unseen &&
         flame.antialias_radius > unseen;
}

/// The buckets that a sample is moved by which draws this of 0..1: exp(radius sqrt(-log draw)) - 1.
double moved_by(double radius, double draw) {
  return exact::exp(radius * std::sqrt(-exact::log(draw))) - 1;
}

/// The share of a bucket's even spread that lies in its neighbor, once it is shifted.
double overlap(double shift, int neighbor) {
  return std::max(0.0, 1 - std::fabs(shift - neighbor));
}

}  // namespace

bool is_antialiased(const Flame& flame) {
  return moves(flame) || (flame.dialect == Dialect::jwildfire && flame.low_density_brightness != 0);
}

int antialias_radius(const Flame& flame) {
  if (!moves(flame)) return 0;
  const double farthest = moved_by(flame.antialias_radius, 0.5 / quantiles);
  return int(std::min(std::ceil(farthest), double(most_buckets)));
}

AntialiasPlan plan_antialias(const Flame& flame) {
  AntialiasPlan plan;
  if (!is_antialiased(flame)) return plan;
  const double os = flame.supersample;
  const double area = double(flame.width) * flame.height / (flame.scale * flame.scale);
  plan.glow = 255 * 255 * area * flame.low_density_brightness / flame.passes / flame.passes;
  plan.samples = os / 255;
  plan.radius = antialias_radius(flame);
  const int side = 2 * plan.radius + 1;
  std::vector<double> moved(std::size_t(side) * side, 0.0);
  std::vector<exact::SinCos> turns;
  for (int a = 0; a < angles; ++a)
    turns.push_back(exact::sincos(exact::two_pi * (a + 0.5) / angles));
  for (int q = 0; q < quantiles && plan.radius > 0; ++q) {
    const double far = moved_by(flame.antialias_radius, (q + 0.5) / quantiles);
    for (const exact::SinCos& turn : turns) {
      const double across = far * turn.c, down = far * turn.s;
      if (std::max(std::fabs(across), std::fabs(down)) >= plan.radius) continue;
      const int left = int(std::floor(across)), top = int(std::floor(down));
      for (const int y : {top, top + 1})
        for (const int x : {left, left + 1})
          moved[std::size_t((y + plan.radius) * side + x + plan.radius)] +=
              overlap(across, x) * overlap(down, y);
    }
  }
  double sum = 0;
  for (const double share : moved) sum += share;
  const double amount = plan.radius > 0 ? std::min(flame.antialias_amount, 1.0) : 0;
  for (const double share : moved) plan.shares.push_back(float(sum > 0 ? amount * share / sum : 0));
  plan.shares[plan.shares.size() / 2] += float(1 - amount);
  return plan;
}

}  // namespace kiln
