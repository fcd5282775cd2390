// SPDX-License-Identifier: MIT
#include "engine/pipeline/pipeline.h"

#include <algorithm>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "engine/base/error.h"
#include "engine/base/platform/memory.h"

namespace kiln {
namespace {

constexpr auto progress_interval = std::chrono::milliseconds(100);

}  // namespace

Pipeline::Pipeline(Steps steps, Threads threads)
    : steps_(std::move(steps)),
      threads_(threads),
      runs_(steps_.count, threads.render, threads.run, threads.seam,
            (threads.render + threads.prepare) / (threads.run > 0 ? threads.render : 1)) {}

std::optional<Pipeline::Trouble> Pipeline::run() {
  if (threads_.sequential) {
    run_sequentially();
    return trouble_;
  }
  std::vector<std::jthread> workers;
  try {
    start_threads(workers);
  } catch (const Error&) {
    end_threads(workers);
    if (threads_.render > 0) throw;
    run_sequentially();
    return trouble_;
  } catch (...) {
    end_threads(workers);
    throw;
  }
  try {
    if (threads_.render == 0) render_pictures(0);
    report_pictures();
  } catch (...) {
    end_threads(workers);
    throw;
  }
  return trouble_;
}

/// One thread of each kind is enough to make all pictures; without it there is nothing to wait for.
void Pipeline::start_threads(std::vector<std::jthread>& workers) {
  const auto start = [&](int count, auto body) {
    for (int started = 0; started < count; ++started) {
      try {
        workers.emplace_back(body);
      } catch (const std::system_error& error) {
        if (started > 0) return started;
        fail(ErrorKind::device,
             "no further thread can be started ({}); raise the limit of processes (ulimit -u), or "
             "do with one (--threads 1)",
             error.code().message());
      }
    }
    return count;
  };
  {
    const std::lock_guard lock(mutex_);
    rendering_ = std::max(threads_.render, 1);
    encoding_ = threads_.encode;
  }
  start(threads_.prepare, [this] { prepare_pictures(); });
  for (int renderer = 0; renderer < threads_.render; ++renderer)
    start(1, [this, renderer] { render_pictures(renderer); });
  const int encoders = start(threads_.encode, [this] { encode_pictures(); });
  const std::lock_guard lock(mutex_);
  encoding_ -= threads_.encode - encoders;
}

/// Does this alone, and wakes all who wait for it.
template <class Body>
void Pipeline::change(Body body) {
  {
    const std::lock_guard lock(mutex_);
    body();
  }
  changed_.notify_all();
}

void Pipeline::end_threads(std::vector<std::jthread>& workers) {
  change([&] {
    stop_ = true;
    rendering_ = encoding_ = 0;
  });
  workers.clear();
}

/// Notes what was thrown, and that no further picture is begun.
void Pipeline::note_trouble(int position) {
  change([&] {
    stop_ = true;
    if (!trouble_ || position < trouble_->position)
      trouble_ = Trouble{position, std::current_exception()};
  });
}

void Pipeline::run_sequentially() {
  int position = 0;
  try {
    steps_.enter(0);
    for (; position < steps_.count; ++position) {
      const Encode encode = steps_.prepare(position)(0);
      const Report report = encode ? encode() : Report();
      return_freed_memory();
      if (report) report();
    }
  } catch (const std::exception&) {
    note_trouble(position);
  }
}

/// Waits until `ready` or, with false, until there is nothing more to begin; `reports`: what is
/// ready meanwhile.
template <class Ready>
bool Pipeline::wait(std::unique_lock<std::mutex>& lock, Ready ready, bool reports) {
  for (;;) {
    if (reports && report_next(lock)) continue;
    if (stop_ || ready()) return !stop_;
    changed_.wait(lock);
  }
}

void Pipeline::prepare_pictures() {
  std::optional<int> position;
  const auto begin = [&] {
    std::unique_lock lock(mutex_);
    const auto is_there = [&] { return (position = runs_.begin()) || runs_.are_all_begun(); };
    return wait(lock, is_there) && position;
  };
  try {
    while (begin()) {
      Render render = steps_.prepare(*position);
      change([&] { prepared_.emplace(*position, std::move(render)); });
    }
  } catch (const std::exception&) {
    note_trouble(*position);
  }
}

/// Whether it is prepared, and not further ahead of what is reported than memory allows.
bool Pipeline::may_render(int position) const {
  const int under_way = threads_.render + threads_.encode + 1,
            of_runs = (threads_.render + 1) * threads_.run;
  return prepared_.contains(position) && position < next_ + std::max(under_way, of_runs);
}

void Pipeline::render_pictures(int renderer) {
  int position = 0;
  const auto take = [&] {
    std::unique_lock lock(mutex_);
    std::optional<int> next;
    const auto is_ready = [&] {
      next = runs_.next_of(renderer);
      return !next || may_render(*next);
    };
    if (!wait(lock, is_ready, threads_.render == 0) || !next) return Render();
    position = *next;
    runs_.take(renderer);
    Render render = std::move(prepared_.extract(position).mapped());
    changed_.notify_all();
    return render;
  };
  try {
    steps_.enter(renderer);
    while (const Render render = take()) {
      Encode encode = render(renderer);
      change([&] {
        if (encode)
          rendered_.emplace(position, std::move(encode));
        else
          finished_.emplace(position, Report());
      });
    }
  } catch (const std::exception&) {
    note_trouble(position);
  }
  steps_.leave(renderer);
  change([&] { --rendering_; });
}

void Pipeline::encode_pictures() {
  int position = 0;
  const auto take = [&] {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return !rendered_.empty() || rendering_ <= 0; });
    if (rendered_.empty()) return Encode();  // what was rendered is written even after a trouble
    position = rendered_.begin()->first;
    return std::move(rendered_.extract(position).mapped());
  };
  while (const Encode encode = take()) {
    try {
      Report report = encode();
      return_freed_memory();
      change([&] { finished_.emplace(position, std::move(report)); });
    } catch (const std::exception&) {
      note_trouble(position);
    }
  }
  change([&] { --encoding_; });
}

/// Reports the next picture. A picture that failed leaves a gap; pictures behind it wait until all are there. Behind a report that
/// failed nothing is reported.
bool Pipeline::report_next(std::unique_lock<std::mutex>& lock) {
  if (!finished_.contains(next_)) {
    if (encoding_ > 0 || finished_.empty()) return false;
    next_ = finished_.begin()->first;
  }
  const int position = next_;
  const Report report = std::move(finished_.extract(position).mapped());
  bool silent = silent_;
  lock.unlock();
  try {
    if (report && !silent) report();
  } catch (const std::exception&) {
    note_trouble(position);
    silent = true;
  }
  lock.lock();
  silent_ = silent;
  ++next_;
  changed_.notify_all();
  return true;
}

void Pipeline::report_ready() {
  std::unique_lock lock(mutex_);
  while (report_next(lock)) continue;
}

void Pipeline::report_pictures() {
  std::unique_lock lock(mutex_);
  for (;;) {
    const auto is_ready = [&] { return encoding_ <= 0 || finished_.contains(next_); };
    changed_.wait_for(lock, progress_interval, is_ready);
    if (!report_next(lock) && encoding_ <= 0) return;
    const int reported = next_;
    lock.unlock();
    steps_.wait(reported);
    lock.lock();
  }
}

}  // namespace kiln
