// SPDX-License-Identifier: MIT
// From key flames to frames: the sequence that they make, the times of its frames, and each frame
// ready to render, with the flame at its time and at the times of the temporal filter around it
// (motion blur). flam3-pipeline.md sections 5 and 13.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/animation/film_keys.h"
#include "engine/api/kiln/sequence_options.h"
#include "engine/model/flame.h"
#include "engine/model/frame.h"

namespace kiln {

// Sequences made of key flames: each flame turns (a loop), then becomes the next (a transition), as
// `flam3-genome` makes them with sequence=, animate=, rotate= and inter=. The flames of a sequence
// are keys themselves, one a frame: interpolate() gives what lies between them for motion blur.
// Source: flam3-pipeline.md sections 13.3 and 15; docs/inside/animation.md.

/// The flames of flam3-genome's sequence=: for each flame its loops, then a transition to the next;
/// at the end the last flame itself. Times are 0, 1, 2 ...; the names are empty. Flame k of n keys
/// and L loops: n L nframes + (n - 1) nframes + 1 in all, and `hold` for each flame. Where the
/// easing makes cuts, the last flame is there as long as the others: n L nframes + n nframes + 1.
/// What options say in frames that are not whole begins at the nearest one. Throws Error of kind
/// usage for options out of range, of kind input without keys.
std::vector<Flame> make_sequence(const std::vector<Flame>& keys, const SequenceOptions& options);

/// Such a sequence as an endless loop: after the last flame comes a transition back to the first
/// (with one flame: its turns alone, loops at least 1). Flame N, the last of the N + 1, is flame 0
/// again, so frames 0 .. N - 1 repeat without a seam.
std::vector<Flame> loop_flames(const std::vector<Flame>& keys, const SequenceOptions& options);

/// flam3-genome's animate=: the flame at every whole time begin .. end, motion elements removed. A
/// key whose time is met is taken as it is; the flames between are keys of interpolation_type
/// linear, but for those before a key.
std::vector<Flame> in_betweens(const std::vector<Flame>& keys, int begin, int end,
                               double stagger = 0);

/// Bytes of memory that these flames take, about.
std::uint64_t bytes_of(const std::vector<Flame>& flames);

/// Throws Error (input) where nothing is between the keys: there are none, or their times do not increase.
void check_between(const std::vector<Flame>& keys);

/// Flame `flame` at `phase` of its loop: motion applied, turned by 360 * phase degrees.
Flame loop_at(const Flame& flame, double phase);

/// The transition between two flames at `phase` 0..1, both turning once on the way.
Flame transition_at(const Flame& from, const Flame& to, double phase,
                    const SequenceOptions& options);

/// flam3-genome's rotate= (one key) and inter= (two keys): the flames at times frame - 1, frame and
/// frame + 1 of a loop or transition of options.nframes frames, which is what rendering that frame
/// with motion blur needs.
std::array<Flame, 3> frame_with_neighbors(const std::vector<Flame>& keys, int frame,
                                          const SequenceOptions& options);

// Which frames an animation has, and which of them a command makes. A frame is a number and the
// time it shows; both depend on the animation alone, so frame N is the same picture in any
// selection and any chunk.

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

/// The frame with as many as two before and two after it, as far as there are some: those that a film
/// cleans together.
std::span<const FrameTime> frames_around(std::span<const FrameTime> frames, const FrameTime& frame);

// What an animation shows: key flames, as the files have them or made to a sequence, and the times
// of all frames.

struct KeyFrames {
  FilmKeys keys;
  std::vector<FrameTime> frames;
};

/// Whether any frame between the keys may be cleaned.
bool is_cleaned(const std::vector<Flame>& keys);

/// The times between the keys that are frames; those left out are as in flam3-animate: from the
/// first key's, cut to a whole number, to the last one's less 1, or less a step that is smaller.
struct FrameSpan {
  std::optional<double> begin, end;
  double step = 1;
  std::size_t count = 0;  // not 0: so many frames at even steps from begin to shown_end()
};

/// The frames between keys, at least one, of increasing times. Throws Error.
KeyFrames between_keys(std::vector<Flame> keys, const FrameSpan& span);

/// The frames of the sequence that the flames make, all framed like the first; `loop`: the last becomes the first again, motion
/// blur reaches across that seam, and beyond it the same frames come again. The list of flames comes `rounds` times.
KeyFrames in_sequence(std::vector<Flame> flames, const SequenceOptions& options, bool loop,
                      const FrameSpan& span, std::size_t rounds = 1);

enum class MotionBlur { with, without };

/// The frame of the animation between `keys` (sorted by time, not empty). As in flam3 the spatial
/// filter is that of the first key, and one key alone stands still: its frames have no temporal
/// samples, since all of them would be equal. `keys` of a list must outlive the frame, which blends its
/// samples while it is prepared.
Frame frame_at(const std::vector<Flame>& keys, const FrameTime& frame,
               MotionBlur blur = MotionBlur::with);
Frame frame_at(const FilmKeys& keys, const FrameTime& frame, MotionBlur blur = MotionBlur::with);

/// Samples that each frame takes, for estimates of the time to go. A film with tracks needs a
/// blended flame for that: it blends 64 at most, the frames between them get values between.
std::vector<double> sample_estimates(const FilmKeys& keys, const std::vector<FrameTime>& frames);

}  // namespace kiln
