// SPDX-License-Identifier: MIT
#include "engine/device/cuda/jit/background_compile.h"

#include <system_error>

#include "engine/base/error.h"

namespace kiln {

void BackgroundCompile::Job::finish(State end) noexcept {
  state = end;
  state.notify_all();
}

void BackgroundCompile::give_up() noexcept {
  if (job_) job_->stop.request_stop();
  job_.reset();
}

BackgroundCompile& BackgroundCompile::operator=(BackgroundCompile&& other) noexcept {
  if (this != &other) {
    give_up();
    job_ = std::move(other.job_);
  }
  return *this;
}

BackgroundCompile::State BackgroundCompile::poll() const noexcept {
  return job_ ? job_->state.load() : State::none;
}

BackgroundCompile::State BackgroundCompile::wait() const noexcept {
  if (job_) job_->state.wait(State::running);
  return poll();
}

const CompiledKernels& BackgroundCompile::kernels() const {
  KILN_CHECK(poll() == State::ready, "the kernels are not ready");
  return job_->kernels;
}

const std::string& BackgroundCompile::reason() const {
  KILN_CHECK(poll() == State::failed, "the compile has not failed");
  return job_->reason;
}

BackgroundCompiler::BackgroundCompiler(RuntimeCompilerSettings settings)
    : compiler_(std::move(settings)) {}

BackgroundCompiler::~BackgroundCompiler() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    if (current_) current_->stop.request_stop();
  }
  changed_.notify_all();
  if (thread_.joinable()) thread_.join();
  for (const std::shared_ptr<Job>& job : waiting_) {
    job->reason = "stopped";
    job->finish(BackgroundCompile::State::failed);
  }
}

BackgroundCompile BackgroundCompiler::start(KernelSource source) {
  BackgroundCompile compile;
  compile.job_ = std::make_shared<Job>();
  Job& job = *compile.job_;
  job.source = std::move(source);
  if (std::optional<CompiledKernels> found = compiler_.find(job.source)) {
    job.kernels = std::move(*found);
    job.finish(BackgroundCompile::State::ready);
    return compile;
  }
  try {
    const std::lock_guard lock(mutex_);
    if (!thread_.joinable()) thread_ = std::thread([this] { work(); });
    waiting_.push_back(compile.job_);
  } catch (const std::system_error& error) {
    job.reason = std::string("no thread to compile in: ") + error.what();
    job.finish(BackgroundCompile::State::failed);
  }
  changed_.notify_all();
  return compile;
}

void BackgroundCompiler::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return closing_ || !waiting_.empty(); });
    if (closing_) return;
    current_ = std::move(waiting_.front());
    waiting_.pop_front();
    lock.unlock();
    std::optional<CompiledKernels> made =
        compiler_.compile(current_->source, current_->reason, current_->stop.get_token());
    if (made) current_->kernels = std::move(*made);
    current_->finish(made ? BackgroundCompile::State::ready : BackgroundCompile::State::failed);
    lock.lock();
    current_.reset();
  }
}

}  // namespace kiln
