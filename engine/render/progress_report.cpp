#include "engine/render/progress_report.h"

#include <numeric>

namespace kiln {

void ProgressReport::expect(StageSeconds seconds) {
  constexpr double pictures_of_a_look = 6;  // three (noise_look.h), and comparing them
  a_look_s_ = pictures_of_a_look * std::accumulate(seconds.begin() + 1, seconds.end(), 0.0);
  a_sample_s_ = seconds[0] / double(std::max<std::uint64_t>(samples_, 1));
  for (std::size_t s = 1; s < stage_count; ++s) seconds[s] *= parts_;
  for (std::size_t s = 0; s < stage_count; ++s) clock_.expect(RenderStage(s), seconds[s]);
}

void ProgressReport::looks(int count, double seconds, int to_come) {
  clock_.pass(now());
  clock_.looks(seconds, to_come * (count > 0 ? seconds / count : a_look_s_));
}

void ProgressReport::iterated(std::uint64_t done, std::uint64_t a_launch) {
  played_ = done;
  launch_ = a_launch;
  clock_.at(RenderStage::iterate, double(done) / double(std::max<std::uint64_t>(samples_, 1)),
            now());
  report();
}

void ProgressReport::at(RenderStage stage, double done) {
  const double time = now();
  if (stage != clock_.stage()) clock_.at(clock_.stage(), of_all(1), time);
  for (int s = int(clock_.stage()) + 1; s < int(stage); ++s) {
    clock_.expect(RenderStage(s), 0);
    clock_.at(RenderStage(s), of_all(1), time);
  }
  clock_.at(stage, of_all(done), time);
  report();
}

double ProgressReport::contention(const Device& device) const {
  constexpr double long_enough_s = 0.2, most = 8;
  const double wall = now();
  const double cpu = double(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
  if (wall < long_enough_s || device.describe().rfind("cpu", 0) != 0) return 1;
  return std::clamp(wall * device.units_at_once() / std::max(cpu, 1e-3), 1.0, most);
}

void ProgressReport::next_part() {
  clock_.at(clock_.stage(), of_all(1), now());
  ++part_;
}

void ProgressReport::hear(int kernel, double done) {
  if (!is_wanted()) return;
  constexpr double before_sums = 0.8;  // of a launch of the game: the rest adds up its records
  if (clock_.stage() == RenderStage::gather && kernel == kernel_id<GatherDensity>)
    clock_.at(RenderStage::gather, of_all(done), now());
  else if (clock_.stage() == RenderStage::iterate && kernel == Device::playing && samples_ > 0)
    clock_.at(RenderStage::iterate,
              (double(played_) + before_sums * done * double(launch_)) / double(samples_), now());
  else
    clock_.pass(now());
  report();
}

void ProgressReport::report() {
  if (!is_wanted()) return;
  const double elapsed = now();
  if (elapsed - last_ < 0.1) return;
  last_ = elapsed;
  const double playing = clock_.spent(RenderStage::iterate);
  Progress progress;
  progress.done = clock_.done();
  progress.elapsed_s = elapsed;
  progress.remaining_s = clock_.remaining();
  progress.samples_per_s = playing > 0 ? double(played_) / playing : 0;
  progress.stage = name_of(clock_.stage());
  options_.on_progress(progress);
}

}  // namespace kiln
