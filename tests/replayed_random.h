// SPDX-License-Identifier: MIT
// kernels/random.h's generator replaced by numbers that are given; 0 behind their end.
struct Random {
  const u32* at;
  const u32* end;

  KILN_FN u32 next() { return at == end ? 0 : *at++; }
#ifdef KILN_IN_DOUBLE
  KILN_FN Real uniform() { return Real(next()) * 0x1p-32; }
#else
  KILN_FN Real uniform() { return Real(i32(next() >> 8)) * Real(0x1p-24); }
#endif
  KILN_FN Real signed_uniform() { return 2 * uniform() - Real(1); }
  KILN_FN u32 bit() { return next() >> 31; }
};
