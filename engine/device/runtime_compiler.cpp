#include "engine/device/runtime_compiler.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <new>
#include <thread>

#include "engine/device/embedded_kernels.h"
#include "engine/device/nvrtc.h"
#include "engine/io/sha256.h"

namespace kiln {
namespace {

using Clock = std::chrono::steady_clock;

constexpr auto patience_at_exit = std::chrono::seconds(1);

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
  static const Headers& all = *new Headers;  // outlives a compile that exit() interrupts
  return all;
}

/// Everything but the version's own --no-cache.
std::vector<std::string> options_for(int arch) {
  std::vector<std::string> options = {
      "--std=c++20", fmt::format("--gpu-architecture=sm_{}", arch),
      "-default-device",       // constexpr functions that nvcc takes for the host's
      "--no-source-include"};  // nothing from the current folder
  // KILN_CUDA_EXACT_FLAGS is the list that nvcc got too, separated by spaces.
  const std::string flags = KILN_CUDA_EXACT_FLAGS;
  for (std::size_t begin = 0; begin < flags.size();) {
    const std::size_t end = std::min(flags.find(' ', begin), flags.size());
    if (end > begin) options.push_back(flags.substr(begin, end - begin));
    begin = end + 1;
  }
  return options;
}

/// What all compiles of the process share. Never destroyed: a compile may outlive main().
struct Process {
  std::mutex mutex;
  std::condition_variable_any idle;
  bool busy = false;
  bool prepared = false;
  std::atomic<bool> exiting{false};
};

Process& process() {
  static Process& the_process = *new Process;
  return the_process;
}

/// NVRTC's static objects must not be destroyed under a compile (seen: crashes and hangs). At
/// exit() a compile is asked to stop and waited for; if it takes too long, the program ends here,
/// as exit() would have ended it but for the handlers that were registered before the first
/// compile.
void before_exit(int status, void*) {
  Process& p = process();
  p.exiting = true;
  std::unique_lock lock(p.mutex);
  if (p.idle.wait_for(lock, patience_at_exit, [&] { return !p.busy; })) return;
  std::fflush(nullptr);
  _exit(status);
}

/// The process's one turn to compile, while it lives.
class Turn {
 public:
  explicit Turn(const std::stop_token& stop) {
    Process& p = process();
    std::unique_lock lock(p.mutex);
    mine_ = p.idle.wait(lock, stop, [&] { return !p.busy || p.exiting; }) && !p.exiting;
    if (mine_) p.busy = true;
  }
  ~Turn() {
    if (!mine_) return;
    Process& p = process();
    {
      const std::lock_guard lock(p.mutex);
      p.busy = false;
    }
    p.idle.notify_all();
  }
  Turn(const Turn&) = delete;
  Turn& operator=(const Turn&) = delete;
  explicit operator bool() const { return mine_; }

 private:
  bool mine_ = false;
};

int should_stop(void* stop, void*) {
  return process().exiting || static_cast<const std::stop_token*>(stop)->stop_requested();
}

class Program {
 public:
  explicit Program(const Nvrtc& nvrtc) : nvrtc_(nvrtc) {}
  ~Program() {
    if (program_) nvrtc_.destroy(&program_);
  }
  Program(const Program&) = delete;
  Program& operator=(const Program&) = delete;

