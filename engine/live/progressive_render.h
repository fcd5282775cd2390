// SPDX-License-Identifier: MIT
// A picture that is looked at while its samples come. One histogram grows by the units of the usual
// render, in their order, so that the finished picture is the one of `kiln render`, to the last
// bit; on the way it is developed as the picture of as many samples as are there. What changes only
// the look (brightness, gamma, background, filter, estimator, effects) keeps the sums: that is
// known by their digest (engine/render/accumulate/accumulation.h), not by lists of names.
//
// Of a flame of several passes the first one is looked at as it grows; the others follow without a
// look on the way, since each adds light to that of those before, with the look that it has then.
//
// Its noise is that of `--until-noise` (engine/measure/noise.h): a copy of the histogram is made when
// half of the samples are there, and developed as the picture of all of them. What differs between
// the two is noise of the other half alone.
//
// Cost beside a render: a second buffer as large as the histogram, because developing uses its own
// up, and the developing of what is shown on the way; where noise is measured a third buffer, and
// for each time a copy and a picture more.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>

#include "engine/api/kiln/image.h"
#include "engine/api/kiln/render_options.h"
#include "engine/live/live_schedule.h"
#include "engine/measure/noise.h"
#include "engine/model/flame.h"
#include "engine/model/frame.h"
#include "engine/render/renderer.h"

namespace kiln {

struct SumsShape;

class ProgressiveRender {
 public:
  /// Opens the devices. 8 bits a channel, without the options of a cross-check. Throws Error.
  explicit ProgressiveRender(const RenderOptions& options);
  ~ProgressiveRender();

  /// Gives the flame another look: true if the sums serve it too, and are kept; else nothing
  /// happened. Throws Error for what is no picture.
  bool restyle(const Flame& flame);
  /// The flame from now on. Sums that do not serve it are gone. Throws Error; then there is none.
  void show(const Flame& flame);
  /// A frame of a film, with its motion blur; no other look is made of its sums.
  void show(const Frame& frame);

  /// Whether the sums are of the points of this flame, which restyle() has refused, since its look reaches
  /// further beyond the picture than they do, or less far.
  bool lends(const Flame& flame) const;

  /// Plays on until there are so many samples a pixel, or all, or `stop` says so, which is asked
  /// between launches; of `halves` noise() can be asked. Later passes go on to the end. Throws Error.
  void grow(double quality, const std::function<bool()>& stop, Halves halves = Halves::none);
  /// Samples a pixel that are there, by the flame's own measure.
  double quality() const;
  bool complete() const;

  /// The picture of the samples so far; there must be some, and all of them once the first pass is
  /// over. Call it once for a finished picture of several passes. Pixels go to `place` if there is
  /// one, and are not in the image then. `bits`: 8 or 16 a channel. Throws Error.
  Image picture(DevicePicture* place = nullptr, int bits = 8);
  /// A picture of the flame, whose sums these are or which they are lent to, a `side`th as wide, of
  /// one pass: buckets are summed in squares, and nothing is played. Cleaned, if the flame is, where
  /// it `cleans`. Throws Error.
  Image glance(const Flame& flame, int side, DevicePicture* place = nullptr, bool cleans = false);
  /// PreparedFrame::clumps of the last picture that was cleaned; 1 before.
  double last_clumps() const { return last_clumps_; }

  struct Noise {
    PictureNoise of_all;
    NoiseMap map;
    std::uint64_t units = 0;  // that were there
  };
  /// The noise of the picture of the samples so far, if half of them were kept; cheaper where that
  /// picture was the last that was made. Throws Error.
  std::optional<Noise> noise();
  /// Pictures and noise from now on end with Error (stopped) soon after this asks for it.
  void watch(const std::stop_token& stop) { stop_ = stop; }
  std::string device() const { return renderer_.devices(); }
  /// Samples, bad values and device of the picture so far.
  const RenderStatistics& statistics() const { return statistics_; }

 private:
  struct Sums;

  PreparedFrame preview_plan(double quality, int passes, double more = 1) const;
  PreparedFrame plan_so_far(double more = 1) const;
  bool is_in_first_pass_of(const Flame& flame) const;
  SumsShape shape_of(const Flame& flame) const;
  void begin(const Frame& frame, bool is_of_film);
  std::uint64_t half_of(double quality) const;
  void keep_half();
  void set_clumps(PreparedFrame& look);
  RenderWork work_of(const PreparedFrame& look);
  Image develop(PreparedFrame& look, DevicePicture* place, RenderStatistics* statistics);

  const RenderOptions options_;
  Renderer renderer_;
  Flame flame_;
  bool is_of_film_ = false;
  double mean_weight_ = 1;  // of its time samples
  std::unique_ptr<Sums> sums_;
  double last_clumps_ = 1;
  RenderStatistics statistics_;
  std::stop_token stop_;
};

}  // namespace kiln
