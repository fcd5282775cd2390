// SPDX-License-Identifier: MIT
// Pictures that repeat without a seam (kiln_tile="1"): the camera wraps. Where a point falls beside the picture it is
// moved by whole widths and heights of it until it lies within. No kernel knows of that: it is one more final xform behind
// those of the flame, flam3's modulus in the units of the half picture, between the camera's map and its inverse. Sums
// beside the picture come from its other side (stages/tile_edges), so that filter and estimator have no seam either.
//
// Costs what a final xform does; where the flame has one already, the game of several final xforms.
#pragma once

#include <vector>

#include "engine/model/temporal.h"
#include "engine/program/compiled_flame.h"

namespace kiln {

/// Whether pictures of these time samples repeat. Throws Error (input) for a camera that does not wrap.
bool is_tiled(const std::vector<const Flame*>& bounds);

/// Time samples of another source with the final xform that moves points into the picture.
class TiledTimeSamples : public TimeSampleSource {
 public:
  explicit TiledTimeSamples(TimeSampleSource& source) : source_(source) {}
  std::vector<const Flame*> bounds() override;
  void visit(const std::function<void(const Flame&)>& see) override;

 private:
  TimeSampleSource& source_;
  std::vector<Flame> bounds_;
};

/// Gives that xform of a time sample its place, once the camera is known: `raster_from_flame`.
void place_tile(std::size_t time_sample, const AffineD& raster_from_flame, const PlotArea& area,
                CompiledFlame& out);

}  // namespace kiln
