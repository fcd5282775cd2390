// SPDX-License-Identifier: MIT
// The chaos game as the CPU plays it for who wants its points: pools, each of which goes on by a piece, and the colors of
// what comes out. Who asks makes something of it: files (points.cpp), what lies under a pixel (light_at.cpp).
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "engine/device/cpu/device.h"
#include "engine/model/flame.h"
#include "engine/model/point_columns.h"
#include "engine/program/compile.h"
#include "engine/program/compiled_flame.h"
#include "engine/render/plan/loaded_flame.h"
#include "kernels/formula_list.h"
#include "kernels/iterate_batch.h"
#include "kernels/variations/extended.h"

namespace kiln {

/// Colors of records, as bytes: the palette once for each opacity.
class ColorBytes {
 public:
  ColorBytes(const Flame& flame, const CompiledFlame& compiled) : index_(compiled.program.color) {
    const std::size_t entries = std::size_t(index_.max) + 1, fractions = std::size_t(1)
                                                                         << index_.fraction_bits;
    for (const XformData& xform : compiled.xforms)
      begin_.push_back(std::size_t(std::max(xform.palette_row, 0)) * entries);
    for (const std::uint32_t hits : compiled.hits) {
      const double opacity = hits * compiled.unit / 255;
      for (std::size_t i = 0; i < entries; ++i) {
        const Rgba& low = flame.palette[std::min(i / fractions, flame.palette.size() - 1)];
        const Rgba& high = flame.palette[std::min(i / fractions + 1, flame.palette.size() - 1)];
        const double part = double(i % fractions) / double(fractions);
        const auto byte = [&](double a, double b, double factor) {
          const double level = (a + part * (b - a)) * factor;
          return std::uint32_t(std::clamp(level * 255 + 0.5, 0.0, 255.0));
        };
        table_.push_back(byte(low.r, high.r, 1) | byte(low.g, high.g, 1) << 8 |
                         byte(low.b, high.b, 1) << 16 | byte(low.a, high.a, opacity) << 24);
      }
    }
  }
  /// The place of a point's color in the table.
  std::size_t place(std::uint16_t xform, float color) const {
    const float at = color * index_.scale + index_.offset;
    const float inside = at > 0 ? std::min(at, float(index_.max)) : 0.0f;
    return begin_[xform] + std::size_t(std::int32_t(inside));
  }
  std::uint32_t at(std::size_t place) const { return table_[place]; }
  std::size_t size() const { return table_.size(); }
  /// palette_index() has it so, but for the rounding of its fma, which a plain processor takes long for.
  void look_up(const PointList& list, std::uint32_t* colors) const {
    const float scale = index_.scale, offset = index_.offset, last = index_.max;
    for (std::uint32_t i = 0; i < list.count; ++i) {
      const float at = list.points[4 * std::size_t(i) + 3] * scale + offset;
      const float place = at > 0 ? std::min(at, last) : 0.0f;
      colors[i] = table_[begin_[list.xforms[i]] + std::size_t(std::int32_t(place))];
    }
  }

 private:
  const ColorIndex index_;
  std::vector<std::size_t> begin_;    // [xforms]
  std::vector<std::uint32_t> table_;  // [rows][entries]
};

/// Room for a piece.
struct PointPiece {
  std::vector<float> places;          // [room][4] x y z color
  std::vector<std::uint32_t> colors;  // [room]
  std::vector<std::uint16_t> xforms;  // [room]

  explicit PointPiece(std::size_t points)
      : places(4 * (points + pool_slots)),
        colors(points + pool_slots),
        xforms(points + pool_slots) {}
  PointList list() { return {places.data(), xforms.data(), std::uint32_t(xforms.size()), 0}; }
  PointColumns first(std::size_t count) const {
    return {places.data(), colors.data(), xforms.data(), count};
  }
};

class PointGame {
 public:
  /// `count`: of all pools; none: without end. The device outlives the game.
  PointGame(CpuDevice& device, CompiledFlame compiled, std::uint64_t pools, std::uint64_t seed,
            std::optional<std::uint64_t> count)
      : device_(device),
        pools_(pools),
        compiled_(std::move(compiled)),
        loaded_(device_, compiled_),
        kernels_(kernels_of(device_.code(), compiled_.program)),
        points_(pools_ * pool_slots),
        random0_(pools_ * pool_lanes),
        random1_(random0_.size()),
        step_(pools_),
        recorded_(pools_),
        bad_(pools_),
        more_(points_.size() * std::size_t(compiled_.program.more_numbers())) {
    game_.program = loaded_.program();
    game_.state = {points_.data(),   random0_.data(), random1_.data(), step_.data(),
                   recorded_.data(), bad_.data(),     nullptr,         more_.data()};
    game_.permutations = pool_permutations().data();
    game_.seed = seed;
    constexpr std::uint32_t without_end = ~std::uint32_t(0);
    game_.unit_most = count ? std::uint32_t((*count + pools_ - 1) / pools_) : without_end;
    game_.total_samples = count ? *count : pools_ * without_end;
    game_.time_samples.count = 1;
    // recorded steps begin where the strata of the offsets do (kernels/pool.h)
    const std::uint32_t more = compiled_.burn_in_steps - warm_up_steps;
    game_.recorded_from = warm_up_steps + (more + unit_steps - 1) / unit_steps * unit_steps;
    game_.first_step = game_.recorded_from - compiled_.burn_in_steps;
    game_.hidden_until = game_.recorded_from;
  }
  PointGame(const PointGame&) = delete;
  PointGame& operator=(const PointGame&) = delete;

  const CompiledFlame& compiled() const { return compiled_; }
  void settle() {
    device_.in_pieces(int(pools_), [&](int first, int last, void* scratch, int) {
      kernels_.warm_up(&game_, first, last, scratch, nullptr);
    });
  }
  /// The next piece of a pool, by one of the device's workers with its scratch.
  void play(int pool, PointList& list, void* scratch) const {
    kernels_.points(&game_, pool, &list, scratch);
  }

 private:
  static const CpuGameKernels& kernels_of(const CpuCode& code, const Program& program) {
    if (program.extended >= of_formulas_list) return code.formula_game;
    if (program.extended == of_jwildfires_list) return code.jwildfire_game;
    return program.extended ? code.extended_game : program.fine ? code.fine_game : code.plain_game;
  }

  CpuDevice& device_;
  const std::uint64_t pools_;
  const CompiledFlame compiled_;
  const LoadedFlame loaded_;
  const CpuGameKernels& kernels_;
  std::vector<Point> points_;
  std::vector<std::uint32_t> random0_, random1_, step_, recorded_;
  std::vector<std::uint64_t> bad_;
  std::vector<float> more_;
  ChaosGame game_{};
};

}  // namespace kiln
