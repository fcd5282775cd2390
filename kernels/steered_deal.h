// SPDX-License-Identifier: MIT
// How a step of a steered game (kernels/steering.h) deals its slots out to pairs of points and xforms.
#pragma once

#include "kernels/steering.h"

KILN_BEGIN

/// The share of an xform, 2^32 = 1, from the cumulative ones.
KILN_FN u64 share_of(const u32* shares, int count, int f) {
  return (f + 1 == count ? u64(1) << 32 : u64(shares[f + 1])) - shares[f];
}

constexpr int slot_fraction_bits = 52;  // of a place among the slots

/// Systematic sampling: the slots, of which a part of a pair with an xform gets so many 2^-52ths. Pairs lie one behind the
/// other, from a random begin below 1; a pair gets the slots that begin in it, and the last one what rounding leaves.
struct SteeredDeal {
  int shift = 0;
  u64 factor;

  /// `total`: parts times shares of all pairs, at least 2^32.
  KILN_FN explicit SteeredDeal(u64 total) {
    while (total >> shift >> 32) ++shift;
    // a little less than 2^63 / (total >> shift), which has 32 bits: a GPU divides floats in one instruction
    const float part = 1 / float(u32(total >> shift));
    factor = u64(part * (1 - 0x1p-22f) * 0x1p63f);
  }
  KILN_FN u64 of_part(u64 share) const { return share * factor >> shift; }
};
KILN_FN u64 begin_of_slots(u32 random) { return u64(random) << (slot_fraction_bits - 32); }

KILN_END
