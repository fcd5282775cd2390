// SPDX-License-Identifier: MIT
// Random numbers of the chaos game. Every generator is a function of (seed, frame, unit, lane)
// alone, so the picture does not depend on devices, threads or launch shapes.
//
// Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) turns
// counters into words: seeds of the per-lane generators and the draws that a whole pool shares. Its
// words equal cuRAND's curandStatePhilox4_32_10_t: key = seed, counter (c0, c1, c2, c3) = the four
// words from offset 4 (c0 + 2^32 c1) of subsequence c2 + 2^32 c3. Per lane: xoroshiro64* (Blackman
// & Vigna, public domain algorithm), two 32-bit words; only its high bits are used.
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

struct Words4 {
  u32 w[4];
};

KILN_FN u32 mul_hi(u32 a, u32 b) { return u32((u64(a) * b) >> 32); }

/// Philox4x32-10 of a 128-bit counter under a 64-bit key.
KILN_FN Words4 philox(u32 c0, u32 c1, u32 c2, u32 c3, u64 key) {
  u32 k0 = u32(key), k1 = u32(key >> 32);
  for (int round = 0; round < 10; ++round) {
    const u32 hi0 = mul_hi(0xD2511F53u, c0), lo0 = 0xD2511F53u * c0;
    const u32 hi1 = mul_hi(0xCD9E8D57u, c2), lo1 = 0xCD9E8D57u * c2;
    c0 = hi1 ^ c1 ^ k0;
    c1 = lo1;
    c2 = hi0 ^ c3 ^ k1;
    c3 = lo0;
    k0 += 0x9E3779B9u;
    k1 += 0xBB67AE85u;
  }
  return {{c0, c1, c2, c3}};
}

// A cross-check with another generator: engine/device/cuda/checks/mtgp32.cu.
#ifdef KILN_LANE_RANDOM
#include KILN_LANE_RANDOM
#else
/// xoroshiro64*: the generator of one lane. Copy it to a local, draw, write it back.
struct Random {
  u32 s0, s1;

  KILN_FN u32 next() {
    const u32 result = s0 * 0x9E3779BBu;
    const u32 t = s1 ^ s0;
    s0 = ((s0 << 26) | (s0 >> 6)) ^ t ^ (t << 9);
    s1 = (t << 13) | (t >> 19);
    return result;
  }
  /// "01" of the specification: uniform in [0, 1), 24 bits.
  KILN_FN Real uniform() { return Real(i32(next() >> 8)) * Real(0x1p-24); }
  /// "11" of the specification: uniform in [-1, 1).
  KILN_FN Real signed_uniform() { return Real(i32(next() >> 8)) * Real(0x1p-23) - Real(1); }
  /// A fair bit, 0 or 1.
  KILN_FN u32 bit() { return next() >> 31; }
};
#endif

KILN_END
