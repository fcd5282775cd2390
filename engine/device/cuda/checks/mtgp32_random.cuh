// SPDX-License-Identifier: MIT
// Stands in for struct Random of kernels/random.h where the chaos game is compiled for
// `--rng mtgp32` (cuda/checks/mtgp32.cu): a lane's words come from a ring that the whole block
// refills between steps, since cuRAND's generator moves all its lanes at once. Included inside
// namespace kiln.

constexpr unsigned random_ring = 512;   // words of a lane: more than four moves can draw
constexpr unsigned random_lanes = 512;  // of a block

/// The block's rings, [random_ring][random_lanes], in global memory.
__shared__ u32* random_words;

/// The lane's place in its ring. Copy it to a local, draw, write it back.
struct Random {
  u32 s0, s1;  // words drawn, words made

  KILN_FN u32 next() { return random_words[(s0++ % random_ring) * random_lanes + threadIdx.x]; }
  /// Uniform in [0, 1), 24 bits.
  KILN_FN Real uniform() { return Real(i32(next() >> 8)) * Real(0x1p-24); }
  /// Uniform in [-1, 1).
  KILN_FN Real signed_uniform() { return Real(i32(next() >> 8)) * Real(0x1p-23) - Real(1); }
  /// A fair bit, 0 or 1.
  KILN_FN u32 bit() { return next() >> 31; }
};
