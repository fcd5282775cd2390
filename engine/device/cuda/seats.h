// SPDX-License-Identifier: MIT
// What the host hands to the kernels of many small pictures (seats.cu), which shared_launches.cpp
// launches.
#pragma once

#include "kernels/kernels.h"

/// X(name) for the kernels by which small pictures become pixels.
#define KILN_KERNELS_OF_MANY(X) \
  X(LogScale) X(SelectWidth) X(GatherDensity) X(SpatialFilter) X(ToneMap) X(ApplyCurves) X(Pack8)

KILN_BEGIN

// What goes up and down: bytes of many seats in one copy, and a block for each seat that brings them to
// their places in the seat's order.

/// Bytes that a seat gets, from `at` of what was copied; cleared where that is nothing.
struct Piece {
  char* to;
  u64 at, bytes;
};
constexpr u64 zeros = ~u64(0);

KILN_END
