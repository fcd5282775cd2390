// What flam3 takes from which of a frame's genomes (flam3-pipeline.md section 5): sizes, quality,
// passes, supersampling and the spatial filter from the one at the frame's time, the log scale's
// brightness and scale from the last moment of a pass, the estimator from its first, vibrancy,
// gamma and background from the mean of all moments, the gamma threshold from the last.
#pragma once

#include <cstddef>
#include <vector>

#include "engine/model/flame.h"

namespace kiln {

/// What the log scale and the estimator of one pass take from its moments.
struct PassSettings {
  double brightness = 0, scale = 0, zoom = 0, quality = 0;                  // of its last
  double estimator_radius = 0, estimator_minimum = 0, estimator_curve = 0;  // of its first

  /// The frame's settings with those of the pass.
  Flame applied_to(const Flame& frame) const;
};

/// Gathers the settings of a frame while its moments go by.
class FrameSettings {
 public:
  /// `flame` is that at the frame's time; `moments` are divided evenly between its passes.
  FrameSettings(const Flame& flame, std::size_t moments);

  void add(const Flame& moment);

  /// When all moments are added: the flame whose settings hold for the whole frame. Its estimator
  /// radius is the largest of all moments: the buffer must be large enough for every pass.
  const Flame& frame() const { return frame_; }
  /// One a pass.
  const std::vector<PassSettings>& passes() const { return passes_; }

 private:
  Flame frame_;
  std::vector<PassSettings> passes_;
  std::size_t moments_, added_ = 0;
};

}  // namespace kiln
