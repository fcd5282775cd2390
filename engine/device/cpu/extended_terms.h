// SPDX-License-Identifier: MIT
// The code of extended flames' variations (kernels/extended_xform.h) of one instruction set: that of
// each list stands in one file, whoever plays with it.
#pragma once

#include "engine/device/cpu/run_game.h"
#include "kernels/extended_xform.h"
#include "kernels/variations/all.h"

/// Instantiates the code of a list, or says that it is elsewhere: extern KILN_TERMS_OF(...).
#define KILN_TERMS_OF(list, begin)                                                               \
  template void apply_terms<list, begin>(const Program&, int, int, const Affine&, const CpuRun&, \
                                         ExtendedLanes<CpuRun::Lanes<Real>>&,                    \
                                         CpuRun::Lanes<Real>&, CpuRandoms&)
