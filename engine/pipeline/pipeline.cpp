#include "engine/pipeline/pipeline.h"

#include <algorithm>
#include <chrono>
#include <memory>
#include <set>
#include <system_error>
#include <thread>

#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/platform/memory.h"
#include "engine/base/resources.h"
#include "engine/device/device.h"
#include "engine/pipeline/film_window.h"
#include "engine/render/plan/prepared_frame.h"

namespace kiln {
namespace {

constexpr auto progress_interval = std::chrono::milliseconds(100);

}  // namespace

Pipeline::Pipeline(Steps steps, Threads threads)
    : steps_(std::move(steps)),
      threads_(threads),
      prepared_ahead_(threads.render + threads.prepare),
      pictures_ahead_(threads.render + threads.encode + 1) {}

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
  int position = 0;
  const auto has_room = [&] {
    return next_prepared_ == steps_.count || next_prepared_ < next_rendered_ + prepared_ahead_;
  };
  const auto take = [&] {
    std::unique_lock lock(mutex_);
    if (!wait(lock, has_room) || next_prepared_ == steps_.count) return false;
    position = next_prepared_++;
    return true;
  };
  try {
    while (take()) {
      Render render = steps_.prepare(position);
      change([&] { prepared_.emplace(position, std::move(render)); });
    }
  } catch (const std::exception&) {
    note_trouble(position);
  }
}

