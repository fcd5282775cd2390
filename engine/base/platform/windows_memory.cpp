// SPDX-License-Identifier: MIT
#include <windows.h>

// which needs what stands above
#include <psapi.h>

#include <algorithm>

#include "engine/base/platform/memory.h"

namespace kiln {
namespace {

MEMORYSTATUSEX memory_status() {
  MEMORYSTATUSEX status{};
  status.dwLength = sizeof status;
  GlobalMemoryStatusEx(&status);
  return status;
}

PROCESS_MEMORY_COUNTERS held() {
  PROCESS_MEMORY_COUNTERS counters{};
  counters.cb = sizeof counters;
  K32GetProcessMemoryInfo(GetCurrentProcess(), &counters, sizeof counters);
  return counters;
}

/// Bytes that the job object around this process leaves, if there is one with a limit.
std::uint64_t left_in_job() {
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits{};
  if (!QueryInformationJobObject(nullptr, JobObjectExtendedLimitInformation, &limits, sizeof limits,
                                 nullptr))
    return UINT64_MAX;
  std::uint64_t least = UINT64_MAX;
  const DWORD flags = limits.BasicLimitInformation.LimitFlags;
  if (flags & JOB_OBJECT_LIMIT_PROCESS_MEMORY) least = limits.ProcessMemoryLimit;
  if (flags & JOB_OBJECT_LIMIT_JOB_MEMORY)
    least = std::min<std::uint64_t>(least, limits.JobMemoryLimit);
  return least == UINT64_MAX ? least : least - std::min<std::uint64_t>(least, held().PagefileUsage);
}

}  // namespace

std::uint64_t machine_memory_bytes() { return memory_status().ullTotalPhys; }

std::uint64_t read_available_memory() {
  const MEMORYSTATUSEX status = memory_status();
  return std::min<std::uint64_t>(
      {status.ullAvailPhys, status.ullAvailPageFile, status.ullAvailVirtual, left_in_job()});
}

std::uint64_t read_peak_memory() { return held().PeakWorkingSetSize; }

void* map_memory(std::size_t bytes) {
  // VirtualFree takes what VirtualAlloc gave and nothing less: the place is looked for first
  for (int attempt = 0; attempt < 100; ++attempt) {
    void* const found = VirtualAlloc(nullptr, bytes + huge_page, MEM_RESERVE, PAGE_NOACCESS);
    if (!found) return nullptr;
    VirtualFree(found, 0, MEM_RELEASE);
    const auto begin =
        (reinterpret_cast<std::uintptr_t>(found) + huge_page - 1) / huge_page * huge_page;
    void* const memory = VirtualAlloc(reinterpret_cast<void*>(begin), bytes,
                                      MEM_RESERVE | MEM_COMMIT, PAGE_READWRITE);
    if (memory) return memory;
    if (GetLastError() == ERROR_COMMITMENT_LIMIT || GetLastError() == ERROR_NOT_ENOUGH_MEMORY)
      return nullptr;  // else another thread was quicker
  }
  return nullptr;
}

void unmap_memory(void* memory, std::size_t) { VirtualFree(memory, 0, MEM_RELEASE); }

void free_at_once(std::size_t) {}  // the heap of Windows does
void return_freed_memory() {}

}  // namespace kiln
