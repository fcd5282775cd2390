// SPDX-License-Identifier: MIT
#include "engine/render/plan/progress_report.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/base/resources.h"
#include "engine/device/device_kind.h"
#include "engine/fft/transform.h"
#include "engine/render/stages/stages.h"

namespace kiln {

void ProgressReport::expect(StageSeconds seconds) {
  constexpr double pictures_of_a_look = 6;  // three (noise_probe.h), and comparing them
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

bool ProgressReport::is_young(const Device& device) const {
  constexpr double of_gpu_s = 1;  // after it reading its rows twice is a hundredth
  return now() < (is_cpu(device) ? report_s : of_gpu_s);
}

double ProgressReport::contention(const Device& device) const {
  constexpr double long_enough_s = 0.2, most = 8;
  const double wall = now();
  const double cpu = double(std::clock() - cpu_start_) / CLOCKS_PER_SEC;
  if (wall < long_enough_s || !is_cpu(device)) return 1;
  return std::clamp(wall * device.units_at_once() / std::max(cpu, 1e-3), 1.0, most);
}

void ProgressReport::next_part() {
  clock_.at(clock_.stage(), of_all(1), now());
  ++part_;
}

void ProgressReport::hear(int kernel, double done) {
  if (!is_wanted()) return;
  constexpr double before_sums = 0.8;  // of a launch of the game: the rest adds up its records
  const auto is_of = [&](const PictureStage* stage) { return stage->kernel == kernel; };
  if (clock_.stage() == RenderStage::gather &&
      std::any_of(std::begin(all_stages), std::end(all_stages), is_of))
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
  if (elapsed - last_ < report_s) return;
  last_ = elapsed;
  const double playing = clock_.spent(RenderStage::iterate);
  Progress progress;
  progress.done = clock_.done();
  progress.elapsed_s = elapsed;
  progress.remaining_s = clock_.remaining();
  progress.samples_per_s = playing > 0 ? double(played_) / playing : 0;
  static const OutputPlan usual{};
  progress.stage = name_of(clock_.stage(), plan_ ? *plan_ : usual);
  options_.on_progress(progress);
}

namespace {

/// The share of a stage that counts as left when it takes longer than expected.
constexpr double never_less = 0.02;

}  // namespace

const char* name_of(RenderStage stage, const OutputPlan& plan) {
  if (stage == RenderStage::iterate) return "iterate";
  return (stage < RenderStage::filter ? light_stage(plan) : stages::filter).name;
}

void StageClock::pass(double now) {
  spent_[std::size_t(stage_)] += std::max(0.0, now - now_);
  now_ = std::max(now_, now);
}

void StageClock::looks(double spent, double to_come) {
  const double more = std::max(0.0, spent - looked_s_);
  spent_[0] = std::max(0.0, spent_[0] - more);
  if (limit_ > 0) limit_ = std::max(limit_ - more, 1e-9);
  looked_s_ = std::max(looked_s_, spent);
  looks_s_ = to_come;
}

void StageClock::at(RenderStage stage, double done, double now) {
  pass(now);
  stage_ = stage;
  const std::size_t s = std::size_t(stage);
  done_[s] = std::clamp(done, 0.0, 1.0);
  spent_when_said_[s] = spent_[s];
}

/// The factor by which the stages after the game take longer here than expected.
double StageClock::correction() const {
  double expected = 0, spent = 0, all = 0;
  for (std::size_t s = 1; s < stage_count; ++s) {
    all += expected_[s];
    expected += done_[s] * expected_[s];
    spent += done_[s] > 0 ? spent_when_said_[s] : 0;
  }
  const double trust = 0.1 * all;  // in what was expected: of little nothing follows
  return all > 0 ? (spent + trust) / (expected + trust) : 1;
}

/// All of a stage.
double StageClock::seconds_of(RenderStage stage) const {
  // pieces of the far part are unlike each other
  const double enough = stage == RenderStage::far ? 0.3 : 0.05;
  const std::size_t s = std::size_t(stage);
  const double expected = expected_[s] * (stage == RenderStage::iterate ? 1 : correction());
  if (done_[s] <= 0) return expected;
  const double measured = spent_when_said_[s] / done_[s], weight = std::min(1.0, done_[s] / enough);
  return weight * measured + (1 - weight) * expected;
}

double StageClock::remaining() const {
  double sum = 0;
  for (std::size_t s = 0; s < stage_count; ++s) {
    if (done_[s] >= 1) continue;
    const double left = seconds_of(RenderStage(s)) * (1 - done_[s]);
    const double since = spent_[s] - spent_when_said_[s];
    double seconds = std::max(left - since, never_less * left);
    if (limit_ > 0 && RenderStage(s) == RenderStage::iterate)
      seconds = std::min(seconds, std::max(0.0, limit_ - spent_[s]));
    sum += seconds;
  }
  if (stage_ == RenderStage::iterate) sum += looks_s_;
  return sum;
}

double StageClock::done() {
  const double left = remaining();
  const double share = now_ + left > 0 ? now_ / (now_ + left) : 0;
  return most_done_ = std::max(most_done_, share);
}

StageSeconds stage_costs(const PreparedFrame& frame, double samples, const DensityLoad& load,
                         const FarWork& far) {
  StageSeconds seconds{};
  seconds[std::size_t(RenderStage::iterate)] = samples * 10e-9;
  for (const PictureStage* stage : all_stages)
    if (stage->seconds && is_in(*stage, frame.plan))
      stage->seconds({frame.plan, load, far}, seconds);
  return seconds;
}

double slowness_of(Device& device) {
  constexpr i64 points = 4096;
  constexpr i32 lines = 32;
  constexpr double of_one_core = 0.72e-3;
  const Fft fft(device, points, lines);
  DeviceArray<Complex> numbers(device, std::size_t(points) * lines);
  numbers.clear();
  double seconds = 1e9;
  for (int i = 0; i < 4; ++i) {  // the first time tables and caches are cold
    const auto start = Clock::now();
    fft.forward(numbers.data(), numbers.data());
    fft.inverse(numbers.data(), numbers.data());
    device.wait();
    seconds = std::min(seconds, seconds_since(start));
  }
  return seconds / of_one_core;
}

}  // namespace kiln
