#include "engine/render/accumulate/pilot.h"

#include <algorithm>

#include "engine/program/compile.h"

namespace kiln {
namespace {

constexpr std::uint64_t pilot_seed = 0x73657474;

/// The flame at one of its moments, without what its picture needs.
CompiledFlame at_moment(const CompiledFlame& flame, std::size_t moment) {
  CompiledFlame one;
  one.program = flame.program;
  one.program.moment_count = 1;
  one.program.tiling.tiles_x = one.program.tiling.tile_count = 1;  // nothing is recorded
  one.table = flame.table;
  one.terms = flame.terms;
  one.parameters = flame.parameters;
  const auto slice = [moment](const auto& all, i32 stride, auto& out) {
    if (all.empty()) return;
    const auto begin = all.begin() + std::ptrdiff_t(moment) * stride;
    out.assign(begin, begin + stride);
  };
  slice(flame.xforms, flame.program.xform_stride, one.xforms);
  slice(flame.cumulative, flame.program.share_stride, one.cumulative);
  slice(flame.turns, flame.program.image_count, one.turns);
  slice(flame.cameras, 1, one.cameras);
  slice(flame.views, 1, one.views);
  return one;
}

}  // namespace

Pilot::Pilot(Device& device, const CompiledFlame& flame, std::size_t moment)
    : device_(device),
      flame_(at_moment(flame, moment)),
      loaded_(device, flame_),
      permutations_(device, pool_permutations()),
      points_(device, std::size_t(most_pools) * pool_slots),
      random0_(device, std::size_t(most_pools) * pool_lanes),
      random1_(device, random0_.size()),
      step_(device, most_pools),
      recorded_(device, most_pools),
      bad_(device, most_pools) {
  if (flame_.program.deep) depths_ = DeviceArray<float>(device, points_.size());
  constexpr std::uint64_t least_memory = 1;
  device_.game().begin(device_.game().plan(flame_, most_pools, least_memory), flame_);
}

Pilot::~Pilot() { device_.game().end(); }

std::vector<Point> Pilot::at(std::uint32_t step, int pools) {
  if (begun_ > 0 && step > behind_) warm_up(0, begun_, step, true);  // who is ahead stays there
  if (begun_ < pools) warm_up(begun_, pools, step, false);
  begun_ = pools;
  behind_ = step;
  std::vector<Point> points(std::size_t(pools) * pool_slots);
  device_.download(points.data(), points_.data(), points.size() * sizeof(Point));
  if (pools == 1)
    alone_[step] = points;
  else if (const auto first = alone_.find(step); first != alone_.end())
    std::copy(first->second.begin(), first->second.end(), points.begin());
  return points;
}

/// Brings these pools to their first `step` steps.
void Pilot::warm_up(int first, int end, std::uint32_t step, bool goes_on) {
  ChaosGame game{};
  game.program = loaded_.program();
  const std::size_t pool = std::size_t(first), slot = pool * pool_slots, lane = pool * pool_lanes;
  game.state = {points_.data() + slot,
                random0_.data() + lane,
                random1_.data() + lane,
                step_.data() + pool,
                recorded_.data() + pool,
                bad_.data() + pool,
                nullptr,
                depths_.data() ? depths_.data() + slot : nullptr};
  game.permutations = permutations_.data();
  game.seed = pilot_seed;
  game.first_unit = std::uint32_t(first);
  game.total_samples = most_pools * unit_samples;
  game.recorded_from = ~std::uint32_t(0);
  game.hidden_until = step;
  game.goes_on = goes_on;
  device_.game().warm_up(game, end - first);
}

}  // namespace kiln
