// SPDX-License-Identifier: MIT
#include "engine/render/plan/picture_buffers.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

/// The last stage that makes light of light has its hash there.
std::string StageHashes::*hash_before_tone() {
  std::string StageHashes::*last = nullptr;
  for (const PictureStage* stage : all_stages)
    if (stage->pixels && stage->step != RenderStage::tone && stage->hash) last = stage->hash;
  return last;
}

}  // namespace

Sha256 StageHasher::begun(int width, int height, int channels) {
  Sha256 sha;
  const std::int32_t head[] = {width, height, channels};
  sha.add(head, sizeof head);
  return sha;
}

void StageHasher::add(const void* memory, std::size_t bytes, Sha256& sha) {
  constexpr std::size_t piece = std::size_t(8) << 20;
  std::vector<std::byte> values(std::min(piece, bytes));
  for (std::size_t at = 0; at < bytes; at += values.size()) {
    device_.check_stop();
    const std::size_t count = std::min(values.size(), bytes - at);
    device_.download(values.data(), static_cast<const std::byte*>(memory) + at, count);
    sha.add(values.data(), count);
  }
}

void StageHasher::histogram() {
  if (!hashes_) return;
  const BufferGeometry& buffer = plan_.geometry;
  const std::size_t buckets = std::size_t(buffer.width) * std::size_t(buffer.height);
  if (!sums_)
    sums_.emplace(begun(buffer.width, buffer.height, int(buffers_.histogram.size() / buckets)));
  add(buffers_.histogram.data(), buffers_.histogram.size() * sizeof(std::uint64_t), *sums_);
}

void StageHasher::light() {
  if (!hashes_) return;
  hashes_->histogram = sums_->hex();
  const BufferGeometry& buffer = plan_.geometry;
  const int width = buffer.width - 2 * buffer.gutter, height = buffer.height - 2 * buffer.gutter;
  Sha256 sha = begun(width, height, 4);
  const Vec4* light = buffers_.light.data() + buffer.gutter;
  for (const Stripe& band : plan_.bands) {
    const int first = buffer.gutter + buffer.supersample * band.first_row - band.top;
    for (int y = first; y < first + buffer.supersample * band.rows; ++y)
      add(light + std::size_t(y) * std::size_t(buffer.width), std::size_t(width) * sizeof(Vec4),
          sha);
    light += std::size_t(band.height) * std::size_t(buffer.width);
  }
  if (const auto hash = light_stage(plan_).hash) hashes_->*hash = sha.hex();
}

HearStage StageHasher::filtered(HearStage hear) {
  if (!hashes_) return hear;
  return [this, hear = std::move(hear)](RenderStage stage, double done) {
    if (hear) hear(stage, done);
    if (stage != RenderStage::tone) return;
    Sha256 sha = begun(plan_.width, plan_.height, 4);
    add(buffers_.light.data(), std::size_t(plan_.width) * std::size_t(plan_.height) * sizeof(Vec4),
        sha);
    if (const auto hash = hash_before_tone()) hashes_->*hash = sha.hex();
  };
}

}  // namespace kiln
