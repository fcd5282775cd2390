// The second set of kernels: CMake compiles this file and the engine's FFT files once more, with
// KILN_ISA=contracted, a namespace of its own, and --fmad=true.
#include <cuda_runtime.h>

#include "engine/device/cuda_fft.h"

namespace kiln {

namespace generic {
struct FftLines;  // the same structure as ours, for those who see no other namespace
}

namespace {
cudaStream_t stream = nullptr;
FftStreams streams;
}  // namespace

int transform_contracted(const generic::FftLines* jobs, int count, i32 units) {
  if (!stream) {
    const cudaError_t error = cudaStreamCreate(&stream);
    if (error != cudaSuccess) return int(error);
  }
  const std::span<const FftLines> ours(reinterpret_cast<const FftLines*>(jobs), std::size_t(count));
  return int(launch_fft(ours, units, streams, stream));
}

int wait_contracted() { return stream ? int(cudaStreamSynchronize(stream)) : 0; }

}  // namespace kiln
