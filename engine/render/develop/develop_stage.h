// From linear light to pixels: spatial filter, bloom and glare, tone mapping (these before the
// filter with earlyclip), curves, packing.
//
// Allocates next to nothing: the filter goes from the light to the histogram's memory, which nobody
// needs any more, and back; spread light and packed pixels take the histogram's place again. Fresh
// memory would cost more than the arithmetic.
#pragma once

#include <optional>

#include "engine/base/resources.h"
#include "engine/device/device_picture.h"
#include "engine/render/plan/picture_buffers.h"
#include "engine/render/stages/effects/effects_stage.h"
#include "engine/render/stages/stage.h"

namespace kiln {

/// Serves frame after frame: the spectrum of the effects takes longer than they.
class DevelopStage {
 public:
  explicit DevelopStage(Device& device) : device_(device) {}

  /// The picture of buffers.light, which is used up as the histogram is. Linear light if there are
  /// hits. Notes the light that was lost, and the seconds from `histogram_done` to packed pixels.
  Image run(const OutputPlan& plan, PictureBuffers& buffers, Clock::time_point histogram_done,
            RenderStatistics& statistics, const HearStage& hear = {});
  /// The same without packing and where it stays: `light` becomes display values, [H, W]. `scratch`:
  /// of the histogram's size, used up.
  void develop(const OutputPlan& plan, const ToneCurve& tone, const DeviceArray<Vec4>& light,
               const DeviceArray<std::uint64_t>& scratch, RenderStatistics& statistics);
  /// Pixels of 8 bits stay there from now on: images are without. Null: they come back.
  void render_into(DevicePicture* place) { place_ = place; }
  /// The picture that buffers.light still holds after run(), packed again, perhaps with another depth.
  Image pack(const OutputPlan& plan, const PictureBuffers& buffers,
             Clock::time_point histogram_done, RenderStatistics& statistics);

 private:
  void spread_light(const OutputPlan& plan, Vec4* light, Vec4* scratch,
                    RenderStatistics& statistics);
  void filter(const OutputPlan& plan, Vec4* light, Vec4* rows);
  void spread_and_filter(const OutputPlan& plan, const ToneCurve& tone,
                         const DeviceArray<Vec4>& light, const DeviceArray<std::uint64_t>& scratch,
                         RenderStatistics& statistics, const HearStage& hear);
  void finish(const OutputPlan& plan, const ToneCurve& tone, Vec4* picture);
  void tone_map(const ToneCurve& tone, Vec4* light, std::int64_t count);
  void apply_curves(const OutputPlan& plan, Vec4* picture);
  Image linear_image(const OutputPlan& plan, const PictureBuffers& buffers);

  Device& device_;
  DevicePicture* place_ = nullptr;
  std::optional<EffectsStage> effects_;  // of the last frame that had any
};

}  // namespace kiln
