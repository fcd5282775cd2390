#include "engine/live/painter.h"

#include <algorithm>
#include <cmath>

#include "engine/base/clock.h"
#include "engine/device/device_picture.h"
#include "engine/model/exact_math.h"
#include "engine/render/prepared_frame.h"

namespace kiln {
namespace {

/// The true picture in another look may take longer than the fog that a sketch of it would be.
constexpr double look_s = 0.15;

}  // namespace

Painter::~Painter() {
  if (place_) place_->clear();
}

Painter::Painted Painter::developed() {
  const auto start = Clock::now();
  Painted painted;
  painted.image = growing_.picture(place_);
  painted.quality = shown_quality_ = growing_.quality();
  painted.settled = growing_.complete();
  painted.seconds = develop_s_ = seconds_since(start);
  return painted;
}

Painter::Painted Painter::quick(const Flame& flame, double most_pixels, double budget_s) {
  shows_flame_ = false;
  shown_quality_ = -1;
  if (growing_.quality() >= 1 && growing_.restyle(flame)) {
    shows_flame_ = true;
    if (develop_s_ <= std::max(budget_s, look_s)) {
      Painted painted = developed();
      if (painted.settled) shown_quality_ = -1;  // better() settles it once nobody edits
      painted.settled = false;
      return painted;
    }
  }
  return sketch(flame, most_pixels, budget_s);
}

Painter::Painted Painter::sketch(const Flame& flame, double most_pixels, double budget_s) {
  const auto start = Clock::now();
  const double pixels = std::min(most_pixels, double(flame.width) * flame.height);
  const Effort::Size size = effort_.size(pixels);
  Painted painted;
  painted.image = sketcher_.sketch(flame, size.pixels, size.samples, place_);
  painted.quality = size.samples / (double(painted.image.width) * painted.image.height);
  painted.seconds = seconds_since(start);
  effort_.took(painted.seconds, budget_s, pixels);
  return painted;
}

std::optional<Painter::Painted> Painter::better(const Flame& flame,
                                                const std::function<bool()>& stop) {
  if (!shows_flame_) {
    growing_.show(flame);
    shows_flame_ = true;
    if (stop()) return {};
  }
  if (growing_.complete() && shown_quality_ == growing_.quality()) return {};
  // sums that a new look has taken over are shown as they are before more is added
  const bool shows_sums = shown_quality_ > 0 || growing_.quality() == 0;
  if (shows_sums) growing_.grow(std::max(1.0, 4 * growing_.quality()), stop);
  if (growing_.quality() == 0 || (stop() && !growing_.complete())) return {};
  return developed();
}

Flame reduced(const Flame& flame, double pixels, double samples) {
  Flame small = flame;
  const double all = double(flame.width) * flame.height;
  const double factor = std::min(1.0, std::sqrt(std::max(1.0, pixels) / all));
  small.width = std::max(1, int(flame.width * factor + 0.5));
  small.height = std::max(1, int(flame.height * factor + 0.5));
  small.scale *= double(small.width) / flame.width;
  small.supersample = 1;
  small.passes = 1;
  const double a_pixel = samples / (double(small.width) * small.height);
  small.quality = std::min(flame.quality, a_pixel / exact::exp2(2 * flame.zoom));
  return small;
}

Image Sketcher::sketch(const Flame& flame, double pixels, double samples, DevicePicture* place) {
  renderer_.leave_pixels_in(place);
  return renderer_.render(prepare_quickly(reduced(flame, pixels, samples), options_));
}

}  // namespace kiln