void Pipeline::render_pictures(int renderer) {
  int position = 0;
  const auto may_render = [&] {
    return next_rendered_ == steps_.count || (prepared_.contains(next_rendered_) &&
                                              next_rendered_ < next_reported_ + pictures_ahead_);
  };
  const auto take = [&] {
    std::unique_lock lock(mutex_);
    if (!wait(lock, may_render, threads_.render == 0) || next_rendered_ == steps_.count)
      return Render();
    position = next_rendered_++;
    changed_.notify_all();
    return std::move(prepared_.extract(position).mapped());
  };
  try {
    while (const Render render = take()) {
      Encode encode = render(renderer);
      change([&] {
        if (encode)
          rendered_.emplace(position, std::move(encode));
        else
          encoded_.emplace(position, Report());
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
      change([&] { encoded_.emplace(position, std::move(report)); });
    } catch (const std::exception&) {
      note_trouble(position);
    }
  }
  change([&] { --encoding_; });
}

/// After a trouble there are gaps; what lies behind them waits until everything is there.
bool Pipeline::report_next(std::unique_lock<std::mutex>& lock) {
  const auto first = encoded_.begin();
  if (first == encoded_.end() || (encoding_ > 0 && first->first != next_reported_)) return false;
  const int position = first->first;
  const Report report = std::move(encoded_.extract(first).mapped());
  lock.unlock();
  if (report) report();
  lock.lock();
  next_reported_ = position + 1;
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
    const auto is_ready = [&] {
      return encoding_ <= 0 || (!encoded_.empty() && encoded_.begin()->first == next_reported_);
    };
    changed_.wait_for(lock, progress_interval, is_ready);
    if (!report_next(lock) && encoding_ <= 0) return;
    const int reported = next_reported_;
    lock.unlock();
    steps_.wait(reported);
    lock.lock();
  }
}

namespace {

/// While one frame is read back and packed another is iterated: two renderers use a GPU fully.
/// Large frames leave little to gain and need the memory.
void add_second_renderers(std::vector<HelpingDevice>& gpus, const Flame& flame, int frames) {
  constexpr double most_pixels = 1 << 24;
  const double pixels = double(flame.width) * flame.height * flame.supersample * flame.supersample;
  if (pixels > most_pixels || frames < 4 * static_cast<int>(gpus.size())) return;
  const std::vector<HelpingDevice> once = gpus;
  gpus.insert(gpus.end(), once.begin(), once.end());
}

bool are_different_gpus(const std::vector<HelpingDevice>& list) {
  std::set<int> numbers;
  for (const HelpingDevice& one : list)
    if (one.backend == Backend::cpu || !numbers.insert(one.device).second) return false;
  return true;
}

/// A renderer for each device; where there are fewer frames, the devices that are left help.
std::vector<RenderOptions> renderers_on(const std::vector<HelpingDevice>& list, int frames,
                                        RenderOptions options) {
  options.helpers.clear();
  const std::size_t count = std::min(list.size(), static_cast<std::size_t>(std::max(frames, 1)));
  std::vector<RenderOptions> renderers;
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (i >= count) {
      renderers[i % count].helpers.push_back(list[i]);
      continue;
    }
    options.backend = list[i].backend;
    options.device = list[i].device;
    if (options.backend == Backend::cpu) options.threads = list[i].threads;
    renderers.push_back(options);
  }
  return renderers;
}

/// Who makes frames.
struct FrameCrew {
  std::vector<RenderOptions> renderers;
  Pipeline::Threads threads;
};

FrameCrew crew_for(RenderOptions options, const std::vector<Flame>& keys, int frames) {
  const Flame& flame = keys.front();
  FrameCrew crew;
  std::vector<HelpingDevice> list = options.helpers;
  int allowed = options.threads;
  for (const HelpingDevice& one : list) allowed += one.threads;
  if (allowed == 0) allowed = usable_cores();
  crew.threads.sequential = allowed == 1;
  const bool any_gpu = options.backend == Backend::cuda ||
                       (options.backend == Backend::automatic && !list_cuda_devices().empty());
  if (!any_gpu && list.empty()) {
    options.backend = Backend::cpu;
    // one frame uses all cores; interpolation and files are a little beside it
    crew.renderers = {options};
    return crew;
  }
  list.insert(list.begin(),
              {any_gpu ? Backend::cuda : Backend::cpu, options.device, options.threads});
  if (is_cleaned(keys))
    frames = 1;
  else if (allowed > 1 && are_different_gpus(list))
    add_second_renderers(list, flame, frames);
  crew.renderers = renderers_on(list, frames, options);
  // files take most: 2 GiB of waiting pictures at most
  constexpr std::size_t waiting_bytes = std::size_t(2) << 30;
  const std::size_t room = std::max<std::size_t>(1, waiting_bytes / frame_bytes(options, flame));
  Pipeline::Threads& threads = crew.threads;
  threads.render = static_cast<int>(crew.renderers.size());
  threads.encode = std::clamp(allowed, 1, static_cast<int>(std::min<std::size_t>(room, 32)));
  threads.prepare = std::clamp(allowed / 2, 1, 16);
  if (threads.render > 1) threads.sequential = false;
  return crew;
}

class FrameRun {
 public:
  FrameRun(const FrameWork& work, FrameCrew crew)
      : work_(work), crew_(std::move(crew)), windows_(*work.film, [this](const Frame& frame) {
          return kiln::prepare(frame, crew_.renderers[0]);
        }) {
    for (std::size_t number = 0; number < crew_.renderers.size(); ++number) {
      Place& place = places_.emplace_back();
      place.options = crew_.renderers[number];
      place.options.on_progress = [this, number](const Progress& progress) {
        const int position = places_[number].position;
        note(position, progress);
        if (crew_.threads.sequential) tell(position);
      };
    }
  }

  std::optional<Pipeline::Trouble> run() {
    Steps steps;
    steps.count = work_.count;
    steps.prepare = [this](int i) { return prepare(i); };
    steps.leave = [this](int number) { places_[std::size_t(number)].renderer.reset(); };
    steps.wait = [this](int reported) { tell(reported); };
    return Pipeline(std::move(steps), crew_.threads).run();
  }

 private:
  /// Where frames are rendered, by one thread.
  struct Place {
    RenderOptions options;
    std::unique_ptr<Renderer> renderer;
    int position = 0;  // of the frame under way
  };

  Render prepare(int i) {
    const std::optional<FrameTime> frame = work_.frame(i);
    if (!frame)
      return [this, i](int) -> Encode { return [this, i] { return work_.encode(i, {}); }; };
    return [this, i, frame, window = windows_.of(*frame)](int number) {
      Encode encode = render(i, window, places_[std::size_t(number)]);
      windows_.forget_before(*frame);
      return encode;
    };
  }

  Encode render(int i, const FilmWindow& window, Place& place) {
    const auto start = Clock::now();
    place.position = i;
    note(i, {});
    if (!place.renderer) place.renderer = std::make_unique<Renderer>(place.options);
    const auto made = std::make_shared<RenderedFrame>();
    made->image = place.renderer->render(window, &made->statistics);
    made->render_s = seconds_since(start);
    const std::lock_guard lock(mutex_);
    running_.erase(i);
    return [this, i, made] { return work_.encode(i, std::move(*made)); };
  }

  void note(int position, const Progress& progress) {
    const std::lock_guard lock(mutex_);
    running_[position] = progress;
  }
  void tell(int reported) {
    std::unique_lock lock(mutex_);
    const std::map<int, Progress> running = running_;
    lock.unlock();
    work_.progress(reported, running);
  }

  const FrameWork& work_;
  const FrameCrew crew_;
  FilmWindows windows_;
  std::vector<Place> places_;
  std::mutex mutex_;
  std::map<int, Progress> running_;
};

}  // namespace

std::size_t frame_bytes(const RenderOptions& options, const Flame& flame) {
  const std::size_t each = options.linear ? 60 : options.bits == 16 ? 14 : 4;
  return static_cast<std::size_t>(flame.width) * static_cast<std::size_t>(flame.height) * each;
}

std::optional<Pipeline::Trouble> make_frames(const FrameWork& work, const RenderOptions& options) {
  return FrameRun(work, crew_for(options, work.film->keys, work.count)).run();
}

}  // namespace kiln
