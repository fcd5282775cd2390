// SPDX-License-Identifier: MIT
#include "view/service/render_service.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <new>
#include <random>

namespace kiln::cli {
namespace {

Served refused(int status, std::string message, int retry_s = 0) {
  Served served;
  served.status = status;
  served.exit_code = 4;
  served.message = std::move(message);
  served.retry_s = retry_s;
  return served;
}

/// Bytes that a result takes while it is kept.
std::size_t bytes_of(const Served& served) {
  std::size_t bytes = served.picture.size() + served.result.size() + served.message.size() + 4096;
  for (const std::string& warning : served.warnings) bytes += sizeof warning + warning.size();
  for (const auto& [name, value] : served.headers) bytes += name.size() + value.size();
  return bytes;
}

/// 128 bits that nobody guesses.
std::string new_id() {
  std::random_device random;
  std::string id;
  for (int word = 0; word < 4; ++word) id += fmt::format("{:08x}", random());
  return id;
}

}  // namespace

const char* RenderService::name_of(State state) {
  switch (state) {
    case State::waiting:
      return "waiting";
    case State::rendering:
      return "rendering";
    case State::done:
      return "done";
    case State::failed:
      return "failed";
    case State::cancelled:
      return "cancelled";
  }
  return "";
}

RenderService::RenderService(Limits limits, Render render, Changed changed)
    : limits_(limits),
      render_(std::move(render)),
      changed_(std::move(changed)),
      thread_([this] { run(); }) {}

RenderService::~RenderService() {
  end();
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    if (rendered_) rendered_->stop.request_stop();
    wake_.notify_all();
  }
  thread_.join();
}

std::pair<std::string, std::optional<Served>> RenderService::add(
    Order order, std::function<void(std::shared_ptr<const Served>)> finished) {
  const std::lock_guard lock(mutex_);
  if (ending_) return {"", refused(503, "the service is ending", 10)};
  const std::size_t own = jobs_of(order.client);
  if (own >= limits_.waiting)
    return {
        "",
        refused(429, fmt::format("{} of your jobs wait already, as many as a client may have", own),
                seconds_until(own))};
  if (waiting_.size() >= limits_.all_waiting)
    return {"", refused(503, fmt::format("{} jobs wait already", waiting_.size()),
                        seconds_until(waiting_.size()))};
  const auto job = std::make_shared<Job>();
  job->id = new_id();
  job->order = std::move(order);
  job->finished = std::move(finished);
  job->number = ++last_number_;
  jobs_.emplace(job->id, job);
  waiting_.emplace(job->number, job);
  wake_.notify_all();
  return {job->id, {}};
}

std::optional<RenderService::JobNow> RenderService::look(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return {};
  const Job& job = *found->second;
  JobNow look{job.id, job.order.owner, job.state, 0, job.progress, job.served};
  if (job.state == State::waiting)
    look.before = std::size_t(std::distance(waiting_.begin(), waiting_.find(job.number))) +
                  (rendered_ ? 1 : 0);
  return look;
}

bool RenderService::cancel(const std::string& id) {
  std::unique_lock lock(mutex_);
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return false;
  const JobPointer job = found->second;
  if (job->state == State::rendering) {
    job->is_unwanted = true;
    job->stop.request_stop();
    return true;
  }
  if (job->state != State::waiting) {
    forget(job);
    return true;
  }
  waiting_.erase(job->number);
  lock.unlock();
  finish(job, State::cancelled, refused(410, "it was cancelled"));
  return true;
}

void RenderService::end() {
  std::map<std::uint64_t, JobPointer> refused_jobs;
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
    refused_jobs.swap(waiting_);
  }
  for (const auto& [number, job] : refused_jobs)
    finish(job, State::failed, refused(503, "the service is ending", 10));
}

bool RenderService::is_ending() const {
  const std::lock_guard lock(mutex_);
  return ending_;
}

bool RenderService::is_idle() const {
  const std::lock_guard lock(mutex_);
  return !rendered_ && waiting_.empty();
}

void RenderService::tick(Clock::time_point now) {
  const std::lock_guard lock(mutex_);
  if (rendered_ && now - rendered_->begun > std::chrono::duration<double>(limits_.seconds)) {
    rendered_->is_late = true;
    rendered_->stop.request_stop();
  }
  while (!over_.empty() && now - over_.begin()->second->over > limits_.kept)
    forget(JobPointer(over_.begin()->second));
}

