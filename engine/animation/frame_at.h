// SPDX-License-Identifier: MIT
// From key flames to frames: the sequence that they make, the times of its frames, and each frame
// ready to render, with the flame at its time and at the times of the temporal filter around it
// (motion blur). flam3-pipeline.md sections 5 and 13.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/animation/sequence.h"
#include "engine/api/kiln/sequence_options.h"
#include "engine/model/flame.h"
#include "engine/model/frame.h"

namespace kiln {

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

// The key flames of a film: those that were read, or those of a sequence, one a frame, which are made where
// a frame is between them. What asks for all of a sequence sees one after the other.

class FilmKeys {
 public:
  using Some = std::shared_ptr<const std::vector<Flame>>;

  FilmKeys() = default;
  FilmKeys(std::vector<Flame> flames);
  /// A loop has a flame more on both sides of its seam, for motion blur across it.
  explicit FilmKeys(Sequence sequence);

  std::size_t size() const;
  const Flame& front() const { return flames_->front(); }
  /// Calls `see` with each of them, in the order of their times.
  void each(const std::function<void(const Flame&)>& see) const;
  /// The flames of the files: all of them, or those that a sequence is made of.
  const std::vector<Flame>& read() const;
  bool is_sequence() const { return sequence_ != nullptr; }

  /// The first of them, and all between which a film is at the times from `begin` to `end`. There it is what it is
  /// between all of them.
  Some around(double begin, double end) const;
  /// The key flames that a frame with its motion blur is made of.
  Some of_frame(const FrameTime& frame) const;

  /// Changes each, also those that are made later.
  void change(std::function<void(Flame&)> how);

 private:
  int first() const { return sequence_->is_loop() ? -1 : 0; }
  int last() const { return sequence_->end() + (sequence_->is_loop() ? 1 : 0); }
  Flame made(int number) const;

  std::shared_ptr<const Sequence> sequence_;
  std::vector<std::function<void(Flame&)>> changes_;  // of its flames
  Some flames_ =
      std::make_shared<const std::vector<Flame>>();  // all of them; of a sequence the first
};

/// The flame at `time`, as a frame shows it.
Flame flame_at(const FilmKeys& keys, double time);

/// Bytes of memory that they take, about.
std::uint64_t bytes_of(const FilmKeys& keys);

// What an animation shows: key flames, as the files have them or made to a sequence, and the times
// of all frames.

struct KeyFrames {
  FilmKeys keys;
  std::vector<FrameTime> frames;
};

/// Whether any frame between the keys may be cleaned.
bool is_cleaned(const std::vector<Flame>& keys);
bool is_cleaned(const FilmKeys& keys);

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
