// SPDX-License-Identifier: MIT
// Sums of another GPU are added to this one's (peers.cpp).
#include "kernels/platform.h"

extern "C" __global__ void __launch_bounds__(512)
    kiln_add_sums(kiln::u64* sums_, const kiln::u64* others_, kiln::u64 pairs, bool odd) {
  ulonglong2* const sums = reinterpret_cast<ulonglong2*>(sums_);
  const ulonglong2* const others = reinterpret_cast<const ulonglong2*>(others_);
  const kiln::u64 stride = kiln::u64(gridDim.x) * blockDim.x;
  const kiln::u64 first = kiln::u64(blockIdx.x) * blockDim.x + threadIdx.x;
  for (kiln::u64 i = first; i < pairs; i += stride) {
    const ulonglong2 theirs = others[i];
    ulonglong2 mine = sums[i];
    mine.x += theirs.x;
    mine.y += theirs.y;
    sums[i] = mine;
  }
  if (odd && first == 0) sums[pairs].x += others[pairs].x;
}
