// SPDX-License-Identifier: MIT
#include "engine/device/cuda/jit/runtime_compiler.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <thread>

#include "engine/base/platform/process.h"
#include "engine/base/platform/work_in_child.h"
#include "engine/base/resources.h"
#include "engine/base/sha256.h"
#include "engine/device/cuda/device_code.h"
#include "engine/device/cuda/jit/embedded_kernels.h"
#include "engine/device/cuda/jit/flame_code.h"
#include "engine/device/cuda/jit/nvrtc.h"
#include "engine/device/cuda/jit/warm_kernels.h"
#include "engine/device/device.h"

namespace kiln {
namespace {

// NVRTC knows no standard library; kernels need only this of it.
constexpr const char* cstdint_text = R"(#pragma once
namespace std {
using int8_t = signed char;
using int16_t = short;
using int32_t = int;
using int64_t = long;
using uint8_t = unsigned char;
using uint16_t = unsigned short;
using uint32_t = unsigned int;
using uint64_t = unsigned long;
using intptr_t = long;
using uintptr_t = unsigned long;
using size_t = decltype(sizeof 0);
}  // namespace std
)";

/// Names and texts of everything a source can include.
struct Headers {
  std::vector<std::string> names, texts;
  std::vector<const char*> name_pointers, text_pointers;

  Headers() {
    add("cstdint", cstdint_text);
    for (const EmbeddedHeader& header : embedded_kernels()) add(header.name, header.text());
    for (const std::string& name : names) name_pointers.push_back(name.c_str());
    for (const std::string& text : texts) text_pointers.push_back(text.c_str());
  }
  void add(const std::string& name, const std::string& text) {
    names.push_back(name);
    texts.push_back(text);
  }
};

const Headers& headers() {
  static const Headers& all = *new Headers;  // never destroyed: exit() may come during a compile
  return all;
}

std::atomic<bool> fast_math = false;

/// Everything but the version's own --no-cache.
std::vector<std::string> options_for(int arch) {
  std::vector<std::string> options = {
      "--std=c++20", fmt::format("--gpu-architecture=sm_{}", arch),
      "-default-device",       // constexpr functions that nvcc takes for the host's
      "--no-source-include"};  // nothing from the current folder
  if (fast_math) {
    options.insert(options.end(), {"--fmad=true", "--use_fast_math"});
    return options;
  }
  // KILN_CUDA_EXACT_FLAGS is the list that nvcc got too, separated by spaces.
  const std::string flags = KILN_CUDA_EXACT_FLAGS;
  for (std::size_t begin = 0; begin < flags.size();) {
    const std::size_t end = std::min(flags.find(' ', begin), flags.size());
    if (end > begin) options.push_back(flags.substr(begin, end - begin));
    begin = end + 1;
  }
  return options;
}

/// The message of the compiler's process: the kernels, or why there are none.
struct Answer {
  CachedKernels kernels;
  std::string failure;  // empty if there are kernels

  std::string packed() const {
    const std::uint64_t sizes[2] = {failure.size(), kernels.log.size()};
    std::string bytes(reinterpret_cast<const char*>(sizes), sizeof sizes);
    bytes += failure + kernels.log;
    bytes.append(kernels.cubin.data(), kernels.cubin.size());
    return bytes;
  }
  static Answer unpacked(const std::string& bytes) {
    std::uint64_t sizes[2];
    std::memcpy(sizes, bytes.data(), sizeof sizes);
    const std::size_t log_begin = sizeof sizes + sizes[0], cubin_begin = log_begin + sizes[1];
    Answer answer;
    answer.failure = bytes.substr(sizeof sizes, sizes[0]);
    answer.kernels.log = bytes.substr(log_begin, sizes[1]);
    answer.kernels.cubin.assign(bytes.begin() + std::ptrdiff_t(cubin_begin), bytes.end());
    return answer;
  }
};

std::string log_of(const Nvrtc& nvrtc, Nvrtc::Program program) {
  std::size_t bytes = 0;
  if (nvrtc.log_size(program, &bytes) != Nvrtc::success || bytes <= 1) return {};
  std::string text(bytes, '\0');
  if (nvrtc.log(program, text.data()) != Nvrtc::success) return {};
  text.resize(text.find_last_not_of(std::string_view("\0\n ", 3)) + 1);
  return text;
}

std::vector<char> cubin_of(const Nvrtc& nvrtc, Nvrtc::Program program) {
  std::size_t bytes = 0;
  if (nvrtc.cubin_size(program, &bytes) != Nvrtc::success) return {};
  std::vector<char> cubin(bytes);
  if (nvrtc.cubin(program, cubin.data()) != Nvrtc::success) return {};
  return cubin;
}

std::optional<Nvrtc> load_first(const std::vector<std::string>& libraries, std::string& reason) {
  std::string failures;
  for (const std::string& library : libraries) {
    std::string failure;
    if (std::optional<Nvrtc> nvrtc = load_nvrtc(library, failure)) return nvrtc;
    failures += "\n  " + failure;
  }
  reason =
      "NVRTC, the run-time compiler of the CUDA Toolkit, was not found; install it (it is also in "
      "Python's package nvidia-cuda-nvrtc-cu12) or set CUDA_HOME" +
      failures;
  return std::nullopt;
}

/// Compiles in the compiler's process, which ends afterwards: nothing is given back.
Answer compile_with_nvrtc(const std::vector<std::string>& libraries, const KernelSource& source) {
  Answer answer;
  set_variable("CUDA_CACHE_DISABLE", "1");  // NVRTC's own cache would start the driver
  set_variable("NVRTC_APPEND_FLAGS", "");   // other flags might mean other bits
  const std::optional<Nvrtc> nvrtc = load_first(libraries, answer.failure);
  if (!nvrtc) return answer;
  int major = 0, minor = 0;
  nvrtc->version(&major, &minor);
  std::vector<std::string> options = options_for(source.arch);
  if (major >= 13) options.push_back("--no-cache");
  std::vector<const char*> option_pointers;
  for (const std::string& option : options) option_pointers.push_back(option.c_str());

  const Headers& h = headers();
  Nvrtc::Program program = nullptr;
  int result = nvrtc->create(&program, source.text.c_str(), source.name.c_str(),
                             static_cast<int>(h.names.size()), h.text_pointers.data(),
                             h.name_pointers.data());
  if (result == Nvrtc::success) {
    result = nvrtc->compile(program, static_cast<int>(options.size()), option_pointers.data());
    answer.kernels.log = log_of(*nvrtc, program);
  }
  if (result == Nvrtc::success) answer.kernels.cubin = cubin_of(*nvrtc, program);
  if (answer.kernels.cubin.empty()) {
    answer.failure =
        fmt::format("NVRTC {}.{} cannot compile {} for sm_{}: {}\n{}", major, minor, source.name,
                    source.arch, nvrtc->error_text(result), answer.kernels.log);
  }
  return answer;
}

/// Takes the kernels from the cache if another process brings them there meanwhile, else compiles
/// them and brings them there. Runs in the compiler's process.
Answer compile_once(const KernelCache& cache, const std::string& key,
                    const std::vector<std::string>& libraries, const KernelSource& source) {
  const OneAtATime turn(key);
  constexpr std::chrono::seconds most_patience(30);
  const Clock::time_point start = Clock::now();
  while (!turn.take() && Clock::now() - start < most_patience)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  if (std::optional<CachedKernels> found = cache.load(key)) return {std::move(*found), {}};
  Answer answer = compile_with_nvrtc(libraries, source);
  if (answer.failure.empty()) cache.store(key, answer.kernels);
  return answer;
}

}  // namespace

