// SPDX-License-Identifier: MIT
#include "engine/render/stripes.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <tuple>
#include <type_traits>
#include <utility>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/device/device_kind.h"
#include "engine/device/test_hooks.h"
#include "engine/program/compile.h"
#include "engine/render/plan/picture_buffers.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

constexpr int most_stripes = 1000;

/// The reason why the picture can only be made whole; null: it can be made in stripes.
const char* obstacle(const PreparedFrame& frame, const RenderOptions& options) {
  if (options.stages)
    return "--stages hashes the stages of a picture that is made whole; leave it out for stripes";
  for (auto stage = std::rbegin(all_stages); stage != std::rend(all_stages); ++stage)
    if (const auto why = (*stage)->why_whole)
      if (const char* reason = why(frame.picture())) return reason;
  return nullptr;
}

/// The row below the first one, and so many more after it, where a stripe needs the fewest rows above.
int best_phase(const PreparedFrame& frame, int step) {
  const int os = frame.plan.geometry.supersample, grain = density_tile;
  const int above = (reach_above(frame.plan) % grain + grain) % grain;
  int best = 0, least = grain;
  for (int row = 0; row < step; ++row) {
    const int more = (os * row + grain - above) % grain;
    if (more < least) std::tie(best, least) = std::pair(row, more);
  }
  return best;
}

bool tiles_are_few(const CompiledFlame& flame) {
  const int count = flame.program.tiling.tile_count;
  return tiles_at_most(count) == count;
}

/// Bytes that it takes to compress so many bytes of a file (engine/io/picture/png_writer.cpp): a MiB and zlib's state a
/// thread, the bands that wait for their turn, and rows that wait for the next piece.
std::uint64_t deflate_bytes(std::uint64_t bytes, int threads) {
  constexpr std::uint64_t band = 1'080'000, state = 270'000;
  const std::uint64_t bands = bytes / band + 1;
  const std::uint64_t all = threads > 0 ? threads : usable_cores();
  const std::uint64_t workers = std::min(all, bands);
  return workers * (band + state) + std::min(bands, 4 * workers) * band + 2 * band;
}

/// The memory of a picture while this stripe of it is made.
MemoryNeed memory_need_of(const Stripe& stripe, const PreparedFrame& frame,
                          const RenderOptions& options, Device& device) {
  const PreparedFrame part = frame_of(frame, stripe);
  MemoryNeed need = memory_need(part, options, device, bytes_of_rows(frame, options));
  if (options.on_rows && !options.linear)
    need.pixels += deflate_bytes(std::uint64_t(part.plan.width) * std::uint64_t(part.plan.height) *
                                     (options.bits == 16 ? 6 : 3),
                                 options.threads);
  return need;
}

/// The room on a device: `bytes` of its memory or, where that is the program's own, of all that the
/// program takes.
struct Room {
  std::uint64_t bytes;
  Device& device;
  const PreparedFrame& whole;
  std::uint64_t beside;
  bool of_program;

  bool holds(const Stripe& stripe, const RenderOptions& options) const {
    const bool is_whole = stripe.rows == whole.plan.height;
    std::optional<PreparedFrame> rows;  // tables and all: no copy of the whole
    const PreparedFrame& part = is_whole ? whole : rows.emplace(frame_of(whole, stripe));
    if (!tiles_are_few(part.compiled) || !device.game().can_sort(part.compiled)) return false;
    if (!of_program) return memory_need(part, options).picture + beside <= bytes;
    const MemoryNeed need = is_whole ? memory_need(whole, options, device)
                                     : memory_need_of(stripe, whole, options, device);
    return need.most() + beside + spare_of(bytes) <= bytes;
  }
};

/// Stripes of as many bands as there is room for, evenly.
std::vector<Stripe> stripes_of_bands(const std::vector<Stripe>& bands, const RenderOptions& options,
                                     const Room& room) {
  const std::size_t all = bands.size();
  const auto of = [&](std::size_t first, std::size_t count) {
    const Stripe &top = bands[first], &end = bands[first + count - 1];
    return Stripe{top.first_row, end.first_row + end.rows - top.first_row, top.top,
                  end.top + end.height - top.top};
  };
  std::size_t fits = 0;
  while (fits < all && room.holds(of((all - fits - 1) / 2, fits + 1), options)) ++fits;
  if (fits == 0) return {};
  const std::size_t count = (all + fits - 1) / fits;
  std::vector<Stripe> stripes;
  for (std::size_t i = 0; i < count; ++i)
    stripes.push_back(of(all * i / count, all * (i + 1) / count - all * i / count));
  return stripes;
}

std::vector<Stripe> stripes_within(const PreparedFrame& frame, const RenderOptions& options,
                                   const Room& room) {
  if (room.bytes == 0) return {};
  if (frame.plan.has_bands) return stripes_of_bands(frame.plan.bands, options, room);
  const int height = frame.plan.height, os = frame.plan.geometry.supersample;
  const int step = density_tile / std::gcd(int(density_tile), os);
  const int phase = best_phase(frame, step);
  int fits = 0, fits_not = (height + step - 1) / step;  // steps
  while (fits_not - fits > 1) {
    const int middle = fits + (fits_not - fits) / 2, rows = middle * step;
    const int first_row = std::min((height - rows) / 2 / step * step + phase, height - rows);
    const Stripe in_the_midst = stripe_of(frame.plan, first_row, rows);
    (room.holds(in_the_midst, options) ? fits : fits_not) = middle;
  }
  if (fits == 0) return {};
  const int rest = std::max(height - phase, 1);
  const int count = (rest + fits * step - 1) / (fits * step);
  const int each = ((rest + count - 1) / count + step - 1) / step * step;
  std::vector<Stripe> stripes;
  for (int row = 0; row < height;) {
    const int rows = std::min(row == 0 ? phase + each : each, height - row);
    stripes.push_back(stripe_of(frame.plan, row, rows));
    row += rows;
  }
  return stripes;
}

