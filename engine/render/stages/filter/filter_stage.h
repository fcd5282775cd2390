// SPDX-License-Identifier: MIT
// The spatial filter, from buckets to pixels (kernels/spatial_filter.h), once along each axis.
//
//   SpatialFilter twice   light -> rows [filter_rows(), W] -> picture [H, W]
#pragma once

#include "engine/render/stages/output_plan.h"
#include "kernels/spatial_filter.h"

namespace kiln {

/// The filter's first pass: density [BH, BW] -> rows [filter_rows(), W]. taps_x: plan.filter.x on
/// the device.
SpatialFilter filter_rows(const OutputPlan& plan, const Vec4* density, const float* taps_x,
                          Vec4* rows);
/// The second pass of the filter: rows [filter_rows(), W] -> picture [H, W].
SpatialFilter filter_columns(const OutputPlan& plan, const Vec4* rows, const float* taps_y,
                             Vec4* picture);

/// JWildfire's filter in one pass: light [BH, BW] -> picture [H, W]. table: plan.filter.table on the device.
TableFilter filter_table(const OutputPlan& plan, const Vec4* light, const float* table,
                         Vec4* picture);

}  // namespace kiln
