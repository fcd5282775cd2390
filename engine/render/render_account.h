// SPDX-License-Identifier: MIT
// What a render says of itself, while it goes on and at its end.
#pragma once

#include <cstdint>

#include "engine/api/kiln/image.h"
#include "engine/base/resources.h"
#include "engine/render/plan/picture_buffers.h"
#include "engine/render/plan/progress_report.h"

namespace kiln {

struct RenderAccount {
  /// `slowness`: slowness_of(device), once somebody asked for it; 0 before.
  RenderAccount(const RenderOptions& options, Device& device, double& slowness,
                std::uint64_t samples)
      : progress(options, samples), device_(device), slowness_(slowness) {}

  /// Sets the seconds that stages will take, by a histogram that will be `more` times as much; 0:
  /// there is none. A young picture's is not read: for that a GPU takes as long as for a quarter of
  /// a film's frame, and its other stages are soon over anyway.
  void expect_stages(const PreparedFrame& frame, const PictureBuffers& buffers, double more);

  ProgressReport progress;
  RenderStatistics totals;
  Clock::time_point start = {}, histogram_done = Clock::now();  // of the first game, of the last

 private:
  Device& device_;
  double& slowness_;
};

}  // namespace kiln
