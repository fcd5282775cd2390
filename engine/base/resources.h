// SPDX-License-Identifier: MIT
// Time and memory of this process.
//
// Memory: the most that it has held, and how much it may still take: the least of what the machine has free without
// swapping, the limits of its control groups (docker -m, Slurm --mem) and its address space.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace kiln {

// Wall clock time, for progress and statistics.

using Clock = std::chrono::steady_clock;

inline double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

/// Resident bytes of this program alone: what getrusage() says counts also what the process held
/// before it became this program, such as the pages of a large parent.
std::uint64_t peak_memory_bytes();

/// Bytes; where nothing tells (no /proc), the largest number there is.
std::uint64_t available_memory_bytes();

/// The bytes by other files in place of /proc and /sys/fs/cgroup, for tests, where the system has
/// such. A file that does not say is no limit.
std::uint64_t available_memory_bytes(const std::string& proc, const std::string& cgroup);

}  // namespace kiln
