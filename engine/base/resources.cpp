#include "engine/base/resources.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <limits>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>

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

/// What a limit leaves. The page cache is given up before anybody is killed, so it is no use.
std::uint64_t left_in_group(const std::string& folder, const char* limit_name,
                            const char* used_name, const char* cache_name) {
  const auto limit = number_in(folder + "/" + limit_name);
  if (!limit) return no_limit;
  const std::uint64_t used = number_in(folder + "/" + used_name).value_or(0);
  const std::uint64_t cache = named_number(folder + "/memory.stat", cache_name).value_or(0);
  const std::uint64_t held = used - std::min(used, cache);
  return *limit - std::min(*limit, held);
}

/// The least of a group and those around it; a path that is not there (a container sees its own
/// group as the root) counts as the root.
std::uint64_t left_in_groups(const std::string& root, std::string path, bool version_2) {
  std::uint64_t least = no_limit;
  for (;;) {
    const std::string folder = root + (path == "/" ? "" : path);
    least = std::min(
        least, version_2 ? left_in_group(folder, "memory.max", "memory.current", "inactive_file")
                         : left_in_group(folder, "memory.limit_in_bytes", "memory.usage_in_bytes",
                                         "total_inactive_file"));
    if (path.empty() || path == "/") return least;
    path.resize(path.rfind('/'));
  }
}

/// Lines of /proc/self/cgroup: "0::/path" (version 2), "4:memory:/path" (version 1).
std::uint64_t left_in_cgroups(const std::string& proc, const std::string& cgroup) {
  std::uint64_t least = no_limit;
  std::ifstream file(proc + "/self/cgroup");
  for (std::string line; std::getline(file, line);) {
    const std::size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == std::string::npos || second == std::string::npos) continue;
    const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
    const std::string path = line.substr(second + 1);
    if (controllers == ",,") least = std::min(least, left_in_groups(cgroup, path, true));
    if (controllers.find(",memory,") != std::string::npos)
      least = std::min(least, left_in_groups(cgroup + "/memory", path, false));
  }
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

namespace {

/// A number that files of the system say. Reading them takes a tenth of a millisecond or more, and small
/// pictures, of which there are hundreds a second, ask several times each: it is kept for a moment in which
/// nobody can fill much memory.
class KeptNumber {
 public:
  template <class Read>
  std::uint64_t number(const Read& read) {
    constexpr double moment_s = 0.02;
    const std::lock_guard lock(mutex_);
    if (!is_known_ || seconds_since(since_) > moment_s) {
      number_ = read();
      is_known_ = true;
      since_ = Clock::now();
    }
    return number_;
  }

 private:
  std::mutex mutex_;
  bool is_known_ = false;
  std::uint64_t number_ = 0;
  Clock::time_point since_;
};

}  // namespace

std::uint64_t available_memory_bytes() {
  static KeptNumber kept;
  return kept.number([] { return available_memory_bytes("/proc", "/sys/fs/cgroup"); });
}

std::uint64_t available_memory_bytes(const std::string& proc, const std::string& cgroup) {
  const auto free_kib = named_number(proc + "/meminfo", "MemAvailable:");
  const std::uint64_t machine = free_kib ? *free_kib * 1024 : no_limit;
  return std::min({machine, left_in_cgroups(proc, cgroup), left_of_address_space(proc)});
}

namespace {

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

}  // namespace

std::uint64_t peak_memory_bytes() {
  static KeptNumber kept;
  return kept.number(read_peak_memory);
}

}  // namespace kiln
