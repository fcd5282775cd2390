// SPDX-License-Identifier: MIT
// The kernels that a device launches by number (kernels/kernels.h), by their names.
#include "engine/device/cuda/block.cuh"

namespace kiln {

template <class K>
__device__ __forceinline__ void run_plain(const K& kernel) {
  extern __shared__ __align__(16) char memory[];
  CudaBlock block{int(blockIdx.x)};
  kernel(block, *reinterpret_cast<typename K::Shared*>(memory));
}

}  // namespace kiln

#define KILN_PLAIN_KERNEL(K)                                                                    \
  extern "C" __global__ void __launch_bounds__(kiln::K::lanes) kiln_##K(const kiln::K kernel) { \
    kiln::run_plain(kernel);                                                                    \
  }
KILN_KERNEL_LIST(KILN_PLAIN_KERNEL)
