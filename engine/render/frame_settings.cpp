#include "engine/render/frame_settings.h"

#include <algorithm>

#include "engine/base/error.h"

namespace kiln {

Flame PassSettings::applied_to(const Flame& frame) const {
  Flame settings = frame;
  settings.brightness = brightness;
  settings.scale = scale;
  settings.zoom = zoom;
  settings.quality = quality;
  settings.estimator_radius = estimator_radius;
  settings.estimator_minimum = estimator_minimum;
  settings.estimator_curve = estimator_curve;
  return settings;
}

FrameSettings::FrameSettings(const Flame& flame, std::size_t moments)
    : frame_(flame), passes_(std::size_t(flame.passes)), moments_(moments) {
  KILN_CHECK(moments > 0 && moments % passes_.size() == 0, "{} temporal samples, {} passes",
             moments, flame.passes);
  frame_.vibrancy = frame_.gamma = 0;
  frame_.background = {};
  frame_.estimator_radius = 0;
}

void FrameSettings::add(const Flame& moment) {
  KILN_CHECK(added_ < moments_, "more than {} moments", moments_);
  const double share = 1 / double(moments_);
  frame_.vibrancy += moment.vibrancy * share;
  frame_.gamma += moment.gamma * share;
  for (std::size_t c = 0; c < 3; ++c) frame_.background[c] += moment.background[c] * share;
  frame_.estimator_radius = std::max(frame_.estimator_radius, moment.estimator_radius);
  frame_.gamma_threshold = moment.gamma_threshold;

  const std::size_t in_a_pass = moments_ / passes_.size();
  PassSettings& pass = passes_[added_ / in_a_pass];
  if (added_ % in_a_pass == 0) {
    pass.estimator_radius = moment.estimator_radius;
    pass.estimator_minimum = moment.estimator_minimum;
    pass.estimator_curve = moment.estimator_curve;
  }
  pass.brightness = moment.brightness;
  pass.scale = moment.scale;
  pass.zoom = moment.zoom;
  pass.quality = moment.quality;  // flam3 divides by the density of the last moment
  ++added_;
}

}  // namespace kiln
