// SPDX-License-Identifier: MIT
#include "engine/render/accumulate/clumps.h"

#include <vector>

#include "engine/device/device.h"
#include "engine/render/accumulate/chaos_game.h"

namespace kiln {
namespace {

constexpr std::uint32_t probe_samples = 1 << 18;  // a unit: 0.3 % of error

}  // namespace

ClumpSums& ClumpSums::operator+=(const ClumpSums& more) {
  squares += more.squares;
  hits += more.hits;
  return *this;
}

double ClumpSums::factor() const {
  constexpr double usual =
      16 * double(MeasureClumps::one);  // hits by themselves, where few are seen
  return (double(squares) + usual) / (double(hits) + usual);
}

ClumpSums measure_clumps(Device& device, const PreparedFrame& frame, const RenderOptions& options,
                         const std::uint16_t* permutations, PictureBuffers& buffers) {
  CompiledFlame flame = frame.compiled;
  // Units of one game have parts of its time: what moves would be another picture in each, and count
  // as clumps. So in motion both are games of their own, as long as the frame.
  const bool moves = flame.program.time_sample_count > 1;
  flame.sample_count = (moves ? 1 : 2) * probe_samples;
  flame.passes = 1;
  flame.time_sample_ends.clear();
  Accumulator game(device, flame, options.max_memory_bytes, permutations, probe_samples);
  const auto begin = [&](std::uint32_t number) {
    game.number(number);
    game.begin(options.seed, 0, flam3_fuse(options));
  };
  begin(frame.number);

  const BufferGeometry& buffer = frame.plan.geometry;
  const float a_hit = float(flame.unit / 255);
  const Buckets histogram{buffers.histogram.data(), buffer.width, buffer.height, flame.channels(),
                          1};
  DeviceArray<std::uint64_t> totals(device, 2);
  buffers.histogram.clear();
  totals.clear();
  GameTotals ignored;
  game.launch({0, 1}, buffers.histogram.data(), ignored, [] {});
  const KeepHits keep{histogram, a_hit, buffers.light.data()};
  device.launch(keep, keep.block_count());
  if (moves) begin(~frame.number);  // no frame has it
  const std::uint64_t second = moves ? 0 : 1;
  game.launch({second, second + 1}, buffers.histogram.data(), ignored, [] {});
  MeasureClumps measure{histogram, a_hit, buffers.light.data()};
  measure.left = buffer.gutter;
  measure.top = buffer.gutter + buffer.rows_above;
  measure.columns = buffer.supersample * frame.plan.width;
  measure.rows = buffer.supersample * frame.plan.height;
  measure.totals = totals.data();
  device.launch(measure, measure.block_count());
  const std::vector<std::uint64_t> sums = totals.download();
  return {sums[0], sums[1]};
}

}  // namespace kiln
