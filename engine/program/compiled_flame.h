// SPDX-License-Identifier: MIT
// The flame as plain arrays and numbers, still in host memory: what kernels read, and what the host
// keeps beside it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/model/flame.h"
#include "kernels/accumulate.h"
#include "kernels/pool.h"
#include "kernels/program.h"

namespace kiln {

/// A matrix as kernels have it.
inline Affine to_device(const AffineD& m) {
  return {Real(m.a), Real(m.d), Real(m.b), Real(m.e), Real(m.c), Real(m.f)};
}

/// The supersampled buffer that the chaos game plots into.
struct PlotArea {
  int supersample = 1;
  int gutter = 0;             // buffer pixels on each side
  int width = 0, height = 0;  // supersample * picture + 2 * gutter
};

/// A flame ready for a device, still in host memory.
struct CompiledFlame {
  std::vector<XformData> xforms;  // [time_samples][Program::xform_stride]
  std::vector<VariationTerm> terms;
  std::vector<float> parameters;
  /// A formula of the flame (kernels/formula.h), the i-th of which has the number AllVariations::size + i.
  struct Formula {
    int variation;      // that it is in the model
    int code, scalars;  // where its code begins in `parameters`; scalars of a term
  };
  std::vector<Formula> formulas;
  std::vector<std::uint32_t> cumulative;  // [time_samples][Program::share_stride]
  std::vector<SteeringTable> steering;    // one, of a steered game
  std::vector<SymmetryElement>
      symmetry;                  // [time_samples][Program::copy_count] of a folded symmetry
  std::vector<Affine> cameras;   // [time_samples]
  std::vector<DepthView> views;  // [time_samples] of a tilted camera, else empty
  // of a fine flame (kernels/fine_xform.h), else empty
  std::vector<FineXform> fine_xforms;
  std::vector<FineTerm> fine_terms;
  std::vector<FineCamera> fine_cameras;
  std::vector<Increment> palette;   // [rows][256], or more of a longer palette
  std::vector<std::uint32_t> hits;  // [rows]
  Program program;                  // pointers unset
  PaletteTable table;               // pointers unset
  /// Sums of a bucket: hits, red, green, blue, and alpha where xforms have an opacity.
  int channels() const { return table.opaque ? 4 : 5; }
  double unit = 1;  // one count of the histogram is this much of flam3's bucket (a power of two)
  std::uint64_t sample_count = 0;  // recorded samples of one pass, of the largest if they differ
  std::vector<std::uint64_t>
      time_sample_ends;  // [time_samples] recorded samples of its pass up to the end
                         // of each; empty: all time samples have equal shares
  int passes = 1;        // that divide the time samples between them
  std::uint32_t largest_increment = 255;  // what one sample can add to one channel, in units
  /// [time_samples] what kernels of the flame's own read of each (engine/device/cuda/jit/flame_code.h);
  /// empty: made when they are wanted.
  std::vector<std::uint32_t> time_sample_numbers;
  double pixel_pitch = 0;  // flame units per buffer pixel
  // that as a part of the largest coordinate on the way to it (camera.cpp), of the time sample where it is
  // smallest; and of the picture's larger side
  double pitch_in_reach = 1e9, side_in_reach = 1e9;
  bool weighed = false;      // time samples of different weights
  bool beyond_fine = false;  // the pitch is below what the doubles of kernels/fine_xform.h resolve
  std::uint32_t burn_in_steps = warm_up_steps;  // engine/render/plan/burn_in.h
  /// Pools that go on from unit to unit: unit u takes up the pool of unit u - chains. 0: every
  /// unit has its own from the start.
  std::uint32_t chains = 0;

  std::uint64_t samples_of_pass(int pass) const;
};

/// The look of a flame whose pixels are about as fine as its coordinates, or finer.
enum class Resolution { whole, soft, blocks, black };
Resolution resolution_of(const CompiledFlame& flame);
/// The warning about that look; empty if it is whole.
std::string resolution_warning(const CompiledFlame& flame);

/// The flame at the time samples of a frame and what each counts: flam3's temporal samples and their
/// color scales, which multiply colors and alpha but not hits.
struct TimeSamples {
  std::vector<const Flame*> flames;
  std::vector<double> weights;
};

/// Time samples that are compiled but for what the size of the picture decides.
struct CompiledTimeSamples {
  CompiledFlame flame;  // without cameras, palette, sample count
  std::vector<double> weights;

  /// Settings of a time sample that decide on its camera and its samples.
  struct View {
    double center_x, center_y, scale, zoom, rotate_deg, pixel_aspect, quality;
    double farthest;  // coordinate to which an affine map of it moves the origin
    DepthCamera depth;
  };
  std::vector<View> views;  // [time_samples]
  bool tilted = false;      // the camera shows depth at some time sample
  bool tiled = false;       // the last final xform is that of engine/program/tile.h

  /// Palettes, of which neighboring time samples mostly have the same.
  std::vector<Palette> palettes;
  std::vector<int> palette_of;  // [time_samples]
  std::vector<double>
      opacities;  // [time_samples][xform_count]; 0 where a time sample lacks the xform
  std::vector<char> has_xform;  // [time_samples][xform_count]
};

}  // namespace kiln
