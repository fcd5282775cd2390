// SPDX-License-Identifier: MIT
// The pool: 2048 slots whose points move to other slots by a random permutation every step, while
// the slots' xforms follow the weights. Neighboring slots run the same function, so warps and
// vectors do not diverge, and yet every point sees an exact chain of independent xforms (Schied et
// al., "High-Performance Iterated Function Systems", GPU Computing Gems Emerald, ch. 18, with the
// corrections of docs/inside/algorithm.md: systematic rounding of the quotas, fresh permutations, one step
// and one exchange at a time).
//
// A unit of work is (frame, u): a pool of its own, `warm_up_steps` unrecorded steps, or more where
// a flame mixes slowly, then steps until it has recorded its samples. Everything below depends on
// (seed, frame, u) alone.
#pragma once

#include "kernels/platform.h"
#include "kernels/program.h"
#include "kernels/random.h"

KILN_BEGIN

constexpr int pool_slots = 2048;   // measured against 1024 and 4096, docs/inside/algorithm.md
constexpr int pool_lanes = 512;    // generators of a unit; slot s draws from lane s % 512
constexpr int warm_up_steps = 64;  // of most flames (engine/render/plan/burn_in.h)
constexpr int flam3_warm_up_steps = 15;
constexpr int flam3_earlyclip_steps = 100;
constexpr u32 flam3_chain = 10000;  // points from one random start
constexpr int unit_steps = 1024;    // recorded steps of a full unit
constexpr u64 unit_samples = u64(pool_slots) * unit_steps;
constexpr int row_slots = 32;  // neighboring slots that share an xform: a warp, whole vectors
constexpr int pool_rows = pool_slots / row_slots;
constexpr int offset_series = 8;  // offsets of 8 steps in a row are independent
constexpr int offset_strata = unit_steps / offset_series;
constexpr int permutation_count = 32;
// stored twice in a row, so that a rotation is a pointer offset; padded
constexpr int permutation_stride = 2 * pool_slots + 64;

/// A point of a pool: 16 bytes, so that taking it up is one load and putting it back one store.
struct alignas(16) Point {
  float x, y, color;
  u32 meta;  // last xform + 1 (13 bits, 0: none) | bad results in a row (3 bits)
};

/// The pool between two launches.
struct PoolState {
  Point* points;  // [units][pool_slots]
  u32* random0;   // [units][pool_lanes]
  u32* random1;
  u32* step;              // [units] steps done, warm-up included
  u32* recorded;          // [units] samples recorded, at most unit_samples
  u64* bad;               // [units] attempts that gave a bad value
  struct TimeWalk* walk;  // [units] of moving flames (kernels/time_samples.h)
  float* more;            // [units][Program::more_numbers()][pool_slots]
};

constexpr u32 meta_last_mask = 0x1fff;
constexpr int meta_bad_shift = 13;
constexpr int max_xforms = 4096;  // so that `last xform + 1` fits 13 bits
constexpr u32 bad_limit = 5;      // flam3: the fifth bad result in a row is accepted

/// The draws that all slots of a pool share in one step: four words of Philox, counter (step, unit,
/// pass, 2 * number of the frame); the offset is moved into its step's stratum.
struct StepDraws {
  u32 exchange;   // picks the permutation that moves the points
  u32 offset;     // of the systematic rounding, a fraction of 2^32
  u32 selection;  // picks the permutation that ranks the slots when only some are recorded
  u32 fraction;   // rounds a fractional number of recorded slots
};

/// A permutation of 0 .. offset_strata - 1: odd factors and shifts to the right, which are
/// bijections.
KILN_FN u32 permuted_stratum(u32 i, const Words4& keys) {
  for (int round = 0; round < 8; ++round) {
    const u32 key = (keys.w[round / 2] >> (round % 2 * 16)) & 0xffff;
    i = ((i ^ (key >> 8)) * (key | 1)) & (offset_strata - 1);
    i ^= i >> 3;
  }
  return i;
}

