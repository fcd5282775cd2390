// SPDX-License-Identifier: MIT
// Which kind of device one is, where that decides how memory and time are counted.
#pragma once

#include <string_view>

#include "engine/device/device.h"

namespace kiln {

/// A device says its kind first, of itself (Device::describe(), RenderStatistics::device).
inline bool is_cpu(std::string_view described) { return described.starts_with("cpu"); }
inline bool is_gpu(std::string_view described) { return described.starts_with("cuda"); }
/// Whether the device's memory is the program's own.
inline bool is_cpu(const Device& device) { return is_cpu(device.describe()); }

}  // namespace kiln
