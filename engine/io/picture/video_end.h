// SPDX-License-Identifier: MIT
// Whether a film was written to its end. ffmpeg may end with exit code 0 although the last bytes found no room
// (version 5.1: "Error writing trailer", and 0), so the file itself is asked: each container says how long
// it is, or has a mark at its end, and both are written last.
#pragma once

#include <cstdint>
#include <string>

namespace kiln {

/// Whether the container in the open file `descriptor`, of `bytes`, is whole by its own sizes and
/// marks. `ending`: ".mp4", as of video_formats(); of another ending nothing is known, and that is true.
bool film_is_whole(int descriptor, std::uint64_t bytes, const std::string& ending);

/// Whether ffmpeg says that it could not write.
bool speaks_of_writing(const std::string& complaints);

}  // namespace kiln
