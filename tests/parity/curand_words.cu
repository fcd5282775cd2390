// SPDX-License-Identifier: MIT
#include "tests/parity/curand_words.h"

#define QUALIFIERS static __forceinline__ __host__ __device__
#include <curand.h>
#include <curand_kernel.h>
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "kernels/random.h"

namespace kiln::test {
namespace {

void check(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(result));
  std::abort();
}
#define KILN_CHECKED(call) check(call, #call)

__global__ void words_of_both(const PhiloxPlace* places, int place_count, int count, u32* curands,
                              u32* kilns) {
  const int i = int(blockIdx.x * blockDim.x + threadIdx.x);
  if (i >= place_count) return;
  const PhiloxPlace place = places[i];
  curandStatePhilox4_32_10_t state;
  curand_init(place.seed, place.subsequence, place.offset, &state);
  for (int k = 0; k < count; ++k) curands[i * count + k] = curand(&state);
  for (int k = 0; k < count; k += 4) {
    const u64 counter = (place.offset + u64(k)) / 4;
    const Words4 words = philox(u32(counter), u32(counter >> 32), u32(place.subsequence),
                                u32(place.subsequence >> 32), place.seed);
    for (int w = 0; w < 4; ++w) kilns[i * count + k + w] = words.w[w];
  }
}

}  // namespace

std::vector<std::uint32_t> curand_words(const std::vector<PhiloxPlace>& places, int count) {
  std::vector<std::uint32_t> words;
  for (const PhiloxPlace& place : places) {
    curandStatePhilox4_32_10_t state;
    curand_init(place.seed, place.subsequence, place.offset, &state);
    for (int k = 0; k < count; ++k) words.push_back(curand(&state));
  }
  return words;
}

bool words_on_gpu(const std::vector<PhiloxPlace>& places, int count,
                  std::vector<std::uint32_t>& curands, std::vector<std::uint32_t>& kilns) {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) return false;
  const std::size_t words = places.size() * std::size_t(count), bytes = words * sizeof(u32);
  PhiloxPlace* at = nullptr;
  u32* both = nullptr;
  KILN_CHECKED(cudaMalloc(&at, places.size() * sizeof(PhiloxPlace)));
  KILN_CHECKED(cudaMalloc(&both, 2 * bytes));
  KILN_CHECKED(
      cudaMemcpy(at, places.data(), places.size() * sizeof(PhiloxPlace), cudaMemcpyHostToDevice));
  words_of_both<<<unsigned(places.size() + 63) / 64, 64>>>(at, int(places.size()), count, both,
                                                           both + words);
  KILN_CHECKED(cudaGetLastError());
  curands.resize(words);
  kilns.resize(words);
  KILN_CHECKED(cudaMemcpy(curands.data(), both, bytes, cudaMemcpyDeviceToHost));
  KILN_CHECKED(cudaMemcpy(kilns.data(), both + words, bytes, cudaMemcpyDeviceToHost));
  KILN_CHECKED(cudaFree(at));
  KILN_CHECKED(cudaFree(both));
  return true;
}

std::vector<std::uint32_t> curand_host_words(std::uint64_t seed, std::uint64_t offset, int count,
                                             std::string& reason) {
  static void* const library = [] {
    for (const char* name :
         {"libcurand.so.10", "/usr/local/cuda/lib64/libcurand.so.10", "libcurand.so"}) {
      if (void* found = dlopen(name, RTLD_NOW)) return found;
    }
    return static_cast<void*>(nullptr);
  }();
  reason = "no libcurand";
  if (!library) return {};
  const auto create = reinterpret_cast<decltype(&curandCreateGeneratorHost)>(
      dlsym(library, "curandCreateGeneratorHost"));
  const auto set_seed = reinterpret_cast<decltype(&curandSetPseudoRandomGeneratorSeed)>(
      dlsym(library, "curandSetPseudoRandomGeneratorSeed"));
  const auto set_offset = reinterpret_cast<decltype(&curandSetGeneratorOffset)>(
      dlsym(library, "curandSetGeneratorOffset"));
  const auto generate =
      reinterpret_cast<decltype(&curandGenerate)>(dlsym(library, "curandGenerate"));
  const auto destroy =
      reinterpret_cast<decltype(&curandDestroyGenerator)>(dlsym(library, "curandDestroyGenerator"));
  if (!create || !set_seed || !set_offset || !generate || !destroy) return {};
  curandGenerator_t generator = nullptr;
  std::vector<std::uint32_t> words(static_cast<std::size_t>(count));
  curandStatus_t status = create(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10);
  if (status == CURAND_STATUS_SUCCESS) status = set_seed(generator, seed);
  if (status == CURAND_STATUS_SUCCESS) status = set_offset(generator, offset);
  if (status == CURAND_STATUS_SUCCESS)
    status = generate(generator, words.data(), static_cast<std::size_t>(count));
  if (generator) destroy(generator);
  reason = "libcurand answers " + std::to_string(int(status));
  if (status != CURAND_STATUS_SUCCESS) words.clear();
  return words;
}

}  // namespace kiln::test