RenderService::Counts RenderService::counts() const {
  const std::lock_guard lock(mutex_);
  Counts counts{waiting_.size(), rendered_ ? 1u : 0u, 0, done_, failed_, seconds_each_};
  counts.kept = over_.size();
  return counts;
}

std::size_t RenderService::jobs_of(const std::string& client) const {
  const auto is_own = [&](const auto& one) { return one.second->order.client == client; };
  return std::size_t(std::count_if(waiting_.begin(), waiting_.end(), is_own)) +
         (rendered_ && rendered_->order.client == client ? 1 : 0);
}

/// Whole seconds in which so many jobs may be done.
int RenderService::seconds_until(std::size_t jobs) const {
  return int(std::clamp(std::ceil(seconds_each_ * double(jobs) / 2), 1.0, 600.0));
}

void RenderService::run() {
  for (;;) {
    JobPointer job;
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [&] { return stopped_ || !waiting_.empty(); });
      if (waiting_.empty()) return;
      job = next();
    }
    make(job);
  }
}

/// The oldest job of the client whose turn is longest ago.
RenderService::JobPointer RenderService::next() {
  auto chosen = waiting_.begin();
  std::uint64_t turn = ~std::uint64_t(0);
  for (auto one = waiting_.begin(); one != waiting_.end(); ++one) {
    const auto last = last_turn_.find(one->second->order.client);
    const std::uint64_t its = last == last_turn_.end() ? 0 : last->second;
    if (its >= turn) continue;
    turn = its;
    chosen = one;
  }
  const JobPointer job = chosen->second;
  waiting_.erase(chosen);
  if (last_turn_.size() > 4 * limits_.all_waiting) last_turn_.clear();
  last_turn_[job->order.client] = ++turns_;
  job->state = State::rendering;
  job->begun = Clock::now();
  rendered_ = job;
  return job;
}

void RenderService::make(const JobPointer& job) {
  if (job->order.is_kept && changed_) changed_(job->id);
  Work work{job->order, job->stop.get_token(), {}};
  work.on_progress = [&](const Progress& progress) {
    {
      const std::lock_guard lock(mutex_);
      job->progress = progress;
    }
    if (job->order.is_kept && changed_) changed_(job->id);
  };
  Served served;
  try {
    served = render_(work);
  } catch (const std::bad_alloc&) {
    served = refused(500, "out of memory; a smaller picture needs less");
    served.exit_code = 6;
  } catch (const std::exception& error) {
    served = refused(500, error.what());
    served.exit_code = 6;
  }
  State state = served.is_picture() ? State::done : State::failed;
  {
    const std::lock_guard lock(mutex_);
    if (!served.is_picture()) {
      if (job->is_unwanted) {
        state = State::cancelled;
        served = refused(410, "it was cancelled");
      } else if (job->is_late) {
        served = refused(
            422, fmt::format(
                     "the picture took more than {:g} s, the most that this service gives one; a "
                     "smaller one or a lower quality takes less",
                     limits_.seconds));
      } else if (stopped_) {
        served = refused(503, "the service is ending", 10);
      }
    }
    const double seconds = std::chrono::duration<double>(Clock::now() - job->begun).count();
    seconds_each_ = seconds_each_ == 0 ? seconds : 0.8 * seconds_each_ + 0.2 * seconds;
    rendered_ = nullptr;
  }
  finish(job, state, std::move(served));
}

void RenderService::finish(const JobPointer& job, State state, Served served) {
  std::function<void(std::shared_ptr<const Served>)> finished;
  std::shared_ptr<const Served> made = std::make_shared<const Served>(std::move(served));
  {
    const std::lock_guard lock(mutex_);
    job->state = state;
    job->served = made;
    job->over = Clock::now();
    job->order.genomes = {};  // the client's text, which may be as large as a request
    job->order.words = {};
    ++(state == State::done ? done_ : failed_);
    finished.swap(job->finished);
    if (job->order.is_kept) {
      job->over_number = ++last_over_;
      over_.emplace(job->over_number, job);
      kept_bytes_ += bytes_of(*made);
      while (kept_bytes_ > limits_.kept_bytes && over_.size() > 1)
        forget(JobPointer(over_.begin()->second));
    } else {
      jobs_.erase(job->id);
    }
  }
  if (job->order.is_kept && changed_) changed_(job->id);
  if (finished) finished(std::move(made));
}

void RenderService::forget(const JobPointer& job) {
  kept_bytes_ -= bytes_of(*job->served);
  over_.erase(job->over_number);
  jobs_.erase(job->id);
}

}  // namespace kiln::cli
