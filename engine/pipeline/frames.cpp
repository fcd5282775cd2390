#include "engine/pipeline/frames.h"

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "engine/base/clock.h"
#include "engine/device/device.h"
#include "engine/render/prepared_frame.h"

namespace kiln {
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

FrameCrew crew_for(RenderOptions options, const Flame& flame, int frames) {
  FrameCrew crew;
  std::vector<HelpingDevice> list = options.helpers;
  int allowed = options.threads;
  for (const HelpingDevice& one : list) allowed += one.threads;
  if (allowed == 0) allowed = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  crew.threads.in_turn = allowed == 1;
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
  if (allowed > 1 && are_different_gpus(list)) add_second_renderers(list, flame, frames);
  crew.renderers = renderers_on(list, frames, options);
  // files take most: 2 GiB of waiting pictures at most
  constexpr std::size_t waiting_bytes = std::size_t(2) << 30;
  const std::size_t room = std::max<std::size_t>(1, waiting_bytes / frame_bytes(options, flame));
  Pipeline::Threads& threads = crew.threads;
  threads.render = static_cast<int>(crew.renderers.size());
  threads.encode = std::clamp(allowed, 1, static_cast<int>(std::min<std::size_t>(room, 32)));
  threads.prepare = std::clamp(allowed / 2, 1, 16);
  if (threads.render > 1) threads.in_turn = false;
  return crew;
}

class FrameRun {
 public:
  FrameRun(const FrameWork& work, FrameCrew crew) : work_(work), crew_(std::move(crew)) {
    for (std::size_t number = 0; number < crew_.renderers.size(); ++number) {
      Place& place = places_.emplace_back();
      place.options = crew_.renderers[number];
      place.options.on_progress = [this, number](const Progress& progress) {
        const int position = places_[number].position;
        note(position, progress);
        if (crew_.threads.in_turn) tell(position);
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
    const std::optional<Frame> frame = work_.frame(i);
    if (!frame)
      return [this, i](int) -> Encode { return [this, i] { return work_.encode(i, {}); }; };
    const auto ready = std::make_shared<PreparedFrame>(kiln::prepare(*frame, crew_.renderers[0]));
    return [this, i, ready](int number) { return render(i, *ready, places_[std::size_t(number)]); };
  }

  Encode render(int i, const PreparedFrame& frame, Place& place) {
    const auto start = Clock::now();
    place.position = i;
    note(i, {});
    if (!place.renderer) place.renderer = std::make_unique<Renderer>(place.options);
    const auto made = std::make_shared<RenderedFrame>();
    made->image = place.renderer->render(frame, &made->statistics);
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
  std::vector<Place> places_;
  std::mutex mutex_;
  std::map<int, Progress> running_;
};

}  // namespace

std::size_t frame_bytes(const RenderOptions& options, const Flame& flame) {
  const std::size_t each = options.linear ? 60 : options.bits == 16 ? 14 : 4;
  return static_cast<std::size_t>(flame.width) * static_cast<std::size_t>(flame.height) * each;
}

std::optional<Pipeline::Trouble> make_frames(const FrameWork& work, const RenderOptions& options,
                                             const Flame& flame) {
  return FrameRun(work, crew_for(options, flame, work.count)).run();
}

}  // namespace kiln