  /// A result code of NVRTC.
  int compile(const std::string& text, const std::string& name,
              const std::vector<std::string>& options, const std::stop_token& stop) {
    const Headers& h = headers();
    if (const int result =
            nvrtc_.create(&program_, text.c_str(), name.c_str(), static_cast<int>(h.names.size()),
                          h.text_pointers.data(), h.name_pointers.data())) {
      return result;
    }
    if (nvrtc_.set_flow_callback) {
      nvrtc_.set_flow_callback(program_, should_stop, const_cast<std::stop_token*>(&stop));
    }
    std::vector<const char*> pointers;
    for (const std::string& option : options) pointers.push_back(option.c_str());
    return nvrtc_.compile(program_, static_cast<int>(pointers.size()), pointers.data());
  }
  std::string log() const {
    std::size_t bytes = 0;
    if (!program_ || nvrtc_.log_size(program_, &bytes) != Nvrtc::success || bytes <= 1) return {};
    std::string text(bytes, '\0');
    if (nvrtc_.log(program_, text.data()) != Nvrtc::success) return {};
    text.resize(text.find_last_not_of(std::string_view("\0\n ", 3)) + 1);
    return text;
  }
  std::vector<char> cubin() const {
    std::size_t bytes = 0;
    if (nvrtc_.cubin_size(program_, &bytes) != Nvrtc::success) return {};
    std::vector<char> all(bytes);
    if (nvrtc_.cubin(program_, all.data()) != Nvrtc::success) return {};
    return all;
  }

 private:
  const Nvrtc& nvrtc_;
  Nvrtc::Program program_ = nullptr;
};

/// Once a process: NVRTC registers some of its exit handlers while it first compiles. A trivial
/// compile brings that about, and ours, registered next, runs before them.
void prepare_for_exit(const Nvrtc& nvrtc, const std::vector<std::string>& options) {
  Process& p = process();
  if (p.prepared) return;
  Program(nvrtc).compile("__global__ void nothing(float* p) { *p = 0; }", "nothing", options, {});
  on_exit(before_exit, nullptr);
  p.prepared = true;
}

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

std::optional<Nvrtc> load_first(const std::vector<std::string>& libraries, std::string& reason) {
  std::string failures;
  for (const std::string& library : libraries) {
    std::string failure;
    if (std::optional<Nvrtc> nvrtc = load_nvrtc(library, failure)) return nvrtc;
    failures += "\n  " + failure;
  }
  reason =
      "NVRTC, the run-time compiler of the CUDA Toolkit, was not found; install it or set "
      "CUDA_HOME" +
      failures;
  return std::nullopt;
}

}  // namespace

RuntimeCompiler::RuntimeCompiler(RuntimeCompilerSettings settings)
    : cache_(std::move(settings.cache_folder), settings.cache_max_bytes) {
  for (const std::string& candidate : settings.libraries) {
    const bool is_path = candidate.find('/') != std::string::npos;
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
    const Turn turn(stop);
    if (!turn) {
      reason = "stopped";
      return std::nullopt;
    }
    if (std::optional<CompiledKernels> found = find(source)) {  // maybe by the turn before this one
      found->seconds = seconds_since(start);
      return found;
    }
    const std::optional<Nvrtc> nvrtc = load_first(libraries_, reason);
    if (!nvrtc) return std::nullopt;
    int major = 0, minor = 0;
    nvrtc->version(&major, &minor);
    std::vector<std::string> options = options_for(source.arch);
    if (major >= 13) options.push_back("--no-cache");  // there is ours; NVRTC's starts the driver
    prepare_for_exit(*nvrtc, options);
    Program program(*nvrtc);
    const int result = program.compile(source.text, source.name, options, stop);
    if (result != Nvrtc::success) {
      const std::string log = program.log();
      reason = result == Nvrtc::cancelled
                   ? "stopped"
                   : fmt::format("NVRTC {}.{} cannot compile {} for sm_{}: {}{}{}", major, minor,
                                 source.name, source.arch, nvrtc->error_text(result),
                                 log.empty() ? "" : "\n", log);
      return std::nullopt;
    }
    CachedKernels made{program.cubin(), program.log()};
    if (made.cubin.empty()) {
      reason = fmt::format("NVRTC made no machine code of {}", source.name);
      return std::nullopt;
    }
    cache_.store(cache_key(source), made);
    return CompiledKernels{std::move(made.cubin), std::move(made.log), false, seconds_since(start)};
  } catch (...) {
    reason = "out of memory";  // nothing else throws; short enough to need none
  }
  return std::nullopt;
}

}  // namespace kiln
