// How a frame on the disk is known again: its record (text chunk kiln_record) names the frame and
// holds a digest of everything that decides its pixels. A frame with another digest was made from
// other flames, with other options or by another version.
#pragma once

#include <string>
#include <vector>

#include "engine/animation/frame_list.h"
#include "engine/api/kiln/render_options.h"
#include "engine/model/flame.h"

namespace kiln {

/// What all frames between these keys have in common: SHA-256 of the keys as XML and of the options
/// that render_record() writes.
std::string animation_digest(const std::vector<Flame>& keys, const RenderOptions& options);

/// The digest of one frame, as 64 hex digits.
std::string frame_digest(const std::string& animation_digest, const FrameTime& frame);

/// render_record()'s JSON object with the frame's number, time and digest.
std::string frame_record(const std::string& record, const FrameTime& frame,
                         const std::string& digest);

/// Whether `path` is a whole PNG, with pixels and nothing behind its end, whose record has this
/// digest. Never throws for what it finds
/// there.
bool is_frame(const std::string& path, const std::string& digest);

}  // namespace kiln
