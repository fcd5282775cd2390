// SPDX-License-Identifier: MIT
#include "engine/render/picture_sums.h"

#include <memory>

namespace kiln {

std::unique_ptr<PictureSums> divided(const PictureSums& from, const PreparedFrame& frame,
                                     int divide) {
  auto sums = std::make_unique<PictureSums>(from.device, frame, false);
  const OutputPlan& whole = from.frame.plan;
  const BufferGeometry &wide = whole.geometry, &narrow = frame.plan.geometry;
  BinSums bin;
  bin.sums = from.buffers.histogram.data();
  bin.width = wide.width;
  bin.height = wide.height;
  bin.channels = frame.compiled.channels();
  bin.side = divide * wide.supersample;
  const int corner = wide.gutter - narrow.gutter * bin.side;
  bin.from_x = corner + whole.width % divide / 2 * wide.supersample;  // pixels that are too many
  bin.from_y = corner + whole.height % divide / 2 * wide.supersample;
  bin.bins = sums->buffers.histogram.data();
  bin.bins_x = narrow.width;
  bin.bins_y = narrow.height;
  from.device.launch(bin, bin.block_count());
  return sums;
}

}  // namespace kiln
