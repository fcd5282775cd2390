// SPDX-License-Identifier: MIT
// Jobs of lines (kernels/fft.h) as the stages write them.
#pragma once

#include "kernels/fft.h"

namespace kiln {

/// Rows of pictures of two complex numbers a pixel, `stride` pixels apart, of which `extent` pixels
/// are there: two interleaved lines each.
inline LineAddress pixel_rows(i32 stride, i32 extent) {
  LineAddress address;
  address.inner = 2;
  address.inner_step = 1;
  address.outer_step = 2 * i64(stride);
  address.point_step = 2;
  address.extent = extent;
  return address;
}

/// A job without its addresses and memory.
inline FftLines job_of(const LinePlan& plan, i64 lines, bool forward, bool inverse) {
  FftLines job;
  job.plan = plan;
  job.lines = i32(lines);
  job.forward = forward;
  job.inverse = inverse;
  return job;
}

}  // namespace kiln
