// SPDX-License-Identifier: MIT
// The chaos game as tests play it: small flames made in place, the integer histogram of one frame,
// and a pool whose points can be looked at between steps.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/model/variations.h"
#include "engine/program/compile.h"
#include "engine/render/accumulate/chaos_game.h"
#include "engine/render/plan/burn_in.h"

namespace kiln::test {

/// An xform of one variation.
inline Xform xform_of(const std::string& variation, double weight, const AffineD& coefs) {
  Xform xform;
  xform.weight = weight;
  xform.coefs = coefs;
  xform.variations.assign(std::size_t(variation_count()), 0.0);
  xform.variations[std::size_t(find_variation(variation).value())] = 1;
  xform.parameters = default_parameters();
  return xform;
}
inline Xform linear_xform(double weight, const AffineD& coefs) {
  return xform_of("linear", weight, coefs);
}
/// x' = s x + cx, y' = s y + cy.
inline Xform contraction(double weight, double s, double cx, double cy) {
  return linear_xform(weight, {s, 0, 0, s, cx, cy});
}
/// Every attempt of it is bad.
inline Xform bad_xform(double weight) { return linear_xform(weight, {0, 0, 0, 0, 1e20, 0}); }

/// A flame without xforms whose picture is [x0, x0 + width / scale) x [y0, y0 + height / scale),
/// white, with nothing after the histogram that spreads light.
inline Flame flame_over(int width, int height, double x0, double y0, double scale) {
  Flame flame;
  flame.source = "test.flame";
  flame.line = 7;
  flame.width = width;
  flame.height = height;
  flame.scale = scale;
  flame.center_x = x0 + width / scale / 2;
  flame.center_y = y0 + height / scale / 2;
  flame.estimator_radius = 0;
  flame.palette.fill({1, 1, 1, 1});
  return flame;
}
/// Color index i is i / 255 red, so that red sums are sums of palette indices.
inline void number_palette(Flame& flame) {
  for (int i = 0; i < 256; ++i) flame.palette[std::size_t(i)] = {i / 255.0, 0, 0, 1};
}

struct Histogram {
  int width = 0, height = 0, channels = 0;
  double unit = 1;
  std::vector<std::uint64_t> sums;  // [height][width][channels]
  GameTotals totals;

  /// Sum of a channel of pixel i in flam3's terms: palette * 255 * visibility.
  double value(std::size_t i, int channel) const {
    return double(sums[i * std::size_t(channels) + std::size_t(channel)]) * unit;
  }
  /// Hits of pixel i, each as much as its visibility.
  double hits(std::size_t i) const { return value(i, channels - 1) / 255; }
  double hits(int x, int y) const {
    return hits(std::size_t(y) * std::size_t(width) + std::size_t(x));
  }
  std::size_t pixels() const { return std::size_t(width) * std::size_t(height); }
  double all_hits() const {
    double sum = 0;
    for (std::size_t i = 0; i < pixels(); ++i) sum += hits(i);
    return sum;
  }
};

/// Plays one flame as often as wanted: the same number of samples, another seed or pass.
class Player {
 public:
  Player(Device& device, const Flame& flame, std::uint64_t samples)
      : Player(device, flame, samples, PlotArea{1, 0, flame.width, flame.height}) {}
  Player(Device& device, const Flame& flame, std::uint64_t samples, const PlotArea& area,
         std::uint64_t max_memory_bytes = 0)
      : flame_(compiled(flame, samples, area)),
        area_(area),
        channels_(flame_->table.opaque ? 4 : 5),
        frame_(device, std::size_t(area.width) * std::size_t(area.height) * std::size_t(channels_)),
        game_(device, *flame_, max_memory_bytes) {}

  Histogram play(std::uint64_t seed, int pass = 0, bool flam3_transients = false) {
    frame_.clear();
    Histogram out{area_.width, area_.height, channels_, flame_->unit, {}, {}};
    out.totals = game_.play_pass(frame_, seed, pass, flam3_transients ? flam3_warm_up_steps : 0);
    out.sums = frame_.download();
    return out;
  }
  const CompiledFlame& flame() const { return *flame_; }

