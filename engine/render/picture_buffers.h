// The device memory that the stages of a picture share.
#pragma once

#include "engine/device/device.h"
#include "engine/render/prepared_frame.h"

namespace kiln {

struct PictureBuffers {
  DeviceArray<std::uint64_t> histogram;  // [BH, BW, channels] integer sums of a pass
  DeviceArray<Vec4> light;               // [BH, BW] linear light, of all passes together
  DeviceArray<float> hits;               // [H, W] raw counts; empty unless linear light is wanted

  /// Room for the picture of a frame; `linear`: with hits.
  PictureBuffers(Device& device, const PreparedFrame& frame, bool linear) {
    const BufferGeometry& buffer = frame.plan.geometry;
    const std::size_t buckets = std::size_t(buffer.width) * std::size_t(buffer.height);
    const std::size_t channels = frame.compiled.table.opaque ? 4 : 5;
    histogram = {device, buckets * channels};
    light = {device, buckets};
    if (linear) hits = {device, std::size_t(frame.plan.width) * std::size_t(frame.plan.height)};
  }
};

}  // namespace kiln
