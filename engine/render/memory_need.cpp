// SPDX-License-Identifier: MIT
#include "engine/render/memory_need.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/device/device_kind.h"
#include "engine/render/accumulate/chaos_game.h"
#include "engine/render/accumulate/noise_probe.h"
#include "engine/render/plan/picture_buffers.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

std::string in_megabytes(std::uint64_t bytes) {
  return fmt::format("{:.0f} MB", double(bytes) / 1e6);
}

/// A pool of the chaos game: points, generators, counts.
constexpr std::uint64_t pool_bytes = pool_slots * (sizeof(Point) + 4) + pool_lanes * 8;

/// Bytes of the pools of a frame that wait while others play, if so many units are played at once,
/// and of the numbers beyond x and y that the points of all pools have.
std::uint64_t waiting_bytes(const PreparedFrame& frame, std::uint64_t in_flight) {
  const std::uint64_t units = Accumulator::unit_count(frame.compiled.sample_count),
                      chains = std::min<std::uint64_t>(frame.compiled.chains, units);
  const std::uint64_t most = std::max(in_flight, chains),
                      more = std::uint64_t(frame.compiled.program.more_numbers());
  return (most - in_flight) * pool_bytes + most * more * pool_slots * sizeof(float);
}

/// A pixel on its way into the file: as packed, and what the compressor makes of it.
double bytes_a_pixel(const RenderOptions& options) {
  if (options.linear) return 20;
  return options.bits == 16 ? 8 + 4 : 4 + 1.5;
}

}  // namespace

MemoryNeed memory_need(const PreparedFrame& frame, const RenderOptions& options) {
  const OutputPlan& plan = frame.plan;
  const std::uint64_t pixels = std::uint64_t(plan.width) * std::uint64_t(plan.height);
  const std::uint64_t buckets =
      std::uint64_t(plan.geometry.width) * std::uint64_t(plan.geometry.height);
  const std::uint64_t channels = frame.compiled.channels();
  const std::uint64_t lights =
      std::uint64_t(plan.geometry.width) * std::uint64_t(plan.light_rows());
  MemoryNeed need;
  need.picture = buckets * channels * sizeof(std::uint64_t) + lights * sizeof(Vec4);
  for (const PictureStage* stage : all_stages) {
    if (!stage->bytes || !is_in(*stage, plan)) continue;
    const StageBytes bytes = stage->bytes(frame.picture());
    need.picture += bytes.all;
    need.perhaps += bytes.perhaps;
  }
  if (options.linear) need.picture += pixels * sizeof(float);
  need.program = program_bytes;
  need.pixels = std::uint64_t(double(pixels) * bytes_a_pixel(options));
  return need;
}

MemoryNeed memory_need(const PreparedFrame& frame, const RenderOptions& options, Device& device,
                       std::uint64_t beside) {
  MemoryNeed need = memory_need(frame, options);
  const std::uint64_t units = Accumulator::unit_count(frame.compiled.sample_count);
  const std::uint64_t room = room_for_game(frame, need.picture + beside, options, device);
  const GamePlan plan = device.game().plan(frame.compiled, units, room);
  need.program += beside;
  need.game = plan.memory_bytes + waiting_bytes(frame, std::uint64_t(plan.units));
  if (is_cpu(device)) {  // pages are taken when they are written
    need.game -= plan.record_bytes;
    need.records = std::min(plan.record_bytes, frame.compiled.sample_count * sizeof(std::uint32_t));
  }
  return need;
}

std::uint64_t kept_bytes(const PreparedFrame& frame, const Checkpoint& checkpoint) {
  const BufferGeometry& buffer = frame.plan.geometry;
  const std::uint64_t channels = frame.compiled.channels();
  const std::uint64_t bytes =
      std::uint64_t(buffer.width) * std::uint64_t(buffer.height) * channels * sizeof(std::uint64_t);
  const bool halves = checkpoint.sums.shape.halves > 0;
  const std::uint64_t copies = checkpoint.save ? (halves ? 2 : 1) * bytes : 0;
  return copies + (halves ? bytes + NoiseProbe::bytes(frame.plan, bytes) : 0);
}

std::uint64_t bytes_of_window(const PreparedFrame& frame, const RenderOptions& options) {
  const OutputPlan& plan = frame.plan;
  const std::uint64_t hits =
      options.linear ? std::uint64_t(plan.width) * std::uint64_t(plan.height) * sizeof(float) : 0;
  return light_stage(plan).window.more_bytes(plan) + FrameWindow::slots * hits;
}

std::uint64_t room_for_game(const PreparedFrame& frame, std::uint64_t picture_bytes,
                            const RenderOptions& options, Device& device) {
  const std::uint64_t limit = options.max_memory_bytes;
  if (limit == 0) return 0;
  std::uint64_t taken = picture_bytes;
  const bool on_cpu = is_cpu(device);
  if (on_cpu) {
    const std::uint64_t units = Accumulator::unit_count(frame.compiled.sample_count);
    const int in_flight = device.game().plan(frame.compiled, units, 0).units;
    taken += program_bytes + spare_of(limit) + waiting_bytes(frame, std::uint64_t(in_flight));
  }
  return limit > taken ? limit - taken : on_cpu;
}

void check_least_memory(const Frame& still, const RenderOptions& options, const Device& device) {
  const Flame& flame = still.flame;
  const BufferGeometry buffer = plan_geometry(flame, still.gutter);
  const std::uint64_t limit = memory_limit(options, device);
  // the row in the midst, with what density estimation reads around it
  const int os = buffer.supersample, row = os * (flame.height / 2) + buffer.gutter;
  const int blur = int(std::max(0.0, flame.estimator_radius) * os), reach = buffer.gutter + blur;
  const int top = std::max(0, row - reach), end = std::min(buffer.height, row + os + reach);
  const std::uint64_t buckets = std::uint64_t(buffer.width) * std::uint64_t(end - top);
  MemoryNeed least;
  least.picture = buckets * (4 * sizeof(std::uint64_t) + sizeof(Vec4));
  if (blur > 0)
    least.picture += std::uint64_t(buffer.width + 2 * blur) * std::uint64_t(end - top + 2 * blur) *
                     (sizeof(Vec4) + sizeof(std::uint16_t));
  if (least.picture > limit)
    fail(ErrorKind::device, "{}",
         refusal_of_memory(flame, least, device, options,
                           blur > 0
                               ? "with density estimation of this reach stripes do not fit either"
                               : "stripes of it do not fit either"));
}

std::uint64_t memory_limit(const RenderOptions& options, const Device& device) {
  const std::uint64_t free = device.free_memory_bytes();
  return options.max_memory_bytes ? std::min(options.max_memory_bytes, free) : free;
}

std::string refusal_of_memory(const Flame& flame, const MemoryNeed& need, const Device& device,
                              const RenderOptions& options, const std::string& why_whole) {
  const std::uint64_t limit = memory_limit(options, device);
  const double shrink = std::max(0.01, 0.9 * double(limit) / double(need.picture));
  return fmt::format(
      "a picture of {}x{} with supersample {} needs {} of memory and {} has {}; lower "
      "--supersample, or use --scale {:.2f}, or raise --max-memory ({})",
      flame.width, flame.height, flame.supersample, in_megabytes(need.picture),
      options.max_memory_bytes ? "--max-memory" : "the device", in_megabytes(limit),
      std::sqrt(shrink), why_whole);
}

}  // namespace kiln
