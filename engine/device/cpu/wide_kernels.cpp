// The kernels of wide flames (kernels/wide_xform.h), compiled once per instruction set like
// cpu/kernels.cpp, beside it: nothing of the standard library may be instantiated here.
#include "engine/device/cpu/run_kernel.h"

KILN_BEGIN

void run_wide_by_number(int kernel, const void* arguments, int first, int last,
                        const CpuWorker& worker) {
  run_listed(WideKernels{}, kernel, arguments, first, last, worker);
}

KILN_END
