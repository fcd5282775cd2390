// What a picture will take, before it is rendered: samples, memory, and the time by a rate that is
// measured here and now, on a small picture of the same flame at the same quality.
#pragma once

#include <memory>
#include <string>

#include "engine/render/memory_need.h"

namespace kiln::cli {

struct Forecast {
  double samples = 0;
  MemoryNeed memory;
  double seconds = 0;  // without the file; 0 where it was not measured
  int stripes = 1;     // that the picture is made in; 0: it does not fit at all
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
  /// Of one of many alike, such as frames: the rate of the last flame that was measured.
  Forecast of_the_same_rate(const Flame& flame);
  /// "cpu (x86-64-v4, 2 threads)".
  std::string device() const;
  /// Throws Error (device) where the picture does not fit, not even in stripes.
  void check_memory(const Flame& flame) const;

 private:
  void measure(const Flame& flame);
  MemoryNeed memory_of(const PreparedFrame& frame, int& count) const;
  double share_in_picture(const PreparedFrame& frame) const;

  RenderOptions options_;
  const bool measures_;
  const std::unique_ptr<Device> device_;
  double seconds_a_sample_ = 0, seconds_a_bucket_ = 0;
};

/// "103 M samples, 180 MiB of memory, about 0:02".
std::string forecast_text(const Forecast& forecast);

}  // namespace kiln::cli
