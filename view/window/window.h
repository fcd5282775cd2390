// SPDX-License-Identifier: MIT
// The window as the command sees it: there, or not in this build.
#pragma once

#include <functional>
#include <vector>

#include "engine/api/kiln/render_options.h"
#include "engine/io/flame/flame_reader.h"
#include "engine/model/flame.h"
#include "view/server/view.h"

namespace kiln::cli {

/// Throws Error (unsupported) with what was missing when kiln was built without the window.
void check_window_is_built();

/// Shows the flames in a window until it is closed; `page`: also on a page, at its address. `note`
/// hears what is good to know. Throws Error.
void view_in_window(std::vector<Flame> flames, const ReaderOptions& reader,
                    const RenderOptions& options, const ViewSettings* page,
                    const std::function<void(const std::string&)>& note);

}  // namespace kiln::cli
