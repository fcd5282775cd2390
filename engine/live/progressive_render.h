// A picture that is looked at while its samples come. One histogram grows by the units of the usual
// render, in their order, so that the finished picture is the one of `kiln render`, to the last
// bit; on the way it is developed as the picture of as many samples as are there. What changes only
// the look (brightness, gamma, background, filter, estimator, effects) keeps the sums: that is
// known by their digest (engine/render/accumulate/accumulation.h), not by lists of names.
//
// Of a flame of several passes the first one is looked at as it grows; the others follow without a
// look on the way, since each adds light to that of those before, with the look that it has then.
//
// Cost beside a render: a second buffer as large as the histogram, because developing uses its own
// up, and the developing of what is shown on the way.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/device/device.h"
#include "engine/model/flame.h"
#include "engine/render/accumulate/accumulation.h"

namespace kiln {

class DevicePicture;
class DeviceGroup;
struct PreparedFrame;

class ProgressiveRender {
 public:
  /// Opens the devices. 8 bits a channel, without the options of a cross-check. Throws Error.
  explicit ProgressiveRender(const RenderOptions& options);
  ~ProgressiveRender();

  /// The same flame with another look: true if the sums serve it too, and are kept; else nothing
  /// happened. Throws Error for what is no picture.
  bool restyle(const Flame& flame);
  /// The flame from now on. Sums that do not serve it are gone. Throws Error; then there is none.
  void show(const Flame& flame);

  /// Plays on until there are so many samples a pixel, or all, or `stop` says so, which is asked
  /// between launches. Later passes go on to the end. Throws Error.
  void grow(double quality, const std::function<bool()>& stop);
  /// Samples a pixel that are there, by the flame's own measure.
  double quality() const;
  bool complete() const;

  /// The picture of the samples so far; there must be some, and all of them once the first pass is
  /// over. Call it once for a finished picture of several passes. Pixels go to `place` if there is
  /// one, and are not in the image then. Throws Error.
  Image picture(DevicePicture* place = nullptr);
  std::string device() const;
  /// Samples, bad values and device of the picture so far.
  const RenderStatistics& statistics() const { return statistics_; }

 private:
  struct Sums;

  PreparedFrame preview_plan(double quality, int passes) const;
  void add_light(const PreparedFrame& preview);
  void begin_next_pass();
  void begin_pass();

  const RenderOptions options_;
  const std::unique_ptr<DeviceGroup> group_;  // opens its devices meanwhile
  const std::unique_ptr<Device> device_;
  const DeviceArray<std::uint16_t> permutations_;
  Flame flame_;
  std::unique_ptr<Sums> sums_;
  RenderStatistics statistics_;
  Pace pace_;
};

}  // namespace kiln
