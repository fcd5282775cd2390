#include "cli/frame_renderers.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <thread>

#include "engine/base/text.h"
#include "engine/device/device.h"

namespace kiln::cli {
namespace {

std::vector<int> all_gpus() {
  std::vector<int> list;
  for (const DeviceInfo& gpu : list_cuda_devices()) list.push_back(gpu.index);
  if (list.empty())
    fail(ErrorKind::device,
         "--devices all: no CUDA device is here; leave it out to render on the CPU");
  return list;
}

/// The numbers of a list such as 0,1.
std::vector<int> gpu_list(const std::string& text) {
  std::vector<int> list;
  std::size_t at = 0;
  while (at <= text.size()) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    const std::string number = text.substr(at, comma - at);
    if (number.empty() || number.size() > 4 ||
        number.find_first_not_of("0123456789") != std::string::npos) {
      fail(ErrorKind::usage,
           "--devices \"{}\": must be numbers of GPUs as \"kiln devices\" shows them, such as 0,1, "
           "or all",
           printable_whole(text));
    }
    list.push_back(std::atoi(number.c_str()));
    at = comma + 1;
  }
  return list;
}

/// The GPUs that the options ask for; the others are not even opened.
std::vector<int> choose_gpus(const AnimateArguments& args) {
  if (args.devices == "all") return all_gpus();
  const std::vector<int> list =
      args.devices.empty() ? std::vector<int>{args.options.device} : gpu_list(args.devices);
  see_cuda_devices(list);
  return list;
}

/// While one frame is read back and packed another is iterated: two renderers use a GPU fully.
/// Large frames leave little to gain and need the memory.
void add_second_renderers(std::vector<int>& gpus, const Flame& flame, int frames) {
  constexpr double most_pixels = 1 << 24;
  const double pixels = double(flame.width) * flame.height * flame.supersample * flame.supersample;
  if (pixels > most_pixels || frames < 4 * static_cast<int>(gpus.size())) return;
  const std::vector<int> once = gpus;
  gpus.insert(gpus.end(), once.begin(), once.end());
}

}  // namespace

std::vector<RenderOptions> choose_renderers(const AnimateArguments& args, const Flame& flame,
                                            int frames, std::size_t frame_bytes,
                                            FramePipeline::Threads& threads) {
  RenderOptions options = args.options;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int allowed = options.threads > 0 ? options.threads : cores;
  threads.in_turn = allowed == 1;
  if (!args.devices.empty() && options.backend == Backend::cpu)
    fail(ErrorKind::usage, "--devices names GPUs; leave it out with --backend cpu");
  std::vector<int> list;
  if (options.backend != Backend::cpu) list = choose_gpus(args);
  const bool none = list.empty() || list_cuda_devices().empty();
  if (none && args.devices.empty() && options.backend != Backend::cuda) {
    options.backend = Backend::cpu;
    return {options};  // one frame uses all cores; interpolation and files are a little beside it
  }
  if (allowed > 1 && std::set<int>(list.begin(), list.end()).size() == list.size())
    add_second_renderers(list, flame, frames);
  options.backend = Backend::cuda;
  std::vector<RenderOptions> renderers;
  for (int device : list) {
    options.device = device;
    renderers.push_back(options);
  }
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