void compile_with_fast_math(bool fast) { fast_math = fast; }

RuntimeCompiler::RuntimeCompiler(RuntimeCompilerSettings settings)
    : cache_(std::move(settings.cache_folder), settings.cache_max_bytes) {
  for (const std::string& candidate : settings.libraries) {
    const bool is_path = candidate.find_first_of("/\\") != std::string::npos;
    if (!is_path && !libraries_.empty()) continue;  // asking the linker means loading
    const std::string file = is_path ? candidate : linked_file(candidate);
    const std::string identity = file_identity(file);
    if (identity.empty()) continue;
    if (libraries_.empty()) library_identity_ = identity;
    libraries_.push_back(file);
  }
}

std::string RuntimeCompiler::cache_key(const KernelSource& source) const {
  Sha256 hash;
  const auto add = [&](const std::string& part) {
    const std::uint64_t bytes = part.size();  // so that no two lists of parts run together alike
    hash.add(&bytes, sizeof bytes);
    hash.add(part.data(), part.size());
  };
  add(KILN_VERSION);
  add(library_identity_);
  add(source.text);
  for (const std::string& option : options_for(source.arch)) add(option);
  for (std::size_t i = 0; i < headers().names.size(); ++i) {
    add(headers().names[i]);
    add(headers().texts[i]);
  }
  return hash.hex();
}

std::optional<CompiledKernels> RuntimeCompiler::find(const KernelSource& source) const noexcept {
  try {
    const Clock::time_point start = Clock::now();
    if (libraries_.empty()) return std::nullopt;
    std::optional<CachedKernels> cached = cache_.load(cache_key(source));
    if (!cached) return std::nullopt;
    return CompiledKernels{std::move(cached->cubin), std::move(cached->log), true,
                           seconds_since(start)};
  } catch (...) {  // out of memory
    return std::nullopt;
  }
}

std::optional<CompiledKernels> RuntimeCompiler::compile(const KernelSource& source,
                                                        std::string& reason,
                                                        std::stop_token stop) const noexcept {
  try {
    const Clock::time_point start = Clock::now();
    if (std::optional<CompiledKernels> found = find(source)) return found;
    headers();  // made once, here, and not in every child
    const std::string key = cache_key(source);
    // what the cache can keep is worth ending: the flame is rendered again
    const auto when_stopped = cache_.folder().empty() ? WhenStopped::ends : WhenStopped::goes_on;
    const std::optional<std::string> bytes =
        run_in_child([&] { return compile_once(cache_, key, libraries_, source).packed(); },
                     std::move(stop), reason, when_stopped);
    if (!bytes) {
      if (reason != "stopped") reason = fmt::format("NVRTC compiling {}: {}", source.name, reason);
      return std::nullopt;
    }
    Answer answer = Answer::unpacked(*bytes);
    if (!answer.failure.empty()) {
      reason = std::move(answer.failure);
      return std::nullopt;
    }
    return CompiledKernels{std::move(answer.kernels.cubin), std::move(answer.kernels.log), false,
                           seconds_since(start)};
  } catch (...) {
    reason = "out of memory";  // nothing else throws; short enough to need none
  }
  return std::nullopt;
}

std::optional<WarmedKernel> warm_kernel(const CompiledFlame& flame, bool moving, int arch) {
  if (!has_device_code())
    device_error("this kiln was built without CUDA: it has no kernels to compile");
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
