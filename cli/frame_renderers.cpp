#include "cli/frame_renderers.h"

#include <algorithm>
#include <set>
#include <thread>

#include "cli/device_list.h"
#include "engine/base/error.h"
#include "engine/device/device.h"

namespace kiln::cli {
namespace {

/// The devices that the options ask for; other GPUs are not even opened.
std::vector<HelpingDevice> choose_devices(const AnimateArguments& args) {
  std::vector<HelpingDevice> list = {{Backend::cuda, args.options.device, 0}};
  if (!args.devices.empty()) list = device_list(args.devices, args.options.threads);
  if (args.devices == "all" || list.front().backend == Backend::cpu) return list;
  std::vector<int> gpus;
  for (const HelpingDevice& gpu : list) gpus.push_back(gpu.device);
  see_cuda_devices(gpus);
  return list;
}

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

}  // namespace

std::vector<RenderOptions> choose_renderers(const AnimateArguments& args, const Flame& flame,
                                            int frames, std::size_t frame_bytes,
                                            FramePipeline::Threads& threads) {
  RenderOptions options = args.options;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int allowed = options.threads > 0 ? options.threads : cores;
  threads.in_turn = allowed == 1;
  std::vector<HelpingDevice> list;
  if (options.backend != Backend::cpu || !args.devices.empty()) list = choose_devices(args);
  if (!args.devices.empty() && options.backend != Backend::automatic &&
      options.backend != list.front().backend)
    fail(ErrorKind::usage, "--devices and --backend name different devices; leave one out");
  const bool none = list.empty() || list_cuda_devices().empty();
  if (none && args.devices.empty() && options.backend != Backend::cuda) {
    options.backend = Backend::cpu;
    return {options};  // one frame uses all cores; interpolation and files are a little beside it
  }
  if (allowed > 1 && are_different_gpus(list)) add_second_renderers(list, flame, frames);
  const std::vector<RenderOptions> renderers = renderers_on(list, frames, options);
  // files take most: 2 GiB of waiting pictures at most
  constexpr std::size_t waiting_bytes = std::size_t(2) << 30;
  const std::size_t room =
      std::max<std::size_t>(1, waiting_bytes / std::max<std::size_t>(frame_bytes, 1));
  threads.encode = std::clamp(allowed, 1, static_cast<int>(std::min<std::size_t>(room, 32)));
  threads.prepare = std::clamp(allowed / 2, 1, 16);
  if (renderers.size() > 1) threads.in_turn = false;
  return renderers;
}

}  // namespace kiln::cli
