// What pictures and films take by rates that were measured (forecast.h): only arithmetic.
#pragma once

#include <string>
#include <vector>

#include "engine/model/flame.h"
#include "engine/render/renderer.h"

namespace kiln::cli {

// The bar and the time to go of all pictures of a command: of the one under way by what the renderer
// says (engine/render/progress_report.h), of its file and of the pictures behind it by what they cost
// beside what is done, at the rate so far. It asks no clock: whoever calls says when it is.

/// What a picture takes, about: seconds of one core.
struct PictureCost {
  double render = 0, file = 0;
};
PictureCost rough_cost(const Flame& flame, const RenderOptions& options);

/// Seconds until work that costs `all` is done, where what costs `known` is done in `ready_s` seconds
/// from `now` on: the rest at that rate, or as it costs where nothing is known.
double time_to_go(double now, double ready_s, double known, double all);

class TimeToGo {
 public:
  explicit TimeToGo(std::vector<PictureCost> costs) : costs_(std::move(costs)) {}

  /// Picture `number`, from 0, is under way.
  void start(int number);
  /// All pictures, `now` seconds after the first began; `picture` is the one under way.
  Progress of_all(const Progress& picture, double now);

 private:
  std::vector<PictureCost> costs_;
  std::size_t number_ = 0;
  double behind_ = 0;  // of the pictures before this one
  double most_done_ = 0;
};

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

/// Seconds that each step of a frame takes, from the key flames to its file and the video.
struct FrameSeconds {
  double prepare = 0;                 // by one thread: its flames and all its moments
  double render = 0, render_cpu = 0;  // wall clock; of all threads together
  double file = 0, video = 0;         // by one thread; of all that ffmpeg has
};
/// Seconds that `frames` frames take where the steps overlap on so many cores, or run in turn.
double film_seconds(const FrameSeconds& frame, double frames, double cores, bool in_turn);
/// Cores that ffmpeg's encoders keep busy.
constexpr double encoder_cores = 1.6;
/// Seconds of one core that ffmpeg takes for a pixel of a video of this name, about.
double video_cost(const std::string& path);

/// Samples until `noise_goal` is reached, at most `most`, and how often is looked at the noise
/// before (engine/render/accumulate/noise_probe.h). `pixels`: of the picture.
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
