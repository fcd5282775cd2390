// SPDX-License-Identifier: MIT
// What a picture will take, before it is rendered: samples, memory, and the time by rates that are
// measured here and now, on small pictures of the same flame (or of a frame, with its motion) at the
// same quality. They begin with few samples and stop where they take a sixth of a second: however
// high the quality and slow the flame, the measuring takes less than one.
//
// Of a picture that ends when its noise is low enough the small one tells the noise, which falls by
// the root of the samples, or slower where it is cleaned: an estimate, and said to be one.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/animation/frame_at.h"
#include "engine/model/flame.h"
#include "engine/render/memory_need.h"
#include "engine/render/renderer.h"
#include "engine/render/stripes.h"

namespace kiln {

// The bar and the time to go of all pictures of a command: of the one under way by what the renderer
// says (engine/render/plan/progress_report.h), of its file and of the pictures behind it by what they cost
// beside what is done, at the rate so far. It asks no clock: whoever calls says when it is.

/// The cost of a picture, about: seconds of one core.
struct PictureCost {
  double render = 0, file = 0;
};
PictureCost rough_cost(const Flame& flame, const RenderOptions& options);

/// Seconds in which one GPU plays a picture's game of so many samples, at the usual flame's rate: before any device is open.
double rough_gpu_seconds(double samples, const RenderOptions& options);
/// The number of GPUs with which work that takes one so many seconds is done first: opening each of them takes
/// its time. At most 64.
int gpus_worth(double seconds);

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

/// Rates measured on small pictures.
struct Rates {
  double begin_s = 0;    // of the program, until its device is open: with its first picture alone
  double prepare_s = 0;  // of a picture, by one thread
  double game_s = 0;     // that a game takes to begin
  double seconds_a_sample = 0, seconds_a_bucket = 0, seconds_a_pixel = 0;  // the last: of its file
  double busy_cores = 1;                                                   // while it is rendered
  double noise = 0;                  // upper end of its interval
  double noise_samples_a_pixel = 0;  // that it was measured with
  double noise_fall = 0.5;           // by which power of the samples it falls
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
  double prepare = 0;                 // by one thread: its flames and all its time samples
  double render = 0, render_cpu = 0;  // wall clock; of all threads together
  double file = 0, video = 0;         // by one thread; of all that ffmpeg has
  double video_cores = 1;             // that ffmpeg keeps busy
  double video_tail = 0;              // of the whole film, by the clock: after its last frame
};
/// Seconds that `frames` frames take where the steps overlap on so many cores, or run in turn.
double film_seconds(const FrameSeconds& frame, double frames, double cores, bool sequential);

/// Samples until `noise_goal` is reached, at most `most`, and how often is looked at the noise
/// before (engine/render/schedule/probe_schedule.h). `pixels`: of the picture.
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

struct Forecast {
  double samples = 0, pixels = 0;
  MemoryNeed memory;
  double seconds = 0;  // with file, the first one also with the program's start; 0: not measured
  bool in_double = false;  // coordinates are doubles
  Resolution resolution = Resolution::whole;
  std::string resolution_warning;
  int stripes = 1;      // that the picture is made in; 0: it does not fit at all
  std::string ends_by;  // "noise" or "time" where that comes before the quality
};

class Forecaster {
 public:
  /// Opens the device that the options ask for. `measures`: whether seconds are wanted.
  Forecaster(const RenderOptions& options, bool measures);
  ~Forecaster();

  /// The following pictures have these settings, and a state file or not; the device stays.
  void settings(const RenderOptions& options, bool has_state = false);

  /// Throws what rendering the flame would throw before its first sample.
  Forecast of(const Flame& flame);
  /// Throws likewise, and forecasts a frame with its motion: alone, without its place among others.
  Forecast of(const std::vector<Flame>& keys, const FrameTime& frame);
  const Rates& rates() const { return rates_; }
  /// Forecasts one of many similar flames, such as frames, by the rate of the last one measured.
  Forecast of_the_same_rate(const Flame& flame);
  /// "cpu (x86-64-v4, 2 threads)".
  std::string device() const;
  /// Throws Error (device) where the picture does not fit, not even in stripes.
  void check_memory(const Flame& flame) const;

 private:
  using MakeFrame = std::function<Frame(const Shrink&)>;
  Forecast of_frame(const PreparedFrame& frame, bool in_film = false);
  void measure(const MakeFrame& make, const PreparedFrame& whole);
  void set_sample_rate(double samples, double seconds);
  void measure_output(Renderer& renderer, const MakeFrame& make, const PreparedFrame& whole,
                      double samples);
  void measure_noise(const Flame& flame);
  double wanted_samples() const;
  void set_ends(const PreparedFrame& frame, Forecast& forecast, Work& work) const;
  std::optional<std::uint64_t> kept_bytes_of(const PreparedFrame& frame) const;
  MemoryPlan plan_of(const PreparedFrame& frame, bool in_film) const;
  MemoryNeed memory_of(const PreparedFrame& frame, bool in_film, int& count) const;
  double share_in_picture(const PreparedFrame& frame) const;

  RenderOptions options_;
  bool has_state_ = false;
  const bool measures_;
  const std::unique_ptr<Device> device_;
  double begin_s_ = 0;  // as in Rates, until a picture has it
  Rates rates_;
  double last_samples_ = 0, last_seconds_ = 0;  // of the last small picture's game
};

/// The quality with which about `goal` of a frame is noise, 0..1 of full scale as RenderOptions::until_noise,
/// in the noisiest of five frames that are spread over the film; two digits, rounded up. They are looked
/// at small and as if they stood still: motion blur has less noise. It counts samples and no seconds, so
/// every machine and every chunk finds the same. 0: all five are black.
double quality_for_noise(const KeyFrames& film, const RenderOptions& options, double goal);

/// "103 M samples, 180 MiB of memory, about 0:02".
std::string forecast_text(const Forecast& forecast);

}  // namespace kiln
