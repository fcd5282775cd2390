#include "cli/frame_renderers.h"

#include <algorithm>
#include <cstdlib>
#include <thread>

#include "engine/base/text.h"
#include "engine/device/device.h"

namespace kiln::cli {
namespace {

std::vector<int> gpu_list(const std::string& text, std::size_t gpus) {
  std::vector<int> list;
  if (text == "all") {
    for (std::size_t i = 0; i < gpus; ++i) list.push_back(static_cast<int>(i));
    if (list.empty()) {
      fail(ErrorKind::device,
           "--devices all: no CUDA device is here; leave it out to render on the CPU");
    }
    return list;
  }
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

}  // namespace

std::vector<RenderOptions> choose_renderers(const AnimateArguments& args, std::size_t frame_bytes,
                                            FramePipeline::Threads& threads) {
  RenderOptions options = args.options;
  const int cores = std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
  const int allowed = options.threads > 0 ? options.threads : cores;
  threads.in_turn = allowed == 1;
  if (!args.devices.empty() && options.backend == Backend::cpu)
    fail(ErrorKind::usage, "--devices names GPUs; leave it out with --backend cpu");
  const std::size_t gpus = options.backend == Backend::cpu ? 0 : list_cuda_devices().size();
  if (gpus == 0 && args.devices.empty() && options.backend != Backend::cuda) {
    options.backend = Backend::cpu;
    return {options};  // one frame uses all cores; interpolation and files are a little beside it
  }
  std::vector<int> list = {options.device};
  if (!args.devices.empty()) list = gpu_list(args.devices, gpus);
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
