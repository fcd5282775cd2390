#include "cli/time_to_go.h"

#include <algorithm>

namespace kiln::cli {

PictureCost rough_cost(const Flame& flame, const RenderOptions& options) {
  // of one core: measured 2026-11-23, as those of engine/render/stage_costs.cpp
  constexpr double sample_s = 10e-9, bucket_s = 80e-9, byte_s = 12e-9, moment_s = 5e-4;
  const double pixels = static_cast<double>(flame.width) * flame.height;
  const double buckets = pixels * flame.supersample * flame.supersample;
  const double bytes = options.linear ? 8 : options.bits == 16 ? 6 : 3;
  double samples = pixels * flame.quality;
  PictureCost cost;
  cost.render = samples * sample_s + buckets * bucket_s + moment_s;
  cost.file = pixels * bytes * byte_s;
  if (options.time_limit_s > 0) cost.render = std::min(cost.render, options.time_limit_s);
  return cost;
}

double time_to_go(double now, double ready_s, double known, double all) {
  const double rate = known > 0 ? (now + ready_s) / known : 1;
  return ready_s + rate * std::max(0.0, all - known);
}

void TimeToGo::start(int number) {
  for (; number_ < static_cast<std::size_t>(number); ++number_)
    behind_ += costs_[number_].render + costs_[number_].file;
}

Progress TimeToGo::of_all(const Progress& picture, double now) {
  // files are written beside the next picture, the last one after it
  double ahead = costs_.back().file, known = behind_;
  for (std::size_t i = number_ + 1; i < costs_.size(); ++i) ahead += costs_[i].render;
  const bool has_begun = picture.elapsed_s > 0;
  (has_begun ? known : ahead) += costs_[number_].render;
  Progress all = picture;
  all.elapsed_s = now;
  all.remaining_s = time_to_go(now, picture.remaining_s, known, known + ahead);
  const double share = now > 0 ? now / (now + all.remaining_s) : 0;
  most_done_ = std::max(most_done_, share);
  all.done = most_done_;
  return all;
}

}  // namespace kiln::cli
