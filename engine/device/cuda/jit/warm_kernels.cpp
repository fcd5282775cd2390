#include "engine/device/cuda/jit/warm_kernels.h"

#include "engine/device/cuda/jit/flame_code.h"
#include "engine/device/cuda/jit/runtime_compiler.h"
#include "engine/device/device.h"

namespace kiln {

std::optional<WarmedKernel> warm_kernel(const CompiledFlame& flame, bool moving, int arch) {
  const KernelSource source{flame_source(flame, moving), arch, "this flame"};
  if (source.text.empty()) return std::nullopt;
  const RuntimeCompilerSettings settings;
  if (settings.cache_folder.empty())
    device_error(
        "there is no cache to warm: KILN_CACHE_DIR is \"off\", or there is no home folder");
  std::string reason;
  const auto kernels = RuntimeCompiler(settings).compile(source, reason);
  if (!kernels) device_error(reason);
  return WarmedKernel{kernels->from_cache, kernels->seconds};
}

}  // namespace kiln
