#include "engine/live/preview.h"

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

PreviewScheduler::~PreviewScheduler() {
  if (place_) place_->clear();
}

PreviewScheduler::Preview PreviewScheduler::developed() {
  const auto start = Clock::now();
  Preview preview;
  preview.image = progressive_.picture(place_);
  preview.quality = shown_quality_ = progressive_.quality();
  preview.settled = progressive_.complete();
  preview.seconds = develop_s_ = seconds_since(start);
  return preview;
}

PreviewScheduler::Preview PreviewScheduler::quick(const Flame& flame, double most_pixels,
                                                  double budget_s) {
  shows_flame_ = false;
  shown_quality_ = -1;
  if (progressive_.quality() >= 1 && progressive_.restyle(flame)) {
    shows_flame_ = true;
    if (develop_s_ <= std::max(budget_s, look_s)) {
      Preview preview = developed();
      if (preview.settled) shown_quality_ = -1;  // better() settles it once nobody edits
      preview.settled = false;
      return preview;
    }
  }
  return sketch(flame, most_pixels, budget_s);
}

PreviewScheduler::Preview PreviewScheduler::sketch(const Flame& flame, double most_pixels,
                                                   double budget_s) {
  const auto start = Clock::now();
  const double pixels = std::min(most_pixels, double(flame.width) * flame.height);
  const PreviewBudget::Size size = budget_.size(pixels);
  Preview preview;
  preview.image = renderer_.sketch(flame, size.pixels, size.samples, place_);
  preview.quality = size.samples / (double(preview.image.width) * preview.image.height);
  preview.seconds = seconds_since(start);
  budget_.took(preview.seconds, budget_s, pixels);
  return preview;
}

std::optional<PreviewScheduler::Preview> PreviewScheduler::better(
    const Flame& flame, const std::function<bool()>& stop) {
  if (!shows_flame_) {
    progressive_.show(flame);
    shows_flame_ = true;
    if (stop()) return {};
  }
  if (progressive_.complete() && shown_quality_ == progressive_.quality()) return {};
  // sums that a new look has taken over are shown as they are before more is added
  const bool shows_sums = shown_quality_ > 0 || progressive_.quality() == 0;
  if (shows_sums) progressive_.grow(std::max(1.0, 4 * progressive_.quality()), stop);
  if (progressive_.quality() == 0 || (stop() && !progressive_.complete())) return {};
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

Image PreviewRenderer::sketch(const Flame& flame, double pixels, double samples,
                              DevicePicture* place) {
  renderer_.leave_pixels_in(place);
  return renderer_.render(prepare_quickly(reduced(flame, pixels, samples), options_));
}

}  // namespace kiln
