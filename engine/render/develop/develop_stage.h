// SPDX-License-Identifier: MIT
// From linear light to pixels: the stages of the list (engine/render/stages/stages.h) that make them, in its
// order but for those that come before the filter with earlyclip, and packing.
//
// Allocates next to nothing: the filter goes from the light to the histogram's memory, which nobody
// needs any more, and back; spread light and packed pixels take the histogram's place again. Fresh
// memory would cost more than the arithmetic.
#pragma once

#include <array>
#include <memory>

#include "engine/base/resources.h"
#include "engine/device/device_picture.h"
#include "engine/render/plan/picture_buffers.h"
#include "engine/render/stages/stages.h"

namespace kiln {

/// Packs display values [H, W] with the flame's saturation; Channel: u8 or u16.
template <class Channel>
void pack(Device& device, const OutputPlan& plan, const Vec4* display, Channel* pixels,
          bool transparent);

/// Serves frame after frame: what its stages keep takes longer than they.
class DevelopStage {
 public:
  explicit DevelopStage(Device& device) : device_(device) {}

  /// The picture of buffers.light, which is used up as the histogram is. Linear light if there are
  /// hits. Notes the light that was lost, and the seconds from `histogram_done` to packed pixels.
  /// Pixels of 8 bits stay in `to`, if there is one, and the image is without.
  Image run(const PlannedPicture& picture, PictureBuffers& buffers, DevicePicture* to,
            Clock::time_point histogram_done, RenderStatistics& statistics,
            const HearStage& hear = {});
  /// Does what run() does, without packing and in place: `light` becomes display values, [H, W].
  /// `scratch`, as large as the histogram, is used up.
  void develop(const PlannedPicture& picture, const ToneCurve& tone, const DeviceArray<Vec4>& light,
               const DeviceArray<std::uint64_t>& scratch, RenderStatistics& statistics);
  /// Drops all that the stages keep, and its memory.
  void forget() {
    for (auto& kept : kept_) kept.reset();
  }
  /// The picture that buffers.light still holds after run(), packed again, perhaps with another depth.
  Image pack(const OutputPlan& plan, const PictureBuffers& buffers, DevicePicture* to,
             Clock::time_point histogram_done, RenderStatistics& statistics);

 private:
  void filter(const Developing& picture, const HearStage& hear);
  void finish(const Developing& picture);
  Image linear_image(const OutputPlan& plan, const PictureBuffers& buffers);

  Device& device_;
  std::array<std::unique_ptr<KeptByStage>, std::size(all_stages)> kept_;
};

}  // namespace kiln
