// SPDX-License-Identifier: MIT
// Where the shares of the divergent reference's xforms lie. Read by nvcc, NVRTC and the host's
// compiler.
#pragma once

#include "kernels/platform.h"

KILN_BEGIN

/// Shares of more xforms than this are read from global memory.
constexpr int most_shared_shares = 4096;

/// Words of shared memory for the shares of a flame.
KILN_SHARED_FN int divergent_shares(int xform_count, bool xaos) {
  const i64 all = xaos ? i64(xform_count + 1) * xform_count : xform_count;
  return all <= most_shared_shares ? int((all + 3) & ~i64(3)) : 0;
}

KILN_END
