// SPDX-License-Identifier: MIT
// Kernels compiled while the program runs, from the same headers as all others (they are inside the
// program as text) and with the same exactness flags, so that their pictures have the same bits.
// From a source text to a loadable cubin: look into the disk cache, else compile with NVRTC and put
// the result there. Without NVRTC nothing is compiled and the reason says so; that is no error, the
// interpreter renders the same picture.
#pragma once

#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "engine/base/platform/work_in_child.h"
#include "engine/device/cuda/jit/kernel_cache.h"
#include "engine/device/cuda/jit/nvrtc.h"

namespace kiln {

/// The source to compile. The text includes headers by their names in the source tree
/// ("kernels/iterate_batch.h", <cstdint>); nothing else can be included. Entry points are extern
/// "C" __global__ functions.
struct KernelSource {
  std::string text;
  int arch = 0;      // compute capability, major * 10 + minor: 90
  std::string name;  // for messages
};

struct CompiledKernels {
  std::vector<char> cubin;  // an ELF file for cuModuleLoadData
  std::string log;          // the compiler's warnings, usually empty
  bool from_cache = false;
  double seconds = 0;  // that this call took
};

struct RuntimeCompilerSettings {
  std::string cache_folder = default_cache_folder("kernels");  // empty: no cache
  std::uint64_t cache_max_bytes = KernelCache::default_max_bytes;
  std::vector<std::string> libraries = nvrtc_candidates();  // paths or bare names, the best first
};

/// Compiles kernels with contraction and fast-math from now on: for benchmarks, which print what
/// exactness costs. kiln itself never does; such kernels give other pictures.
void compile_with_fast_math(bool fast);

/// All functions may be called from several threads. NVRTC runs in a child process (nvrtc.h says
/// why), so a compile that goes wrong, or is in the way when the program ends, does no harm.
class RuntimeCompiler {
 public:
  explicit RuntimeCompiler(RuntimeCompilerSettings settings = {});

  /// Looks in the cache alone, within milliseconds; empty if the kernels are not there.
  std::optional<CompiledKernels> find(const KernelSource& source) const noexcept;

  /// Takes them from the cache or NVRTC, half a second for a handful of variations. Empty, with a
  /// `reason` that has the compiler's log, if there is no NVRTC, the text is wrong, or `stop` was
  /// asked for. Then, or when the program ends, the compile goes on without it and its result comes
  /// into the cache; without a cache it ends at once.
  std::optional<CompiledKernels> compile(const KernelSource& source, std::string& reason,
                                         std::stop_token stop = {}) const noexcept;

 private:
  std::string cache_key(const KernelSource& source) const;

  KernelCache cache_;
  std::vector<std::string> libraries_;  // files, the best first
  std::string library_identity_;        // of the first
};

}  // namespace kiln
