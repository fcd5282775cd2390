// Picks a kernel for a job of FFT lines: the shape made for its length and addresses, else AnyLine.
#include <algorithm>
#include <atomic>
#include <cstdlib>

#include "engine/device/cuda_fft.cuh"
#include "engine/device/cuda_fft.h"
#include "engine/device/cuda_fft_any.cuh"

KILN_BEGIN

__global__ void __launch_bounds__(any_threads) run_any_fft(const __grid_constant__ FftLines job) {
  extern __shared__ __align__(16) char memory[];
  run_any_line(job, reinterpret_cast<Complex*>(memory));
}

KILN_END

namespace kiln {
namespace {

bool same_factors(const FftVariant& variant, const LinePlan& plan) {
  if (variant.points != plan.points || variant.passes != plan.passes) return false;
  for (int p = 0; p < plan.passes; ++p) {
    if (variant.radices[p] != plan.radix[p]) return false;
  }
  return true;
}

/// The variant with the wanted number among those that fit, the first if there is none; null: none
/// fits.
const FftVariant* pick(const FftVariants& variants, const FftLines& job, const FftDevice& device) {
  const FftVariant* best = nullptr;
  int seen = 0;
  for (int i = 0; i < variants.count; ++i) {
    const FftVariant& variant = variants.begin[i];
    if (!same_factors(variant, job.plan)) continue;
    if ((variant.uses & int(use_of(job))) == 0) continue;
    if (variant.shared_bytes > device.shared_bytes) continue;
    if (!best || seen == job.variant) best = &variant;
    ++seen;
  }
  return best;
}

}  // namespace

cudaError_t current_fft_device(FftDevice& device) {
  constexpr int most = 64;
  static std::atomic<int> known[most][3];
  constexpr cudaDeviceAttr wanted[3] = {cudaDevAttrMultiProcessorCount,
                                        cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                        cudaDevAttrComputeCapabilityMajor};
  cudaError_t error = cudaGetDevice(&device.index);
  if (error != cudaSuccess) return error;
  if (device.index >= most) return cudaErrorInvalidDevice;
  int values[3];
  for (int i = 0; i < 3; ++i) {
    values[i] = known[device.index][i];
    if (values[i] != 0) continue;
    error = cudaDeviceGetAttribute(&values[i], wanted[i], device.index);
    if (error != cudaSuccess) return error;
    known[device.index][i] = values[i];
  }
  device.multiprocessors = values[0];
  device.shared_bytes = values[1];
  device.starts_early = values[2] >= 9;
  return cudaSuccess;
}

cudaError_t launch_any_fft(const FftLines& job, cudaStream_t stream) {
  const int bytes = any_shared_bytes(job.plan.points, job.terms);
  if (bytes > 48 * 1024) {
    const cudaError_t error =
        cudaFuncSetAttribute(run_any_fft, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    if (error != cudaSuccess) return error;
  }
  const int lines = any_lines(job.plan.points);
  run_any_fft<<<u32((job.lines + lines - 1) / lines), any_threads, std::size_t(bytes), stream>>>(
      job);
  return cudaGetLastError();
}

cudaError_t launch_fft(const FftLines& job, cudaStream_t stream) {
  FftDevice device;
  const cudaError_t error = current_fft_device(device);
  if (error != cudaSuccess) return error;
  const LineAddress& from = job.from;
  const FftVariant* variant = nullptr;
  const bool rows = from.point_step == 1 && job.to.point_step == 1;
  // what the shapes leave out
  const bool multiplied = job.spectrum[0].real || job.spectrum[0].complex;
  const bool rotated = job.rotation.low != nullptr;
  const bool narrow = std::max(std::abs(from.point_step), std::abs(job.to.point_step)) < 1 << 28;
  if (!narrow || from.point_step < 0 || job.to.point_step < 0 ||
      (multiplied && !(job.forward && job.inverse)) || (rotated && job.forward && job.inverse) ||
      (rows && multiplied && job.spectrum[0].tile != 1)) {
    return launch_any_fft(job, stream);
  }
  if (job.terms > 1) {
    variant = pick(fft_sum_variants(), job, device);
  } else if (rows) {
    variant = pick(fft_row_variants(), job, device);
  } else if (from.point_step == 2 && job.to.point_step == 2 && from.inner == 2) {
    variant = pick(fft_pixel_row_variants(), job, device);
  }
  if (!variant && job.terms == 1 && !rows) variant = pick(fft_column_variants(), job, device);
#if defined(KILN_FFT_RADIX)
  if (!variant && job.terms == 1) {
    // rows first, columns after them
    const FftVariants radix = fft_radix_variants();
    for (int i = 0; i < radix.count; ++i) {
      if (same_factors(radix.begin[i], job.plan)) {
        if (!variant || !rows) variant = radix.begin + i;
      }
    }
  }
#endif
  return variant ? variant->launch(job, stream) : launch_any_fft(job, stream);
}

}  // namespace kiln
