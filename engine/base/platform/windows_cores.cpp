// SPDX-License-Identifier: MIT
#include <windows.h>

#include <algorithm>
#include <cstdint>
#include <thread>

#include "engine/base/platform/cores.h"

namespace kiln {

int read_usable_cores() {
  DWORD_PTR mine = 0, all = 0;
  // none of either: the process has threads in several groups of 64 processors
  if (GetProcessAffinityMask(GetCurrentProcess(), &mine, &all) && mine != all) {
    int count = 0;
    for (std::uint64_t rest = mine; rest != 0; rest &= rest - 1) ++count;
    return std::max(1, count);
  }
  return std::max(1, int(std::thread::hardware_concurrency()));
}

}  // namespace kiln
