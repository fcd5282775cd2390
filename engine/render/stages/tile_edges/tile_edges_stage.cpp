// SPDX-License-Identifier: MIT
// The edges of a picture that repeats (engine/program/tile.h): what lies beyond one is at the other, so that filter and
// estimator read across. WrapEdges (kernels/log_scale.h) does it twice: over the rows of the picture from side to side, and
// over all of the buffer as one row, in which a picture is as wide as its rows are together, from top to bottom.
#include <cstdint>
#include <limits>

#include "engine/base/error.h"
#include "engine/device/device.h"
#include "engine/model/flame.h"
#include "engine/render/stages/output_plan.h"
#include "engine/render/stages/stages.h"

namespace kiln {
namespace {

class TileEdges : public SumsMaker {
 public:
  TileEdges(Device& device, const PlannedPicture& picture)
      : device_(device), flame_(picture.flame), buffer_(picture.plan.geometry) {}
  void set(Buckets&) override {}
  void run(std::uint64_t* sums, int channels) override;

 private:
  Device& device_;
  const Flame& flame_;
  const BufferGeometry& buffer_;
};

void TileEdges::run(std::uint64_t* sums, int channels) {
  if (buffer_.gutter == 0) return;
  const int rows = buffer_.supersample * flame_.height;
  WrapEdges sides;
  sides.sums = sums;
  sides.channels = channels;
  sides.width = buffer_.width;
  sides.height = buffer_.height;
  sides.gutter = buffer_.gutter;
  sides.picture_width = buffer_.supersample * flame_.width;
  sides.picture_height = rows;
  device_.launch(sides, sides.block_count());

  WrapEdges ends;
  ends.sums = sums;
  ends.channels = channels;
  ends.width = buffer_.width * buffer_.height;
  ends.height = 1;
  ends.gutter = ends.top = buffer_.width * buffer_.gutter;
  ends.picture_width = buffer_.width * rows;
  ends.picture_height = 1;
  device_.launch(ends, ends.block_count());
}

void check_tiled_size(const Flame& flame, const BufferGeometry& buffer) {
  const auto buckets = std::int64_t(buffer.width) * buffer.height;
  if (buckets > std::numeric_limits<std::int32_t>::max() / 2)
    fail(ErrorKind::input,
         "{}: a picture that repeats has at most 1,000 million buckets, and this one {} million; "
         "lower size or supersample, or leave kiln_tile (--tile) out",
         flame.place(), buckets / 1'000'000);
}

}  // namespace

constinit const PictureStage stages::tile_edges = {
    .name = "tile edges",
    .is_wanted = [](const Flame& flame) { return flame.tile != 0; },
    .plan =
        [](const Flame& flame, const OutputSettings&, OutputPlan& plan) {
          plan.tiled = flame.tile != 0;
          if (plan.tiled) check_tiled_size(flame, plan.geometry);
        },
    .why_whole = [](const PlannedPicture& picture) -> const char* {
      if (!picture.plan.tiled) return nullptr;
      return "what leaves a picture that repeats comes in on its other side, so it cannot be made "
             "in stripes";
    },
    .sums = [](Device& device, const PlannedPicture& picture, int) -> std::unique_ptr<SumsMaker> {
      return std::make_unique<TileEdges>(device, picture);
    },
};

}  // namespace kiln
