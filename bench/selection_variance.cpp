// SPDX-License-Identifier: MIT
// Usage: selection_variance [seeds] [steps] [slots a group]. How much noisier is the picture when
// slots are given to xforms in groups instead of each drawing its own? Prints the variance over
// seeds, relative to independent draws in the same pool, of the counts of 256x256 and of 16x16 bins
// and of the light of the whole picture, the sum of ln(1 + hits). docs/inside/algorithm.md quotes the
// table.
#include <fmt/core.h>

#include <cmath>
#include <cstdlib>
#include <memory>
#include <random>
#include <vector>

#include "engine/model/variations.h"
#include "engine/program/compile.h"
#include "kernels/pool_block_cpu.h"
#include "kernels/variations/all.h"

namespace kiln {
namespace {

enum class Selection { independent, groups };
int group = row_slots;

/// The CPU block with another way of giving slots to xforms, counting hits instead of keeping
/// records.
struct VarianceBlock : CpuPoolBlock {
  std::vector<std::uint32_t>& hits;  // [256 * 256]
  const Program& program;
  Selection selection;
  u64 seed;
  u32 unit = 0, step = 0;

  VarianceBlock(int i, CpuPoolShared& s, std::vector<std::uint32_t>& h, const Program& p,
                Selection how, u64 with)
      : CpuPoolBlock(i, s, nullptr), hits(h), program(p), selection(how), seed(with) {}

