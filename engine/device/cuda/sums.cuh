// Records become sums in the frame: SumNarrowTiles or AccumulateTiles sums each share of a tile's
// pages in shared memory and adds it to the frame once. For one .cu file alone.
#pragma once

#include <algorithm>

#include "engine/device/cuda/record_pages.cuh"

namespace kiln {
namespace {

constexpr int share_pages = 256;  // of one block that sums: enough to pay for its tile

/// `packed`: entries of the palette behind the sums in shared memory, or 0.
template <int Lanes, int Blocks>
__global__ void __launch_bounds__(Lanes, Blocks)
    run_sums(const AccumulateTiles kernel, const PageList list, int sum_bytes, int packed) {
  extern __shared__ __align__(16) char memory[];
  CudaTileBlock block{list, kernel.palette.entries};
  if (packed) block.pack_palette(packed, reinterpret_cast<uint2*>(memory + sum_bytes));
  kernel(block, *reinterpret_cast<AccumulateTiles::Shared*>(memory));
}

template <int Lanes, int Blocks>
void launch_sums(const AccumulateTiles& sums, const PageList& list, u32 blocks, int sum_bytes,
                 cudaStream_t stream) {
  constexpr int most_packed = 2048;  // 16 KB
  const PaletteTable& palette = sums.palette;
  const int entries = palette.rows << (palette.index_bits - palette.fraction_bits);
  const int packed = palette.wide || entries > most_packed ? 0 : entries;
  const int bytes = sum_bytes + (packed ? (packed + 1) * int(sizeof(uint2)) : 0);
  const auto kernel = run_sums<Lanes, Blocks>;
  KILN_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<blocks, Lanes, std::size_t(bytes), stream>>>(sums, list, sum_bytes, packed);
}

template <int Lanes, int Blocks, bool Hits>
__global__ void __launch_bounds__(Lanes, Blocks)
    run_narrow_sums(const SumNarrowTiles<Hits> kernel) {
  extern __shared__ __align__(16) u32 sums[];
  kernel(sums);
}

template <int Lanes, int Blocks, bool Hits>
void launch_narrow(const AccumulateTiles& sums, const PageList& list, u32 blocks,
                   cudaStream_t stream) {
  const auto kernel = run_narrow_sums<Lanes, Blocks, Hits>;
  const int bytes = sums.tiling.pixels() * SumNarrowTiles<Hits>::pixel_bytes +
                    sums.palette.rows * 256 * int(sizeof(uint2));
  KILN_CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
  kernel<<<blocks, Lanes, std::size_t(bytes), stream>>>(
      SumNarrowTiles<Hits>{sums.palette.entries, sums.palette.rows, sums.frame, sums.width,
                           sums.height, sums.tiling, list});
}

/// Adds all records of the pages to the frame of `sums`.
void add_records(const RecordPages& pages, const AccumulateTiles& sums,
                 const cudaDeviceProp& device, cudaStream_t stream) {
  // the sums of a share fit 32 bits
  const int limit = int(std::min<u64>(u64(share_pages), sums.record_limit / record_page));
  const PageList list = pages.list(limit, device.multiProcessorCount, stream);
  const u32 blocks = pages.most_shares(limit);
  const int pixels = sums.tiling.pixels();
  if (sums.palette.narrow && sums.palette.opaque) {
    // 48 warps a multiprocessor, or 32 where a tile's sums leave room for one block
    if (pixels > most_tile_pixels) {
      launch_narrow<1024, 1, false>(sums, list, blocks, stream);
    } else {
      launch_narrow<512, 3, false>(sums, list, blocks, stream);
    }
  } else if (sums.palette.narrow) {
    launch_narrow<512, 2, true>(sums, list, blocks, stream);
  } else {
    AccumulateTiles kernel = sums;
    int bytes = pixels * (sums.palette.opaque ? 16 : 20);
    if (sums.palette.wide) {
      bytes *= 2;
      kernel.halves = kernel.halves && bytes <= int(device.sharedMemPerBlockOptin);
      if (!kernel.halves) bytes = 0;
    }
    if (bytes > 64 * 1024)
      launch_sums<1024, 1>(kernel, list, blocks, bytes, stream);
    else
      launch_sums<512, 3>(kernel, list, blocks, bytes, stream);
  }
  KILN_CUDA_CHECK(cudaGetLastError());
}

}  // namespace
}  // namespace kiln