 private:
  static std::unique_ptr<CompiledFlame> compiled(const Flame& flame, std::uint64_t samples,
                                                 const PlotArea& area) {
    auto result = std::make_unique<CompiledFlame>(compile(flame, area));
    plan_burn_in(*result);
    result->sample_count = samples;
    return result;
  }

  std::unique_ptr<CompiledFlame> flame_;  // the game keeps a reference
  PlotArea area_;
  int channels_;
  DeviceArray<std::uint64_t> frame_;
  Accumulator game_;
};

inline Histogram play(Device& device, const Flame& flame, std::uint64_t samples,
                      std::uint64_t seed = 0, bool flam3_transients = false) {
  return Player(device, flame, samples).play(seed, 0, flam3_transients);
}

/// Pools of a few units in a device's memory, moved a launch at a time.
class Pools {
 public:
  /// What the slots hold. [units * pool_slots] each, the generators' [units * pool_lanes].
  struct State {
    std::vector<float> x, y, color;
    std::vector<std::uint32_t> meta;  // last xform + 1 | bad results in a row << 13
    std::vector<std::uint32_t> random0, random1;
    std::vector<std::uint32_t> step, recorded;  // [units]
  };

  Pools(Device& device, const Flame& flame, int units, std::uint64_t seed)
      : device_(device),
        units_(units),
        flame_(compile(flame, PlotArea{1, 0, flame.width, flame.height})),
        loaded_(device, flame_),
        frame_(device, std::size_t(flame.width) * std::size_t(flame.height) * 5),
        permutations_(device, make_permutations()),
        points_(device, slots()),
        random0_(device, std::size_t(units) * pool_lanes),
        random1_(device, std::size_t(units) * pool_lanes),
        step_(device, std::size_t(units)),
        recorded_(device, std::size_t(units)),
        bad_(device, std::size_t(units)),
        more_(device, slots() * std::size_t(flame_.program.more_numbers())) {
    frame_.clear();
    game_.program = loaded_.program();
    game_.state = {points_.data(),   random0_.data(), random1_.data(), step_.data(),
                   recorded_.data(), bad_.data(),     nullptr,         more_.data()};
    game_.permutations = permutations_.data();
    game_.seed = seed;
    GamePlan plan = device.game().plan(flame_, std::uint64_t(units), 0);
    plan.units = units;
    device.game().begin(plan, flame_);
  }
  ~Pools() { device_.game().end(); }
  Pools(const Pools&) = delete;
  Pools& operator=(const Pools&) = delete;

  /// Seeds the pools and runs the steps that nobody sees.
  void warm_up(int first_unit = 0) {
    game_.first_unit = std::uint32_t(first_unit);
    game_.total_samples = std::uint64_t(first_unit + units_) * unit_samples;
    device_.game().warm_up(game_, units_);
  }
  /// Goes on until the units have recorded what a frame of `total_samples` wants of them.
  void iterate(std::uint64_t total_samples) {
    game_.total_samples = total_samples;
    AccumulateTiles sums{};
    sums.palette = loaded_.table();
    sums.histogram = frame_.data();
    sums.width = game_.program.width;
    sums.height = game_.program.height;
    sums.tiling = game_.program.tiling;
    sums.record_limit = records_of_a_sum(loaded_.table(), flame_.largest_increment);
    sums.halves = holds_halves(sums.tiling, loaded_.table());
    device_.game().play(game_, sums, units_);
  }
  State look() const {
    State state{{},
                {},
                {},
                {},
                random0_.download(),
                random1_.download(),
                step_.download(),
                recorded_.download()};
    for (const Point& point : points_.download()) {
      state.x.push_back(point.x);
      state.y.push_back(point.y);
      state.color.push_back(point.color);
      state.meta.push_back(point.meta);
    }
    return state;
  }
  std::vector<std::uint64_t> sums() const { return frame_.download(); }

 private:
  std::size_t slots() const { return std::size_t(units_) * pool_slots; }

  Device& device_;
  int units_;
  CompiledFlame flame_;
  LoadedFlame loaded_;
  DeviceArray<std::uint64_t> frame_;
  DeviceArray<std::uint16_t> permutations_;
  DeviceArray<Point> points_;
  DeviceArray<std::uint32_t> random0_, random1_, step_, recorded_;
  DeviceArray<std::uint64_t> bad_;
  DeviceArray<float> more_;
  ChaosGame game_{};
};

}  // namespace kiln::test
