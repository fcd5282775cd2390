// SPDX-License-Identifier: MIT
// Compiles while something else works: a flame begins on the interpreter and goes on with its own
// kernel once that is ready.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>

#include "engine/device/cuda/jit/runtime_compiler.h"

namespace kiln {

/// One compile under way, or its result. Dropping it gives the compile up; the
/// cache gets its result all the same.
class BackgroundCompile {
 public:
  enum class State { none, running, ready, failed };

  BackgroundCompile() = default;
  BackgroundCompile(BackgroundCompile&& other) noexcept = default;
  BackgroundCompile& operator=(BackgroundCompile&& other) noexcept;
  ~BackgroundCompile() { give_up(); }

  State poll() const noexcept;
  /// Waits for the end of the compile: ready or failed; none if nothing was started.
  State wait() const noexcept;
  /// The kernels, when ready.
  const CompiledKernels& kernels() const;
  /// The reason when failed, with the compiler's log.
  const std::string& reason() const;

 private:
  friend class BackgroundCompiler;
  struct Job {
    KernelSource source;
    std::stop_source stop;
    std::atomic<State> state{State::running};  // the rest is written before it changes
    CompiledKernels kernels;
    std::string reason;

    void finish(State end) noexcept;
  };
  void give_up() noexcept;

  std::shared_ptr<Job> job_;
};

/// Runs the compiles of one owner, one after the other, in a thread that starts with the first one
/// that the cache does not have.
class BackgroundCompiler {
 public:
  explicit BackgroundCompiler(RuntimeCompilerSettings settings = {});
  /// Gives up what is under way and waiting.
  ~BackgroundCompiler();
  BackgroundCompiler(const BackgroundCompiler&) = delete;
  BackgroundCompiler& operator=(const BackgroundCompiler&) = delete;

  /// Ready at once if the cache has it.
  BackgroundCompile start(KernelSource source);

 private:
  using Job = BackgroundCompile::Job;
  void work();

  const RuntimeCompiler compiler_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<std::shared_ptr<Job>> waiting_;
  std::shared_ptr<Job> current_;
  bool closing_ = false;
  std::thread thread_;
};

}  // namespace kiln
