// SPDX-License-Identifier: MIT
// The kernels of many small pictures at once (shared_launches.cpp).
#include "engine/device/cuda/block.cuh"
#include "engine/device/cuda/many.h"
#include "engine/device/cuda/seats.h"

namespace kiln {

/// All threads of a block copy a piece. `from` is aligned as pieces are, at 16 bytes.
__device__ void copy_piece(char* to, const char* from, u64 bytes) {
  u64 done = 0;
  if ((u64(to) | u64(from)) % 16 == 0) {
    const u64 whole = bytes / 16;
    for (u64 i = threadIdx.x; i < whole; i += blockDim.x)
      reinterpret_cast<uint4*>(to)[i] =
          from ? reinterpret_cast<const uint4*>(from)[i] : uint4{0, 0, 0, 0};
    done = whole * 16;
  }
  for (u64 i = done + threadIdx.x; i < bytes; i += blockDim.x) to[i] = from ? from[i] : 0;
}

template <class K>
KILN_FN void run_many(const Many<K>& many) {
  extern __shared__ __align__(16) char memory[];
  const int item = item_of(many, blockIdx.x);
  CudaBlock block{int(blockIdx.x - many.first[item])};
  many.item[item](block, *reinterpret_cast<typename K::Shared*>(memory));
}

}  // namespace kiln

/// Block b puts pieces [first[b], first[b + 1]) where they belong, one after the other.
extern "C" __global__ void __launch_bounds__(512)
    kiln_put_pieces(const kiln::Piece* pieces, const kiln::u32* first, const char* copied) {
  for (kiln::u32 p = first[blockIdx.x]; p < first[blockIdx.x + 1]; ++p) {
    const kiln::Piece piece = pieces[p];
    kiln::copy_piece(piece.to, piece.at == kiln::zeros ? nullptr : copied + piece.at, piece.bytes);
    __syncthreads();  // a later one may go to the same place
  }
}

/// Block b brings piece b together with the others.
extern "C" __global__ void __launch_bounds__(256)
    kiln_take_pieces(const kiln::Piece* pieces, char* together) {
  const kiln::Piece piece = pieces[blockIdx.x];
  kiln::copy_piece(together + piece.at, piece.to, piece.bytes);
}

#define KILN_MANY_KERNEL(K)                                             \
  extern "C" __global__ void __launch_bounds__(kiln::K::lanes)          \
      kiln_many_##K(const __grid_constant__ kiln::Many<kiln::K> many) { \
    kiln::run_many(many);                                               \
  }
KILN_KERNELS_OF_MANY(KILN_MANY_KERNEL)
