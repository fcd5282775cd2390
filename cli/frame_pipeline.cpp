#include "cli/frame_pipeline.h"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "engine/base/clock.h"

namespace kiln::cli {
namespace {

constexpr auto progress_interval = std::chrono::milliseconds(100);

}  // namespace

FramePipeline::FramePipeline(FrameWork work, std::vector<RenderOptions> renderers, Threads threads)
    : work_(std::move(work)),
      renderers_(std::move(renderers)),
      threads_(threads),
      frames_ahead_(static_cast<int>(renderers_.size()) + threads.prepare),
      pictures_ahead_(static_cast<int>(renderers_.size()) + threads.encode + 1) {}

std::optional<FramePipeline::Trouble> FramePipeline::run() {
  if (threads_.in_turn) {
    run_in_turn();
    return trouble_;
  }
  std::vector<std::jthread> workers;
  try {
    start_threads(workers);
    report_frames();
  } catch (...) {
    {
      const std::lock_guard lock(mutex_);
      stop_ = true;
      rendering_ = encoding_ = 0;
    }
    changed_.notify_all();
    throw;  // the threads are joined on the way
  }
  return trouble_;
}

/// One thread of each kind is enough to make all frames; without it there is nothing to wait for.
void FramePipeline::start_threads(std::vector<std::jthread>& workers) {
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
    rendering_ = static_cast<int>(renderers_.size());
    encoding_ = threads_.encode;
  }
  start(threads_.prepare, [this] { prepare_frames(); });
  for (const RenderOptions& options : renderers_) {
    start(1, [this, options] { render_frames(options); });
  }
  const int encoders = start(threads_.encode, [this] { encode_frames(); });
  const std::lock_guard lock(mutex_);
  encoding_ -= threads_.encode - encoders;
}

/// Notes what was thrown, and that no further frame is begun.
void FramePipeline::note_trouble(int position) {
  {
    const std::lock_guard lock(mutex_);
    stop_ = true;
    if (!trouble_ || position < trouble_->position)
      trouble_ = Trouble{position, std::current_exception()};
  }
  changed_.notify_all();
}

void FramePipeline::note_progress(int position, const Progress& progress) {
  const std::lock_guard lock(mutex_);
  progress_[position] = progress;
}

void FramePipeline::run_in_turn() {
  int position = 0;
  try {
    RenderOptions options = renderers_.front();
    options.on_progress = [&](const Progress& progress) {
      work_.progress(position, {{position, progress}});
    };
    Renderer renderer(options);
    for (; position < work_.count; ++position) {
      const auto start = Clock::now();
      Rendered rendered;
      if (work_.needs_rendering(position))
        rendered.image = renderer.render(work_.prepare(position), &rendered.statistics);
      work_.report(position, work_.encode(position, std::move(rendered.image), rendered.statistics,
                                          seconds_since(start)));
    }
  } catch (const std::exception&) {
    note_trouble(position);
  }
}

/// Waits until `ready` or, with false, until there is nothing more to begin.
template <class Ready>
bool FramePipeline::wait(std::unique_lock<std::mutex>& lock, Ready ready) {
  changed_.wait(lock, [&] { return stop_ || ready(); });
  return !stop_;
}

void FramePipeline::prepare_frames() {
  int position = 0;
  try {
    for (;;) {
      {
        std::unique_lock lock(mutex_);
        const auto has_room = [&] {
          return next_prepared_ == work_.count || next_prepared_ < next_rendered_ + frames_ahead_;
        };
        if (!wait(lock, has_room) || next_prepared_ == work_.count) return;
        position = next_prepared_++;
      }
      PreparedFrame frame;
      if (work_.needs_rendering(position)) frame = work_.prepare(position);
      {
        const std::lock_guard lock(mutex_);
        prepared_.emplace(position, std::move(frame));
      }
      changed_.notify_all();
    }
  } catch (const std::exception&) {
    note_trouble(position);
  }
}

void FramePipeline::render_frames(RenderOptions options) {
  int position = 0;
  try {
    options.on_progress = [&](const Progress& progress) { note_progress(position, progress); };
    std::optional<Renderer> renderer;
    for (;;) {
      PreparedFrame frame;
      {
        std::unique_lock lock(mutex_);
        const auto has_next = [&] {
          return next_rendered_ == work_.count ||
                 (prepared_.count(next_rendered_) > 0 &&
                  next_rendered_ < next_reported_ + pictures_ahead_);
        };
        if (!wait(lock, has_next) || next_rendered_ == work_.count) break;
        position = next_rendered_++;
        frame = std::move(prepared_.extract(position).mapped());
        progress_[position] = {};
      }
      changed_.notify_all();
      const auto start = Clock::now();
      Rendered rendered;
      if (work_.needs_rendering(position)) {
        if (!renderer) renderer.emplace(options);
        rendered.image = renderer->render(frame, &rendered.statistics);
      }
      rendered.render_s = seconds_since(start);
      {
        const std::lock_guard lock(mutex_);
        rendered_.emplace(position, std::move(rendered));
        progress_.erase(position);
      }
      changed_.notify_all();
    }
  } catch (const std::exception&) {
    note_trouble(position);
  }
  {
    const std::lock_guard lock(mutex_);
    --rendering_;
  }
  changed_.notify_all();
}

void FramePipeline::encode_frames() {
  for (;;) {
    int position = 0;
    Rendered rendered;
    {
      std::unique_lock lock(mutex_);
      changed_.wait(lock, [&] { return !rendered_.empty() || rendering_ <= 0; });
      if (rendered_.empty()) break;  // what was rendered is written even after a trouble
      position = rendered_.begin()->first;
      rendered = std::move(rendered_.extract(rendered_.begin()).mapped());
    }
    try {
      EncodedFrame encoded =
          work_.encode(position, std::move(rendered.image), rendered.statistics, rendered.render_s);
      const std::lock_guard lock(mutex_);
      encoded_.emplace(position, std::move(encoded));
    } catch (const std::exception&) {
      note_trouble(position);
    }
    changed_.notify_all();
  }
  {
    const std::lock_guard lock(mutex_);
    --encoding_;
  }
  changed_.notify_all();
}

void FramePipeline::report_frames() {
  std::unique_lock lock(mutex_);
  for (;;) {
    // after a trouble there are gaps; what lies behind them waits until everything is there
    const auto next = [&] {
      return encoded_.empty()                                              ? encoded_.end()
             : encoding_ <= 0 || encoded_.begin()->first == next_reported_ ? encoded_.begin()
                                                                           : encoded_.end();
    };
    changed_.wait_for(lock, progress_interval,
                      [&] { return next() != encoded_.end() || encoding_ <= 0; });
    if (const auto found = next(); found != encoded_.end()) {
      const int position = found->first;
      EncodedFrame encoded = std::move(encoded_.extract(found).mapped());
      lock.unlock();
      work_.report(position, std::move(encoded));
      lock.lock();
      next_reported_ = position + 1;
      changed_.notify_all();
    } else if (encoding_ <= 0) {
      return;
    }
    const std::map<int, Progress> progress = progress_;
    const int reported = next_reported_;
    lock.unlock();
    work_.progress(reported, progress);
    lock.lock();
  }
}

}  // namespace kiln::cli
