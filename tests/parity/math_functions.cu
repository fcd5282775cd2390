// SPDX-License-Identifier: MIT
// The same list on a GPU. Nothing here is fast or tidy about memory: a few thousand values, once.
#include <cstdio>
#include <cstdlib>

#include "tests/parity/math_function_list.h"
#include "tests/parity/math_functions.h"

KILN_BEGIN

__global__ void run_math_function(int index, const float* xs, const float* ys, u32* bits,
                                  int count) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= count) return;
  [[maybe_unused]] const Real x = xs[i], y = ys[i];
  int entry = 0;
#define KILN_ENTRY(name, expression) \
  if (index == entry++) bits[i] = result_bits(expression);
  KILN_MATH_FUNCTIONS(KILN_ENTRY)
}

KILN_END

namespace kiln::test {
namespace {

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
  std::abort();
}
#define KILN_CHECKED(call) check(call, #call)

/// Memory of the host that the GPU sees too.
template <class T>
struct Managed {
  T* data = nullptr;
  explicit Managed(int count) {
    KILN_CHECKED(cudaMallocManaged(&data, std::size_t(count) * sizeof(T)));
  }
  ~Managed() { cudaFree(data); }
  Managed(const Managed&) = delete;
  Managed& operator=(const Managed&) = delete;
};

}  // namespace

bool run_math_function_cuda(int index, const float* x, const float* y, std::uint32_t* bits,
                            int count) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return false;
  Managed<float> device_x(count), device_y(count);
  Managed<u32> device_bits(count);
  for (int i = 0; i < count; ++i) {
    device_x.data[i] = x[i];
    device_y.data[i] = y[i];
  }
  run_math_function<<<(count + 255) / 256, 256>>>(index, device_x.data, device_y.data,
                                                  device_bits.data, count);
  KILN_CHECKED(cudaGetLastError());
  KILN_CHECKED(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) bits[i] = device_bits.data[i];
  return true;
}

}  // namespace kiln::test
