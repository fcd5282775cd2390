// Sequences made of key flames: each flame turns (a loop), then becomes the next (a transition), as
// `flam3-genome` makes them with sequence=, animate=, rotate= and inter=. The flames of a sequence
// are keys themselves, one a frame: interpolate() gives what lies between them for motion blur.
// Source: flam3-pipeline.md sections 13.3 and 15; docs/animation.md.
#pragma once

#include <array>
#include <vector>

#include "engine/api/kiln/sequence_options.h"
#include "engine/model/flame.h"

namespace kiln {

/// What flam3-genome's sequence= makes: for each flame its loops, then a transition to the next; at
/// the end the last flame itself. Times are 0, 1, 2 ...; the names are empty. Flame k of n keys and
/// L loops: n L nframes + (n - 1) nframes + 1 in all. Throws Error of kind usage for options out of
/// range, of kind input without keys.
std::vector<Flame> make_sequence(const std::vector<Flame>& keys, const SequenceOptions& options);

/// The same as an endless loop: after the last flame comes a transition back to the first (with one
/// flame: its turns alone, loops at least 1). Flame N, the last of the N + 1, is flame 0 again, so
/// frames 0 .. N - 1 repeat without a seam.
std::vector<Flame> loop_flames(const std::vector<Flame>& keys, const SequenceOptions& options);

/// flam3-genome's animate=: the flame at every whole time begin .. end, motion elements removed. A
/// key whose time is met is taken as it is; the flames between are keys of interpolation_type
/// linear, but for those before a key.
std::vector<Flame> in_betweens(const std::vector<Flame>& keys, int begin, int end,
                               double stagger = 0);

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

}  // namespace kiln
