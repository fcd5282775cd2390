#include "engine/render/frame_settings.h"

#include <algorithm>

#include "engine/model/error.h"

namespace kiln {

Moments moments_of(const Frame& frame) {
  if (frame.samples.empty()) return {{&frame.flame}, {1}};
  KILN_CHECK(frame.weights.size() == frame.samples.size() &&
                 frame.samples.size() % std::size_t(frame.flame.passes) == 0,
             "{} temporal samples, {} weights, {} passes", frame.samples.size(),
             frame.weights.size(), frame.flame.passes);
  Moments moments;
  for (const Flame& sample : frame.samples) moments.flames.push_back(&sample);
  moments.weights = frame.weights;
  return moments;
}

Flame frame_settings(const Frame& frame) {
  Flame settings = frame.flame;
  if (frame.samples.empty()) return settings;
  const double share = 1 / double(frame.samples.size());
  settings.vibrancy = settings.gamma = 0;
  settings.background = {};
  settings.estimator_radius = 0;
  for (const Flame& sample : frame.samples) {
    settings.vibrancy += sample.vibrancy * share;
    settings.gamma += sample.gamma * share;
    for (std::size_t c = 0; c < 3; ++c) settings.background[c] += sample.background[c] * share;
    settings.estimator_radius = std::max(settings.estimator_radius, sample.estimator_radius);
  }
  settings.gamma_threshold = frame.samples.back().gamma_threshold;
  return settings;
}

Flame pass_settings(const Frame& frame, int pass) {
  Flame settings = frame.flame;
  if (frame.samples.empty()) return settings;
  const std::size_t count = frame.samples.size() / std::size_t(frame.flame.passes);
  const Flame& first = frame.samples[std::size_t(pass) * count];
  const Flame& last = frame.samples[std::size_t(pass) * count + count - 1];
  settings.brightness = last.brightness;
  settings.scale = last.scale;
  settings.zoom = last.zoom;
  settings.quality = last.quality;  // flam3 divides by the density of the last moment
  settings.estimator_radius = first.estimator_radius;
  settings.estimator_minimum = first.estimator_minimum;
  settings.estimator_curve = first.estimator_curve;
  return settings;
}

}  // namespace kiln
