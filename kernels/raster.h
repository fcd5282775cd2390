// Where a point falls: its pixel and its place in the palette. The one rounding, by what is fastest
// on each device: a GPU's conversions clamp, a CPU's are vectorised after a select.
#pragma once

#include "kernels/math.h"
#include "kernels/program.h"

KILN_BEGIN

/// A pixel of the raster, lines counted from `top`; column and line mean something only inside.
struct RasterPixel {
  i32 column, line;
  u32 inside;  // 0 or 1; a bool in here keeps g++ from vectorising
};

// raster_pixel: the pixel of a point. palette_index: where a color coordinate lands in the palette.
#if KILN_CUDA_CODE
KILN_FN RasterPixel raster_pixel(Real x, Real y, i32 width, i32 top, i32 height) {
  const i32 column = __float2int_rd(x), line = __float2int_rd(y);  // clamps what is beyond an int
  const u32 below_top = u32(line) - u32(top);
  return {column, i32(below_top), u32(column) < u32(width) && below_top < u32(height)};
}
KILN_FN u32 palette_index(Real color, const ColorIndex& index) {
  return u32(__float2int_rz(fminf(fmaxf(fma(color, index.scale, index.offset), 0.0f), index.max)));
}
#else
KILN_FN RasterPixel raster_pixel(Real x, Real y, i32 width, i32 top, i32 height) {
  const Real right = Real(width), first = Real(top), bottom = Real(top + height);
  const bool inside = (x >= 0) & (x < right) & (y >= first) & (y < bottom);
  const Real inner_x = inside ? x : Real(0), inner_y = inside ? y : first;
  return {i32(inner_x), i32(inner_y) - top, inside ? 1u : 0u};
}
KILN_FN u32 palette_index(Real color, const ColorIndex& index) {
  const Real entry = fma(color, index.scale, index.offset);
  const Real positive = entry > 0 ? entry : Real(0);
  const Real last = Real(index.max);
  return u32(i32(positive < last ? positive : last));
}
#endif

KILN_END
