// SPDX-License-Identifier: MIT
// Everything after the histogram, sized before the first allocation: the buffer with its gutter, and
// what each stage (stages.h) makes of the flame's numbers (flam3-pipeline.md sections 7-11).
// The stages' order is that of stages.h, and what each launches stands at the head of its source. Of several passes the stages
// up to the light run once a pass, with accumulate = 1 after the first.
#pragma once

#include <optional>
#include <vector>

#include "engine/model/flame.h"
#include "engine/render/stages/antialias/antialias_plan.h"
#include "engine/render/stages/density/density_plan.h"
#include "engine/render/stages/effects/effects_plan.h"
#include "engine/render/stages/filter/filter_plan.h"
#include "kernels/background.h"
#include "kernels/log_scale.h"
#include "kernels/saturation.h"
#include "kernels/tonemap.h"
#include "kernels/vignette.h"

namespace kiln {

/// The histogram's size and where the picture lies in it. Everything in buckets.
struct BufferGeometry {
  int supersample = 1;
  int gutter = 0;  // on each side; the buffer is supersample * size + 2 * gutter
  int width = 0, height = 0;
  int filter_offset = 0;  // flam3's de_offset: first tap of pixel (0, 0)
  int rows_above = 0;     // of a stripe: how much further down its first pixel lies
};

/// Rows of a picture that are made together.
struct Stripe {
  int first_row = 0, rows = 0;
  int top = 0, height = 0;  // the rows of the buffer that they need, whole cells but for the last
};

struct OutputSettings {
  bool transparent = false;
  bool earlyclip = false;
  int bits = 8;
  // flam3's sumfilt: mean of the temporal filter's weights, 1 for a still
  double temporal_weight = 1;
  const PointSpread* psf = nullptr;
  std::uint64_t max_memory_bytes = 0;  // of tables; 0: what there is
  bool tables = true;                  // false: those of the estimator are only counted
  int gutter = -1;                     // Frame::gutter
  bool exact = false;                  // FarPlan::exact
};

struct OutputPlan {
  BufferGeometry geometry;
  int width = 0, height = 0;  // output pixels
  int first_row = 0;          // of a stripe, in the whole picture
  int bits = 8;
  bool transparent = false, earlyclip = false;
  bool tiled = false;  // Flame::tile
  LogCurve log_curve;
  AntialiasPlan antialias;
  double clean = 0;     // Flame::clean; above 0 there is no density estimation
  DensityPlan density;  // density.active(): whether density estimation runs
  DensityGrid density_grid;
  std::vector<Stripe> bands;  // see plan_bands(); usually one: the whole
  bool has_bands = false;     // several, or one of several: each has its own FarPlan
  FilterPlan filter;
  EffectsPlan effects;  // of the picture, or of the buffer with earlyclip
  VignetteFall vignette;
  ToneCurve tone;
  std::optional<BackgroundGradient> background;  // in the place of the tone curve's
  Saturation saturation;                         // of the packed pixels
  std::vector<float> curves;  // [3][curve_steps] (kernels/curves.h); empty: the flame has none

  /// Rows of light: those of the buffer, once for each band that needs them.
  int light_rows() const;
  /// The band with the most rows.
  const Stripe& largest_band() const;
  /// Rows of the buffer that the filter's first pass must keep.
  int filter_rows() const { return (height - 1) * geometry.supersample + filter.size; }
  /// Buckets along each side that no later stage reads.
  int hidden_buckets() const {
    if (!filter.table.empty()) return 0;
    return earlyclip && effects.active() ? 0 : geometry.filter_offset;
  }
};

// Bands. Whether wide kernels of density estimation are summed or transformed follows from all that is in
// sight, and transforms round by their size. So a picture in stripes would have other bits than one that is
// made whole, unless both are made of the same parts: bands of a fixed number of rows, each with the rows
// around it that its light and its filter reach. They begin where cells of density estimation do, so that
// every sum is made in the order of the whole picture. Up to 2304 rows of the buffer are one band.

/// Some rows of a picture with the rows of the buffer that they need.
Stripe stripe_of(const OutputPlan& plan, int first_row, int rows);
/// Rows of the buffer above those of a stripe that it needs.
int reach_above(const OutputPlan& plan);
/// The bands of a picture: one, but of tall pictures with wide kernels.
std::vector<Stripe> plan_bands(const OutputPlan& plan);
/// The plan of some rows alone, which are one band.
OutputPlan plan_of(const OutputPlan& whole, const Stripe& stripe);

/// Supersampling, gutter and buffer of a flame (sections 6 and 7). `gutter`: of sums that are there
/// already (Frame::gutter); throws Error (usage) where filter or estimator reach further.
BufferGeometry plan_geometry(const Flame& flame, int gutter = -1);
/// All of it. Throws Error where the flame's numbers make no picture.
OutputPlan plan_output(const Flame& flame, const OutputSettings& settings);

}  // namespace kiln
