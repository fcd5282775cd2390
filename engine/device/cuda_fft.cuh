// The FFT kernels of the CUDA device and the list of their shapes.
#pragma once

#include <cuda_runtime.h>

#include "engine/device/cuda_fft_thread.cuh"

#if KILN_CUDA_CODE
KILN_BEGIN

template <class Shape>
__global__ void __launch_bounds__(Shape::threads, Shape::Resident)
    run_fft(const __grid_constant__ FftLines job) {
  extern __shared__ __align__(16) char memory[];
  FftThread<Shape>(job, reinterpret_cast<Complex*>(memory)).run();
}

KILN_END
#endif

namespace kiln {

/// A kernel for the lines of one length; which addresses it is good at is its table's business.
struct FftVariant {
  int points, passes;
  const int* radices;
  int lines;  // a block
  bool sums;
  cudaError_t (*launch)(const FftLines& job, cudaStream_t stream);
};

struct FftVariants {
  const FftVariant* begin;
  int count;
};

/// Kernels for lines of contiguous points, of pixels' halves, and of columns; the first that fits
/// is the best known. One source file each: they compile long.
FftVariants fft_row_variants();
FftVariants fft_pixel_row_variants();
FftVariants fft_column_variants();
/// Columns whose products are summed.
FftVariants fft_sum_variants();
/// Kernels with one radix for all passes where the length allows, for `bench fft --radix`.
FftVariants fft_radix_variants();

/// Any length, from shared memory alone.
cudaError_t launch_any_fft(const FftLines& job, cudaStream_t stream);

#if KILN_CUDA_CODE

template <class Shape>
cudaError_t launch_shape(const FftLines& job, cudaStream_t stream) {
  if (Shape::shared_bytes > 48 * 1024) {
    const cudaError_t error = cudaFuncSetAttribute(
        run_fft<Shape>, cudaFuncAttributeMaxDynamicSharedMemorySize, Shape::shared_bytes);
    if (error != cudaSuccess) return error;
  }
  constexpr int lines = Shape::I * Shape::G;
  run_fft<Shape>
      <<<u32((job.lines + lines - 1) / lines), Shape::threads, Shape::shared_bytes, stream>>>(job);
  return cudaGetLastError();
}

template <class Shape>
constexpr FftVariant variant_of() {
  return {Shape::n,   Shape::passes,       Shape::Factors::list, Shape::I * Shape::G,
          Shape::Sum, &launch_shape<Shape>};
}

template <class... Shapes>
FftVariants variants_of() {
  static const FftVariant list[] = {variant_of<Shapes>()...};
  return {list, int(sizeof...(Shapes))};
}

#endif

}  // namespace kiln
