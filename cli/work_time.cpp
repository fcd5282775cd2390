#include "cli/work_time.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "engine/render/accumulate/noise_probe.h"
#include "kernels/pool.h"

namespace kiln::cli {

Flame Shrink::operator()(Flame flame) const {
  const double width = std::max(1.0, std::floor(flame.width * side));
  const double factor = width / flame.width;
  flame.height = std::max(1, static_cast<int>(flame.height * factor));
  flame.width = static_cast<int>(width);
  flame.scale *= factor;
  flame.quality *= quality;
  return flame;
}

Shrink shrink_to(double wanted, double all, int width) {
  constexpr double narrowest = 48;
  const double share = std::min(1.0, wanted / std::max(all, 1.0));
  Shrink shrink;
  shrink.side = std::max(std::sqrt(share), std::min(1.0, narrowest / width));
  shrink.quality = std::min(1.0, share / (shrink.side * shrink.side));
  return shrink;
}

double seconds_of(const Work& work, const Rates& rates, double limit_s) {
  const double game =
      (rates.game_s + work.samples * rates.seconds_a_sample) * std::max(work.stripes, 1) +
      3 * work.looks * work.buckets * rates.seconds_a_bucket;
  return rates.begin_s + rates.prepare_s + (limit_s > 0 ? std::min(game, limit_s) : game) +
         work.buckets * rates.seconds_a_bucket + work.pixels * rates.seconds_a_pixel;
}

double film_seconds(const FrameSeconds& frame, double frames, double cores, bool in_turn) {
  if (frames <= 0) return 0;
  const double work = frame.prepare + frame.render_cpu + frame.file + frame.video;
  const double one = frame.prepare + frame.render + frame.file;
  const double video = frame.video / std::clamp(cores, 1.0, encoder_cores);
  const double a_frame =
      in_turn ? std::max(one, video)
              : std::max({frame.prepare, frame.render, video, work / std::max(cores, 1.0)});
  return one + video + a_frame * (frames - 1);
}

double video_cost(const std::string& path) {
  // measured 2026-11-23 with ffmpeg 5.1, frames of 640 x 360
  static const std::map<std::string, double> by_ending = {{".mp4", 80e-9},   {".m4v", 80e-9},
                                                          {".mkv", 270e-9},  {".mov", 113e-9},
                                                          {".webm", 715e-9}, {".avi", 137e-9}};
  const auto found = by_ending.find(std::filesystem::path(path).extension().string());
  return found == by_ending.end() ? 0 : found->second;
}

double samples_until(double noise_goal, const Rates& rates, double pixels, double most,
                     int& looks) {
  constexpr double unit = unit_samples;
  looks = 0;
  std::uint64_t units = first_probe(static_cast<std::uint64_t>(pixels), 0);
  for (;; ++looks) {
    const double samples = static_cast<double>(units) * unit;
    if (samples >= most) return most;
    PictureNoise noise;
    noise.rms = rates.noise * std::sqrt(rates.noise_samples_a_pixel * pixels / samples);
    if (is_enough(noise, noise_goal)) {
      ++looks;
      return samples;
    }
    units = next_probe(units, noise, noise_goal);
  }
}

PictureCost rough_cost(const Flame& flame, const RenderOptions& options) {
  // of one core: measured 2026-11-23, as those of engine/render/progress_report.cpp
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
