// SPDX-License-Identifier: MIT
// --devices: which devices share the work. A list takes all that it names; "all" takes as many GPUs as are
// worth their start.
#pragma once

#include <string>
#include <vector>

#include "engine/api/kiln/render_options.h"

namespace kiln::cli {

/// The devices of a list such as 0,1 or 0-3 (GPUs), all (every GPU) or cpu,cpu (renderers on the CPU, with
/// equal parts of `threads`; 0: all cores). Throws Error.
std::vector<HelpingDevice> device_list(const std::string& text, int threads);

/// The first device of the list makes the pictures, the others help. Throws Error (usage) where the
/// options name another device.
void share_listed(const std::string& text, RenderOptions& options);

/// Whether it is "all", which waits until it is known what is to be rendered.
bool waits_for_work(const std::string& text);
/// The same for "all" and work that takes one GPU so many seconds. A program that renders nothing else
/// (`only_this`) does not even see the other GPUs.
void share_worth(double seconds, bool only_this, RenderOptions& options);
/// The devices of these options as a list that takes them: "0,1".
std::string devices_in_words(const RenderOptions& options);

}  // namespace kiln::cli
