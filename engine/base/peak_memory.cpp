#include "engine/base/peak_memory.h"

#include <sys/resource.h>

#include <fstream>
#include <string>

namespace kiln {

std::uint64_t peak_memory_bytes() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::uint64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return kib * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

}  // namespace kiln
