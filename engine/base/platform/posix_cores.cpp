// SPDX-License-Identifier: MIT
#include <sched.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <memory>
#include <string>
#include <thread>

#include "engine/base/cores.h"
#include "engine/base/platform/cores.h"
#include "engine/base/platform/posix_groups.h"

namespace kiln {
namespace {

/// The cores that taskset, a cpuset or Slurm has left; all, where the system does not say.
int cores_of_affinity() {
  for (int most = 1024; most <= (1 << 20); most *= 4) {
    const std::unique_ptr<cpu_set_t, void (*)(cpu_set_t*)> set(
        CPU_ALLOC(std::size_t(most)), [](cpu_set_t* taken) { CPU_FREE(taken); });
    const std::size_t bytes = CPU_ALLOC_SIZE(std::size_t(most));
    if (set && sched_getaffinity(0, bytes, set.get()) == 0) return CPU_COUNT_S(bytes, set.get());
  }
  return int(std::thread::hardware_concurrency());
}

/// The time of so many cores that a group has (docker --cpus): of 1.5 the second thread has half.
double cores_of_group(const std::string& folder, bool version_2) {
  double quota = -1, period = -1;
  if (version_2) {
    std::ifstream(folder + "/cpu.max") >> quota >> period;  // "max" is no number
  } else {
    std::ifstream(folder + "/cpu.cfs_quota_us") >> quota;
    std::ifstream(folder + "/cpu.cfs_period_us") >> period;
  }
  return quota > 0 && period > 0 ? quota / period : 1e9;
}

}  // namespace

int usable_cores(const std::string& proc, const std::string& cgroup) {
  double least = std::max(1, cores_of_affinity());
  for_each_group(proc, cgroup, "cpu", [&](const std::string& folder, bool version_2) {
    least = std::min(least, cores_of_group(folder, version_2));
  });
  return std::max(1, int(std::ceil(least)));
}

int read_usable_cores() { return usable_cores("/proc", "/sys/fs/cgroup"); }

}  // namespace kiln
