// SPDX-License-Identifier: MIT
// How many threads are of use: of a machine with many cores a process may have few.
#pragma once

#include <string>

namespace kiln {

/// Cores that this process may use, at least 1: by affinity (taskset, cpusets, Slurm) and the limits of its control groups
/// (docker --cpus). Read once.
int usable_cores();

/// The cores read anew, from other files in place of /proc and /sys/fs/cgroup: for tests, where the system has such.
int usable_cores(const std::string& proc, const std::string& cgroup);

}  // namespace kiln