/// The stratum, of offset_strata equal ones, that holds the offset of a step. Of 1024 steps (the
/// recorded ones of a full unit, the warm-up's come before) every eighth belongs to one series,
/// which meets each stratum once in an order of its own: Philox counter (2^31 + series, unit, pass,
/// 2 * number).
KILN_FN u32 offset_stratum(u64 seed, u32 pass, u32 unit, u32 step, u32 number) {
  const u32 at = step + unit_steps - warm_up_steps;
  const u32 series = at / unit_steps * offset_series + at % offset_series;
  return permuted_stratum(at % unit_steps / offset_series,
                          philox(0x80000000u + series, unit, pass, 2 * number, seed));
}

KILN_FN StepDraws step_draws(u64 seed, u32 pass, u32 unit, u32 step, u32 number = 0) {
  const Words4 words = philox(step, unit, pass, 2 * number, seed);
  const u64 stratum = offset_stratum(seed, pass, unit, step, number);
  const u32 offset = u32(((stratum << 32) + words.w[1]) / offset_strata);
  return {words.w[0], offset, words.w[2], words.w[3]};
}

/// The generator of one lane of a unit's pool: counter (lane, unit, pass, 2 * number + 1).
KILN_FN Random lane_random(u64 seed, u32 pass, u32 unit, u32 lane, u32 number = 0) {
  const Words4 words = philox(lane, unit, pass, 2 * number + 1, seed);
  return {words.w[0] | 1u, words.w[1]};  // never the all-zero state
}

/// A random permutation of the slots: a stored one (Mersenne Twister, Fisher-Yates in every column
/// of 32), rotated and flipped by fresh random bits. slot -> ((stored[slot + rotation] - rotation)
/// mod 2048) xor flip. Columns stay together, so a warp's gather meets every shared-memory bank
/// once.
struct Permutation {
  const u16* stored;  // already offset by the rotation
  int rotation, flip;

  KILN_FN int operator()(int slot) const {
    return ((int(stored[slot]) - rotation) & (pool_slots - 1)) ^ flip;
  }
};

KILN_FN Permutation pick_permutation(const u16* permutations, u32 bits) {
  const int rotation = int(bits & (pool_slots - 1));
  const int flip = int((bits >> 11) & (pool_slots - 1));
  const int which = int(bits >> 27);
  return {permutations + which * permutation_stride + rotation, rotation, flip};
}

/// Systematic rounding: the i-th of `count` (a power of two) equal pieces of [0, 2^32), all shifted
/// by the same random offset. A piece takes the last xform whose share begins at or below it: exact
/// in expectation, at most one piece away from it. Never 2^32 - 1, so that a saturated cumulative
/// share is never reached.
KILN_FN u32 systematic_share(int i, u32 count, u32 offset) {
  const u32 width = u32((u64(1) << 32) / count);
  const u32 shift = offset / count;
  return u32(i) * width + (shift < width - 2 ? shift : width - 2);
}

/// First row of the xform whose share begins at `cumulative`: plain flames give whole rows to
/// xforms.
KILN_FN int first_row(u32 cumulative, u32 offset) {
  const u32 width = u32((u64(1) << 32) / pool_rows);
  const u32 shift = systematic_share(0, pool_rows, offset);
  return int((u64(cumulative) + width - 1 - shift) / width);
}

/// The last xform whose cumulative share is at or below `share`.
KILN_FN int find_xform(const u32* cumulative, int count, u32 share) {
  // halves without branches: neighboring slots go different ways, and no predictor knows which
  int low = 0;  // cumulative[low] <= share
  for (int left = count; left > 1;) {
    const int half = left / 2;
    low += half & -int(cumulative[low + half] <= share);
    left -= half;
  }
  return low;
}

/// The xform drawn by a slot from the row of its point's last xform (xaos), stratified over the
/// slots.
KILN_FN int draw_xform(const u32* cumulative, int count, int slot, u32 offset) {
  return find_xform(cumulative, count, systematic_share(slot, pool_slots, offset));
}

/// The number of slots of this step that may be recorded: all, but few in recorded transients, and
/// never more than are still wanted. flam3 begins anew every `chain` points: of `samples` it shows
/// each transient step once in so many.
KILN_FN u32 recorded_slots(bool transient, u32 samples, u32 chain, u32 wanted,
                           const StepDraws& draws) {
  u32 limit = pool_slots;
  if (transient) {
    const u64 scaled = u64(samples) * 65536 / chain + (draws.fraction >> 16);
    limit = u32(scaled >> 16);
  }
  return wanted < limit ? wanted : limit;
}

KILN_END
