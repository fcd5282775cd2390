// SPDX-License-Identifier: MIT
#include "cli/options/device_list.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>

#include "engine/api/kiln.h"
#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/device/device.h"
#include "engine/pipeline/forecast.h"

namespace kiln::cli {
namespace {

/// A number of a GPU of the list `text`.
int gpu_number(const std::string& name, const std::string& text) {
  if (name.empty() || name.size() > 4 || name.find_first_not_of("0123456789") != std::string::npos)
    fail(ErrorKind::usage,
         "--devices \"{}\": must be numbers of GPUs as \"kiln devices\" shows them, such as 0,1 or "
         "0-3, or all; or cpu,cpu",
         printable_whole(text));
  return std::atoi(name.c_str());
}

/// Adds what is between two commas.
void add_devices(const std::string& name, const std::string& text,
                 std::vector<HelpingDevice>& list) {
  constexpr int most = 64;
  if (name == "cpu") return list.push_back({Backend::cpu, 0, 0});
  const std::size_t dash = std::min(name.find('-'), name.size());
  const int first = gpu_number(name.substr(0, dash), text);
  const int last = dash < name.size() ? gpu_number(name.substr(dash + 1), text) : first;
  if (last < first || last - first >= most)
    fail(ErrorKind::usage,
         "--devices \"{}\": a range goes up, such as 0-3, and has at most {} GPUs",
         printable_whole(text), most);
  for (int gpu = first; gpu <= last; ++gpu) list.push_back({Backend::cuda, gpu, 0});
}

void check_backend(const std::string& text, Backend backend, const RenderOptions& options) {
  if (options.backend != Backend::automatic && options.backend != backend)
    fail(ErrorKind::usage, "--devices \"{}\" and --backend name different devices; leave one out",
         printable_whole(text));
}

}  // namespace

std::vector<HelpingDevice> device_list(const std::string& text, int threads) {
  if (text == "all") return all_gpus();
  std::vector<HelpingDevice> list;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    add_devices(text.substr(at, comma - at), text, list);
    at = comma + 1;
  }
  const auto is_cpu = [](const HelpingDevice& one) { return one.backend == Backend::cpu; };
  const auto cpus = std::count_if(list.begin(), list.end(), is_cpu);
  if (cpus > 0 && static_cast<std::size_t>(cpus) < list.size())
    fail(ErrorKind::usage,
         "--devices \"{}\": GPUs would wait for a CPU beside them; name GPUs or cpu alone",
         printable_whole(text));
  const int cores = usable_cores();
  if (cpus > 0) {
    const int each = (threads > 0 ? threads : cores) / static_cast<int>(cpus);
    for (HelpingDevice& one : list) one.threads = std::max(1, each);
  }
  return list;
}

void share_listed(const std::string& text, RenderOptions& options) {
  const std::vector<HelpingDevice> list = device_list(text, options.threads);
  check_backend(text, list.front().backend, options);
  share_work(list, options);
}

bool waits_for_work(const std::string& text) { return text == "all"; }

void share_worth(double seconds, bool only_this, RenderOptions& options) {
  check_backend("all", Backend::cuda, options);
  const int most = gpus_worth(seconds);
  if (only_this) {
    std::vector<int> seen(static_cast<std::size_t>(most));
    std::iota(seen.begin(), seen.end(), 0);  // CUDA leaves out those that are not there
    see_cuda_devices(seen);
  }
  std::vector<HelpingDevice> list = all_gpus();
  list.resize(std::min(list.size(), static_cast<std::size_t>(most)));
  share_work(list, options);
}

std::string devices_in_words(const RenderOptions& options) {
  std::string list = std::to_string(options.device);
  for (const HelpingDevice& helper : options.helpers) list += "," + std::to_string(helper.device);
  return list;
}

}  // namespace kiln::cli
