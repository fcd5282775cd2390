// Which frames an animation has, and which of them a command makes. A frame is a number and the
// time it shows; both depend on the animation alone, so frame N is the same picture in any
// selection and any chunk.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace kiln {

struct FrameTime {
  int number = 0;   // in file names, and part of the generator's seed
  double time = 0;  // in units of the keys' `time`
};

/// Frames at begin, begin + step, ... up to end. Where begin and step are whole, a frame's number
/// is its time, as in flam3; else frames are counted from 0. Throws Error of kind usage if step is
/// not above 0, end is before begin, or there are more frames than numbers.
std::vector<FrameTime> frame_times(double begin, double end, double step);

/// The frames that `ranges` asks for, in ascending order: "7", "0-99", "0-99:2" (every second),
/// "0-9,50,90-99". Throws Error of kind usage for anything else, for numbers outside of the
/// animation and if nothing is left.
std::vector<FrameTime> select_frames(const std::vector<FrameTime>& frames, std::string_view ranges);

/// One of `count` parts of about equal size; `index` from 1.
struct Chunk {
  int index = 1, count = 1;
};

/// "2/4", or "auto": the part that the task of a Slurm or Grid Engine array has, by the environment
/// (`variable` gives null for a name that is not set). Throws Error of kind usage.
Chunk parse_chunk(std::string_view text, const std::function<const char*(const char*)>& variable);

/// Neighboring frames; all chunks together are all frames. Empty if there are more chunks than
/// frames.
std::vector<FrameTime> chunk_of(const std::vector<FrameTime>& frames, const Chunk& chunk);

}  // namespace kiln
