// SPDX-License-Identifier: MIT
// The device code that the build has put into the program.
#pragma once

#include <vector>

namespace kiln {

/// The oldest CUDA that a driver must know for the code inside (13000: 13.0).
extern const int least_cuda_version;
/// The oldest CUDA whose drivers compile the code's PTX for GPUs that are newer than all of
/// device_code_archs().
extern const int ptx_cuda_version;
/// The GPUs that there is code for, by compute capability (90), ascending; drivers of later ones may
/// compile the newest for them.
const std::vector<int>& device_code_archs();
/// Whether this kiln has code for GPUs at all.
bool has_device_code();

}  // namespace kiln
