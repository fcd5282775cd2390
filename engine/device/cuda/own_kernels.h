// SPDX-License-Identifier: MIT
// Kernels of a flame's own on a device: loaded if they are there already, else compiled while the
// interpreter begins. For one .cpp file alone.
#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>

#include "engine/device/cuda/check.h"
#include "engine/device/cuda/jit/background_compile.h"

namespace kiln {
namespace {

/// Its GPU is that of the calling thread, at its end as well.
class OwnKernels {
 public:
  struct Loaded {
    CudaModule module = nullptr;
    CudaFunction play = nullptr;
  };

  OwnKernels() = default;
  ~OwnKernels() {
    for (const auto& [source, own] : loaded_) cuda().unload_module(own.module);
  }
  OwnKernels(const OwnKernels&) = delete;
  OwnKernels& operator=(const OwnKernels&) = delete;

  /// The kernels of the flame that is played, once they are there; else null.
  const Loaded* now() const { return now_; }
  /// The interpreter alone from now on.
  void forget() { now_ = nullptr; }

  /// Asks for the kernel of this source for a device of compute capability `arch` (90). The frames
  /// of an animation have one structure: a compile that one frame began goes on in the next.
  /// `needed`: waits until it has ended, and throws Error (device) in these words if it failed;
  /// null: the game begins without.
  /// `near`: the source of a kernel that later renders of the flame may want; it goes to the cache.
  void want(std::string source, std::string near, int arch, const char* needed) {
    if (source != source_) compile_ = {};
    source_ = std::move(source);
    if (const auto known = loaded_.find(source_); known != loaded_.end()) {
      now_ = &known->second;
      return;
    }
    if (compile_.poll() == BackgroundCompile::State::none && !unloadable_.count(source_)) {
      compile_ = compiler_.start({source_, arch, "this flame"});
      if (!near.empty()) near_ = compiler_.start({std::move(near), arch, "this flame"});
    }
    if (needed && compile_.wait() == BackgroundCompile::State::failed)
      device_error(needed + (": " + compile_.reason()));
    use_compiled();
  }
  /// Takes them up if the compile has ended since.
  void use_compiled() {
    if (compile_.poll() != BackgroundCompile::State::ready) return;
    Loaded own;
    const std::vector<char>& cubin = compile_.kernels().cubin;
    // a cubin that does not load is no error: the interpreter goes on
    if (cuda().load_module(&own.module, cubin.data()) == Driver::success &&
        cuda().find_function(&own.play, own.module, "kiln_play") == Driver::success) {
      now_ = &loaded_.emplace(source_, own).first->second;
    } else {
      unloadable_.insert(source_);
      if (own.module) cuda().unload_module(own.module);
    }
    compile_ = {};
  }

 private:
  std::map<std::string, Loaded> loaded_;  // by source
  BackgroundCompiler compiler_;
  BackgroundCompile compile_;  // of the flame that is being rendered
  BackgroundCompile near_;     // for the cache alone
  const Loaded* now_ = nullptr;
  std::string source_;
  std::set<std::string> unloadable_;
};

}  // namespace
}  // namespace kiln
