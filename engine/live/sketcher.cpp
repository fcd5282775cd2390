#include "engine/live/sketcher.h"

#include <algorithm>
#include <cmath>

#include "engine/model/exact_math.h"
#include "engine/render/prepared_frame.h"

namespace kiln {

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
