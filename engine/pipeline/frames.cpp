// SPDX-License-Identifier: MIT
#include "engine/pipeline/frames.h"

#include <memory>
#include <mutex>

#include "engine/base/resources.h"
#include "engine/device/device.h"
#include "engine/pipeline/film_schedule.h"
#include "engine/pipeline/film_window.h"
#include "engine/render/plan/prepared_frame.h"

namespace kiln {
namespace {

class FrameRun {
 public:
  FrameRun(const FrameWork& work, FilmSchedule schedule)
      : work_(work),
        schedule_(std::move(schedule)),
        windows_(*work.film, [this](const Frame& frame) {
          return kiln::prepare(frame, schedule_.renderers[0]);
        }) {
    for (std::size_t number = 0; number < schedule_.renderers.size(); ++number) {
      OpenRenderer& open = renderers_.emplace_back();
      open.options = schedule_.renderers[number];
      open.options.on_progress = [this, number](const Progress& progress) {
        const int position = renderers_[number].position;
        note(position, progress);
        if (schedule_.threads.sequential) tell(position);
      };
    }
  }

  std::optional<Pipeline::Trouble> run() {
    Steps steps;
    steps.count = work_.count;
    steps.prepare = [this](int i) { return prepare(i); };
    steps.enter = [this](int number) {
      if (!is_any_to_render()) return;
      OpenRenderer& open = renderers_[std::size_t(number)];
      open.renderer = std::make_unique<Renderer>(open.options);
    };
    steps.leave = [this](int number) { renderers_[std::size_t(number)].renderer.reset(); };
    steps.wait = [this](int reported) { tell(reported); };
    return Pipeline(std::move(steps), schedule_.threads).run();
  }

 private:
  /// A renderer of frames, used by one thread.
  struct OpenRenderer {
    RenderOptions options;
    std::unique_ptr<Renderer> renderer;
    int position = 0;  // of the frame under way
  };

  /// Not where all frames are there: then no device is opened.
  bool is_any_to_render() const {
    for (int i = 0; i < work_.count; ++i)
      if (work_.frame(i)) return true;
    return false;
  }

  Render prepare(int i) {
    const std::optional<FrameTime> frame = work_.frame(i);
    if (!frame)
      return [this, i](int) -> Encode { return [this, i] { return work_.encode(i, {}); }; };
    return [this, i, window = windows_.of(*frame)](int number) {
      return render(i, window, renderers_[std::size_t(number)]);
    };
  }

  Encode render(int i, const FilmWindow& window, OpenRenderer& open) {
    const auto start = Clock::now();
    open.position = i;
    note(i, {});
    const auto made = std::make_shared<RenderedFrame>();
    made->image = open.renderer->render(window, &made->statistics);
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
  const FilmSchedule schedule_;
  FilmWindows windows_;
  std::vector<OpenRenderer> renderers_;
  std::mutex mutex_;
  std::map<int, Progress> running_;
};

}  // namespace

std::optional<Pipeline::Trouble> make_frames(const FrameWork& work, const RenderOptions& options) {
  bool has_gpu = false;
  if (options.backend == Backend::automatic)
    for (const DeviceInfo& gpu : list_cuda_devices()) has_gpu |= gpu.index == options.device;
  return FrameRun(work, schedule_film(options, work.film->keys, work.count, has_gpu)).run();
}

}  // namespace kiln
