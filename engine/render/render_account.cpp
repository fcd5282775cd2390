// SPDX-License-Identifier: MIT
#include "engine/render/render_account.h"

#include "engine/device/device_kind.h"

namespace kiln {

void RenderAccount::expect_stages(const PreparedFrame& frame, const PictureBuffers& buffers,
                                  double more) {
  if (!progress.is_wanted()) return;
  const bool is_young = progress.is_young(device_);
  if (is_young && !is_cpu(device_)) return;
  if (slowness_ == 0) slowness_ = slowness_of(device_);
  const double samples = double(progress.samples());
  const DensityLoad load = more > 0 && !is_young ? density_load(frame.plan, frame.compiled, device_,
                                                                buffers.histogram.data(), more)
                                                 : even_load(frame.plan, frame.compiled);
  StageSeconds seconds = stage_costs(frame, samples, load, far_work(frame.plan, frame.far));
  for (double& stage : seconds) stage *= slowness_ * progress.contention(device_);
  progress.expect(seconds);
}

}  // namespace kiln
