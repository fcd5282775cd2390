// SPDX-License-Identifier: MIT
#include "cli/options/device_list.h"

#include <algorithm>
#include <cstdlib>

#include "engine/api/kiln.h"
#include "engine/base/cores.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace kiln::cli {
namespace {

/// What is between two commas.
HelpingDevice device_named(const std::string& name, const std::string& text) {
  if (name == "cpu") return {Backend::cpu, 0, 0};
  if (name.empty() || name.size() > 4 || name.find_first_not_of("0123456789") != std::string::npos)
    fail(ErrorKind::usage,
         "--devices \"{}\": must be numbers of GPUs as \"kiln devices\" shows them, such as 0,1, "
         "or all; or cpu,cpu",
         printable_whole(text));
  return {Backend::cuda, std::atoi(name.c_str()), 0};
}

}  // namespace

std::vector<HelpingDevice> device_list(const std::string& text, int threads) {
  if (text == "all") return all_gpus();
  std::vector<HelpingDevice> list;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t comma = std::min(text.find(',', at), text.size());
    list.push_back(device_named(text.substr(at, comma - at), text));
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
  const Backend backend = list.front().backend;
  if (options.backend != Backend::automatic && options.backend != backend)
    fail(ErrorKind::usage, "--devices \"{}\" and --backend name different devices; leave one out",
         printable_whole(text));
  share_work(list, options);
}

}  // namespace kiln::cli
