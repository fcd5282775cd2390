// What a picture will take, before it is rendered: samples, memory, and the time by rates that are
// measured here and now, on small pictures of the same flame (or of a frame, with its motion) at the
// same quality. They begin with few samples and stop where they take a sixth of a second: however
// high the quality and slow the flame, the measuring takes less than one.
//
// Of a picture that ends when its noise is low enough the small one tells the noise, which falls by
// the root of the samples: an estimate, and said to be one.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "cli/work_time.h"
#include "engine/animation/frame_list.h"
#include "engine/render/memory_need.h"

namespace kiln::cli {

struct Forecast {
  double samples = 0, pixels = 0;
  MemoryNeed memory;
  double seconds = 0;   // with file, the first one also with the program's start; 0: not measured
  int stripes = 1;      // that the picture is made in; 0: it does not fit at all
  std::string ends_by;  // "noise" or "time" where that comes before the quality
};

class Forecaster {
 public:
  /// Opens the device that the options ask for. `measures`: whether seconds are wanted.
  Forecaster(const RenderOptions& options, bool measures);
  ~Forecaster();

  /// The following pictures have these settings; the device stays.
  void settings(const RenderOptions& options);

  /// Throws what rendering the flame would throw before its first sample.
  Forecast of(const Flame& flame);
  /// The same of a frame with its motion: alone, without its place among others.
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
  Forecast of_frame(const PreparedFrame& frame);
  void measure(const MakeFrame& make, const PreparedFrame& whole);
  void set_sample_rate(double samples, double seconds);
  void measure_output(Renderer& renderer, const MakeFrame& make, const PreparedFrame& whole,
                      double samples);
  void measure_noise(const Flame& flame, double all);
  double wanted_samples() const;
  void set_ends(const PreparedFrame& frame, Forecast& forecast, Work& work) const;
  MemoryNeed memory_of(const PreparedFrame& frame, int& count) const;
  double share_in_picture(const PreparedFrame& frame) const;

  RenderOptions options_;
  const bool measures_;
  const std::unique_ptr<Device> device_;
  double begin_s_ = 0;  // as in Rates, until a picture has it
  Rates rates_;
  double last_samples_ = 0, last_seconds_ = 0;  // of the last small picture's game
};

/// "103 M samples, 180 MiB of memory, about 0:02".
std::string forecast_text(const Forecast& forecast);

}  // namespace kiln::cli
