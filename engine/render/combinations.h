// SPDX-License-Identifier: MIT
// What does not go together in a render: one table, each row with its reason and what to do instead.
// Whatever else forbids a combination has it from here; docs/reference/devices.md lists the rows for users.
#pragma once

namespace kiln {

struct Checkpoint;
struct PreparedFrame;
struct RenderOptions;

/// Throws Error (usage) for options that contradict each other, whatever the frame.
void check_options(const RenderOptions& options);

/// Throws Error (usage) for a frame that cannot be rendered with these options. `checkpoint`: null where
/// nobody keeps its sums. check_options() knows what no frame at all can have.
void check_together(const PreparedFrame& frame, const RenderOptions& options,
                    const Checkpoint* checkpoint);

}  // namespace kiln
