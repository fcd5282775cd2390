// What does not go together in a render: one table, each row with its reason and what to do instead.
// Whatever else forbids a combination has it from here; docs/devices.md lists the rows for users.
#pragma once

#include "engine/render/accumulate/checkpoint.h"
#include "engine/render/prepared_frame.h"

namespace kiln {

/// Throws Error (usage) for a frame that cannot be rendered with these options. `checkpoint`: null where
/// nobody keeps its sums. check_options() (renderer.h) knows what no frame at all can have.
void check_together(const PreparedFrame& frame, const RenderOptions& options,
                    const Checkpoint* checkpoint);

}  // namespace kiln
