#include "engine/render/memory_need.h"

#include <algorithm>
#include <cmath>

#include "engine/base/error.h"
#include "engine/render/chaos_game.h"
#include "engine/render/density_stage.h"

namespace kiln {
namespace {

/// The program, its libraries and small tables, measured on a picture of 64 x 36 pixels.
constexpr std::uint64_t program_bytes = 9'000'000;

std::string in_megabytes(std::uint64_t bytes) {
  return fmt::format("{:.0f} MB", double(bytes) / 1e6);
}

/// A pixel on its way into the file: as packed, and what the compressor makes of it. Random noise
/// hardly shrinks, and each piece of the file exists twice for a moment.
std::uint64_t bytes_a_pixel(const RenderOptions& options) {
  if (options.linear) return 20;
  return options.bits == 16 ? 8 + 8 : 4 + 4;
}

}  // namespace

MemoryNeed memory_need(const PreparedFrame& frame, const RenderOptions& options) {
  const OutputPlan& plan = frame.plan;
  const std::uint64_t pixels = std::uint64_t(plan.width) * std::uint64_t(plan.height);
  const std::uint64_t buckets =
      std::uint64_t(plan.geometry.width) * std::uint64_t(plan.geometry.height);
  const std::uint64_t channels = frame.compiled.table.opaque ? 4 : 5;
  const FarPlan far = plan_far(plan, frame.compiled.unit, options.exact_density);
  MemoryNeed need;
  need.transforms = far.active() ? far.bytes() : 0;
  need.picture = buckets * (channels * sizeof(std::uint64_t) + sizeof(Vec4)) +
                 DensityStage::bytes(plan, far) + plan.effects.bytes();
  if (plan.density.active() && frame.flame.passes > 1) need.picture += buckets * sizeof(Vec4);
  if (options.linear) need.picture += pixels * sizeof(float);
  need.host = program_bytes + pixels * bytes_a_pixel(options);
  return need;
}

MemoryNeed memory_need(const PreparedFrame& frame, const RenderOptions& options, Device& device) {
  MemoryNeed need = memory_need(frame, options);
  const std::uint64_t units = GameRunner::unit_count(frame.compiled.sample_count);
  const std::uint64_t room =
      options.max_memory_bytes > need.picture ? options.max_memory_bytes - need.picture : 0;
  need.game = device.plan_game(frame.compiled, units, room).memory_bytes;
  return need;
}

void check_memory(const Flame& flame, const MemoryNeed& need, const Device& device,
                  const RenderOptions& options) {
  const std::uint64_t free = device.free_memory_bytes();
  const std::uint64_t limit =
      options.max_memory_bytes ? std::min(options.max_memory_bytes, free) : free;
  if (need.picture <= limit) return;
  const double shrink = std::max(0.01, 0.9 * double(limit) / double(need.picture));
  fail(ErrorKind::device,
       "a picture of {}x{} with supersample {} needs {} of memory and {} has {}; lower "
       "--supersample, or use --scale {:.2f}, or "
       "raise --max-memory",
       flame.width, flame.height, flame.supersample, in_megabytes(need.picture),
       options.max_memory_bytes ? "--max-memory" : "the device", in_megabytes(limit),
       std::sqrt(shrink));
}

}  // namespace kiln
