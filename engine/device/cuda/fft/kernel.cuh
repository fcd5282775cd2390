// SPDX-License-Identifier: MIT
// The FFT kernels of the CUDA device and the list of their shapes.
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstdint>

#include "engine/device/cuda/fft/thread.cuh"

KILN_BEGIN

#if KILN_CUDA_CODE

template <class Shape, FftUse use, bool may_fetch, bool may_stream>
__global__ void __launch_bounds__(Shape::threads, Shape::Resident)
    run_fft(const __grid_constant__ typename FftThread<Shape, use>::Task task) {
  extern __shared__ __align__(16) char memory[];
  FftThread<Shape, use, may_fetch, may_stream> thread(task, int(blockIdx.x),
                                                      reinterpret_cast<Complex*>(memory));
  wait_for_last_launch();
  thread.run();
}

#endif

/// The jobs that a kernel is for.
struct FftWhen {
  std::int64_t most_points = std::int64_t(1) << 62;                // all lines together
  std::int64_t least_step = 0, most_step = std::int64_t(1) << 62;  // from point to point
};

/// The data of a job that are not in L2: those it reads, because they were not written lately or
/// are more than L2 holds, and those it writes, because they are more or nobody reads them soon.
struct FftOutside {
  bool reads = false, writes = false;
};

/// A kernel for the lines of one length; which addresses it is good at is its table's business.
struct FftVariant {
  int points, passes;
  const int* radices;
  int uses;     // a sum of FftUse
  int carried;  // neighboring lines a thread
  int padded;   // the uses whose lines may be shorter in memory
  bool rotation, real_output, real_spectrum;
  int shared_bytes;
  FftWhen when;
  cudaError_t (*launch)(const FftLines& job, FftOutside outside, cudaStream_t stream);
};

/// The properties of a device that launches ask for again and again.
struct FftDevice {
  int index = 0, multiprocessors = 0;
  int shared_bytes = 0;  // the most that a block gets
  int l2_bytes = 0;
  bool starts_early = false;  // knows programmatic dependent launches
};
cudaError_t current_fft_device(FftDevice& device);

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
/// Empty; a benchmark (bench/fft_radix.cu) may set more kernels, for rows and then for columns,
/// that are tried before AnyLine.
FftVariants& more_fft_variants();
/// Any length, from shared memory alone.
cudaError_t launch_any_fft(const FftLines& job, cudaStream_t stream);

#if KILN_CUDA_CODE

inline FftUse use_of(const FftLines& job) {
  return !job.forward ? FftUse::inverse : !job.inverse ? FftUse::forward : FftUse::both;
}

/// A shape with the uses (a sum of FftUse) that it is compiled for, and those of them that fetch
/// ahead what lies outside L2 and write streaming what shall go there; measured.
template <class Factors, FftLayout layout, int uses_, int ahead_ = 0, int streams_ = 0,
          FftWhen when_ = FftWhen{}>
struct Entry {
  using Shape = FftShape<Factors, layout>;
  static constexpr int uses = uses_, ahead = ahead_, streams = streams_;
  static constexpr FftWhen when = when_;
};
/// Little work: blocks that are done soon, and the next launch is under way meanwhile.
constexpr FftWhen small_jobs = {1 << 20};
/// Lines whose points lie close together, as columns of tiles do, or far apart.
constexpr FftWhen tiles = {std::int64_t(1) << 62, 0, 32};
constexpr FftWhen far_apart = {std::int64_t(1) << 62, 8192};
constexpr int any_use = 7, one_way = 3, there_and_back = 4;
constexpr int forward_use = 1, inverse_use = 2;

template <class E, FftUse use>
cudaError_t launch_use(const FftLines& job, FftOutside outside, cudaStream_t stream) {
  using Shape = typename E::Shape;
  constexpr bool may_fetch = (E::ahead & int(use)) != 0, may_stream = (E::streams & int(use)) != 0;
  constexpr bool hurries = E::when.most_points == small_jobs.most_points;
  const auto kernel = run_fft<Shape, use, may_fetch, may_stream>;
  FftDevice device;
  cudaError_t error = current_fft_device(device);
  if (error != cudaSuccess) return error;
  static std::atomic<std::uint64_t> allowed{0};  // a bit a device
  const std::uint64_t bit = std::uint64_t(1) << device.index;
  if (Shape::shared_bytes > 48 * 1024 && !(allowed & bit)) {
    error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 Shape::shared_bytes);
    if (error != cudaSuccess) return error;
    allowed |= bit;
  }
  constexpr int lines = Shape::I * Shape::G * Shape::C;
  // below 16 MB an early start costs more than it hides, but for kernels made for that
  const std::int64_t bytes = std::int64_t(job.lines) * Shape::n * int(sizeof(Complex));
  const bool early = device.starts_early && (hurries || bytes >= 16 << 20);
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(u32((job.lines + lines - 1) / lines));
  config.blockDim = dim3(u32(Shape::threads));
  config.dynamicSmemBytes = std::size_t(Shape::shared_bytes);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = early ? 1 : 0;
  using Task = typename FftThread<Shape, use>::Task;
  const i32 blocks_ahead =
      may_fetch && outside.reads ? device.multiprocessors * Shape::Resident : 0;
  return cudaLaunchKernelEx(&config, kernel, Task(job, blocks_ahead, may_stream && outside.writes));
}

template <class E>
cudaError_t launch_shape(const FftLines& job, FftOutside outside, cudaStream_t stream) {
  if constexpr ((E::uses & int(FftUse::inverse)) != 0) {
    if (!job.forward) return launch_use<E, FftUse::inverse>(job, outside, stream);
  }
  if constexpr ((E::uses & int(FftUse::forward)) != 0) {
    if (!job.inverse) return launch_use<E, FftUse::forward>(job, outside, stream);
  }
  if constexpr ((E::uses & int(FftUse::both)) != 0) {
    return launch_use<E, FftUse::both>(job, outside, stream);
  }
  return cudaErrorNotSupported;
}

template <class E>
constexpr FftVariant variant_of() {
  using Shape = typename E::Shape;
  return {.points = Shape::n,
          .passes = Shape::passes,
          .radices = Shape::Factors::list,
          .uses = E::uses,
          .carried = Shape::C,
          .padded =
              (Shape::pictures(false) ? one_way : 0) | (Shape::pictures(true) ? there_and_back : 0),
          .rotation = Shape::rotation,
          .real_output = Shape::real_output,
          .real_spectrum = Shape::real_spectrum,
          .shared_bytes = Shape::shared_bytes,
          .when = E::when,
          .launch = &launch_shape<E>};
}

template <class... Entries>
FftVariants variants_of() {
  static const FftVariant list[] = {variant_of<Entries>()...};
  return {list, int(sizeof...(Entries))};
}

#endif

KILN_END