/// Bytes that the sums of a picture may take, or of a stripe. On the CPU the finished rows are in
/// the same memory, unless somebody takes them, and some is left to the game.
std::uint64_t room_for_sums(const PreparedFrame& frame, const RenderOptions& options,
                            const Device& device, bool in_stripes) {
  const std::uint64_t all = memory_limit(options, device);
  if (!in_stripes) return all;
  std::uint64_t free = device.free_memory_bytes();
  if (is_cpu(device) && !options.on_rows)
    free -= std::min(free, memory_need(frame, options).pixels);
  return std::min(all, free / 5 * 4);
}

/// Bytes that the program may take in all; 0: no limit, as a GPU's limit says nothing of the program.
std::uint64_t room_for_program(const RenderOptions& options, const Device& device) {
  return is_cpu(device) ? options.max_memory_bytes : 0;
}

std::string refusal(const PreparedFrame& frame, const MemoryNeed& need,
                    const RenderOptions& options, const Device& device, const char* why_whole) {
  if (need.picture > memory_limit(options, device))
    return refusal_of_memory(frame.flame, need, device, options, why_whole);
  const Tiling& tiling = frame.compiled.program.tiling;
  return fmt::format(
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

const MemoryPlan& MemoryPlan::or_throw() const {
  if (stripes.empty()) fail(ErrorKind::device, "{}", refusal);
  return *this;
}

MemoryPlan whole_of(const OutputPlan& plan) {
  return {{{0, plan.height, 0, plan.geometry.height}}, {}};
}

MemoryPlan plan_memory(const PreparedFrame& frame, const RenderOptions& options, Device& device,
                       std::uint64_t beside, const char* why_whole) {
  if (!why_whole) why_whole = obstacle(frame, options);
  const Stripe whole = stripe_of(frame.plan, 0, frame.plan.height);
  const std::uint64_t of_program = room_for_program(options, device);
  const auto room = [&](int part, bool in_stripes) {
    const std::uint64_t bytes =
        part == 0 ? of_program
                  : room_for_sums(frame, options, device, in_stripes) / std::uint64_t(part);
    return Room{bytes, device, frame, beside, part == 0};
  };
  MemoryPlan plan;
  // A limit below what the program takes with the smallest stripe is one for the sums alone; where
  // the program itself is within it, a quarter of it at first.
  for (const int part : {0, 4, 1}) {
    if (part != 1 && of_program <= part * program_bytes / 4) continue;
    if (part != 4 && room(part, false).holds(whole, options)) {
      plan.stripes = {whole};
    } else if (!why_whole) {
      plan.stripes = stripes_within(frame, options, room(part, true));
      if (plan.stripes.size() > most_stripes) plan.stripes.clear();
    }
    if (!plan.stripes.empty()) break;
  }
  if (plan.stripes.empty()) {
    MemoryNeed need = memory_need(frame, options);
    need.picture += beside;
    plan.refusal = refusal(
        frame, need, options, device,
        why_whole ? why_whole : "stripes of it do not fit either, or would be more than 1000");
  }
  return plan;
}

MemoryPlan plan_window(const PreparedFrame& frame, const RenderOptions& options, Device& device) {
  return plan_memory(frame, options, device, bytes_of_window(frame, options),
                     light_stage(frame.plan).window.why_whole);
}

MemoryNeed memory_need(const MemoryPlan& plan, const PreparedFrame& frame,
                       const RenderOptions& options, Device& device) {
  if (plan.stripes.size() < 2) return memory_need(frame, options, device);
  return memory_need_of(plan.stripes[plan.stripes.size() / 2], frame, options, device);
}

std::uint64_t bytes_of_rows(const PreparedFrame& whole, const RenderOptions& options) {
  const std::uint64_t pixels = std::uint64_t(whole.plan.width) * std::uint64_t(whole.plan.height);
  if (!options.on_rows)  // the file is compressed when no stripe is left
    return (options.linear ? 20 : options.bits == 16 ? 8 : 4) * pixels;
  return options.linear ? pixels * sizeof(float) : 0;  // hits wait for the hash
}

PreparedFrame frame_of(const PreparedFrame& frame, const Stripe& stripe) {
  PreparedFrame part = frame;
  plot_rows(stripe.top, stripe.height, part.compiled);
  OutputPlan& plan = part.plan;
  plan = plan_of(frame.plan, stripe);
  if (plan.has_bands) {
    plan.bands.clear();
    for (Stripe band : frame.plan.bands) {
      if (band.first_row < stripe.first_row || band.first_row >= stripe.first_row + stripe.rows)
        continue;
      band.first_row -= stripe.first_row;
      band.top -= stripe.top;
      plan.bands.push_back(band);
    }
  }
  if (!plan.has_bands) part.far = {};  // never through the FFT
  for (PreparedFrame::Pass& pass : part.passes) {
    pass.density_grid = density_grid(pass.density, plan.geometry.width, plan.geometry.height,
                                     plan.hidden_buckets());
    if (!plan.has_bands) pass.far = {};
  }
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
