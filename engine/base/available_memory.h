// How much memory this process may still take: the least of what the machine has free without
// swapping, the limits of its control groups (docker -m, Slurm --mem) and its address space.
#pragma once

#include <cstdint>
#include <string>

namespace kiln {

/// Bytes.
std::uint64_t available_memory_bytes();

/// The same with other files in place of /proc and /sys/fs/cgroup, for tests. What a file does not
/// say is no limit.
std::uint64_t available_memory_bytes(const std::string& proc, const std::string& cgroup);

}  // namespace kiln
