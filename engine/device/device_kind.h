// SPDX-License-Identifier: MIT
// Which kind of device one is, where that decides how memory and time are counted.
#pragma once

#include "engine/device/device.h"

namespace kiln {

/// Whether the device's memory is the program's own.
inline bool is_cpu(const Device& device) { return device.describe().rfind("cpu", 0) == 0; }

}  // namespace kiln
