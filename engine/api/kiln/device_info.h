// SPDX-License-Identifier: MIT
// A device that can render here.
#pragma once

#include <cstdint>
#include <string>

namespace kiln {

struct DeviceInfo {
  std::string kind;  // "cpu" or "cuda"
  int index = 0;     // RenderOptions::device
  std::string name;
  std::uint64_t memory_bytes = 0;
  std::string detail;  // threads, or compute capability
  int arch = 0;        // of a GPU: its compute capability, 90 for 9.0
};

}  // namespace kiln