  StepDraws step_draws(const ChaosGame& game, u32 u, u32 at, bool moving) {
    unit = u;
    step = at;
    return CpuPoolBlock::step_draws(game, u, at, moving);
  }
  template <class Shared, class Source, class Body>
  void each_run(const Program& p, const u32* shares, Shared& s, bool sorted, u32 offset,
                const Source& source, Body&& body) {
    const int count = p.xform_count;
    if (selection == Selection::groups && group == row_slots)
      return CpuPoolBlock::each_run(p, shares, s, sorted, offset, source, body);
    if (selection == Selection::groups) {
      const u64 per = (u64(1) << 32) / u64(pool_slots / group);
      const u64 u = u64(offset) / u64(pool_slots / group);
      int begin = 0;
      for (int f = 0; f < count; ++f) {
        const u64 next = f + 1 < count ? u64(p.cumulative[f + 1]) : (u64(1) << 32);
        const int end = f + 1 < count ? int((next + per - 1 - u) / per) * group : pool_slots;
        each_stretch(f, begin, end, nullptr, body);
        begin = end;
      }
      return;
    }
    for (int slot = 0; slot < pool_slots; ++slot) {
      const u32 v = philox(u32(slot), step, unit, 9, seed).w[0];
      int f = 0;
      while (f + 1 < count && p.cumulative[f + 1] <= v) ++f;
      body(f, CpuRun{slot, 1, 16});
    }
  }
  template <class Tiles, class Records>
  void plot(const CpuRun& run, const Tiles& tile, const Records& record) {
    for (int i = 0; i < run.count; ++i) {
      if (tile[i] >= program.tiling.tile_count) continue;
      const u32 pixel = record[i] & 4095;
      const u32 x = u32(tile[i] % 4) * 64 + (pixel & 63), y = u32(tile[i] / 4) * 64 + (pixel >> 6);
      ++hits[y * 256 + x];
    }
  }
};

enum class Weights { equal, skewed, rare };

Flame test_flame(int count, Weights weights) {
  Flame flame;
  flame.width = flame.height = 256;
  flame.scale = 100;
  for (auto& c : flame.palette) c = {1, 1, 1, 1};
  std::mt19937 twister(unsigned(count) * 77);
  const auto u = [&] { return double(twister()) / 4294967296.0; };
  for (int f = 0; f < count; ++f) {
    Xform x;
    x.weight = 1;
    if (weights == Weights::skewed) x.weight = std::pow(0.45, f) + 0.002;
    if (weights == Weights::rare && f == 0) x.weight = 0.014 * (count - 1);  // 0.9 of a row
    x.color = 0.5;
    x.variations.assign(std::size_t(variation_count()), 0.0);
    x.variations[0] = 1;
    x.parameters = default_parameters();
    const double a = 6.2831853 * u(), s = 0.3 + 0.35 * u();
    x.coefs = {s * std::cos(a), s * std::sin(a), -s * std::sin(a),
               s * std::cos(a), 1.2 * u() - 0.6, 1.2 * u() - 0.6};
    flame.xforms.push_back(x);
  }
  return flame;
}

struct Moments {
  std::vector<double> sum, square;
  explicit Moments(std::size_t n) : sum(n), square(n) {}
  void add(std::size_t i, double v) {
    sum[i] += v;
    square[i] += v * v;
  }
  double variance(int runs) const {
    double total = 0;
    for (std::size_t i = 0; i < sum.size(); ++i)
      total += (square[i] - sum[i] * sum[i] / runs) / (runs - 1);
    return total;
  }
};

void measure(const char* name, const Flame& flame, int units, int seeds, int steps) {
  const CompiledFlame compiled = compile(flame, PlotArea{1, 0, 256, 256});
  Program program = compiled.program;
  program.xforms = compiled.xforms.data();
  program.terms = compiled.terms.data();
  program.parameters = compiled.parameters.data();
  program.cumulative = compiled.cumulative.data();
  program.cameras = compiled.cameras.data();
  const auto permutations = make_permutations();
  auto shared = std::make_unique<CpuPoolShared>();
  const Interpreter<Flam3Variations, any_features> code{};
  double fine[2], coarse[2], light[2];
  for (int how = 0; how < 2; ++how) {
    Moments m_fine(65536), m_coarse(256), m_light(1);
    for (int seed = 0; seed < seeds; ++seed) {
      std::vector<std::uint32_t> hits(65536);
      for (int unit = 0; unit < units; ++unit) {
        std::vector<Point> points(pool_slots);
        std::vector<u32> r0(pool_lanes), r1(pool_lanes);
        u32 at = 0, recorded = 0;
        u64 bad = 0;
        ChaosGame game{};
        game.program = program;
        game.state = {points.data(), r0.data(), r1.data(), &at, &recorded, &bad, nullptr, nullptr};
        game.permutations = permutations.data();
        game.seed = u64(seed) * 1000 + 17;
        game.first_unit = u32(unit);
        game.total_samples = u64(unit) * unit_samples + u64(pool_slots) * u64(steps);
        VarianceBlock warm(0, *shared, hits, program, Selection(how), game.seed);
        warm_up(code, game, warm, *shared);
        VarianceBlock block(0, *shared, hits, program, Selection(how), game.seed);
        iterate_batch(code, game, nullptr, block, *shared);
      }
      std::vector<double> blocks(256);
      double sum = 0;
      for (std::size_t i = 0; i < 65536; ++i) {
        m_fine.add(i, hits[i]);
        sum += std::log1p(double(hits[i]));
        blocks[i / 4096 * 16 + (i % 256) / 16] += hits[i];
      }
      for (std::size_t i = 0; i < 256; ++i) m_coarse.add(i, blocks[i]);
      m_light.add(0, sum);
    }
    fine[how] = m_fine.variance(seeds);
    coarse[how] = m_coarse.variance(seeds);
    light[how] = m_light.variance(seeds);
  }
  fmt::print(
      "{:<12} pool {} group {:>3} units {:>2}: variance over independent draws {:.2f} at 256x256, "
      "{:.2f} at 16x16, {:.2f} of the light\n",
      name, pool_slots, group, units, fine[1] / fine[0], coarse[1] / coarse[0],
      light[1] / light[0]);
  std::fflush(stdout);
}

}  // namespace
}  // namespace kiln

int main(int argc, char** argv) {
  const int seeds = argc > 1 ? std::atoi(argv[1]) : 60,
            steps = argc > 2 ? std::atoi(argv[2]) : kiln::unit_steps;
  if (argc > 3) kiln::group = std::atoi(argv[3]);
  for (const int units : {1, 4}) {
    kiln::measure("3", kiln::test_flame(3, kiln::Weights::equal), units, seeds, steps);
    kiln::measure("8", kiln::test_flame(8, kiln::Weights::equal), units, seeds, steps);
    kiln::measure("8 skewed", kiln::test_flame(8, kiln::Weights::skewed), units, seeds, steps);
    kiln::measure("8, one rare", kiln::test_flame(8, kiln::Weights::rare), units, seeds, steps);
    kiln::measure("20", kiln::test_flame(20, kiln::Weights::equal), units, seeds, steps);
  }
}
