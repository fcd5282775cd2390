#include "engine/device/background_compile.h"

#include <chrono>
#include <system_error>

#include "engine/model/error.h"

namespace kiln {

constexpr auto patience =
    std::chrono::milliseconds(500);  // longer than NVRTC usually takes to stop

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
    : queue_(std::make_shared<Queue>(std::move(settings))) {}

BackgroundCompiler::~BackgroundCompiler() {
  std::deque<std::shared_ptr<Job>> abandoned;
  bool ended;
  {
    std::unique_lock lock(queue_->mutex);
    queue_->closing = true;
    abandoned.swap(queue_->waiting);
    if (queue_->current) queue_->current->stop.request_stop();
    queue_->changed.notify_all();
    ended = !thread_.joinable() ||
            queue_->changed.wait_for(lock, patience, [&] { return queue_->ended; });
  }
  if (thread_.joinable()) ended ? thread_.join() : thread_.detach();
  for (const std::shared_ptr<Job>& job : abandoned) {
    job->reason = "stopped";
    job->finish(BackgroundCompile::State::failed);
  }
}

BackgroundCompile BackgroundCompiler::start(KernelSource source) {
  BackgroundCompile compile;
  compile.job_ = std::make_shared<Job>();
  Job& job = *compile.job_;
  job.source = std::move(source);
  if (std::optional<CompiledKernels> found = queue_->compiler.find(job.source)) {
    job.kernels = std::move(*found);
    job.finish(BackgroundCompile::State::ready);
    return compile;
  }
  try {
    const std::lock_guard lock(queue_->mutex);
    if (!thread_.joinable()) thread_ = std::thread([queue = queue_] { queue->work(); });
    queue_->waiting.push_back(compile.job_);
  } catch (const std::system_error& error) {
    job.reason = std::string("no thread to compile in: ") + error.what();
    job.finish(BackgroundCompile::State::failed);
  }
  queue_->changed.notify_all();
  return compile;
}

void BackgroundCompiler::Queue::work() {
  std::unique_lock lock(mutex);
  for (;;) {
    changed.wait(lock, [&] { return closing || !waiting.empty(); });
    if (closing) break;
    current = std::move(waiting.front());
    waiting.pop_front();
    lock.unlock();
    std::optional<CompiledKernels> made =
        compiler.compile(current->source, current->reason, current->stop.get_token());
    if (made) current->kernels = std::move(*made);
    current->finish(made ? BackgroundCompile::State::ready : BackgroundCompile::State::failed);
    lock.lock();
    current.reset();
  }
  ended = true;
  changed.notify_all();
}

}  // namespace kiln
