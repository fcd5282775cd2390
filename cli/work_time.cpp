#include "cli/work_time.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "engine/render/accumulate/look_plan.h"
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
  std::uint64_t units = first_look(static_cast<std::uint64_t>(pixels), 0);
  for (;; ++looks) {
    const double samples = static_cast<double>(units) * unit;
    if (samples >= most) return most;
    PictureNoise noise;
    noise.rms = rates.noise * std::sqrt(rates.noise_samples_a_pixel * pixels / samples);
    if (is_enough(noise, noise_goal)) {
      ++looks;
      return samples;
    }
    units = next_look(units, noise, noise_goal);
  }
}

}  // namespace kiln::cli
