// Which columns the copy engine moves, and their launch.
#include <algorithm>
#include <atomic>
#include <cstdint>

#include "engine/device/cuda_fft_landing.cuh"

KILN_BEGIN

namespace {

using Columns = FftLanding<FftShape<Radices<32, 32>, 32, 8, 1>>;

/// True if the columns lie side by side in one picture and whole tiles cover them.
bool in_whole_tiles(const LineAddress& at, const void* data, i32 lines) {
  return at.inner_step == 1 && at.inner >= lines && at.tile == 0 && lines % Columns::lines == 0 &&
         at.point_step % 2 == 0 && at.point_step >= lines &&
         reinterpret_cast<std::uintptr_t>(data) % 16 == 0;
}

bool takes(const FftLines& job) {
  const Spectrum& spectrum = job.spectrum[0];
  const LinePlan& plan = job.plan;
  return plan.passes == 2 && plan.radix[0] == Columns::Shape::radix(0) &&
         plan.radix[1] == Columns::Shape::radix(1) && job.forward && job.inverse &&
         job.terms == 1 && !job.rotation.low && !job.real_output && spectrum.real &&
         reinterpret_cast<std::uintptr_t>(spectrum.real) % 16 == 0 && spectrum.share == 2 &&
         spectrum.tile == Columns::pixels && i64(spectrum.count) * 2 == job.lines &&
         in_whole_tiles(job.from, job.in[0], job.lines) &&
         in_whole_tiles(job.to, job.out, job.lines);
}

/// The driver's function, looked up in the driver that is there; null: it is too old.
decltype(&cuTensorMapEncodeTiled) encoder() {
  static const auto found = [] {
    void* function = nullptr;
    cudaDriverEntryPointQueryResult result{};
#if CUDART_VERSION >= 12050
    cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault,
                                     &result);
#else
    cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &result);
#endif
    if (result != cudaDriverEntryPointSuccess) function = nullptr;
    return reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(function);
  }();
  return found;
}

/// The columns as a matrix of floats, `extent` points high: what lies beyond is read as zeros and
/// not written.
bool encode(CUtensorMap& map, const LineAddress& at, void* data, i32 lines) {
  const cuuint64_t sizes[] = {cuuint64_t(lines) * 2,
                              cuuint64_t(std::min(at.extent, Columns::Shape::n))};
  const cuuint64_t pitch[] = {cuuint64_t(at.point_step) * sizeof(Complex)};
  const cuuint32_t box[] = {Columns::row_bytes / sizeof(float), Columns::box_rows};
  const cuuint32_t step[] = {1, 1};
  return encoder()(&map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, data, sizes, pitch, box, step,
                   CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                   CU_TENSOR_MAP_L2_PROMOTION_NONE,
                   CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
}

}  // namespace

cudaError_t launch_landing_fft(const FftLines& job, const FftDevice& device, cudaStream_t stream) {
  if (!takes(job) || !device.starts_early || device.shared_bytes < Columns::shared_bytes ||
      !encoder()) {
    return cudaErrorNotSupported;
  }
  const auto kernel = run_landing_fft<Columns>;
  static std::atomic<std::uint64_t> allowed{0}, refused{0};  // a bit a device
  const std::uint64_t bit = std::uint64_t(1) << device.index;
  if (!((allowed | refused) & bit)) {
    cudaFuncAttributes attributes{};
    cudaError_t error = cudaFuncGetAttributes(&attributes, kernel);
    if (error != cudaSuccess) return error;
    if (attributes.ptxVersion >= 90) {  // else it was compiled without instructions for the engine
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                   Columns::shared_bytes);
      if (error != cudaSuccess) return error;
      allowed |= bit;
    } else {
      refused |= bit;
    }
  }
  if (refused & bit) return cudaErrorNotSupported;
  FftTileMaps maps;
  if (!encode(maps.from, job.from, const_cast<Complex*>(job.in[0]), job.lines) ||
      !encode(maps.to, job.to, job.out, job.lines)) {
    return cudaErrorNotSupported;
  }
  const int tiles = job.lines / Columns::lines;
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(u32(std::min(tiles, device.multiprocessors)));
  config.blockDim = dim3(u32(Columns::threads));
  config.dynamicSmemBytes = std::size_t(Columns::shared_bytes);
  config.stream = stream;
  config.attrs = &attribute;
  config.numAttrs = 1;
  return cudaLaunchKernelEx(&config, kernel, FftTask<1>(job, 0, false), maps, tiles);
}

KILN_END
