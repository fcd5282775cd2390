// SPDX-License-Identifier: MIT
// Flames for measuring, made from a seed: contractive affine maps with one to three variations
// each, camera fitted so that the middle 96 % of the points fill the picture. The same seed gives
// the same flame everywhere.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

#include "engine/model/flame.h"
#include "engine/model/variations.h"
#include "engine/program/compile.h"
#include "engine/render/accumulate/chaos_game.h"

namespace kiln::bench {

struct SeededFlame {
  int xforms = 8;
  int variations = 1;  // a xform, beside a little linear when more than one
  bool xaos = false;
  unsigned seed = 1;
  double size = 0.4;  // the affine maps shrink by size to size + 0.4: small ones gather the
                      // points in few places ("hot")
  const char* only = nullptr;  // the one variation of every xform, for xforms of equal cost
};

/// Moves the camera so that 2 % of the points lie beyond each edge of the picture.
inline void fit_camera(Flame& flame) {
  constexpr int side = 1024;
  constexpr double half = 8;
  Flame wide = flame;
  wide.width = wide.height = side;
  wide.supersample = 1;
  wide.center_x = wide.center_y = 0;
  wide.scale = side / (2 * half);
  wide.quality = 4;
  const CompiledFlame compiled = compile(wide, PlotArea{1, 0, side, side});
  const auto cpu = open_cpu(1);
  const int channels = compiled.table.opaque ? 4 : 5;
  DeviceArray<std::uint64_t> frame(*cpu, std::size_t(side) * side * std::size_t(channels));
  frame.clear();
  Accumulator(*cpu, compiled, 0).play_pass(frame, 0);
  std::vector<double> columns(side), rows(side);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const double hits =
          double(frame.data()[(std::size_t(y) * side + std::size_t(x)) * std::size_t(channels) +
                              std::size_t(channels) - 1]);
      columns[std::size_t(x)] += hits;
      rows[std::size_t(y)] += hits;
    }
  }
  const auto quantile = [&](const std::vector<double>& counts, double share) {
    double sum = 0, total = 0;
    for (double c : counts) total += c;
    for (int i = 0; i < side; ++i) {
      sum += counts[std::size_t(i)];
      if (sum >= share * total) return (i + 0.5) / side * 2 * half - half;
    }
    return half;
  };
  const double x0 = quantile(columns, 0.02), x1 = quantile(columns, 0.98),
               y0 = quantile(rows, 0.02), y1 = quantile(rows, 0.98);
  flame.center_x = (x0 + x1) / 2;
  flame.center_y = (y0 + y1) / 2;
  flame.scale =
      std::min(flame.width / std::max(x1 - x0, 1e-3), flame.height / std::max(y1 - y0, 1e-3));
}

inline Flame seeded_flame(const SeededFlame& options, int width, int height) {
  static const char* const names[] = {"spherical",  "swirl",     "julian", "curl",
                                      "sinusoidal", "horseshoe", "polar",  "handkerchief",
                                      "heart",      "disc",      "bubble", "cylinder"};
  std::mt19937 twister(options.seed);
  const auto uniform = [&] { return double(twister()) / 4294967296.0; };
  const auto s = [&] { return 2 * uniform() - 1; };
  Flame flame;
  flame.source = "seeded " + std::to_string(options.xforms) + "x" +
                 std::to_string(options.variations) + (options.xaos ? " xaos" : "");
  flame.width = width;
  flame.height = height;
  flame.quality = 100;
  flame.estimator_radius = 0;
  for (int i = 0; i < 256; ++i) {
    const double t = i / 255.0;
    const auto wave = [&](double phase) {
      return std::floor(127.5 + 127.5 * std::cos(6.2831853 * (t + phase))) / 255;
    };
    flame.palette[std::size_t(i)] = {wave(0.0), wave(0.33), wave(0.67), 1};
  }
  for (int f = 0; f < options.xforms; ++f) {
    Xform xform;
    xform.weight = 0.5 + uniform();
    xform.color = double(f) / std::max(1, options.xforms - 1);
    xform.variations.assign(std::size_t(variation_count()), 0.0);
    xform.parameters = default_parameters();
    const double angle = 6.2831853 * uniform(), size = options.size + 0.4 * uniform();
    xform.coefs = {size * std::cos(angle),
                   size * std::sin(angle),
                   -size * std::sin(angle) + 0.2 * s(),
                   size * std::cos(angle) + 0.2 * s(),
                   s(),
                   s()};
    for (int v = 0; v < options.variations; ++v) {
      const int index = *find_variation(
          options.only ? options.only
                       : names[std::size_t((f * options.variations + v) % int(std::size(names)))]);
      xform.variations[std::size_t(index)] += 1.0 / options.variations;
    }
    if (const auto power = find_parameter("julian_power"))
      xform.parameters[std::size_t(*power)] = 3;
    if (options.xaos) {
      for (int to = 0; to < options.xforms; ++to)
        xform.chaos.push_back((f + to) % 3 == 0 ? 0.2 : 1.0);
    }
    flame.xforms.push_back(std::move(xform));
  }
  fit_camera(flame);
  return flame;
}

}  // namespace kiln::bench
