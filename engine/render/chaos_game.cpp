#include "engine/render/chaos_game.h"

namespace kiln {

GameRunner::GameRunner(Device& device, const CompiledFlame& flame, std::uint64_t max_memory_bytes)
    : device_(device),
      flame_(flame),
      loaded_(device, flame),
      plan_(device.plan_game(flame, unit_count(flame.sample_count), max_memory_bytes)),
      permutations_(device, make_permutations()) {
  const std::size_t units = std::size_t(plan_.units);
  points_ = DeviceArray<Point>(device, units * pool_slots);
  for (DeviceArray<std::uint32_t>* lanes : {&random0_, &random1_})
    *lanes = DeviceArray<std::uint32_t>(device, units * pool_lanes);
  step_ = DeviceArray<std::uint32_t>(device, units);
  recorded_ = DeviceArray<std::uint32_t>(device, units);
  bad_ = DeviceArray<std::uint64_t>(device, units);
  device.begin_game(plan_, flame);
}

GameRunner::~GameRunner() { device_.end_game(); }

GameTotals GameRunner::play(std::uint64_t* frame, std::uint64_t seed, int pass,
                            bool flam3_transients,
                            const std::function<void(std::uint64_t)>& on_progress) {
  ChaosGame game{};
  game.program = loaded_.program();
  game.state = {points_.data(), random0_.data(),  random1_.data(),
                step_.data(),   recorded_.data(), bad_.data()};
  game.permutations = permutations_.data();
  game.seed = seed;
  game.frame =
      std::uint32_t(pass);  // passes are frames of their own: other samples of the same flame
  game.number = number_;
  game.total_samples = flame_.sample_count;
  game.flam3_transients = flam3_transients;

  AccumulateTiles sums{};
  sums.palette = loaded_.table();
  sums.frame = frame;
  sums.width = game.program.width;
  sums.height = game.program.height;
  sums.tiling = game.program.tiling;
  sums.record_limit = 0xffffffffu / flame_.largest_increment;

  GameTotals totals;
  const std::uint64_t units = unit_count(flame_.sample_count);
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
