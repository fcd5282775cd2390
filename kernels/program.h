// SPDX-License-Identifier: MIT
// The flame as the device sees it: plain arrays and numbers, made by engine/program/compile.cpp,
// uploaded once.
#pragma once

#include "kernels/depth_view.h"
#include "kernels/math.h"
#include "kernels/platform.h"
#include "kernels/random.h"
#include "kernels/steering.h"

KILN_BEGIN

/// The use of a variation's result, as VariationTerm::form. Stages: pre_ forms work on the point,
/// regular ones see it and are summed, post_ ones work on the sum; the last term of an xform may
/// mix the color that the others made with the one that it was. A bit for each coordinate says
/// whether the result is added to what is there or replaces it.
constexpr i32 stage_regular = 0, stage_pre = 1, stage_post = 2, stage_color = 3, stage_mask = 3;
constexpr i32 keeps_x = 4, keeps_y = 8, keeps_z = 16, keeps_all = keeps_x | keeps_y | keeps_z;
constexpr i32 adds_no_z = 32;  // whatever the variation makes of it

/// One weighted variation of an xform. Aligned: one load on a GPU.
struct alignas(16) VariationTerm {
  i32 variation;   // whose formula it is: index in AllVariations
  i32 parameters;  // offset of its struct in Program::parameters
  Real weight;
  i32 form;  // read where the flame is extended: stage | keeps_...
};

/// The numbers that every application of an xform needs: four loads of 16 bytes on a GPU.
struct alignas(16) XformHead {
  Affine coefs;
  Real color_pull;             // color_speed * color
  Real color_keep;             // 1 - color_speed
  i32 first_term, term_count;  // pre_blur, if any, comes first
  i32 has_post;                // 0 when post is the exact identity
  i32 palette_row;      // visibility class: row of the palette table; -1: nothing is recorded
  VariationTerm first;  // a copy of terms[first_term]
};

struct XformData : XformHead {
  Affine post;
  i32 draws_random;  // 1 when a variation of it draws random numbers
  Real opacity;      // of the final xform: probability that it is applied
};

// What a flame seen closer than floats reach has beside its floats (kernels/fine_xform.h).

/// The affine maps of an xform as they stand in the flame.
struct FineAffine {
  double a = 1, d = 0, b = 0, e = 1, c = 0, f = 0;
};
struct FineXform {
  FineAffine coefs, post;
};
constexpr int most_fine_parameters = 8;
struct FineTerm {
  double weight;
  double parameters[most_fine_parameters];  // in the order of the variation's names
};
/// The map to pixels of the buffer: the matrix works on what a point is away from the center, or
/// the digits that count would be lost in the difference of two large numbers.
struct FineCamera {
  double a, b, d, e, center_x, center_y, middle_x, middle_y;
};

/// The index of a color coordinate in the palette = clamp(color * scale + offset) in [0, max]. Step
/// palettes have one index an entry, linear ones 2^fraction_bits of them.
struct ColorIndex {
  float scale, offset;
  float max;
  i32 bits;  // width of the index field in a record
  i32 fraction_bits;
};

/// The buffer cut into tiles of 2^x_bits x 2^y_bits pixels, row by row. A record, a point inside
/// its tile, is: pixel (x_bits + y_bits, row by row) | palette row and color index (the other
/// bits).
struct Tiling {
  i32 x_bits, y_bits;
  i32 tiles_x, tile_count;

  KILN_SHARED_FN int columns() const { return 1 << x_bits; }
  KILN_SHARED_FN int rows() const { return 1 << y_bits; }
  KILN_SHARED_FN int pixel_bits() const { return x_bits + y_bits; }
  KILN_SHARED_FN int pixels() const { return 1 << pixel_bits(); }
  KILN_SHARED_FN i32 tile_of(i32 column, i32 line) const {
    return (line >> y_bits) * tiles_x + (column >> x_bits);
  }
  KILN_SHARED_FN u32 pixel_of(i32 column, i32 line) const {
    return u32((line & (rows() - 1)) << x_bits | (column & (columns() - 1)));
  }
  KILN_SHARED_FN u32 record(u32 pixel, u32 row_and_index) const {
    return pixel | row_and_index << pixel_bits();
  }
};
constexpr int most_tile_pixels = 8192;
constexpr int record_color_bits = 32 - 13;
constexpr int most_narrow_tile_pixels = 16384;  // where 12 bits of color do (PaletteTable::narrow)

/// The map of the random point that takes the place of a bad value where the symmetry is folded
/// (engine/program/symmetry.h): the element of the group moves it too, and it is recorded with the
/// probability that the element is one or more xforms of the symmetry.
struct SymmetryElement {
  Real a, b, d, e;  // x' = a x + b y, y' = d x + e y
  Real recorded;
};

constexpr i32 of_extended_list = 1, of_jwildfires_list = 2;

/// A flame in motion is stored at each of its time samples, all of one structure
/// (kernels/time_samples.h).
struct Program {
  // [time_samples][xform_stride] the xforms, then the final one if there is one
  const XformData* xforms;
  const VariationTerm* terms;
  const float* parameters;  // structs of the variations, back to back
  // [time_samples][1 + (xaos ? xform_count : 0)][xform_count] share of the xforms before this one,
  // 2^32 = 1 (saturated); row 0: no last xform, row k + 1: the last one was k
  const u32* cumulative;
  const SymmetryElement* symmetry;  // [time_samples][copy_count] of flames with a folded symmetry
  const Affine* cameras;            // [time_samples] raster_from_flame
  const DepthView* views;  // [time_samples] of pictures with depth, between flame and raster
  // beside xforms, terms and cameras; null where floats do
  const FineXform* fine_xforms;
  const FineTerm* fine_terms;
  const FineCamera* fine_cameras;
  i32 time_sample_count;           // 1 for a still
  i32 xform_stride, share_stride;  // elements of xforms and cumulative that a time sample has
  i32 xform_count;
  i32 copy_count;  // a folded symmetry made so many of each xform, alike but for the post affine,
                   // that stand side by side; else 1
  i32 has_xaos, has_final;
  i32 more_finals;  // final xforms behind the first one, of_jwildfires_list
  i32 extended;     // some term is none of flam3's (kernels/extended_xform.h): of_extended_list, or
                    // of_jwildfires_list where one is none of ExtendedVariations
  i32 has_z;        // 1: of an extended flame's points also z goes on from step to step
  i32 fine;         // 1: coordinates are doubles; what floats lose of them goes on, too
  Affine raster_from_flame;  // of a still: to pixels of the supersampled buffer, gutter included
  i32 width, height;         // of that buffer, or of those rows of it that are plotted
  i32 top;                   // where in the buffer these begin
  Tiling tiling;             // of these rows
  ColorIndex color;
  const SteeringTable* steering;  // of a steered game, else null

  /// Floats of a point beyond its 16 bytes: z, or what those of x and y have lost.
  KILN_SHARED_FN int more_numbers() const { return fine ? 2 : has_z ? 1 : 0; }
  /// Cumulative shares at a time sample.
  KILN_SHARED_FN const u32* shares(u32 time_sample) const {
    return cumulative + u64(time_sample) * u32(share_stride);
  }
};

KILN_END
