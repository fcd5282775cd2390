// SPDX-License-Identifier: MIT
#include <malloc.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <string>

#include "engine/base/platform/memory.h"
#include "engine/base/platform/posix_groups.h"
#include "engine/base/resources.h"

namespace kiln {
namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

/// The first number of a file; nothing for "max", or where there is no file.
std::optional<std::uint64_t> number_in(const std::string& path) {
  std::ifstream file(path);
  std::uint64_t number = 0;
  if (file >> number) return number;
  return {};
}

/// The number behind a name such as "MemAvailable:" or "inactive_file".
std::optional<std::uint64_t> named_number(const std::string& path, const std::string& name) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string word;
    std::uint64_t number = 0;
    if (words >> word && word == name && words >> number) return number;
  }
  return {};
}

/// Bytes that a group may still take. Page cache counts as free: it goes before anybody is killed.
std::uint64_t left_in_group(const std::string& folder, const char* limit_name,
                            const char* used_name, const char* cache_name) {
  const auto limit = number_in(folder + "/" + limit_name);
  if (!limit) return no_limit;
  const std::uint64_t used = number_in(folder + "/" + used_name).value_or(0);
  const std::uint64_t cache = named_number(folder + "/memory.stat", cache_name).value_or(0);
  const std::uint64_t held = used - std::min(used, cache);
  return *limit - std::min(*limit, held);
}

/// The least of its groups and those around them.
std::uint64_t left_in_cgroups(const std::string& proc, const std::string& cgroup) {
  std::uint64_t least = no_limit;
  for_each_group(proc, cgroup, "memory", [&](const std::string& folder, bool version_2) {
    least = std::min(
        least, version_2 ? left_in_group(folder, "memory.max", "memory.current", "inactive_file")
                         : left_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                         "total_inactive_file"));
  });
  return least;
}

std::uint64_t left_of_address_space(const std::string& proc) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
  const std::uint64_t pages = number_in(proc + "/self/statm").value_or(0);
  const std::uint64_t used = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

}  // namespace

std::uint64_t available_memory_bytes(const std::string& proc, const std::string& cgroup) {
  const auto free_kib = named_number(proc + "/meminfo", "MemAvailable:");
  const std::uint64_t machine = free_kib ? *free_kib * 1024 : no_limit;
  return std::min({machine, left_in_cgroups(proc, cgroup), left_of_address_space(proc)});
}

std::uint64_t read_available_memory() { return available_memory_bytes("/proc", "/sys/fs/cgroup"); }

std::uint64_t machine_memory_bytes() {
  struct sysinfo info {};
  sysinfo(&info);
  return std::uint64_t(info.totalram) * info.mem_unit;
}

std::uint64_t read_peak_memory() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

void* map_memory(std::size_t bytes) {
  const std::size_t all = bytes + huge_page;
  void* const place =
      mmap(nullptr, all, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (place == MAP_FAILED) return nullptr;
  char* const begin = static_cast<char*>(place);
  const std::size_t before =
      (huge_page - reinterpret_cast<std::uintptr_t>(place) % huge_page) % huge_page;
  if (before > 0) munmap(begin, before);
  munmap(begin + before + bytes, all - before - bytes);
  madvise(begin + before, bytes, MADV_HUGEPAGE);  // advice: it may fail
  return begin + before;
}

void unmap_memory(void* memory, std::size_t bytes) { munmap(memory, bytes); }

void free_at_once([[maybe_unused]] std::size_t from_bytes) {
#ifdef __GLIBC__  // it would raise these limits by and by, the second to twice the first
  mallopt(M_MMAP_THRESHOLD, int(from_bytes));
  mallopt(M_TRIM_THRESHOLD, int(2 * from_bytes));
#endif
}

/// Heaps of glibc, several for threads, shrink at their ends alone.
void return_freed_memory() {
#ifdef __GLIBC__
  constexpr double seldom_s = 0.25;  // then it costs a hundredth of small pictures' time
  static std::atomic<double> last_s = -1;
  const double now_s = std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
  double before_s = last_s;
  if (now_s - before_s >= seldom_s && last_s.compare_exchange_strong(before_s, now_s))
    malloc_trim(0);
#endif
}

}  // namespace kiln
