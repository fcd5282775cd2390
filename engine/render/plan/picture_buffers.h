// SPDX-License-Identifier: MIT
// The device memory that the stages of a picture share, and hashes of what they left in it.
#pragma once

#include <optional>

#include "engine/base/sha256.h"
#include "engine/device/device.h"
#include "engine/render/plan/prepared_frame.h"
#include "engine/render/stages/stage.h"

namespace kiln {

struct PictureBuffers {
  DeviceArray<std::uint64_t> histogram;  // [BH, BW, channels] integer sums of a pass
  DeviceArray<Vec4> light;               // [light_rows(), BW] linear light, of all passes together
  DeviceArray<float> hits;               // [H, W] raw counts; empty unless linear light is wanted

  /// Room for the picture of a frame; `linear`: with hits.
  PictureBuffers(Device& device, const PreparedFrame& frame, bool linear) {
    const BufferGeometry& buffer = frame.plan.geometry;
    const std::size_t buckets = std::size_t(buffer.width) * std::size_t(buffer.height);
    const std::size_t channels = frame.compiled.channels();
    histogram = {device, buckets * channels};
    make_room(device, frame.plan);
    if (linear) hits = {device, std::size_t(frame.plan.width) * std::size_t(frame.plan.height)};
  }
  /// Makes `light` large enough for this plan; a light that was too small is lost.
  void make_room(Device& device, const OutputPlan& plan) {
    const std::size_t lights = std::size_t(plan.geometry.width) * std::size_t(plan.light_rows());
    if (light.size() < lights) light = {device, lights};
  }
};

// Hashes of what the stages of a picture left in the device's memory, by which kiln compare tells
// where two pictures part. SHA-256 over width, height and channels (32-bit integers), then the values
// row by row, as they are in memory: the same on every device, since the values are. They come back
// in pieces, so that it takes no memory; a picture of 1920 x 1080 has 130 MB of them.

/// Hashes the stages of a picture that is made whole. Does nothing where nobody wants the hashes.
class StageHasher {
 public:
  StageHasher(Device& device, const OutputPlan& plan, const PictureBuffers& buffers,
              StageHashes* hashes)
      : device_(device), plan_(plan), buffers_(buffers), hashes_(hashes) {}

  /// The sums of a pass, before they become light: passes follow each other in one hash.
  void histogram();
  /// The light of all passes, without the margin: how much of that is made is the filter's matter.
  void light();
  /// A listener for DevelopStage::run: calls `hear`, and hashes the filtered picture before tone mapping.
  HearStage filtered(HearStage hear);

 private:
  /// The head of a hash.
  static Sha256 begun(int width, int height, int channels);
  void add(const void* memory, std::size_t bytes, Sha256& sha);

  Device& device_;
  const OutputPlan& plan_;
  const PictureBuffers& buffers_;
  StageHashes* const hashes_;   // null: not wanted
  std::optional<Sha256> sums_;  // of the passes so far
};

}  // namespace kiln
