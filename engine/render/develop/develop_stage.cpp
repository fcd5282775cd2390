// SPDX-License-Identifier: MIT
#include "engine/render/develop/develop_stage.h"

#include "engine/base/error.h"
#include "engine/model/spare_pixels.h"

namespace kiln {
namespace {

std::size_t pixel_count(const OutputPlan& plan) {
  return std::size_t(plan.width) * std::size_t(plan.height);
}

/// An image of the plan's size without pixels.
Image blank_image(const OutputPlan& plan) {
  Image image;
  image.width = plan.width;
  image.height = plan.height;
  return image;
}

Developing developing(const PlannedPicture& picture, const ToneCurve& tone,
                      const DeviceArray<Vec4>& light, const DeviceArray<std::uint64_t>& scratch,
                      RenderStatistics& statistics) {
  const OutputPlan& plan = picture.plan;
  const std::size_t row_values = std::size_t(plan.filter_rows()) * std::size_t(plan.width);
  KILN_CHECK(row_values * sizeof(Vec4) <= scratch.size() * sizeof(std::uint64_t) &&
                 pixel_count(plan) <= light.size(),
             "{} x {} pixels from {} x {} buckets", plan.width, plan.height, plan.geometry.width,
             plan.geometry.height);
  return {picture.flame, plan, tone, light.data(), reinterpret_cast<Vec4*>(scratch.data()),
          statistics};
}

}  // namespace

template <class Channel>
void pack(Device& device, const OutputPlan& plan, const Vec4* display, Channel* pixels,
          bool transparent) {
  const Pack<Channel> packing{display, pixels, i64(pixel_count(plan)), transparent};
  device.launch(packing, packing.block_count());
  if (plan.saturation.more == 0) return;
  const Saturate<Channel> kernel{pixels, packing.count, plan.saturation};
  device.launch(kernel, kernel.block_count());
}
template void pack(Device&, const OutputPlan&, const Vec4*, std::uint8_t*, bool);
template void pack(Device&, const OutputPlan&, const Vec4*, std::uint16_t*, bool);

Image DevelopStage::run(const PlannedPicture& planned, PictureBuffers& buffers, DevicePicture* to,
                        Clock::time_point histogram_done, RenderStatistics& statistics,
                        const HearStage& hear) {
  const Developing picture =
      developing(planned, planned.plan.tone, buffers.light, buffers.histogram, statistics);
  filter(picture, hear);
  if (hear) hear(RenderStage::tone, 0);
  if (buffers.hits.size() > 0) return linear_image(planned.plan, buffers);
  finish(picture);
  return pack(planned.plan, buffers, to, histogram_done, statistics);
}

void DevelopStage::develop(const PlannedPicture& planned, const ToneCurve& tone,
                           const DeviceArray<Vec4>& light,
                           const DeviceArray<std::uint64_t>& scratch,
                           RenderStatistics& statistics) {
  const Developing picture = developing(planned, tone, light, scratch, statistics);
  filter(picture, {});
  finish(picture);
}

/// Runs the stages that filter the picture and add its effects.
void DevelopStage::filter(const Developing& picture, const HearStage& hear) {
  const bool is_early = picture.plan.earlyclip;
  for (std::size_t i = 0; is_early && i < kept_.size(); ++i)
    if (all_stages[i]->clips_early && is_in(*all_stages[i], picture.plan))
      all_stages[i]->pixels(device_, picture, kept_[i]);
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const PictureStage& stage = *all_stages[i];
    if (!stage.pixels || stage.step == RenderStage::tone || !is_in(stage, picture.plan)) continue;
    if (hear) hear(stage.step, 0);
    if (!(is_early && stage.clips_early)) stage.pixels(device_, picture, kept_[i]);
  }
}

/// Runs the stages that turn filtered light into display values.
void DevelopStage::finish(const Developing& picture) {
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    const PictureStage& stage = *all_stages[i];
    if (!stage.pixels || stage.step != RenderStage::tone || !is_in(stage, picture.plan)) continue;
    if (!(picture.plan.earlyclip && stage.clips_early)) stage.pixels(device_, picture, kept_[i]);
  }
}

/// The linear picture as it is, for a compositor.
Image DevelopStage::linear_image(const OutputPlan& plan, const PictureBuffers& buffers) {
  Image image = blank_image(plan);
  LinearLight& linear = image.pixels.emplace<LinearLight>();
  linear.hits = buffers.hits.download();
  linear.rgba.resize(linear.hits.size() * 4);
  device_.download(linear.rgba.data(), buffers.light.data(), linear.rgba.size() * sizeof(float));
  for (float& value : linear.rgba) value /= 255;
  return image;
}

Image DevelopStage::pack(const OutputPlan& plan, const PictureBuffers& buffers, DevicePicture* to,
                         Clock::time_point histogram_done, RenderStatistics& statistics) {
  Image image = blank_image(plan);
  image.opaque = !plan.transparent;
  const auto pack_to = [&]<class Channel>(std::vector<Channel>& pixels) {
    Channel* packed = reinterpret_cast<Channel*>(buffers.histogram.data());
    kiln::pack(device_, plan, buffers.light.data(), packed, plan.transparent);
    device_.wait();
    statistics.packed_s = seconds_since(histogram_done);
    if (to && plan.bits == 8) return to->take(device_, packed, plan.width, plan.height);
    const std::size_t count = pixel_count(plan) * 4;
    if constexpr (sizeof(Channel) == 1)
      pixels = SparePixels::shared().take(count);
    else
      pixels.resize(count);
    device_.download(pixels.data(), packed, count * sizeof(Channel));
  };
  plan.bits == 8 ? pack_to(image.pixels.emplace<Bytes>()) : pack_to(image.pixels.emplace<Words>());
  return image;
}

}  // namespace kiln
