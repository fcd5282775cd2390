#include "engine/render/stripes.h"

#include <algorithm>
#include <numeric>
#include <type_traits>

#include "engine/base/error.h"
#include "engine/device/test_hooks.h"
#include "engine/program/camera.h"
#include "engine/render/far_plan.h"

namespace kiln {
namespace {

constexpr int most_stripes = 1000;

/// Why the picture can only be made whole; null: it can be made in stripes.
const char* obstacle(const PreparedFrame& frame, const RenderOptions& options) {
  if (frame.plan.effects.active())
    return "bloom, glare and --psf spread light over the whole picture, which cannot be made in "
           "stripes";
  if (plan_far(frame.plan, frame.compiled.unit, options.exact_density).active())
    return "density estimation with estimator_radius above 5 goes over the whole picture, which "
           "cannot be made in stripes";
  return nullptr;
}

/// Stripes begin at rows of the buffer where cells of density estimation do: then every sum is made
/// in the order of the whole picture.
Stripe stripe_of(const PreparedFrame& frame, int first_row, int rows) {
  const OutputPlan& plan = frame.plan;
  const BufferGeometry& buffer = plan.geometry;
  const int os = buffer.supersample, grain = density_tile;
  const int reach = plan.density.active() ? buffer.gutter + plan.density.reach + 2 * os : 0;
  const int first = os * first_row + std::min(buffer.filter_offset, buffer.gutter) - reach;
  const int end = std::max(os * (first_row + rows - 1) + buffer.filter_offset + plan.filter.size,
                           os * (first_row + rows) + buffer.gutter) +
                  reach;
  Stripe stripe{first_row, rows, 0, 0};
  stripe.top = std::max(first, 0) / grain * grain;
  stripe.height = std::min((end + grain - 1) / grain * grain, buffer.height) - stripe.top;
  return stripe;
}

bool tiles_are_few(const CompiledFlame& flame) {
  const int count = flame.program.tiling.tile_count;
  return tiles_at_most(count) == count;
}

/// What a device can take at a time.
struct Room {
  std::uint64_t bytes;
  const Device& device;

  bool holds(const PreparedFrame& frame, const RenderOptions& options) const {
    return memory_need(frame, options).picture <= bytes && tiles_are_few(frame.compiled) &&
           device.game().can_sort(frame.compiled);
  }
};

std::vector<Stripe> stripes_within(const PreparedFrame& frame, const RenderOptions& options,
                                   const Room& room) {
  const int height = frame.plan.height, os = frame.plan.geometry.supersample;
  const int step = density_tile / std::gcd(int(density_tile), os);
  int fits = 0, fits_not = (height + step - 1) / step;  // steps
  while (fits_not - fits > 1) {
    const int middle = fits + (fits_not - fits) / 2, rows = middle * step;
    const int first_row = std::max(0, (height - rows) / 2) / step * step;
    const Stripe in_the_midst = stripe_of(frame, first_row, rows);
    (room.holds(frame_of(frame, in_the_midst), options) ? fits : fits_not) = middle;
  }
  if (fits == 0) return {};
  const int count = (height + fits * step - 1) / (fits * step);
  const int each = ((height + count - 1) / count + step - 1) / step * step;
  std::vector<Stripe> stripes;
  for (int row = 0; row < height; row += each)
    stripes.push_back(stripe_of(frame, row, std::min(each, height - row)));
  return stripes;
}

Room room_for_all(const RenderOptions& options, const Device& device) {
  const std::uint64_t free = device.free_memory_bytes();
  return {options.max_memory_bytes ? std::min(options.max_memory_bytes, free) : free, device};
}

/// On the CPU the finished rows are in the same memory, unless somebody takes them, and some is left
/// to the game.
Room room_for_stripes(const PreparedFrame& frame, const RenderOptions& options,
                      const Device& device) {
  const MemoryNeed need = memory_need(frame, options);
  Room room = room_for_all(options, device);
  std::uint64_t free = device.free_memory_bytes();
  if (device.describe().rfind("cpu", 0) == 0 && !options.on_rows)
    free -= std::min(free, need.pixels);
  room.bytes = std::min(room.bytes, free / 5 * 4);
  return room;
}

[[noreturn]] void refuse(const PreparedFrame& frame, const RenderOptions& options,
                         const Device& device, const char* why_whole) {
  const MemoryNeed need = memory_need(frame, options);
  const Room room = room_for_all(options, device);
  if (need.picture > room.bytes) refuse_memory(frame.flame, need, device, options, why_whole);
  const Tiling& tiling = frame.compiled.program.tiling;
  fail(ErrorKind::device,
       "a picture of {}x{} with supersample {} has {} tiles of {}x{} buffer pixels, more than "
       "{} can sort; lower --supersample or the size, or use --backend cpu ({})",
       frame.flame.width, frame.flame.height, frame.flame.supersample, tiling.tile_count,
       tiling.columns(), tiling.rows(), device.describe(), why_whole);
}

template <class Value>
void append(const std::vector<Value>& more, int rows, int height, std::vector<Value>& all) {
  if (all.empty()) all.reserve(more.size() / std::size_t(rows) * std::size_t(height));
  all.insert(all.end(), more.begin(), more.end());
}
void append(const LinearLight& more, int rows, int height, LinearLight& all) {
  append(more.rgba, rows, height, all.rgba);
  append(more.hits, rows, height, all.hits);
}

}  // namespace

std::vector<Stripe> plan_stripes(const PreparedFrame& frame, const RenderOptions& options,
                                 const Device& device) {
  if (room_for_all(options, device).holds(frame, options))
    return {stripe_of(frame, 0, frame.plan.height)};
  const char* const why_not = obstacle(frame, options);
  std::vector<Stripe> stripes;
  if (!why_not) stripes = stripes_within(frame, options, room_for_stripes(frame, options, device));
  if (!stripes.empty() && stripes.size() <= most_stripes) return stripes;
  refuse(frame, options, device,
         why_not ? why_not : "stripes of it do not fit either, or would be more than 1000");
}

PreparedFrame frame_of(const PreparedFrame& frame, const Stripe& stripe) {
  PreparedFrame part = frame;
  plot_rows(stripe.top, stripe.height, part.compiled);
  OutputPlan& plan = part.plan;
  plan.geometry.rows_above = plan.geometry.supersample * stripe.first_row - stripe.top;
  plan.geometry.height = stripe.height;
  plan.height = stripe.rows;
  plan.direct_density = true;
  const auto grid = [&](const DensityPlan& density) {
    return density_grid(density, plan.geometry.width, plan.geometry.height, plan.hidden_buckets());
  };
  plan.density_grid = grid(plan.density);
  for (PreparedFrame::Pass& pass : part.passes) pass.density_grid = grid(pass.density);
  return part;
}

void append_rows(const Image& rows, int height, Image& picture) {
  if (picture.width == 0) {
    picture = rows;
    picture.height = 0;
    std::visit([](auto& pixels) { pixels = {}; }, picture.pixels);
  }
  std::visit(
      [&](const auto& more) {
        append(more, rows.height, height, std::get<std::decay_t<decltype(more)>>(picture.pixels));
      },
      rows.pixels);
  picture.height += rows.height;
}

}  // namespace kiln
