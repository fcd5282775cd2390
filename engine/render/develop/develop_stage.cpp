#include "engine/render/develop/develop_stage.h"

#include "engine/base/error.h"
#include "engine/model/spare_pixels.h"
#include "engine/render/stages/filter/filter_stage.h"
#include "kernels/curves.h"

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

}  // namespace

Image DevelopStage::run(const OutputPlan& plan, PictureBuffers& buffers,
                        Clock::time_point histogram_done, RenderStatistics& statistics,
                        const HearStage& hear) {
  spread_and_filter(plan, plan.tone, buffers.light, buffers.histogram, statistics, hear);
  if (hear) hear(RenderStage::tone, 0);
  if (buffers.hits.size() > 0) return linear_image(plan, buffers);
  finish(plan, plan.tone, buffers.light.data());
  return pack(plan, buffers, histogram_done, statistics);
}

void DevelopStage::develop(const OutputPlan& plan, const ToneCurve& tone,
                           const DeviceArray<Vec4>& light,
                           const DeviceArray<std::uint64_t>& scratch,
                           RenderStatistics& statistics) {
  spread_and_filter(plan, tone, light, scratch, statistics, {});
  finish(plan, tone, light.data());
}

void DevelopStage::spread_and_filter(const OutputPlan& plan, const ToneCurve& tone,
                                     const DeviceArray<Vec4>& light,
                                     const DeviceArray<std::uint64_t>& scratch,
                                     RenderStatistics& statistics, const HearStage& hear) {
  const auto enter = [&](RenderStage stage) {
    if (hear) hear(stage, 0);
  };
  Vec4* rows = reinterpret_cast<Vec4*>(scratch.data());
  if (plan.earlyclip) {
    spread_light(plan, light.data(), rows, statistics);
    tone_map(tone, light.data(), std::int64_t(plan.geometry.width) * plan.light_rows());
  }
  const std::size_t row_values = std::size_t(plan.filter_rows()) * std::size_t(plan.width);
  KILN_CHECK(row_values * sizeof(Vec4) <= scratch.size() * sizeof(std::uint64_t) &&
                 pixel_count(plan) <= light.size(),
             "{} x {} pixels from {} x {} buckets", plan.width, plan.height, plan.geometry.width,
             plan.geometry.height);
  enter(RenderStage::filter);
  filter(plan, light.data(), rows);
  enter(RenderStage::effects);
  if (!plan.earlyclip) spread_light(plan, light.data(), rows, statistics);
}

/// From the filtered picture to display values.
void DevelopStage::finish(const OutputPlan& plan, const ToneCurve& tone, Vec4* picture) {
  if (!plan.earlyclip) tone_map(tone, picture, std::int64_t(pixel_count(plan)));
  apply_curves(plan, picture);
}

void DevelopStage::spread_light(const OutputPlan& plan, Vec4* light, Vec4* scratch,
                                RenderStatistics& statistics) {
  if (!plan.effects.active()) return;
  if (!effects_ || !effects_->has_kernel_of(plan.effects)) effects_.emplace(device_, plan.effects);
  statistics.light_lost = effects_->run(plan.effects, light, scratch).lost();
}

/// Of each band light [height, BW] -> rows [filter_rows(), W] -> light [rows, W], which never comes as far as
/// the light of the next one.
void DevelopStage::filter(const OutputPlan& plan, Vec4* light, Vec4* rows) {
  const DeviceArray<float> taps_x(device_, plan.filter.x), taps_y(device_, plan.filter.y);
  Vec4* picture = light;
  for (const Stripe& band : plan.bands) {
    const int os = plan.geometry.supersample;
    SpatialFilter across = filter_rows(plan, light, taps_x.data(), rows);
    across.source += std::int64_t(os * band.first_row - band.top) * plan.geometry.width;
    across.height = (band.rows - 1) * os + plan.filter.size;
    device_.launch(across, across.block_count());
    SpatialFilter down = filter_columns(plan, rows, taps_y.data(), picture);
    down.height = band.rows;
    device_.launch(down, down.block_count());
    light += std::int64_t(band.height) * plan.geometry.width;
    picture += std::int64_t(band.rows) * plan.width;
  }
}

void DevelopStage::tone_map(const ToneCurve& tone, Vec4* light, std::int64_t count) {
  const ToneMap kernel{light, light, count, tone};
  device_.launch(kernel, kernel.block_count());
}

void DevelopStage::apply_curves(const OutputPlan& plan, Vec4* picture) {
  if (plan.curves.empty()) return;
  const DeviceArray<float> tables(device_, plan.curves);
  const ApplyCurves kernel{picture, tables.data(), i64(pixel_count(plan))};
  device_.launch(kernel, kernel.block_count());
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

Image DevelopStage::pack(const OutputPlan& plan, const PictureBuffers& buffers,
                         Clock::time_point histogram_done, RenderStatistics& statistics) {
  Image image = blank_image(plan);
  image.opaque = !plan.transparent;
  const auto pack_to = [&]<class Channel>(std::vector<Channel>& pixels) {
    Channel* packed = reinterpret_cast<Channel*>(buffers.histogram.data());
    const Pack<Channel> kernel{buffers.light.data(), packed, i64(pixel_count(plan)),
                               plan.transparent};
    device_.launch(kernel, kernel.block_count());
    device_.wait();
    statistics.packed_s = seconds_since(histogram_done);
    if (place_ && plan.bits == 8) return place_->take(device_, packed, plan.width, plan.height);
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
