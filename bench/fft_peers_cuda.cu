// SPDX-License-Identifier: MIT
// cuFFT and cudaMemcpy, timed by events.
#include <cuda_runtime.h>
#include <cufft.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <vector>

#include "bench/fft_peers.h"

namespace kiln::peers {
namespace {

void check(int error, const char* what) {
  if (error == 0) return;
  std::fprintf(stderr, "fft_bench: %s failed with %d\n", what, error);
  std::exit(1);
}

class Memory {
 public:
  explicit Memory(std::uint64_t bytes) {
    check(cudaMalloc(&data_, bytes), "cudaMalloc");
    // small random-looking numbers: zeros run faster, and powers would overflow
    std::vector<float> block(1 << 20);
    std::uint32_t state = 1;
    for (float& value : block) {
      state = state * 1664525u + 1013904223u;
      value = float(state >> 8) * 0x1p-24f - 0.5f;
    }
    for (std::uint64_t at = 0; at < bytes; at += block.size() * 4) {
      check(
          cudaMemcpy(static_cast<char*>(data_) + at, block.data(),
                     std::min<std::uint64_t>(bytes - at, block.size() * 4), cudaMemcpyHostToDevice),
          "cudaMemcpy");
    }
  }
  ~Memory() { cudaFree(data_); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

struct Plan {
  cufftHandle handle = 0;
  ~Plan() { cufftDestroy(handle); }
};

double median_ms(const std::function<void()>& run) {
  cudaEvent_t begin, end;
  cudaEventCreate(&begin);
  cudaEventCreate(&end);
  std::vector<float> times;
  run();
  float once = 0;
  cudaEventRecord(begin);
  run();
  cudaEventRecord(end);
  check(cudaEventSynchronize(end), "cudaEventSynchronize");
  cudaEventElapsedTime(&once, begin, end);
  const int repeats = std::clamp(int(4 / std::max(once, 0.001f)), 1, 200);
  for (int sample = 0; sample < 7; ++sample) {
    cudaEventRecord(begin);
    for (int i = 0; i < repeats; ++i) run();
    cudaEventRecord(end);
    check(cudaEventSynchronize(end), "cudaEventSynchronize");
    float ms = 0;
    cudaEventElapsedTime(&ms, begin, end);
    times.push_back(ms / float(repeats));
  }
  cudaEventDestroy(begin);
  cudaEventDestroy(end);
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// A thread keeps its frequency's factor for all the lines it takes.
__global__ void multiply_complex(float2* data, const float2* spectrum, std::uint32_t points,
                                 std::uint32_t lines, float scale) {
  const std::uint32_t k = blockIdx.x * blockDim.x + threadIdx.x;
  if (k >= points) return;
  const float2 b = spectrum[k];
  for (std::uint32_t line = blockIdx.y; line < lines; line += gridDim.y) {
    const std::uint64_t at = std::uint64_t(line) * points + k;
    const float2 a = data[at];
    data[at] = make_float2((a.x * b.x - a.y * b.y) * scale, (a.x * b.y + a.y * b.x) * scale);
  }
}

/// `pixels` complex numbers a plane; interleaved: two a pixel.
__global__ void multiply_real(float2* data, const float* spectrum, std::uint32_t pixels,
                              int interleaved, float scale) {
  const std::uint32_t i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= pixels * (interleaved ? 2 : 1)) return;
  const std::uint64_t at = std::uint64_t(blockIdx.y) * pixels + i;
  const float h = spectrum[interleaved ? i / 2 : i] * scale;
  const float2 a = data[at];
  data[at] = make_float2(a.x * h, a.y * h);
}

}  // namespace

double copy(std::uint64_t bytes) {
  const Memory from(bytes), to(bytes);
  return median_ms(
      [&] { cudaMemcpyAsync(to.as<void>(), from.as<void>(), bytes, cudaMemcpyDeviceToDevice); });
}

double lines(std::int64_t points, int count, bool chain) {
  const Memory data(std::uint64_t(points) * std::uint64_t(count) * 8);
  const Memory spectrum(std::uint64_t(points) * 8);
  Plan plan;
  int n = int(points);
  check(cufftPlanMany(&plan.handle, 1, &n, nullptr, 1, n, nullptr, 1, n, CUFFT_C2C, count),
        "cufftPlanMany");
  auto* x = data.as<cufftComplex>();
  const dim3 grid(unsigned((points + 255) / 256),
                  unsigned(std::clamp<std::int64_t>((1 << 22) / points, 1, count)));
  const float scale = 1 / float(points);
  return median_ms([&] {
    check(cufftExecC2C(plan.handle, x, x, CUFFT_FORWARD), "cufftExecC2C");
    if (!chain) return;
    multiply_complex<<<grid, 256>>>(x, spectrum.as<float2>(), std::uint32_t(points),
                                    std::uint32_t(count), scale);
    check(cufftExecC2C(plan.handle, x, x, CUFFT_INVERSE), "cufftExecC2C");
  });
}

double pictures(int width, int height, int batch) {
  const Memory data(std::uint64_t(width) * std::uint64_t(height) * std::uint64_t(batch) * 8);
  Plan plan;
  int n[2] = {height, width};
  check(cufftPlanMany(&plan.handle, 2, n, nullptr, 1, width * height, nullptr, 1, width * height,
                      CUFFT_C2C, batch),
        "cufftPlanMany");
  auto* x = data.as<cufftComplex>();
  return median_ms([&] { cufftExecC2C(plan.handle, x, x, CUFFT_FORWARD); });
}

double convolution(int width, int height, Layout layout) {
  const std::uint64_t pixels = std::uint64_t(width) * std::uint64_t(height);
  const Memory spectrum(pixels * 4);
  int n[2] = {height, width};
  const float scale = 1 / float(pixels);
  if (layout == Layout::planar_real) {
    const int bins = width / 2 + 1;
    const std::uint64_t all_bins = std::uint64_t(bins) * std::uint64_t(height);
    const Memory planes(pixels * 16), frequencies(all_bins * 32);
    Plan forward, inverse;
    check(cufftPlanMany(&forward.handle, 2, n, nullptr, 1, int(pixels), nullptr, 1, int(all_bins),
                        CUFFT_R2C, 4),
          "cufftPlanMany");
    check(cufftPlanMany(&inverse.handle, 2, n, nullptr, 1, int(all_bins), nullptr, 1, int(pixels),
                        CUFFT_C2R, 4),
          "cufftPlanMany");
    auto* f = frequencies.as<cufftComplex>();
    const dim3 grid(unsigned((all_bins + 255) / 256), 4);
    return median_ms([&] {
      cufftExecR2C(forward.handle, planes.as<float>(), f);
      multiply_real<<<grid, 256>>>(f, spectrum.as<float>(), std::uint32_t(all_bins), 0, scale);
      cufftExecC2R(inverse.handle, f, planes.as<float>());
    });
  }
  const bool interleaved = layout == Layout::interleaved;
  const Memory data(pixels * 16);
  Plan plan;
  check(cufftPlanMany(&plan.handle, 2, n, n, interleaved ? 2 : 1, interleaved ? 1 : int(pixels), n,
                      interleaved ? 2 : 1, interleaved ? 1 : int(pixels), CUFFT_C2C, 2),
        "cufftPlanMany");
  auto* x = data.as<cufftComplex>();
  const std::uint64_t items = interleaved ? pixels * 2 : pixels;
  const dim3 grid(unsigned((items + 255) / 256), interleaved ? 1 : 2);
  return median_ms([&] {
    cufftExecC2C(plan.handle, x, x, CUFFT_FORWARD);
    multiply_real<<<grid, 256>>>(x, spectrum.as<float>(), std::uint32_t(pixels), interleaved,
                                 scale);
    cufftExecC2C(plan.handle, x, x, CUFFT_INVERSE);
  });
}

}  // namespace kiln::peers
