// SPDX-License-Identifier: MIT
// --devices: which devices share the work.
#pragma once

#include <string>
#include <vector>

#include "engine/api/kiln/render_options.h"

namespace kiln::cli {

/// The devices of a list such as 0,1 (GPUs), all (every GPU) or cpu,cpu (renderers on the CPU, with
/// equal parts of `threads`; 0: all cores). Throws Error.
std::vector<HelpingDevice> device_list(const std::string& text, int threads);

/// The first device of the list makes the pictures, the others help. Throws Error (usage) where the
/// options name another device.
void share_listed(const std::string& text, RenderOptions& options);

}  // namespace kiln::cli
