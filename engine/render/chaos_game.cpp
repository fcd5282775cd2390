#include "engine/render/chaos_game.h"

#include <algorithm>

#include "engine/model/error.h"

namespace kiln {
namespace {

/// The moments of pass `pass`, and how long points settle when one begins: at most a sixteenth of
/// its steps, and as long as a map needs to forget (kernels/moments.h).
MomentRange moments_of_pass(const CompiledFlame& flame, int pass) {
  constexpr std::uint64_t settled = 15, share = 16;
  MomentRange range{};
  const std::uint32_t all = std::uint32_t(flame.program.moment_count);
  range.count = all == 1 ? 1 : all / std::uint32_t(flame.passes);
  range.first = all == 1 ? 0 : std::uint32_t(pass) * range.count;
  range.samples = std::max<std::uint64_t>(1, flame.samples_of_pass(pass));
  KILN_CHECK(range.count > 0 && range.first + range.count <= all, "pass {} of {}, {} moments", pass,
             flame.passes, all);
  KILN_CHECK(range.samples < (std::uint64_t(1) << 63) / range.count, "{} samples of {} moments",
             range.samples, range.count);
  const std::uint64_t steps = range.samples / range.count / pool_slots;
  range.settle_steps = std::uint32_t(std::min(settled, steps / share));
  return range;
}

}  // namespace

GameRunner::GameRunner(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes)
    : GameRunner(device, flame, max_memory_bytes, nullptr) {}

GameRunner::GameRunner(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes,
                       const std::uint16_t* permutations)
    : device_(device),
      flame_(flame),
      loaded_(device, flame),
      plan_(device.plan_game(flame, unit_count(flame.sample_count), max_memory_bytes)),
      permutations_(permutations) {
  if (!permutations_) {
    own_permutations_ = DeviceArray<std::uint16_t>(device, make_permutations());
    permutations_ = own_permutations_.data();
  }
  const std::size_t units = std::size_t(plan_.units);
  points_ = DeviceArray<Point>(device, units * pool_slots);
  for (DeviceArray<std::uint32_t>* lanes : {&random0_, &random1_})
    *lanes = DeviceArray<std::uint32_t>(device, units * pool_lanes);
  step_ = DeviceArray<std::uint32_t>(device, units);
  recorded_ = DeviceArray<std::uint32_t>(device, units);
  bad_ = DeviceArray<std::uint64_t>(device, units);
  if (flame.program.moment_count > 1) walk_ = DeviceArray<MomentWalk>(device, units);
  device.begin_game(plan_, flame);
}

GameRunner::~GameRunner() { device_.end_game(); }

GameTotals GameRunner::play(std::uint64_t* frame, std::uint64_t seed, int pass,
                            bool flam3_transients,
                            const std::function<void(std::uint64_t)>& on_progress) {
  ChaosGame game{};
  game.program = loaded_.program();
  game.state = {points_.data(),   random0_.data(), random1_.data(), step_.data(),
                recorded_.data(), bad_.data(),     walk_.data()};
  game.permutations = permutations_;
  game.seed = seed;
  game.frame =
      std::uint32_t(pass);  // passes are frames of their own: other samples of the same flame
  game.number = number_;
  const std::uint64_t samples = flame_.samples_of_pass(pass);
  game.total_samples = samples;
  game.moments = moments_of_pass(flame_, pass);
  if (loaded_.moment_ends()) game.moments.ends = loaded_.moment_ends() + game.moments.first;
  game.flam3_transients = flam3_transients;

  AccumulateTiles sums{};
  sums.palette = loaded_.table();
  sums.frame = frame;
  sums.width = game.program.width;
  sums.height = game.program.height;
  sums.tiling = game.program.tiling;
  sums.record_limit = 0xffffffffu / flame_.largest_increment;

  GameTotals totals;
  const std::uint64_t units = unit_count(samples);
  for (std::uint64_t first = 0; first < units; first += std::uint64_t(plan_.units)) {
    const int count = int(std::min(units - first, std::uint64_t(plan_.units)));
    game.first_unit = std::uint32_t(first);
    device_.warm_up(WarmUp{game}, count);
    device_.play(IterateBatch{game, nullptr}, sums, count);
    const std::size_t active = std::size_t(count);
    std::vector<std::uint32_t> recorded(active);
    std::vector<std::uint64_t> bad(active);
    device_.download(recorded.data(), recorded_.data(), recorded.size() * sizeof(std::uint32_t));
    device_.download(bad.data(), bad_.data(), bad.size() * sizeof(std::uint64_t));
    for (std::size_t u = 0; u < recorded.size(); ++u) {
      totals.samples += recorded[u];
      totals.bad_values += bad[u];
    }
    if (on_progress) on_progress(totals.samples);
  }
  return totals;
}

}  // namespace kiln
