// What pictures and films take by rates that were measured (forecast.h): only arithmetic.
#pragma once

#include <string>

#include "engine/model/flame.h"

namespace kiln::cli {

/// What was measured on small pictures.
struct Rates {
  double begin_s = 0;    // of the program, until its device is open: with its first picture alone
  double prepare_s = 0;  // of a picture, by one thread
  double game_s = 0;     // that a game takes to begin
  double seconds_a_sample = 0, seconds_a_bucket = 0, seconds_a_pixel = 0;  // the last: of its file
  double busy_cores = 1;                                                   // while it is rendered
  double noise = 0;                  // upper end of its interval
  double noise_samples_a_pixel = 0;  // that it was measured with
};

/// Seconds of a picture of so many samples, of which the game takes no more than `limit_s` (0: no
/// limit); `looks`: at its noise.
struct Work {
  double samples = 0, buckets = 0, pixels = 0;
  int stripes = 1, looks = 0;
};
double seconds_of(const Work& work, const Rates& rates, double limit_s);

/// Of a frame of an animation, on the way from the keys to its file and to the video.
struct FrameSeconds {
  double prepare = 0;                 // by one thread: its flames and all its moments
  double render = 0, render_cpu = 0;  // wall clock; of all threads together
  double file = 0, video = 0;         // by one thread; of all that ffmpeg has
};
/// Of `frames` of them: all those steps run at once, on so many cores, or one after the other.
double film_seconds(const FrameSeconds& frame, double frames, double cores, bool in_turn);
/// That ffmpeg's encoders keep busy.
constexpr double encoder_cores = 1.6;
/// Seconds of one core that ffmpeg takes for a pixel of a video of this name, about.
double video_cost(const std::string& path);

/// Samples until `noise_goal` is reached, at most `most`, and how often is looked at the noise
/// before (engine/render/accumulate/look_plan.h). `pixels`: of the picture.
double samples_until(double noise_goal, const Rates& rates, double pixels, double most, int& looks);

/// A share of a picture's samples as a smaller picture of it.
struct Shrink {
  double side = 1, quality = 1;  // factors
  Flame operator()(Flame flame) const;
};
/// The one that leaves `wanted` samples of `all`: smaller at the same quality, as where estimation
/// blurs wide and where it does not then lie as in the whole picture; of less quality where it
/// would be narrower than 48 pixels.
Shrink shrink_to(double wanted, double all, int width);

}  // namespace kiln::cli
